// backends: host
// The runtime layer: owning and borrowed arrays, engines, and the table of element types. The tests
// of the algorithms and of the program cover the results of its operations.

#include "runtime/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/distributed/threads.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"
#include "runtime/matrices.hpp"
#include "runtime/processes.hpp"
#include "runtime/sparse.hpp"
#include "runtime/tables.hpp"

namespace evenfold::runtime {
namespace {

/// All engines that can be opened on this machine.
std::vector<std::unique_ptr<engine>> engines() {
  std::vector<std::unique_ptr<engine>> all;
  all.push_back(open_reference());
  all.push_back(open_cpu(3));
  for (int index = 0; index < num_gpus(); ++index) all.push_back(open_gpu(index));
  return all;
}

template <class T>
array uploaded(engine& to, const std::vector<T>& values) {
  return to.upload(array::borrowed(std::span(values)));
}

/// Expects an Error whose message contains all of the parts.
template <class Error, class Call>
void expect_refusal(Call call, const std::vector<std::string>& parts) {
  try {
    call();
    FAIL() << "nothing was thrown";
  } catch (const Error& failure) {
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
    }
  }
}

TEST(runtime_array, starts_empty) {
  const array none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.is_owning());
  EXPECT_EQ(none.address(), nullptr);
}

TEST(runtime_array, stays_on_the_device_between_operations) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    array_operations& arrays = device->arrays();
    const array x = arrays.uniform(element_type::int64, 1000, 7, -50, 50);
    array y = arrays.normal(element_type::float64, 1000, 7, 1, 0);
    EXPECT_TRUE(x.is_owning());
    EXPECT_EQ(x.side(), device->side());
    const auto on_host = to_vector<std::int64_t>(*device, x);
    EXPECT_EQ(std::get<std::int64_t>(arrays.fold(x, fold_operator::sum, fold_strategy::tiled, {})),
              std::accumulate(on_host.begin(), on_host.end(), std::int64_t{0}));
    EXPECT_EQ(std::get<std::int64_t>(arrays.dot(x, x)),
              std::inner_product(on_host.begin(), on_host.end(), on_host.begin(), std::int64_t{0}));
    const array ones = arrays.normal(element_type::float64, 1000, 8, 1, 0);
    arrays.saxpy(2, ones, y);
    arrays.saxpy(3, ones, y);
    EXPECT_EQ(to_vector<double>(*device, y), std::vector<double>(1000, 6));
  }
}

TEST(runtime_array, a_keeper_is_released_once_and_not_before_the_last_array) {
  int released = 0;
  std::vector<float> memory(3, 1.f);
  array shared;
  {
    array borrowed = array::borrowed(
        std::span<const float>(memory),
        std::shared_ptr<const void>(memory.data(), [&](const void*) { ++released; }));
    EXPECT_FALSE(borrowed.is_owning());
    EXPECT_EQ(borrowed.address(), memory.data());
    array moved = std::move(borrowed);
    EXPECT_EQ(moved.size(), 3u);
    EXPECT_TRUE(borrowed.empty());
    shared = moved.share();
  }
  EXPECT_EQ(released, 0);
  EXPECT_EQ(to_vector<float>(*open_cpu(), shared), memory);
  shared = array();
  EXPECT_EQ(released, 1);
}

TEST(runtime_array, an_engine_that_can_reach_memory_does_not_copy_it) {
  const std::vector<double> values = {1, 2, 3};
  const array host = array::borrowed(std::span(values));
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array there = device->local(host);
    EXPECT_EQ(there.address() == values.data(), device->side() == memory_side::host);
    EXPECT_NE(device->upload(host).address(), values.data());
    EXPECT_EQ(to_vector<double>(*device, there), values);
  }
}

TEST(runtime_array, memory_given_as_const_is_not_written) {
  for (const auto& device : engines()) {
    if (device->side() != memory_side::host) continue;
    const std::vector<double> constant(4, 1);
    std::vector<double> variable(4, 1);
    const array x = array::borrowed(std::span(constant));
    array y = array::borrowed(std::span(constant));
    expect_refusal<argument_error>([&] { device->arrays().saxpy(1, x, y); }, {"read-only"});
    y = array::borrowed(std::span(variable));
    device->arrays().saxpy(1, x, y);
    EXPECT_EQ(variable, std::vector<double>(4, 2));
    EXPECT_EQ(constant, std::vector<double>(4, 1));
  }
}

