#include "evenfold/algorithm/segreduce.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/core/random.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class T, class Size = std::int64_t, class Offset, class Context, class Op>
void check_segreduce(Context& ctx, const segments_of<Offset>& data, Op op, T init) {
  const std::vector<T> host = random_values<T>(data.count);
  const array<T> input = to_context(ctx, host);
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, data.num_segments());
  segreduce(ctx, input.data(), static_cast<Size>(data.count), offsets.data(),
            static_cast<Size>(data.num_segments()), out.data(), op, init);
  const std::vector<T> got = to_host(ctx, out);
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    T expected = init;
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) expected = op(expected, host[i]);
    ASSERT_TRUE(got[s] == expected) << "segment " << s << " of " << data.num_segments() << ", "
                                    << data.end(s) - data.begin(s) << " items";
  }
}

template <class Context>
void check_functions(Context& ctx, const segments_of<int>& data) {
  const int count = static_cast<int>(data.count);
  const int num_segments = static_cast<int>(data.num_segments());
  std::vector<std::int64_t> factor;
  for (int s = 0; s < num_segments; ++s) factor.push_back(s % 7 - 3);
  const array<std::int64_t> factors = to_context(ctx, factor);
  const array<int> offsets = to_context(ctx, data.offsets);
  array<std::int64_t> of_index(ctx, num_segments);
  array<std::int64_t> of_positions(ctx, num_segments);
  array<std::int64_t> of_cached(ctx, num_segments);
  using values = tuple<std::int64_t>;

  transform_segreduce(
      ctx, count, EF_LAMBDA(int i) { return 3 * std::int64_t{i}; }, offsets.data(), num_segments,
      of_index.data(), plus{}, std::int64_t{1});
  lbs_segreduce(
      ctx, count, EF_LAMBDA(int i, int seg, int rank) { return i + 5 * std::int64_t{seg} * rank; },
      offsets.data(), num_segments, of_positions.data(), plus{}, std::int64_t{2});
  lbs_segreduce(
      ctx, count,
      EF_LAMBDA(int i, int, int rank, const values& cached) { return get<0>(cached) * rank + i; },
      offsets.data(), num_segments, make_tuple(factors.data()), of_cached.data(), plus{},
      std::int64_t{3});

  const std::vector<std::int64_t> got_index = to_host(ctx, of_index);
  const std::vector<std::int64_t> got_positions = to_host(ctx, of_positions);
  const std::vector<std::int64_t> got_cached = to_host(ctx, of_cached);
  for (std::int64_t s = 0; s < num_segments; ++s) {
    std::int64_t index = 1;
    std::int64_t position = 2;
    std::int64_t cached = 3;
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
      const std::int64_t rank = i - data.begin(s);
      index += 3 * i;
      position += i + 5 * s * rank;
      cached += factor[s] * rank + i;
    }
    ASSERT_EQ(got_index[s], index) << "segment " << s;
    ASSERT_EQ(got_positions[s], position) << "segment " << s;
    ASSERT_EQ(got_cached[s], cached) << "segment " << s;
  }
}

template <class T, class Context>
void check_bits_of_segreduce(shape kind) {
  const segments_of<int> data = make_segments<int>(kind, large_size);
  const std::vector<T> host = random_fractions<T>(data.count);
  std::vector<std::vector<T>> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    const array<T> input = to_context(*ctx, host);
    const array<int> offsets = to_context(*ctx, data.offsets);
    array<T> out(*ctx, data.num_segments());
    for (int run = 0; run < 2; ++run) {
      segreduce(*ctx, input.data(), data.count, offsets.data(), data.num_segments(), out.data(),
                plus{}, T{0.1f});
      results.push_back(to_host(*ctx, out));
    }
  }
  for (const std::vector<T>& result : results) {
    ASSERT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(T)), 0);
  }
}

template <class Context>
class segreduce_on : public on<Context> {};
TYPED_TEST_SUITE(segreduce_on, contexts);

TYPED_TEST(segreduce_on, folds_segments_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 5000, 70000}) {
      check_segreduce<int>(this->ctx, make_segments<int>(kind, count), plus{}, 3);
    }
  }
}

TYPED_TEST(segreduce_on, folds_many_items) {
  for (const shape kind : {shape::power_law, shape::one_giant}) {
    check_segreduce<int>(this->ctx, make_segments<int>(kind, 200003), plus{}, 3);
  }
}

TYPED_TEST(segreduce_on, folds_segments_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_segreduce<int>(this->ctx, make_segments<int>(shape::uniform, count), plus{}, 3);
    check_segreduce<int>(this->ctx, make_segments<int>(shape::one_giant, count), plus{}, 3);
  }
}

