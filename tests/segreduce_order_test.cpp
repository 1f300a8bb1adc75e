// The folds of segments have the bits of the reference backend, wherever the shares of the workers
// cut the items: also in segments that span thousands of them.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/sparse/spmv_parts.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A number of either sign that depends on its index alone. Exponents have a wide range, so that
/// any other order of additions shows.
template <class T>
struct number_at {
  template <class Size>
  EF_HD constexpr T operator()(Size i) const {
    const std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
    const auto digits = static_cast<T>(static_cast<int>(bits >> 40) - 0x800000);
    return (bits >> 33 & 7) == 0 ? static_cast<T>(digits * static_cast<T>(4096)) : digits;
  }
};

/// 16 bytes.
using small_sums = three_sums<double, float, std::int32_t>;

template <class X, class Y, class Count>
struct number_at<three_sums<X, Y, Count>> {
  template <class Size>
  EF_HD constexpr three_sums<X, Y, Count> operator()(Size i) const {
    return {number_at<X>{}(i), number_at<Y>{}(i), 1};
  }
};

bool equal_bits(const mixed_sums& a, const mixed_sums& b) {
  return std::memcmp(&a.x, &b.x, sizeof(a.x)) == 0 && std::memcmp(&a.y, &b.y, sizeof(a.y)) == 0 &&
         a.count == b.count;
}
template <class T>
bool equal_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Compares the folds of all segments bit by bit.
template <class Offset, class T, class Folds>
void expect_bits(const segments_of<Offset>& data, const std::vector<T>& got, const Folds& expected,
                 const char* name) {
  for (std::size_t s = 0; s < got.size(); ++s) {
    const auto seg = static_cast<std::int64_t>(s);
    ASSERT_TRUE(equal_bits(got[s], expected[s])) << name << ", segment [" << data.begin(seg) << ", "
                                                 << data.end(seg) << ") of " << data.count;
  }
}

template <class T>
struct number_of_rank {
  template <class Size>
  EF_HD constexpr T operator()(Size i, Size segment, Size rank) const {
    return number_at<T>{}(i - rank / 3 + segment);
  }
};

/// Segments of `lengths`, again and again.
template <class Offset>
segments_of<Offset> repeated_segments(std::int64_t count,
                                      const std::vector<std::int64_t>& lengths) {
  segments_of<Offset> result;
  result.count = count;
  std::size_t next = 0;
  for (std::int64_t at = 0; at <= count; at += lengths[next++ % lengths.size()]) {
    result.offsets.push_back(static_cast<Offset>(at));
  }
  return result;
}

template <class T, class Offset, class Context, class Op>
void check_order(Context& ctx, const segments_of<Offset>& data, Op op, T init) {
  reference_context serial;
  const auto count = static_cast<Offset>(data.count);
  const auto num_segments = static_cast<Offset>(data.num_segments());
  const array<Offset> offsets = to_context(ctx, data.offsets);
  std::vector<T> expected(data.offsets.size());
  array<T> out(ctx, data.num_segments());
  const auto compare = [&](const char* name) {
    expect_bits(data, to_host(ctx, out), expected, name);
  };
  transform_segreduce(ctx, count, number_at<T>{}, offsets.data(), num_segments, out.data(), op,
                      init);
  transform_segreduce(serial, count, number_at<T>{}, data.offsets.data(), num_segments,
                      expected.data(), op, init);
  compare("transform_segreduce");
  lbs_segreduce(ctx, count, number_of_rank<T>{}, offsets.data(), num_segments, out.data(), op,
                init);
  lbs_segreduce(serial, count, number_of_rank<T>{}, data.offsets.data(), num_segments,
                expected.data(), op, init);
  compare("lbs_segreduce");
}

template <class Context>
class segreduce_order_on : public on<Context> {};
TYPED_TEST_SUITE(segreduce_order_on, parallel_contexts);

TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_any_shape) {
  for (const shape kind : shapes) {
    for (const std::int64_t size :
         {std::int64_t{1}, std::int64_t{600}, std::int64_t{70000}, third_if_sanitized(300007)}) {
      const auto narrow = make_segments<int>(kind, size);
      const auto wide = make_segments<std::int64_t>(kind, size);
      check_order<float>(this->ctx, narrow, plus{}, 0.5f);
      check_order<float>(this->ctx, wide, plus{}, 0.5f);
      check_order<double>(this->ctx, narrow, plus{}, 0.5);
      check_order<double>(this->ctx, wide, plus{}, 0.5);
      check_order<small_sums>(this->ctx, narrow, add_three_sums{}, small_sums{0.25, 0.5f, 3});
      check_order<mixed_sums>(this->ctx, narrow, add_three_sums{}, mixed_sums{0.25f, 0.5, 3});
    }
  }
}