TEST(runtime_array, says_so_where_it_outlives_its_engine) {
  const auto all = engines();
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto fresh = engines();
    std::unique_ptr<engine> device = std::move(fresh[i]);
    const std::string name = device->name();
    SCOPED_TRACE(name);
    array kept = uploaded<double>(*device, {1, 2, 3});
    array shared = kept.share();
    device.reset();
    EXPECT_EQ(kept.size(), 3u);
    const std::vector<std::string> parts = {name, "is closed", "download"};
    expect_refusal<closed_engine_error>([&] { kept.address(); }, parts);
    expect_refusal<closed_engine_error>([&] { kept.mutable_address(); }, parts);
    expect_refusal<closed_engine_error>([&] { kept.share(); }, parts);
    if (all[i]->side() == memory_side::host) {
      expect_refusal<closed_engine_error>([&] { all[i]->arrays().dot(shared, shared); }, parts);
    }
    kept = array();
  }
}

TEST(runtime_array, the_first_cell_that_breaks_an_invariant_is_found) {
  using integers = std::vector<std::int64_t>;
  const integers values = {3, 1, 4, 1, 5, 9, 2, 6};
  const auto broken = [&](fold_strategy strategy, const integers& cells) {
    return first_broken_fold_cell(fold_operator::sum, strategy, 2,
                                  array::borrowed(std::span(values)),
                                  array::borrowed(std::span(cells)));
  };
  const auto folding = broken(fold_strategy::array_folding, {14, 18, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(folding.has_value());
  EXPECT_EQ(folding->cell, 1u);
  EXPECT_EQ(folding->found, number(std::int64_t{18}));
  EXPECT_EQ(folding->expected, number(std::int64_t{17}));
  const auto tournament = broken(fold_strategy::tournament, {9, 0, 0, 0, 21, 0, 0, 0});
  ASSERT_TRUE(tournament.has_value());
  EXPECT_EQ(tournament->cell, 4u);
  EXPECT_EQ(tournament->expected, number(std::int64_t{22}));
  EXPECT_FALSE(broken(fold_strategy::array_folding, {14, 17, 0, 0, 0, 0, 0, 0}).has_value());
}

TEST(runtime_engine, can_be_moved) {
  for (auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array values = uploaded<double>(*device, {1, 2, 3});
    std::unique_ptr<engine> elsewhere = std::move(device);
    EXPECT_EQ(std::get<double>(elsewhere->arrays().dot(values, values)), 14);
  }
}

TEST(runtime_engine, refuses_the_arrays_of_another_device) {
  const auto all = engines();
  for (const auto& device : all) {
    for (const auto& other : all) {
      if (device == other) continue;
      SCOPED_TRACE(device->name() + " with an array of " + other->name());
      const array there = uploaded<double>(*other, {1, 2, 3});
      if (device->side() == memory_side::host && other->side() == memory_side::host) {
        EXPECT_EQ(std::get<double>(device->arrays().dot(there, there)), 14);
      } else {
        expect_refusal<argument_error>(
            [&] { device->arrays().dot(there, there); },
            {"dot: ", " is an array of " + other->name(), device->name()});
      }
    }
  }
}

TEST(runtime_engine, refuses_devices_that_are_not_there) {
  expect_refusal<device_error>([] { open_gpu(num_gpus()); }, {"open_gpu", "expected"});
  expect_refusal<argument_error>([] { open_cpu(-1); }, {"threads"});
  EXPECT_TRUE(num_gpus() == 0 || knows_gpus());
}

TEST(runtime_engine, tells_what_the_device_is) {
  for (const auto& device : engines()) {
    const device_facts facts = device->facts();
    EXPECT_EQ(facts.device, device->name());
    EXPECT_FALSE(facts.name.empty());
    EXPECT_GE(facts.workers, 1);
    EXPECT_GT(facts.copy_bytes_per_second, 0);
    EXPECT_GT(device->available_bytes(), 0u);
  }
}

TEST(runtime_engine, reports_the_phases_of_long_work) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    std::vector<std::string> phases;
    device->observe([&](std::string name) { phases.push_back(std::move(name)); });
    std::vector<key_column> keys;
    keys.push_back({uploaded<std::uint64_t>(*device, {2, 1, 2, 0, 2}), {}, 2});
    const joined_table_rows rows = device->tables().join(keys, 3, join_kind::inner);
    EXPECT_EQ(to_vector<std::int32_t>(*device, rows.left), (std::vector<std::int32_t>{0, 2}));
    EXPECT_EQ(to_vector<std::int32_t>(*device, rows.right), (std::vector<std::int32_t>{1, 1}));
    EXPECT_EQ(phases, std::vector<std::string>{"join"});
  }
}

