// backends: host
// Aggregates of the runtime layer, for every element type and layout.

#include "runtime/matrices.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "support/runtime.hpp"

namespace evenfold::runtime {
namespace {

/// A matrix on the host with elements of type E, in a layout.
template <class E>
struct host_matrix {
  matrix_shape shape;
  std::vector<E> elements;

  host_matrix(const matrix_shape& s, std::size_t size) : shape(s), elements(size) {
    for (std::size_t i = 0; i < size; ++i) {
      // There are few different values, so that extremes occur several times.
      const auto value = static_cast<int>(i * 2654435761u >> 7 & 63);
      elements[i] = static_cast<E>(std::is_signed_v<E> ? value - 20 : value);
    }
  }
  double operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(
        elements[static_cast<std::size_t>(i * shape.row_stride + j * shape.column_stride)]);
  }
};

/// The elements of an array of results, as double.
std::vector<double> as_doubles(engine& device, const array& values) {
  const auto converted = [&](const auto& all) {
    return std::vector<double>(all.begin(), all.end());
  };
  switch (values.type()) {
    case element_type::int64:
      return converted(to_vector<std::int64_t>(device, values));
    case element_type::uint64:
      return converted(to_vector<std::uint64_t>(device, values));
    case element_type::float32:
      return converted(to_vector<float>(device, values));
    default:
      return to_vector<double>(device, values);
  }
}

template <class E>
void expect_aggregates(engine& device, const host_matrix<E>& a) {
  const auto [rows, columns, row_stride, column_stride] = a.shape;
  const array there = uploaded(device, a.elements);
  for (const aggregate_axis axis :
       {aggregate_axis::all, aggregate_axis::rows, aggregate_axis::columns}) {
    const bool of_all = axis == aggregate_axis::all;
    const std::int64_t lines = of_all ? 1 : axis == aggregate_axis::rows ? rows : columns;
    std::vector<double> sums(static_cast<std::size_t>(lines)), best(sums), worst(sums);
    std::vector<double> best_at(sums), worst_at(sums), counts(sums);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const auto line = static_cast<std::size_t>(of_all                         ? 0
                                                   : axis == aggregate_axis::rows ? i
                                                                                  : j);
        const double place = static_cast<double>(of_all                         ? i * columns + j
                                                 : axis == aggregate_axis::rows ? j
                                                                                : i);
        const double value = a(i, j);
        if (counts[line] == 0 || value > best[line]) {
          best[line] = value;
          best_at[line] = place;
        }
        if (counts[line] == 0 || value < worst[line]) {
          worst[line] = value;
          worst_at[line] = place;
        }
        sums[line] += value;
        ++counts[line];
      }
    }
    const auto answer = [&](aggregate_operator op) {
      return device.matrices().aggregate(there, a.shape, op, axis);
    };
    const auto places = [&](const array& found) {
      std::vector<double> result = as_doubles(device, found);
      if (of_all) result = {result[0] * static_cast<double>(columns) + result[1]};
      return result;
    };
    EXPECT_EQ(as_doubles(device, answer(aggregate_operator::sum).values), sums);
    EXPECT_EQ(as_doubles(device, answer(aggregate_operator::max).values), best);
    EXPECT_EQ(as_doubles(device, answer(aggregate_operator::min).values), worst);
    const aggregate_result first_best = answer(aggregate_operator::argmax);
    EXPECT_EQ(as_doubles(device, first_best.values), best);
    EXPECT_EQ(places(first_best.places), best_at);
    const aggregate_result first_worst = answer(aggregate_operator::argmin);
    EXPECT_EQ(as_doubles(device, first_worst.values), worst);
    EXPECT_EQ(places(first_worst.places), worst_at);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
    EXPECT_EQ(as_doubles(device, answer(aggregate_operator::mean).values), sums);
  }
}

template <class T>
class runtime_aggregate : public ::testing::Test {};
using element_types =
    ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                     std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(runtime_aggregate, element_types);