// A GPU folds up to 2^17 items, or 2^15 of 16 bytes, in blocks of up to 32 segments.
TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_few_items) {
  for (const shape kind : shapes) {
    for (const std::int64_t size : {3000, 32768, 32769, 131072, 131073}) {
      const auto data = make_segments<int>(kind, size);
      check_order<float>(this->ctx, data, plus{}, 0.5f);
      check_order<float>(this->ctx, data, add_any{}, 0.5f);
      check_order<small_sums>(this->ctx, data, add_three_sums{}, small_sums{0.25, 0.5f, 3});
    }
  }
}

TYPED_TEST(segreduce_order_on, is_that_of_the_reference_around_the_borders_of_blocks) {
  for (const std::int64_t length : {15, 16, 17, 511, 512, 513, 1024, 4095, 8193}) {
    check_order<float>(this->ctx, repeated_segments<int>(1 << 18, {length}), plus{}, 0.5f);
    check_order<float>(this->ctx, repeated_segments<int>((1 << 18) + 5, {length, 1, 0, 3}), plus{},
                       0.5f);
    check_order<mixed_sums>(this->ctx, repeated_segments<int>(1 << 16, {length, 0, 2}),
                            add_three_sums{}, mixed_sums{0.25f, 0.5, 3});
  }
}

template <class T, class Context, class Op = plus>
void check_array(Context& ctx, const segments_of<int>& data, Op op = {}) {
  reference_context serial;
  const auto count = static_cast<int>(data.count);
  const auto num_segments = static_cast<int>(data.num_segments());
  std::vector<T> values;
  values.reserve(data.count);
  for (int i = 0; i < count; ++i) values.push_back(number_at<T>{}(i));
  std::vector<T> expected(data.offsets.size());
  segreduce(serial, values.data(), count, data.offsets.data(), num_segments, expected.data(), op,
            static_cast<T>(0.5f));
  const array<T> input = to_context(ctx, values);
  const array<int> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, num_segments);
  segreduce(ctx, input.data(), count, offsets.data(), num_segments, out.data(), op,
            static_cast<T>(0.5f));
  expect_bits(data, to_host(ctx, out), expected, "segreduce");
}

TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_short_segments_of_an_array) {
  for (std::int64_t length = 1; length <= 17; ++length) {
    const auto equal = repeated_segments<int>(3000, {length});
    check_array<float>(this->ctx, equal);
    check_array<double>(this->ctx, equal);
    check_array<float>(this->ctx, repeated_segments<int>(3000, {length, 0, 3, 0, 1, 4, 2}));
    check_array<double>(this->ctx,
                        repeated_segments<int>(3000, {length, 7, 8, 0, 1, 5, 2, 2, 2, 4, 4, 4}));
  }
}