TEST(runtime_types, a_combination_that_is_missing_is_an_error) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array bytes = uploaded<std::int8_t>(*device, {1, 2});
    const array doubles = uploaded<double>(*device, {1, 2});
    array integers = uploaded<std::int64_t>(*device, {1, 2});
    expect_refusal<type_error>([&] { device->arrays().dot(bytes, bytes); },
                               {"dot: the element type of x is int8",
                                "exists for int64, uint64, float32, float64", "convert"});
    expect_refusal<type_error>([&] { device->arrays().dot(doubles, integers); },
                               {"dot: the element type of y is int64", "exists for float64"});
    expect_refusal<type_error>([&] { device->arrays().saxpy(1, integers, integers); },
                               {"saxpy", "int64", "exists for float32, float64"});
    expect_refusal<type_error>([&] { device->arrays().normal(element_type::boolean, 1, 1, 0, 1); },
                               {"normal", "bool"});
    expect_refusal<type_error>([&] { device->matrices().jacobi(integers, 1, 2, 0, 1, {}); },
                               {"jacobi", "int64"});
    expect_refusal<type_error>([&] { to_vector<float>(*device, doubles); }, {"float64"});
  }
}

/// Each operation works for the element types in its row of the table, and for no others.
TEST(runtime_types, the_table_holds) {
  for (int i = 0; i < num_element_types; ++i) {
    const auto type = static_cast<element_type>(i);
    SCOPED_TRACE(name_of(type));
    const auto works = [&](auto call) {
      try {
        call();
        return true;
      } catch (const type_error&) {
        return false;
      }
    };
    for (const auto& device : engines()) {
      array x = device->allocate(type, 0);
      array y = device->allocate(type, 0);
      array_operations& arrays = device->arrays();
      const auto has = [&](operation what) { return row_of(what).types.has(type); };
      EXPECT_EQ(works([&] { arrays.dot(x, y); }), has(operation::dot));
      EXPECT_EQ(works([&] { arrays.saxpy(1, x, y); }), has(operation::saxpy));
      EXPECT_EQ(works([&] { arrays.normal(type, 3, 1, 0, 1); }), has(operation::normal));
      EXPECT_EQ(works([&] { arrays.uniform(type, 3, 1, 0, 9); }), has(operation::uniform));
      EXPECT_EQ(works([&] { arrays.fold(x, fold_operator::max, fold_strategy::tiled, {}); }),
                has(operation::fold));
      EXPECT_EQ(works([&] {
                  device->matrices().aggregate(x, matrix_shape::row_major(0, 4),
                                               aggregate_operator::sum, aggregate_axis::columns);
                }),
                has(operation::aggregate));
      EXPECT_EQ(works([&] { device->matrices().jacobi(x, 0, 0, 1, 1, {}); }),
                has(operation::jacobi));
    }
  }
  for (std::size_t i = 0; i < operation_table.size(); ++i) {
    EXPECT_EQ(operation_table[i].what, static_cast<operation>(i)) << operation_table[i].name;
  }
}

// Aggregates ------------------------------------------------------------------------------------

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
class runtime_aggregate : public testing::Test {};
using element_types =
    testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
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

// Sparse matrices and graphs --------------------------------------------------------------------

TEST(runtime_graphs, are_made_once_and_searched_often) {
  // 0 -> 1 -> 2, 0 -> 3
  const std::vector<std::int32_t> from = {0, 1, 0}, to = {1, 2, 3};
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const sparse_entries edges{
        4, 4, array::borrowed(std::span(from)), array::borrowed(std::span(to)), {}, false};
    const graph directed = make_graph(*device, edges, {});
    const graph undirected = make_graph(*device, edges, {.undirected = true, .symmetrize = true});
    EXPECT_EQ(directed.num_edges(), 3);
    EXPECT_EQ(undirected.num_edges(), 6);
    graph_operations& graphs = device->graphs();
    for (const std::int32_t source : {2, 0}) {
      const bfs_found there = graphs.bfs(directed, {source}, {});
      const bfs_found both = graphs.bfs(undirected, {source}, {});
      EXPECT_EQ(there.reached, source == 0 ? 4 : 1);
      EXPECT_EQ(both.reached, 4);
      EXPECT_EQ(both.depth, source == 0 ? 2 : 3);
      EXPECT_TRUE(
          graphs.bfs_verify(undirected, {source}, both, graphs.bfs_parents(undirected, both.levels))
              .ok());
    }
    EXPECT_EQ(graphs.count_components(graphs.component_labels(directed)).components, 1);
    EXPECT_EQ(graphs.count_edges(undirected, graphs.bfs(undirected, {0}, {}).levels).edges, 3);
  }
}

