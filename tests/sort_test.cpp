#include "evenfold/algorithm/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Orders by the last digit only, so that many keys are equivalent.
struct by_last_digit {
  EF_HD constexpr bool operator()(int a, int b) const {
    return (a & 0x7fffffff) % 10 < (b & 0x7fffffff) % 10;
  }
};

/// The order of less, which the library does not recognise.
struct ascending_order {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// Random bits, so that every digit of the radix sort matters.
template <class Key>
std::vector<Key> random_keys(std::int64_t count) {
  if constexpr (std::is_integral_v<Key>) {
    std::vector<Key> keys;
    for (const std::uint64_t bits : random_bits(count, 3)) keys.push_back(static_cast<Key>(bits));
    return keys;
  } else {
    return random_values<Key>(count);
  }
}

/// Integers in ascending order, by one digit after the other: tests are compiled without
/// optimisation, where this takes a fraction of the time of comparisons.
template <std::integral Key>
std::vector<Key> sorted_by_digits(std::vector<Key> keys) {
  std::vector<Key> next(keys.size());
  const std::size_t count = keys.size();
  for (std::size_t at = 0; at < 8 * sizeof(Key); at += 8) {
    const auto digit = [at](Key key) {
      const auto bits =
          static_cast<std::uint64_t>(key) - std::uint64_t(std::numeric_limits<Key>::min());
      return bits >> at & 0xff;
    };
    std::size_t begin[257] = {};
    const Key* from = keys.data();
    for (std::size_t i = 0; i < count; ++i) ++begin[digit(from[i]) + 1];
    for (std::size_t d = 1; d < 256; ++d) begin[d] += begin[d - 1];
    Key* const to = next.data();
    for (std::size_t i = 0; i < count; ++i) to[begin[digit(from[i])]++] = from[i];
    keys.swap(next);
  }
  return keys;
}

template <class Key, class Less>
std::vector<Key> stably_sorted(std::vector<Key> keys, Less less) {
  if constexpr (std::integral<Key>) {
    keys = sorted_by_digits(std::move(keys));
    if (less(1, 0)) std::reverse(keys.begin(), keys.end());
  } else {
    std::stable_sort(keys.begin(), keys.end(), less);
  }
  return keys;
}

/// Whether `positions` are those of the keys after a stable sort.
template <class Key, class Less>
void expect_stable_order(const std::vector<Key>& keys, const std::vector<int>& positions,
                         Less less) {
  std::vector<char> is_there(keys.size());
  ASSERT_EQ(positions.size(), keys.size());
  int before = -1;
  for (const int at : positions) {
    ASSERT_TRUE(at >= 0 && at < static_cast<int>(keys.size()) && !is_there[at]) << at;
    is_there[at] = true;
    if (before >= 0) {
      ASSERT_FALSE(less(keys[at], keys[before])) << at << " follows " << before;
      ASSERT_TRUE(before < at || less(keys[before], keys[at])) << at << " follows " << before;
    }
    before = at;
  }
}

template <class Key, class Context, class Less>
void check_keys(Context& ctx, const std::vector<Key>& host, Less less) {
  array<Key> keys = to_context(ctx, host);
  sort(ctx, keys.data(), static_cast<std::int64_t>(host.size()), less);
  const std::vector<Key> got = to_host(ctx, keys);
  const std::vector<Key> expected = stably_sorted(host, less);
  for (std::size_t i = 0; i < host.size(); ++i) {
    ASSERT_TRUE(got[i] == expected[i]) << "key " << i << " of " << host.size();
  }
}

/// The keys of a part of an array, which may begin at any address; the others are not touched.
template <class Key, class Context, class Less>
void check_part(Context& ctx, const std::vector<Key>& host, int first, int last, Less less) {
  array<Key> keys = to_context(ctx, host);
  sort(ctx, keys.data() + first, last - first, less);
  std::vector<Key> expected = host;
  const std::vector<Key> part =
      stably_sorted(std::vector<Key>(host.begin() + first, host.begin() + last), less);
  std::copy(part.begin(), part.end(), expected.begin() + first);
  ASSERT_TRUE(to_host(ctx, keys) == expected) << "keys " << first << " to " << last;
}

template <class Value, class Key, class Context, class Less>
void check_pairs(Context& ctx, const std::vector<Key>& host, Less less) {
  const auto count = static_cast<int>(host.size());
  const std::vector<Value> host_values = random_values<Value>(count, 99);
  array<Key> keys = to_context(ctx, host);
  array<Value> values = to_context(ctx, host_values);
  array<int> indices(ctx, count);
  sort_indices(ctx, keys.data(), indices.data(), count, less);
  ASSERT_TRUE(to_host(ctx, keys) == host) << "an arg-sort leaves the keys alone";
  sort_by_key(ctx, keys.data(), values.data(), count, less);
  const std::vector<Key> got = to_host(ctx, keys);
  const std::vector<Value> got_values = to_host(ctx, values);
  const std::vector<int> got_indices = to_host(ctx, indices);
  expect_stable_order(host, got_indices, less);
  if (::testing::Test::HasFatalFailure()) return;
  for (int i = 0; i < count; ++i) {
    const int at = got_indices[i];
    ASSERT_TRUE(got[i] == host[at]) << "key " << i << " of " << count;
    ASSERT_TRUE(got_values[i] == host_values[at]) << "value " << i << " of " << count;
  }
}

/// Sorted keys, reversed keys, equal keys, few distinct keys, and one key with few exceptions.
std::vector<int> keys_in_pattern(int kind, int count) {
  std::vector<int> keys;
  for (int i = 0; i < count; ++i) {
    keys.push_back(kind == 0   ? i
                   : kind == 1 ? -i
                   : kind == 2 ? 4
                   : kind == 3 ? i % 3
                               : (i % 1000 == 7 ? i : 5));
  }
  return keys;
}

/// Floats with every kind of special value: NaN come last, in ascending and descending order, and
/// with different bits are different keys; zeros are equal; infinities are less or greater than all
/// other numbers.
template <class Float, class Context, class Less>
void check_special(Context& ctx, int count, Less less) {
  const random_stream random(5);
  const Float nan = std::numeric_limits<Float>::quiet_NaN();
  const Float infinity = std::numeric_limits<Float>::infinity();
  std::vector<Float> host;
  for (int i = 0; i < count; ++i) {
    const Float special[] = {nan, -nan, infinity, -infinity, Float{0}, -Float{0}};
    const std::uint64_t draw = random.below(static_cast<std::uint64_t>(i), 50);
    host.push_back(draw < 6 ? special[draw] : static_cast<Float>(draw) - Float{25});
  }
  array<Float> keys = to_context(ctx, host);
  std::vector<int> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  array<int> values = to_context(ctx, positions);
  sort_by_key(ctx, keys.data(), values.data(), count, less);
  const std::vector<Float> got = to_host(ctx, keys);
  const std::vector<int> from = to_host(ctx, values);
  const auto numbers =
      std::count_if(host.begin(), host.end(), [](Float x) { return !std::isnan(x); });
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(std::isnan(got[i]), i >= numbers) << i;
    ASSERT_EQ(std::memcmp(&got[i], &host[from[i]], sizeof(Float)), 0) << "keys keep their bits";
    if (i > 0 && i < numbers) {
      ASSERT_FALSE(less(got[i], got[i - 1])) << i;
      ASSERT_TRUE(got[i - 1] != got[i] || from[i - 1] < from[i]) << i;
    }
    if (i > numbers && std::signbit(got[i - 1]) == std::signbit(got[i])) {
      ASSERT_LT(from[i - 1], from[i]) << i;
    }
  }
  sort_by_key(ctx, keys.data(), values.data(), count, less);
  const std::vector<Float> again = to_host(ctx, keys);
  ASSERT_EQ(std::memcmp(again.data(), got.data(), got.size() * sizeof(Float)), 0)
      << "what is sorted stays as it is";
}