TYPED_TEST(segreduce_on, keeps_the_order_of_operands) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    const segments_of<int> data = make_segments<int>(kind, 70000);
    check_segreduce<matrix2>(this->ctx, data, multiplies{}, matrix2(1, 1, 0, 1));
    check_segreduce<int>(this->ctx, data, last_nonzero{}, 17);
  }
}

TYPED_TEST(segreduce_on, values_of_1_to_64_bytes) {
  for (const shape kind : {shape::power_law, shape::one_giant}) {
    const segments_of<int> data = make_segments<int>(kind, 40000);
    check_segreduce<std::int8_t>(this->ctx, data, plus{}, 3);
    check_segreduce<float>(this->ctx, data, plus{}, 0.25f);
    check_segreduce<float>(this->ctx, data, minimum{}, 100.f);
    check_segreduce<double>(this->ctx, data, maximum{}, -100.);
    check_segreduce<triple>(this->ctx, data, plus{}, triple{1, 2, 3});
    check_segreduce<wide>(this->ctx, data, plus{}, wide(5));
  }
}

TYPED_TEST(segreduce_on, takes_64_bit_and_unsigned_counts_and_offsets) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_segreduce<int, int>(this->ctx, make_segments<std::int64_t>(kind, 30000), plus{}, 3);
    check_segreduce<int, std::uint32_t>(this->ctx, make_segments<std::uint32_t>(kind, 30000),
                                        plus{}, 3);
  }
}

TYPED_TEST(segreduce_on, values_come_from_functions_and_cached_values) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_functions(this->ctx, make_segments<int>(kind, 30000));
  }
}

/// Folds segments of 0 to 16 numbers, among them zeros of both signs, infinities and NaN, of which
/// any order gives the same.
template <class T, class Context, class Op>
void check_special_numbers(Context& ctx, Op op, T init) {
  std::vector<T> host = {T{0}, -T{0}, T{1}, T{2}};
  if constexpr (std::is_floating_point_v<T>) {
    const T infinity = std::numeric_limits<T>::infinity();
    host.insert(host.end(), {-infinity, infinity, std::numeric_limits<T>::quiet_NaN()});
  }
  std::vector<T> values;
  std::vector<int> offset;
  const random_stream random(9);
  for (std::uint64_t s = 0; s < 700; ++s) {
    offset.push_back(static_cast<int>(values.size()));
    // Most of the numbers of a segment are zeros.
    for (std::uint64_t i = random.below(s, 17); i > 0; --i) {
      const std::uint64_t draw = values.size() + 1000;
      values.push_back(
          host[random.below(draw, random.below(draw + 9999, 8) == 0 ? host.size() : 2)]);
    }
  }
  const array<T> input = to_context(ctx, values);
  const array<int> offsets = to_context(ctx, offset);
  array<T> out(ctx, offset.size());
  const int count = static_cast<int>(values.size());
  const int num_segments = static_cast<int>(offset.size());
  segreduce(ctx, input.data(), count, offsets.data(), num_segments, out.data(), op, init);
  const std::vector<T> got = to_host(ctx, out);
  for (int s = 0; s < num_segments; ++s) {
    T expected = init;
    const int end = s + 1 < num_segments ? offset[s + 1] : count;
    for (int i = offset[s]; i < end; ++i) expected = op(expected, values[i]);
    if (expected != expected && got[s] != got[s]) continue;
    ASSERT_EQ(std::memcmp(&got[s], &expected, sizeof(T)), 0) << "segment " << s;
  }
}

TYPED_TEST(segreduce_on, keeps_the_signs_of_zeros_and_what_is_not_finite) {
  check_special_numbers(this->ctx, plus{}, -0.f);
  check_special_numbers(this->ctx, multiplies{}, 1.);
  check_special_numbers(this->ctx, minimum{}, std::numeric_limits<double>::infinity());
  check_special_numbers(this->ctx, maximum{}, -std::numeric_limits<float>::infinity());
  check_special_numbers(this->ctx, maximum{}, std::uint64_t{0});
  check_special_numbers(this->ctx, minimum{}, 3);
}

TYPED_TEST(segreduce_on, gives_the_same_bits_every_time) {
  for (const shape kind : {shape::power_law, shape::one_giant, shape::single}) {
    check_bits_of_segreduce<float, TypeParam>(kind);
    check_bits_of_segreduce<double, TypeParam>(kind);
  }
}

}  // namespace
}  // namespace evenfold::testing
