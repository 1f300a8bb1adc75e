#include "evenfold/algorithm/segmented_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/backend/reference/segmented_sort.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/radix_key.hpp"
#include "support/bytes.hpp"
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

/// A key of random bits, or one of the extremes of the type, or a zero of either sign of a
/// floating-point type.
template <class Key>
std::vector<Key> random_keys(std::int64_t count) {
  std::vector<Key> result = random_values<Key>(count);
  if constexpr (std::is_arithmetic_v<Key>) {
    const std::vector<std::uint64_t> draws = random_bits(count, 11);
    for (std::int64_t i = 0; i < count; i += 2) {
      const std::uint64_t bits = draws[i];
      if constexpr (std::integral<Key>) {
        result[i] = static_cast<Key>(bits);
      } else {
        result[i] = bits % 8 == 0   ? -Key{0}
                    : bits % 8 == 1 ? std::numeric_limits<Key>::infinity()
                    : bits % 8 == 2 ? std::numeric_limits<Key>::lowest()
                                    : static_cast<Key>(static_cast<std::int64_t>(bits)) / 3;
      }
    }
  }
  return result;
}

/// The same with NaN of both signs and of several payloads in every other stretch of keys.
template <std::floating_point Key>
std::vector<Key> keys_with_nan(std::int64_t count) {
  using bits_type = detail::radix_bits_t<Key>;
  constexpr int sign_bit = 8 * sizeof(Key) - 1;
  constexpr auto quiet_nan = detail::bit_cast<bits_type>(std::numeric_limits<Key>::quiet_NaN());
  constexpr std::int64_t stretch = 4000;
  std::vector<Key> result = random_keys<Key>(count);
  const std::vector<std::uint64_t> draws = random_bits(count, 13);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = draws[i];
    if (i / stretch % 2 == 1 || bits % 8 != 0) continue;
    const auto payload = static_cast<bits_type>(bits >> 8 & 3);
    const auto sign = static_cast<bits_type>(bits_type(bits >> 16 & 1) << sign_bit);
    result[i] = detail::bit_cast<Key>(static_cast<bits_type>(quiet_nan | payload | sign));
  }
  return result;
}

/// Segments of one length but for the first, which has 3 items, and the last.
segments_of<int> segments_of_length(int length, int count) {
  segments_of<int> result{count, {0}};
  for (int begin = 3; begin < count; begin += length) result.offsets.push_back(begin);
  return result;
}

/// The positions of the keys after a stable sort of every segment.
template <class Key, class Offset, class Less>
std::vector<std::int64_t> sorted_positions(const std::vector<Key>& keys,
                                           const segments_of<Offset>& data, Less less) {
  const auto order = reference::order_of<Key>(less);
  std::vector<std::int64_t> result(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) result[i] = static_cast<std::int64_t>(i);
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    if (data.end(s) - data.begin(s) < 2) continue;
    std::stable_sort(result.begin() + data.begin(s), result.begin() + data.end(s),
                     [&](std::int64_t a, std::int64_t b) { return order(keys[a], keys[b]); });
  }
  return result;
}

/// A tuning with which few keys have many tiles.
struct narrow_sort {
  static constexpr int threads = 128;
  static constexpr int items = 5;
  static constexpr std::size_t tile = 640;
};

/// That of many short segments on a GPU.
struct sort_of_long_runs {
  static constexpr int threads = 256;
  static constexpr int items = 31;
  static constexpr std::size_t tile = 7936;
};

/// Sorts the keys of every segment on the host.
template <class Key, class Offset, class Less>
void sort_on_host(Key* keys, const segments_of<Offset>& data, Less less) {
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    if (data.end(s) - data.begin(s) < 2) continue;
    std::stable_sort(keys + data.begin(s), keys + data.end(s), reference::order_of<Key>(less));
  }
}

/// The count has the type of the offsets.
template <class Key, class Tuning = default_tuning, class Offset, class Context, class Less>
void check_keys(Context& ctx, const std::vector<Key>& host, const segments_of<Offset>& data,
                Less less) {
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<Key> keys = to_context(ctx, host);
  segmented_sort<Tuning>(ctx, keys.data(), static_cast<Offset>(data.count), offsets.data(),
                         data.num_segments(), less);
  const std::vector<Key> got = to_host(ctx, keys);
  std::vector<Key> expected = host;
  sort_on_host(expected.data(), data, less);
  for (std::int64_t i = 0; i < data.count; ++i) {
    ASSERT_TRUE(same_bytes(got[i], expected[i])) << "key " << i << " of " << data.count;
  }
}
template <class Key, class Tuning = default_tuning, class Offset, class Context, class Less>
void check_keys(Context& ctx, const segments_of<Offset>& data, Less less) {
  check_keys<Key, Tuning>(ctx, random_keys<Key>(data.count), data, less);
}