// The orders that are sorted by radix.
static_assert(detail::radix_order<less, int> && detail::radix_order<greater, double>);
static_assert(detail::radix_order<std::less<>, int> &&
              detail::radix_order<std::less<float>, float>);
static_assert(detail::radix_order<std::greater<>, char> &&
              detail::radix_order<std::greater<double>, double>);
static_assert(detail::radix_order<detail::total_order<std::less<>>, float>);
static_assert(!detail::is_descending<std::less<>, int> &&
              detail::is_descending<std::greater<>, int>);
static_assert(!detail::radix_order<std::less<int>, float>, "it would compare whole numbers");
static_assert(!detail::radix_order<ascending_order, int> && !detail::radix_order<less, triple>);
#if defined(__CUDACC__)
static_assert(detail::radix_order<::cuda::std::less<>, int> &&
              detail::radix_order<::cuda::std::less<int>, int>);
static_assert(detail::is_descending<::cuda::std::greater<>, float>);
static_assert(!detail::radix_order<::cuda::std::greater<int>, float>);
#endif

template <class Context>
class sort_on : public on<Context> {};
TYPED_TEST_SUITE(sort_on, contexts);

TYPED_TEST(sort_on, integers_at_every_size) {
  for (const std::int64_t count : sizes()) check_keys(this->ctx, random_keys<int>(count), less{});
}