// Up to 2^24 items in segments of some hundred items and more on average, a block of a GPU folds
// each segment, and only those of more than 2^17 items, or 2^14 of 16 bytes, are cut, into pages. A
// block has up to 32 segments.
TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_few_segments_with_some_very_long_ones) {
  const std::int64_t most = third_if_sanitized(1 << 22);
  const std::vector<std::int64_t> patterns[] = {
      {1000},
      {700, 40000, 0, 900, 1, 2000, 17},
      {65536, 512, 4096, 3072, 100, 20},
      {32767, 32768, 1, 300, 32769, 16, 15, 5000},
      {1, 300000, 100, 100, 100, 5000, 3},
      {131071, 131072, 1, 300, 131073, 16, 15, 5000, 90, 0, 90, 90, 8192},
  };
  for (const auto& lengths : patterns) {
    check_array<float>(this->ctx, repeated_segments<int>(most, lengths));
    for (const int count : {70001, 1 << 17, 400'000}) {
      const auto data = repeated_segments<int>(count, lengths);
      check_array<float>(this->ctx, data);
      check_array<double>(this->ctx, data);
      check_array<std::int64_t>(this->ctx, data);
      check_array<std::int64_t>(this->ctx, data, last_nonzero{});
      check_array<float>(this->ctx, data, add_any{});
      check_order<small_sums>(this->ctx, data, add_three_sums{}, small_sums{0.25, 0.5f, 3});
    }
    const auto data = repeated_segments<std::int64_t>(200003, lengths);
    check_order<float>(this->ctx, data, plus{}, 0.5f);
  }
  const auto many = repeated_segments<int>(most / 2, {200, 180, 7, 400});
  check_array<float>(this->ctx, many);
  check_array<double>(this->ctx, many);
}

// From 2^24 items on, or 2^21 of one or two bytes, a block of a GPU folds each segment if they are
// long on average, and only those of more than 2^15 items, or 2^17 bytes, are cut, into four pages
// and more.
TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_many_long_segments) {
  const std::int64_t count = is_sanitized ? 100'003 : (1 << 24) + 12'345;
  const std::vector<std::int64_t> patterns[] = {
      {10'000},
      {32'768, 32'769, 8192, 0, 8193, 15, 1, 16, 20'000, 57'344},
      {4096, 12'288, 8'000'000, 0, 3, 7000, 131'072, 131'073},
  };
  for (const auto& lengths : patterns) {
    const auto data = repeated_segments<int>(count, lengths);
    check_array<float>(this->ctx, data);
    check_array<double>(this->ctx, data);
    check_array<float>(this->ctx, data, add_any{});
    check_array<std::int64_t>(this->ctx, data);
    check_array<float>(this->ctx, data, maximum{});
    const auto few = repeated_segments<int>(count / 4, lengths);
    check_array<std::uint32_t>(this->ctx, few);
    check_array<std::uint8_t>(this->ctx, few);
    check_array<std::uint16_t>(this->ctx, few);
    check_array<std::int16_t>(this->ctx, few, minimum{});
  }
  check_order<double>(this->ctx, repeated_segments<int>(count, patterns[1]), plus{}, 0.5);
  check_array<std::uint8_t>(this->ctx, repeated_segments<int>(count, {count}));
  check_array<std::uint16_t>(this->ctx, repeated_segments<int>(count, {count / 3}));
}

/// Folds segments of one length, which are not read from memory.
template <class T, class Context, class Op = plus>
void check_equal_lengths(Context& ctx, int num_segments, int length, Op op = {}) {
  const int count = num_segments * length;
  std::vector<T> values, expected(static_cast<std::size_t>(num_segments));
  for (int i = 0; i < count; ++i) values.push_back(number_at<T>{}(i));
  const detail::uniform_offsets offsets{length};
  reference_context serial;
  segreduce(serial, values.data(), count, offsets, num_segments, expected.data(), op, T{1});
  const array<T> input = to_context(ctx, values);
  array<T> out(ctx, num_segments);
  segreduce(ctx, input.data(), count, offsets, num_segments, out.data(), op, T{1});
  const std::vector<T> got = to_host(ctx, out);
  for (std::size_t s = 0; s < got.size(); ++s) {
    ASSERT_TRUE(equal_bits(got[s], expected[s])) << "segment " << s << " of length " << length;
  }
}

TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_long_segments_of_one_length) {
  for (const int length : {2047, 2048, 4096, 5001}) {
    check_equal_lengths<float>(this->ctx, 600, length);
    check_equal_lengths<float>(this->ctx, 600, length, add_any{});
    check_equal_lengths<double>(this->ctx, 600, length);
    check_equal_lengths<std::uint32_t>(this->ctx, 600, length);
    check_equal_lengths<std::int8_t>(this->ctx, 600, length, maximum{});
  }
}

/// Sums zeros of negative sign, in segments that begin and end inside groups.
template <class T, class Context>
void check_negative_zeros(Context& ctx) {
  const int count = 70001;
  const auto data = repeated_segments<int>(count, {600, 3, 1025, 16});
  const auto num_segments = static_cast<int>(data.num_segments());
  const array<T> input = to_context(ctx, std::vector<T>(count, -T{0}));
  const array<int> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, num_segments);
  segreduce(ctx, input.data(), count, offsets.data(), num_segments, out.data(), plus{}, -T{0});
  for (const T& sum : to_host(ctx, out)) ASSERT_TRUE(equal_bits(sum, -T{0}));
}

TYPED_TEST(segreduce_order_on, sums_of_negative_zeros_are_negative) {
  check_negative_zeros<float>(this->ctx);
  check_negative_zeros<double>(this->ctx);
}

/// Segments of random lengths up to `longest`, and now and then one of up to six groups of 512,
/// half of which end with a group.
template <class Offset>
segments_of<Offset> random_segments(std::int64_t num_segments, std::uint64_t longest) {
  const random_stream random(longest);
  segments_of<Offset> result;
  std::uint64_t at = 0;
  for (std::uint64_t s = 0; s < static_cast<std::uint64_t>(num_segments); ++s) {
    result.offsets.push_back(static_cast<Offset>(at));
    const bool is_long = random.below(2 * s, 2000) == 0;
    at += is_long ? 505 + random.below(2 * s + 1, 2500) : random.below(2 * s + 1, longest + 1);
    if (is_long && at % 2 == 0) at = (at + 511) / 512 * 512;
  }
  result.count = static_cast<std::int64_t>(at);
  return result;
}