/// Few different numbers, among them zeros: of both signs, or only positive ones.
template <class Key>
std::vector<Key> keys_with_zeros(std::int64_t count, bool has_negative) {
  const std::vector<std::uint64_t> draws = random_bits(count, 12);
  std::vector<Key> result(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t draw = draws[i] % 8;
    result[i] = draw == 0 && has_negative ? -Key{0} : static_cast<Key>(draw / 2);
  }
  return result;
}

template <class Key, class Value, class Tuning = default_tuning, class Offset, class Context,
          class Less>
void check_pairs(Context& ctx, const std::vector<Key>& host, const segments_of<Offset>& data,
                 Less less) {
  const std::vector<Value> host_values = random_values<Value>(data.count, 99);
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<Key> keys = to_context(ctx, host);
  array<Value> values = to_context(ctx, host_values);
  segmented_sort<Tuning>(ctx, keys.data(), values.data(), static_cast<Offset>(data.count),
                         offsets.data(), data.num_segments(), less);
  const std::vector<Key> got = to_host(ctx, keys);
  const std::vector<Value> got_values = to_host(ctx, values);
  const std::vector<std::int64_t> expected = sorted_positions(host, data, less);
  for (std::int64_t i = 0; i < data.count; ++i) {
    ASSERT_TRUE(same_bytes(got[i], host[expected[i]])) << "key " << i << " of " << data.count;
    ASSERT_TRUE(got_values[i] == host_values[expected[i]]) << "value " << i << " of " << data.count;
  }
}
template <class Key, class Value, class Tuning = default_tuning, class Offset, class Context,
          class Less>
void check_pairs(Context& ctx, const segments_of<Offset>& data, Less less) {
  check_pairs<Key, Value, Tuning>(ctx, random_keys<Key>(data.count), data, less);
}

template <class Key, class Index, class Offset, class Context, class Less>
void check_indices(Context& ctx, const std::vector<Key>& host, const segments_of<Offset>& data,
                   Less less) {
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<Key> keys = to_context(ctx, host);
  array<Index> indices(ctx, data.count);
  segmented_sort_indices(ctx, keys.data(), indices.data(), static_cast<int>(data.count),
                         offsets.data(), static_cast<int>(data.num_segments()), less);
  const std::vector<Key> got = to_host(ctx, keys);
  const std::vector<Index> got_indices = to_host(ctx, indices);
  const std::vector<std::int64_t> expected = sorted_positions(host, data, less);
  for (std::int64_t i = 0; i < data.count; ++i) {
    ASSERT_TRUE(same_bytes(got[i], host[expected[i]])) << "key " << i << " of " << data.count;
    ASSERT_EQ(static_cast<std::int64_t>(got_indices[i]), expected[i]) << "index " << i;
  }
}
template <class Key, class Index, class Offset, class Context, class Less>
void check_indices(Context& ctx, const segments_of<Offset>& data, Less less) {
  check_indices<Key, Index>(ctx, random_keys<Key>(data.count), data, less);
}

/// Keys that are already sorted, in reverse order, or all the same.
template <class Context>
void check_patterns(Context& ctx) {
  constexpr int count = 50000;
  const std::vector<int> no_offsets = {0};
  for (const int pattern : {0, 1, 2, 3}) {
    std::vector<int> host;
    for (int i = 0; i < count; ++i) {
      host.push_back(pattern == 0 ? i : pattern == 1 ? -i : pattern == 2 ? 4 : i % 1000);
    }
    const array<int> offsets = to_context(ctx, no_offsets);
    array<int> keys = to_context(ctx, host);
    segmented_sort(ctx, keys.data(), count, offsets.data(), 1, less{});
    std::sort(host.begin(), host.end());
    ASSERT_EQ(to_host(ctx, keys), host) << "pattern " << pattern;
  }
}

template <class Context>
class segmented_sort_on : public on<Context> {};
TYPED_TEST_SUITE(segmented_sort_on, contexts);