TYPED_TEST(runtime_aggregate, of_every_layout) {
  using E = TypeParam;
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    expect_aggregates(*device, host_matrix<E>(matrix_shape::row_major(7, 13), 91));
    expect_aggregates(*device, host_matrix<E>(matrix_shape::column_major(7, 13), 91));
    expect_aggregates(*device, host_matrix<E>(matrix_shape::row_major(1, 40), 40));
    expect_aggregates(*device, host_matrix<E>(matrix_shape::row_major(40, 1), 40));
    // Every second element of every third row.
    expect_aggregates(*device, host_matrix<E>({5, 6, 36, 2}, 200));
    expect_aggregates(*device, host_matrix<E>({6, 5, 2, 36}, 200));
  }
}

/// Narrow elements are folded one block at a time. Rows and columns here are longer than a block.
TEST(runtime_aggregate_blocks, beyond_one_block) {
  const std::int64_t many = (std::int64_t{1} << 20) + 77;
  const auto size = static_cast<std::size_t>(3 * many);
  const auto device = open_cpu();
  for (const matrix_shape& shape :
       {matrix_shape::row_major(3, many), matrix_shape::row_major(many, 3),
        matrix_shape::column_major(3, many), matrix_shape::column_major(many, 3)}) {
    SCOPED_TRACE(std::to_string(shape.rows) + " " + std::to_string(shape.row_stride));
    expect_aggregates(*device, host_matrix<std::int8_t>(shape, size));
  }
  expect_aggregates(*device, host_matrix<std::uint8_t>(matrix_shape::row_major(1, 3 * many), size));
}

TEST(runtime_aggregate_types, results_have_64_bits) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const auto type_of = [&](const array& values, aggregate_operator op) {
      return device->matrices()
          .aggregate(values, matrix_shape::row_major(1, 2), op, aggregate_axis::all)
          .values.type();
    };
    const array bytes = uploaded<std::int8_t>(*device, {1, 2});
    const array floats = uploaded<float>(*device, {1, 2});
    EXPECT_EQ(type_of(bytes, aggregate_operator::max), element_type::int64);
    EXPECT_EQ(type_of(bytes, aggregate_operator::mean), element_type::float64);
    EXPECT_EQ(type_of(floats, aggregate_operator::max), element_type::float32);
    EXPECT_EQ(type_of(floats, aggregate_operator::sum), element_type::float64);
  }
}

TEST(runtime_aggregate_types, bool_counts) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const bool values[] = {true, false, true, true};
    const array there = device->upload(array::borrowed(
        element_type::boolean, static_cast<const void*>(values), 4, memory_side::host));
    const auto shape = matrix_shape::row_major(2, 2);
    const auto of_rows = [&](aggregate_operator op) {
      return as_doubles(
          *device, device->matrices().aggregate(there, shape, op, aggregate_axis::rows).values);
    };
    EXPECT_EQ(of_rows(aggregate_operator::sum), (std::vector<double>{1, 2}));
    EXPECT_EQ(of_rows(aggregate_operator::min), (std::vector<double>{0, 1}));
    EXPECT_EQ(of_rows(aggregate_operator::product), (std::vector<double>{0, 1}));
  }
}

TEST(runtime_aggregate_types, what_does_not_fit_is_an_error) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array a = uploaded<std::int64_t>(*device, {1, most, most, -most, -most, 1});
    const auto aggregate = [&](aggregate_operator op, aggregate_axis axis) {
      return as_doubles(
          *device, device->matrices().aggregate(a, matrix_shape::row_major(3, 2), op, axis).values);
    };
    expect_refusal<overflow_error>(
        [&] { aggregate(aggregate_operator::sum, aggregate_axis::rows); },
        {"the sum of row 0 does not fit into 64 bits, expected less than 2^63"});
    expect_refusal<overflow_error>(
        [&] { aggregate(aggregate_operator::product, aggregate_axis::all); },
        {"the product of all elements"});
    EXPECT_EQ(aggregate(aggregate_operator::sum, aggregate_axis::columns),
              (std::vector<double>{1, 1}));
  }
}

TEST(runtime_aggregate_types, a_shape_beyond_the_array_is_refused) {
  const auto device = open_cpu();
  const array a = uploaded<float>(*device, {1, 2, 3, 4, 5});
  expect_refusal<argument_error>(
      [&] {
        device->matrices().aggregate(a, matrix_shape::row_major(2, 3), aggregate_operator::sum,
                                     aggregate_axis::all);
      },
      {"aggregate: elements.size() is 5", "index 5"});
}

}  // namespace
}  // namespace evenfold::runtime