/// Threads in place of processes.
class thread_processes final : public process_group {
 public:
  explicit thread_processes(thread_communicator& all) : all_(&all) {}
  int rank() const override { return all_->rank(); }
  int size() const override { return all_->size(); }
  void exchange(reference_context& memory, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    all_->exchange(memory, sends, receives);
  }
  void all_gather_v(reference_context& memory, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    all_->all_gather_v(memory, from, to, offsets);
  }
  void all_to_all_v(reference_context& memory, const std::byte* from, byte_offsets from_offsets,
                    std::byte* to, byte_offsets to_offsets) override {
    all_->all_to_all_v(memory, from, from_offsets, to, to_offsets);
  }
  void broadcast(reference_context& memory, std::byte* data, std::size_t bytes, int root) override {
    all_->broadcast(memory, data, bytes, root);
  }
  void barrier() override { all_->barrier(); }
  void fail(const std::string& reason) override { all_->fail(reason); }

 private:
  thread_communicator* all_;
};

TEST(runtime_processes, every_engine_gets_the_whole_result_of_one) {
  constexpr std::int32_t n = 300;
  std::vector<std::int32_t> from, to;
  std::vector<double> values;
  for (std::int32_t v = 1; v < n; ++v) {
    from.insert(from.end(), {v, v});
    to.insert(to.end(), {2 * v % n, v / 3});
    values.insert(values.end(), {0.1 * v, 1. / v});
  }
  const sparse_entries edges{n,
                             n,
                             array::borrowed(std::span(from)),
                             array::borrowed(std::span(to)),
                             array::borrowed(std::span(values)),
                             true};
  struct results {
    std::vector<double> ranks, distances, product;
    std::vector<std::int32_t> levels;
    bool operator==(const results&) const = default;
  };
  const auto results_on = [&](engine& device) {
    const graph g = make_graph(device, edges, {});
    const sparse_rows rows = device.sparse().to_rows(local(device, edges), duplicates::sum);
    graph_operations& graphs = device.graphs();
    const array ranks = graphs.pagerank(g, {}, {}).ranks;
    array product = device.allocate(element_type::float64, n);
    device.sparse().spmv(rows, ranks, product, 0.3, 0);
    return results{to_vector<double>(device, ranks),
                   to_vector<double>(device, graphs.sssp(g, {7}, {}).distances),
                   to_vector<double>(device, product),
                   to_vector<std::int32_t>(device, graphs.bfs(g, {7}, {}).levels)};
  };
  const results expected = results_on(*open_cpu());
  for (const int ranks : {1, 3}) {
    run_ranks(ranks, [&](thread_communicator& all) {
      const auto device = open_cpu(1);
      device->join(std::make_shared<thread_processes>(all));
      EXPECT_TRUE(results_on(*device) == expected) << all.rank() << " of " << ranks;
      expect_refusal<argument_error>(
          [&] { open_reference()->join(std::make_shared<thread_processes>(all)); },
          {"the engine 'reference' cannot be a rank"});
    });
  }
}

TEST(runtime_tables, refuses_aggregates_of_other_types_or_lengths) {
  const auto device = open_cpu();
  std::vector<key_column> keys;
  keys.push_back({uploaded<std::uint64_t>(*device, {2, 1, 2}), {}, 2});
  const auto group = [&](aggregate_kind kind, array values) {
    std::vector<column_aggregate> aggregates(1);
    aggregates[0].kind = kind;
    aggregates[0].values = std::move(values);
    return device->tables().group(keys, aggregates, group_order::keys);
  };
  EXPECT_EQ(to_vector<std::int64_t>(
                *device,
                group(aggregate_kind::sum, uploaded<std::int64_t>(*device, {1, 2, 3})).results[0]),
            (std::vector<std::int64_t>{2, 4}));
  expect_refusal<type_error>(
      [&] {
        group(aggregate_kind::mean, uploaded<std::int64_t>(*device, {1, 2, 3}));
      },
      {"group", "int64", "float64"});
  expect_refusal<argument_error>(
      [&] {
        group(aggregate_kind::sum, uploaded<double>(*device, {1, 2}));
      },
      {"the size of a column is 2", "3 rows"});
}

TEST(runtime_sparse, refuses_arrays_that_are_not_of_one_matrix) {
  const auto device = open_cpu();
  const std::vector<std::int32_t> rows = {0, 1}, columns = {0};
  const sparse_entries bad{
      2, 2, array::borrowed(std::span(rows)), array::borrowed(std::span(columns)), {}, false};
  expect_refusal<argument_error>([&] { device->sparse().to_rows(bad, duplicates::keep); },
                                 {"to_rows: rows.size() is 2", "1 of them"});
}

}  // namespace
}  // namespace evenfold::runtime