TYPED_TEST(sort_on, any_order_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_keys(this->ctx, random_keys<int>(count), ascending_order{});
  }
  for (const int count : {100, 1791, 1792, 1793, 5888, 5889, 11775, 11776, 11777, 23553, 47105}) {
    check_keys(this->ctx, random_keys<int>(count), ascending_order{});
    check_keys(this->ctx, random_keys<int>(count), less{});
  }
  // A GPU of 132 multiprocessors sorts and merges as many tiles in two launches.
  check_keys(this->ctx, random_keys<int>(third_if_sanitized(2000000)), ascending_order{});
}

TYPED_TEST(sort_on, moves_values_stably) {
  // On a GPU of 132 multiprocessors, 8448 keys of 8 bytes and 12672 of 4 are sorted by counting.
  for (const int count : {256, 257, 8448, 8449, 12672, 12673}) {
    check_pairs<int>(this->ctx, random_values<int>(count), greater{});
    check_pairs<int>(this->ctx, random_keys<double>(count), less{});
    check_pairs<int>(this->ctx, random_keys<std::uint8_t>(count), less{});
  }
  for (const int count : {1, 2, 100, 1792, 1793, 5000, 8705, 70001, 140000}) {
    check_pairs<int>(this->ctx, random_keys<int>(count), by_last_digit{});
    check_pairs<int>(this->ctx, random_values<int>(count), less{});
    check_pairs<wide>(this->ctx, random_keys<std::uint8_t>(count), greater{});
  }
  // One block sorts up to 5632 keys of 8 bytes by a comparator.
  for (const int count : {3584, 3585, 5632, 5633}) {
    check_pairs<int>(this->ctx, random_keys<std::int64_t>(count), ascending_order{});
  }
}

TYPED_TEST(sort_on, patterns) {
  for (int kind = 0; kind < 5; ++kind) {
    SCOPED_TRACE(kind);
    check_keys(this->ctx, keys_in_pattern(kind, 140000), less{});
    check_keys(this->ctx, keys_in_pattern(kind, 140000), ascending_order{});
    check_pairs<int>(this->ctx, keys_in_pattern(kind, 140000), by_last_digit{});
  }
}