TYPED_TEST(segmented_sort_on, sorts_keys_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{1500}, std::int64_t{5000},
          std::int64_t{12600}, std::int64_t{70000}, third_if_sanitized(300000)}) {
      check_keys<int>(this->ctx, make_segments<int>(kind, count), less{});
    }
  }
}

TYPED_TEST(segmented_sort_on, sorts_keys_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_keys<int>(this->ctx, make_segments<int>(shape::single, count), less{});
    check_keys<int>(this->ctx, make_segments<int>(shape::power_law, count), less{});
  }
}

TYPED_TEST(segmented_sort_on, moves_values_stably) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {1500, 50000}) {
      check_pairs<int, std::int64_t>(this->ctx, make_segments<int>(kind, count), by_last_digit{});
    }
    check_pairs<int, std::int64_t>(this->ctx, make_segments<int>(kind, 8000), less{});
  }
  for (const shape kind : {shape::power_law, shape::one_giant}) {
    check_pairs<int, std::int64_t>(this->ctx, make_segments<int>(kind, large_size),
                                   by_last_digit{});
    check_pairs<int, std::int64_t>(this->ctx, make_segments<std::int64_t>(kind, large_size),
                                   by_last_digit{});
  }
}

TYPED_TEST(segmented_sort_on, gives_the_indices_of_the_keys) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_indices<std::int8_t, int>(this->ctx, make_segments<int>(kind, 50000), greater{});
    check_indices<double, std::uint64_t>(this->ctx, make_segments<int>(kind, 20000), less{});
    check_indices<float, int>(this->ctx, make_segments<int>(kind, 20000), greater{});
  }
  check_indices<double, int>(this->ctx, make_segments<int>(shape::one_giant, large_size), less{});
}

TYPED_TEST(segmented_sort_on, keys_of_1_to_64_bytes) {
  for (const shape kind : {shape::power_law, shape::one_giant}) {
    const segments_of<int> data = make_segments<int>(kind, 30000);
    check_keys<std::int8_t>(this->ctx, data, less{});
    check_keys<std::int64_t>(this->ctx, data, greater{});
    check_keys<float>(this->ctx, data, less{});
    check_keys<double>(this->ctx, data, std::less<>{});
    check_indices<int, int>(this->ctx, data, std::greater<int>{});
    check_keys<triple>(this->ctx, data, less{});
    check_keys<wide>(this->ctx, data, less{});
    check_pairs<std::uint16_t, wide>(this->ctx, data, less{});
  }
}

TYPED_TEST(segmented_sort_on, zeros_keep_their_order) {
  for (const shape kind : {shape::power_law, shape::one_giant}) {
    for (const std::int64_t count : {60, 30000, 1200000}) {
      const segments_of<int> data = make_segments<int>(kind, third_if_sanitized(count));
      for (const bool has_negative : {false, true}) {
        check_keys(this->ctx, keys_with_zeros<float>(data.count, has_negative), data, less{});
        check_keys(this->ctx, keys_with_zeros<double>(data.count, has_negative), data, greater{});
      }
    }
  }
}

/// Sorts keys with NaN alone, with values and as indices.
template <class Key, class Context>
void check_nan(Context& ctx, const segments_of<int>& data) {
  const std::vector<Key> host = keys_with_nan<Key>(data.count);
  check_keys(ctx, host, data, less{});
  check_keys(ctx, host, data, std::greater<>{});
  check_pairs<Key, int>(ctx, host, data, greater{});
  check_indices<Key, int>(ctx, host, data, std::less<Key>{});
}

// On a GPU, few keys are sorted by counting, more in one launch with tiles of three sizes, and the
// most in several launches, in longer tiles where segments are short.
TYPED_TEST(segmented_sort_on, nan_come_last) {
  for (const shape kind : {shape::uniform, shape::one_giant, shape::single, shape::power_law}) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {60, 1500, 30000}) {
      check_nan<float>(this->ctx, make_segments<int>(kind, count));
      check_nan<double>(this->ctx, make_segments<int>(kind, count));
    }
    const segments_of<int> tuned = make_segments<int>(kind, 50000);
    const std::vector<float> keys = keys_with_nan<float>(tuned.count);
    check_keys<float, narrow_sort>(this->ctx, keys, tuned, less{});
    check_pairs<float, int, narrow_sort>(this->ctx, keys, tuned, greater{});
  }
  for (const int length : {10, 50, 500, 1000, 6000}) {
    SCOPED_TRACE(length);
    check_nan<float>(this->ctx, segments_of_length(length, 60000));
    check_nan<double>(this->ctx, segments_of_length(length, 60000));
  }
  const std::int64_t many = third_if_sanitized(1200000);
  check_nan<float>(this->ctx, make_segments<int>(shape::one_giant, many));
  check_nan<double>(this->ctx, make_segments<int>(shape::power_law, many));
  const std::int64_t most = third_if_sanitized(3300000);
  check_nan<float>(this->ctx, make_segments<int>(shape::one_giant, most));
  check_keys(this->ctx, keys_with_nan<float>(most), make_segments<int>(shape::power_law, most),
             less{});
}