/// Folds of numbers, and of products with elements among `width` that are looked up.
template <class T, class Offset, class Context, class Op>
void check_lookups(Context& ctx, const segments_of<Offset>& data, int width, Op op, T scale = 1) {
  reference_context serial;
  const auto count = static_cast<Offset>(data.count);
  const auto num_segments = static_cast<Offset>(data.num_segments());
  const T init = scale == 0 ? -T{0} : T{0.5f};
  std::vector<T> values, x;
  std::vector<int> columns;
  for (Offset i = 0; i < count; ++i) {
    const T number = scale * number_at<T>{}(i);
    // Products of numbers near 1 neither grow nor vanish.
    values.push_back(std::is_same_v<Op, plus> ? number : 1 + number / (1 << 30));
    columns.push_back(static_cast<int>(std::int64_t{i} * 7919 % width));
  }
  for (int j = 0; j < width; ++j) x.push_back(number_at<T>{}(j + 5));
  const array<T> values_there = to_context(ctx, values), x_there = to_context(ctx, x);
  const array<int> columns_there = to_context(ctx, columns);
  const array<Offset> offsets_there = to_context(ctx, data.offsets);
  std::vector<T> expected(data.offsets.size());
  array<T> out(ctx, num_segments);
  const auto compare = [&](const char* name) {
    expect_bits(data, to_host(ctx, out), expected, name);
  };
  segreduce(serial, values.data(), count, data.offsets.data(), num_segments, expected.data(), op,
            init);
  segreduce(ctx, values_there.data(), count, offsets_there.data(), num_segments, out.data(), op,
            init);
  compare("segreduce");
  const detail::multiply_entry<T, detail::multiply_as<T>> entry{};
  transform_segreduce(serial, count, gathered(entry, x.data(), columns.data(), values.data()),
                      data.offsets.data(), num_segments, expected.data(), op, init);
  transform_segreduce(ctx, count,
                      gathered(entry, x_there.data(), columns_there.data(), values_there.data()),
                      offsets_there.data(), num_segments, out.data(), op, init);
  compare("spmv");
  transform_segreduce(serial, count, gathered(entry, x.data(), columns.data()), data.offsets.data(),
                      num_segments, expected.data(), op, init);
  transform_segreduce(ctx, count, gathered(entry, x_there.data(), columns_there.data()),
                      offsets_there.data(), num_segments, out.data(), op, init);
  compare("spmv without values");
}

template <class T, class Offset, class Context, class Op>
void check_random_lengths(Context& ctx, std::uint64_t longest, Op op, T scale = 1) {
  const auto data = random_segments<Offset>(third_if_sanitized(40000), longest);
  check_lookups<T>(ctx, data, 3000, op, scale);
}

TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_random_lengths) {
  for (const std::uint64_t longest : {3, 16, 30, 70}) {
    check_random_lengths<float, int>(this->ctx, longest, plus{});
    check_random_lengths<double, int>(this->ctx, longest, plus{});
  }
  // The signs of zeros.
  check_random_lengths<float, int>(this->ctx, 3, plus{}, 0);
  check_random_lengths<double, int>(this->ctx, 16, plus{}, 0);
  check_random_lengths<float, std::int64_t>(this->ctx, 16, multiplies{});
  check_random_lengths<double, std::int64_t>(this->ctx, 16, multiplies{});
}

// So many items, and elements so far apart, that these are asked for before they are read.
TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_elements_far_apart) {
  constexpr int width = 300'000;
  constexpr std::int64_t count = (1 << 22) + 1000;
  check_lookups<double>(this->ctx, random_segments<int>(130'000, 70), width, plus{});
  check_lookups<float>(this->ctx, random_segments<int>(30'000, 300), width, plus{});
  check_lookups<double>(this->ctx, repeated_segments<int>(count, {50}), width, plus{});
  check_lookups<double>(this->ctx, repeated_segments<int>(count, {16}), width, plus{});
  check_lookups<double>(this->ctx, repeated_segments<std::int64_t>(count, {200'000, 3, 700}), width,
                        multiplies{});
}

// So many items that a share has many tiles.
TYPED_TEST(segreduce_order_on, is_that_of_the_reference_for_long_segments) {
  const std::int64_t count = large_size < 1 << 20 ? large_size : 50'000'003;
  for (const std::int64_t length : {5000, 40000, 1000003, 20000000, 100000000}) {
    check_order<float>(this->ctx, repeated_segments<int>(count, {length, 7}), plus{}, 0.5f);
  }
  check_order<double>(this->ctx, repeated_segments<std::int64_t>(count, {3000000, 0, 12345}),
                      plus{}, 0.5);
}

}  // namespace
}  // namespace evenfold::testing