// A GPU counts the keys of 1 byte, and many of 2 bytes, and writes them anew, in packs that begin
// inside the array where this is not aligned.
TYPED_TEST(sort_on, keys_of_1_and_2_bytes) {
  const std::int64_t counts[] = {12673, 65535, 65536, 70001, third_if_sanitized(1200007)};
  for (const std::int64_t count : counts) {
    check_keys(this->ctx, random_keys<signed char>(count), less{});
    check_keys(this->ctx, random_keys<std::uint8_t>(count), greater{});
    check_keys(this->ctx, random_keys<std::int16_t>(count), less{});
    check_keys(this->ctx, random_keys<std::uint16_t>(count), greater{});
    check_keys(this->ctx, random_keys<std::int16_t>(count), ascending_order{});
    check_keys(this->ctx, random_keys<std::uint8_t>(count), ascending_order{});
    // The first and the last number, and one that all keys but a few have.
    std::vector<std::int16_t> ends;
    for (std::int64_t i = 0; i < count; ++i) {
      ends.push_back(i % 1000 != 999  ? std::int16_t{-7}
                     : i % 2000 > 999 ? std::numeric_limits<std::int16_t>::min()
                                      : std::numeric_limits<std::int16_t>::max());
    }
    check_keys(this->ctx, ends, less{});
    check_keys(this->ctx, ends, greater{});
  }
  for (const int first : {1, 5, 15}) {
    for (const int after : {0, 1, 9}) {
      check_part(this->ctx, random_keys<std::uint8_t>(20000), first, 20000 - after, less{});
      check_part(this->ctx, random_keys<std::int16_t>(70000), first, 70000 - after, greater{});
    }
  }
}

TYPED_TEST(sort_on, keys_that_are_characters) {
  for (const int count : {1000, 20000, 300000}) {
    check_keys(this->ctx, random_keys<char>(count), less{});
    check_keys(this->ctx, random_keys<char16_t>(count), greater{});
    check_keys(this->ctx, random_keys<char32_t>(count), less{});
    check_keys(this->ctx, random_keys<wchar_t>(count), greater{});
    check_pairs<int>(this->ctx, random_keys<char8_t>(count), less{});
  }
}

TYPED_TEST(sort_on, keys_of_8_to_64_bytes) {
  check_keys(this->ctx, random_keys<std::int64_t>(30000), ascending_order{});
  // One block sorts up to 1792 keys of 16 bytes, in other tiles up to 1536.
  for (const int count : {100, 1536, 1537, 1792, 1793, 30000}) {
    check_keys(this->ctx, random_keys<couple>(count), less{});
    check_pairs<int>(this->ctx, random_keys<couple>(count), less{});
  }
  check_keys(this->ctx, random_keys<triple>(30000), less{});
  check_keys(this->ctx, random_keys<wide>(30000), less{});
}

// The CPU sorts parts of the keys by their highest digits, and what these leave by insertion or by
// all digits.
TYPED_TEST(sort_on, keys_that_share_their_highest_digits) {
  for (const int count : {9000, 30000, 140000}) {
    const std::vector<std::uint64_t> bits = random_bits(2 * count, 5);
    for (const int low_bits : {2, 20, 40, 62}) {
      std::vector<std::int64_t> keys;
      for (int i = 0; i < count; ++i) {
        const std::uint64_t cluster = bits[i] % 100;
        const std::uint64_t rest = bits[i + count];
        keys.push_back(static_cast<std::int64_t>((cluster << 56) + (rest >> (64 - low_bits))));
      }
      check_keys(this->ctx, keys, less{});
      check_keys(this->ctx, keys, greater{});
      check_pairs<int>(this->ctx, keys, less{});
    }
  }
}

TYPED_TEST(sort_on, nan_come_last) {
  for (const int count : {1, 50, 1500, 30000, 140000}) {
    check_special<float>(this->ctx, count, less{});
    check_special<float>(this->ctx, count, greater{});
    check_special<float>(this->ctx, count, std::less<>{});
    check_special<float>(this->ctx, count, std::greater<float>{});
  }
  check_special<double>(this->ctx, 300000, less{});
  check_special<double>(this->ctx, 300000, greater{});
}

TYPED_TEST(sort_on, refuses_negative_counts_and_narrow_indices) {
  array<int> keys = to_context(this->ctx, random_values<int>(300));
  array<std::uint8_t> indices(this->ctx, 300);
  const auto refusal = [](auto call) -> std::string {
    try {
      call();
    } catch (const argument_error& e) {
      return e.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal([&] { sort(this->ctx, keys.data(), -1, less{}); }).substr(0, 17),
            "sort: count is -1");
  EXPECT_EQ(refusal([&] {
              sort_indices(this->ctx, keys.data(), indices.data(), 300, less{});
            }).substr(0, 26),
            "sort_indices: count is 300");
}

}  // namespace
}  // namespace evenfold::testing