TYPED_TEST(segmented_sort_on, takes_a_tuning) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_keys<int, narrow_sort>(this->ctx, make_segments<int>(kind, 50000), less{});
    check_keys<int, sort_of_long_runs>(this->ctx, make_segments<int>(kind, 50000), less{});
    check_pairs<int, int, narrow_sort>(this->ctx, make_segments<int>(kind, 50000), by_last_digit{});
  }
  check_keys<int, narrow_sort>(this->ctx, make_segments<int>(shape::one_giant, large_size), less{});
}

// On a GPU the threads of a block have runs of 5, 7 or 31 keys here, and meet in fewer rounds where
// segments are short.
TYPED_TEST(segmented_sort_on, lengths_around_those_of_runs) {
  for (const int length : {1, 2, 4, 5, 6, 7, 8, 10, 14, 15, 30, 31, 32, 62, 63, 100, 160, 250}) {
    SCOPED_TRACE(length);
    const segments_of<int> data = segments_of_length(length, 20000);
    check_keys<int>(this->ctx, data, less{});
    check_keys<int, narrow_sort>(this->ctx, data, less{});
    check_keys<int, sort_of_long_runs>(this->ctx, data, less{});
    check_pairs<int, int, narrow_sort>(this->ctx, data, by_last_digit{});
  }
}

// On a GPU each key counts those before it in its segment here, and a segment of up to 128 keys is
// moved by one block.
TYPED_TEST(segmented_sort_on, few_keys_in_segments_of_every_length) {
  for (const int length : {1, 31, 32, 33, 60, 100, 127, 128, 129, 200, 300, 1000}) {
    SCOPED_TRACE(length);
    for (const int count : {200, 257, 1000, 4000, 8000, 12000, 16000}) {
      const segments_of<int> data = segments_of_length(length, count);
      check_keys<int>(this->ctx, data, less{});
      check_keys<double>(this->ctx, data, greater{});
      check_pairs<std::int16_t, int>(this->ctx, data, less{});
      check_indices<double, int>(this->ctx, keys_with_zeros<double>(count, true), data, less{});
    }
    check_nan<float>(this->ctx, segments_of_length(length, 6000));
  }
}

// On a GPU each of few segments has a block of its own if all of them fit a tile of 1792, 3584 or
// 5632 keys, or of 640 large ones. The mean length tells which: up to 896 the first of them.
TYPED_TEST(segmented_sort_on, few_segments_around_the_size_of_a_tile) {
  for (const int tile : {640, 896, 1792, 3584, 5632}) {
    for (const int length : {tile / 2, tile / 2 + 1, tile - 1, tile, tile + 1}) {
      SCOPED_TRACE(length);
      const segments_of<int> data = segments_of_length(length, 8 * length + 5);
      check_keys<int>(this->ctx, data, greater{});
      check_keys<double>(this->ctx, data, less{});
      check_keys<wide>(this->ctx, data, less{});
      check_pairs<int, int>(this->ctx, data, by_last_digit{});
      check_indices<float, int>(this->ctx, data, less{});
      check_nan<float>(this->ctx, data);

      segments_of<int> with_empty = data;
      for (const int offset : data.offsets) with_empty.offsets.push_back(offset);
      std::sort(with_empty.offsets.begin(), with_empty.offsets.end());
      check_keys<int>(this->ctx, with_empty, less{});
      check_pairs<float, int>(this->ctx, with_empty, less{});

      segments_of<int> with_giant = data;
      with_giant.count += 3 * tile;
      check_keys<float>(this->ctx, with_giant, less{});
      check_pairs<int, std::int64_t>(this->ctx, with_giant, by_last_digit{});
    }
  }
}

/// Segments of these lengths in turn.
template <class Offset>
segments_of<Offset> segments_of_lengths(const std::vector<Offset>& lengths, Offset count) {
  segments_of<Offset> result{count, {0}};
  for (std::size_t s = 0; result.offsets.back() <= count - lengths[s];
       s = (s + 1) % lengths.size()) {
    result.offsets.push_back(static_cast<Offset>(result.offsets.back() + lengths[s]));
  }
  return result;
}

/// Sorts keys from an address that is not a multiple of anything.
template <class Key, class Context>
void check_keys_off_by_one(Context& ctx, const segments_of<int>& data) {
  const std::vector<Key> host = random_keys<Key>(data.count + 2);
  const array<int> offsets = to_context(ctx, data.offsets);
  array<Key> keys = to_context(ctx, host);
  segmented_sort(ctx, keys.data() + 1, static_cast<int>(data.count), offsets.data(),
                 data.num_segments(), less{});
  std::vector<Key> expected = host;
  sort_on_host(expected.data() + 1, data, less{});
  ASSERT_EQ(to_host(ctx, keys), expected);
}

/// Sorts keys of type bool, of which std::vector has no array.
template <class Context>
void check_truths(Context& ctx, const segments_of<int>& data) {
  std::vector<std::uint8_t> host = random_values<std::uint8_t>(data.count);
  for (std::uint8_t& key : host) key %= 2;
  const array<int> offsets = to_context(ctx, data.offsets);
  array<std::uint8_t> keys = to_context(ctx, host);
  segmented_sort(ctx, reinterpret_cast<bool*>(keys.data()), static_cast<int>(data.count),
                 offsets.data(), data.num_segments(), greater{});
  sort_on_host(host.data(), data, greater{});
  ASSERT_EQ(to_host(ctx, keys), host);
}

// On a GPU these keys are so many, or their segments so long, that they are sorted by counting, in
// tiles of 8192: a warp takes several segments of up to 63 keys, or one of up to 2048, a block a
// longer one, and several blocks one that they share.
TYPED_TEST(segmented_sort_on, many_keys_of_one_byte) {
  for (const int length : {2047, 2048, 2049, 8189, 8190, 8192, 8193, 30000}) {
    SCOPED_TRACE(length);
    const segments_of<int> data = segments_of_length(length, 160000);
    check_keys<std::int8_t>(this->ctx, data, less{});
    check_keys<std::uint8_t>(this->ctx, data, std::greater<>{});
    check_keys_off_by_one<std::int8_t>(this->ctx, data);
  }
  const std::vector<int> lengths = {1,    3,  0,    2048, 2049, 31,   0, 9000,
                                    4096, 20, 8192, 5000, 2,    8190, 1, 40000};
  const segments_of<int> mixed = segments_of_lengths(lengths, 300007);
  check_keys<std::int8_t>(this->ctx, mixed, greater{});
  check_keys_off_by_one<std::uint8_t>(this->ctx, mixed);
  check_truths(this->ctx, mixed);
  check_keys(this->ctx, std::vector<char>(mixed.count, 'x'), mixed, less{});
  check_keys<std::int8_t>(
      this->ctx, segments_of_lengths<std::int64_t>({700, 12345, 60000, 1}, 200000), less{});
  segments_of<int> with_empty{100000, std::vector<int>(300, 0)};
  with_empty.offsets.insert(with_empty.offsets.end(), {7, 8200, 90000, 99999});
  with_empty.offsets.resize(600, 100000);
  check_keys<std::int8_t>(this->ctx, with_empty, less{});
  const auto many = static_cast<int>(third_if_sanitized(4300000));
  check_keys<std::int8_t>(this->ctx, segments_of_length(100, many), less{});
  const std::vector<int> short_ones = {1, 1, 2,  62, 1,  63, 64, 65, 31, 0, 33, 32,
                                       1, 5, 20, 3,  63, 1,  1,  0,  0,  7, 12, 300};
  check_keys<std::int8_t>(this->ctx, segments_of_lengths(short_ones, many), less{});
  check_keys<std::uint8_t>(this->ctx, segments_of_lengths({1, 1, 1, 0, 1, 9000}, many), greater{});
  check_keys_off_by_one<std::int8_t>(this->ctx, segments_of_length(1, many));
}

TYPED_TEST(segmented_sort_on, takes_64_bit_and_unsigned_offsets) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_keys<int>(this->ctx, make_segments<std::int64_t>(kind, 30000), less{});
    check_keys<int>(this->ctx, make_segments<std::uint32_t>(kind, 30000), less{});
  }
}

TYPED_TEST(segmented_sort_on, keys_in_order_reversed_and_equal) { check_patterns(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
