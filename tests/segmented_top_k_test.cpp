#include "evenfold/algorithm/segmented_top_k.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Whether keys are the same; NaN and zeros in each bit.
template <class Key>
bool are_same(const std::vector<Key>& a, const std::vector<Key>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Key& x, const Key& y) {
    if constexpr (std::floating_point<Key>) {
      return detail::bit_cast<detail::radix_bits_t<Key>>(x) ==
             detail::bit_cast<detail::radix_bits_t<Key>>(y);
    } else {
      return x == y;
    }
  });
}

/// The end of segment s.
int end_of(const std::vector<int>& offsets, std::size_t s, std::size_t count) {
  return s + 1 < offsets.size() ? offsets[s + 1] : static_cast<int>(count);
}

/// The indices of the sorted keys of each segment.
template <class Key, class Less>
std::vector<int> sorted_indices(const std::vector<Key>& keys, const std::vector<int>& offsets,
                                Less less) {
  std::vector<int> result(keys.size());
  std::iota(result.begin(), result.end(), 0);
  for (std::size_t s = 0; s < offsets.size(); ++s) {
    const int end = end_of(offsets, s, keys.size());
    if (end - offsets[s] < 2) continue;
    std::stable_sort(result.data() + offsets[s], result.data() + end, [&](int a, int b) {
      return less(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
  }
  return result;
}

/// Compares with the first k of `indices`, the indices of the sorted keys of each segment.
template <class Key, class Context, class Less>
void check_segmented_top_k(Context& ctx, const std::vector<Key>& host,
                           const std::vector<int>& host_offsets, const std::vector<int>& indices,
                           int k, Less less) {
  std::vector<int> begins, order;
  for (std::size_t s = 0; s < host_offsets.size(); ++s) {
    const int begin = host_offsets[s], end = end_of(host_offsets, s, host.size());
    begins.push_back(static_cast<int>(order.size()));
    if (begin < end)
      order.insert(order.end(), indices.data() + begin,
                   indices.data() + begin + std::min(k, end - begin));
  }
  std::vector<Key> sorted;
  for (const int i : order) sorted.push_back(host[static_cast<std::size_t>(i)]);
  std::vector<int> positions(host.size());
  std::iota(positions.begin(), positions.end(), 0);

  const auto count = static_cast<int>(host.size());
  const auto segments = static_cast<int>(host_offsets.size());
  const array<Key> keys = to_context(ctx, host);
  const array<int> offsets = to_context(ctx, host_offsets), values = to_context(ctx, positions);
  array<Key> out(ctx, order.size()), out_keys(ctx, order.size());
  array<int> out_values(ctx, order.size()), out_offsets(ctx, segments);
  const auto results = static_cast<int>(order.size());

  ASSERT_EQ(segmented_top_k(ctx, keys.data(), count, offsets.data(), segments, k, out.data(),
                            out_offsets.data(), less),
            results);
  ASSERT_TRUE(are_same(to_host(ctx, out), sorted)) << k << " of " << count;
  ASSERT_EQ(to_host(ctx, out_offsets), begins);
  ASSERT_EQ(segmented_top_k_indices(ctx, keys.data(), count, offsets.data(), segments, k,
                                    out_values.data(), out_offsets.data(), less),
            results);
  ASSERT_EQ(to_host(ctx, out_values), order) << k << " of " << count;
  ASSERT_EQ(segmented_top_k_by_key(ctx, keys.data(), values.data(), count, offsets.data(), segments,
                                   k, out_keys.data(), out_values.data(), out_offsets.data(), less),
            results);
  ASSERT_TRUE(are_same(to_host(ctx, out_keys), sorted)) << k << " of " << count;
  ASSERT_EQ(to_host(ctx, out_values), order) << k << " of " << count;
}

template <class Key, class Context, class Less>
void check_segmented_top_k(Context& ctx, const std::vector<Key>& host,
                           const std::vector<int>& offsets, const std::vector<int>& ks, Less less) {
  const std::vector<int> indices = sorted_indices(host, offsets, detail::total_order<Less>{less});
  for (const int k : ks) {
    check_segmented_top_k(ctx, host, offsets, indices, k, less);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <class Key, class Context, class Less>
void check_segmented_top_k(Context& ctx, const std::vector<Key>& host,
                           const std::vector<int>& offsets, int k, Less less) {
  check_segmented_top_k(ctx, host, offsets, std::vector<int>{k}, less);
}

template <class Context>
class segmented_top_k_on : public on<Context> {};
TYPED_TEST_SUITE(segmented_top_k_on, contexts);

TYPED_TEST(segmented_top_k_on, is_the_beginning_of_each_sorted_segment) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 20000}) {
      const segments_of<int> data = make_segments<int>(kind, count);
      const std::vector<int> keys = random_values<int>(data.count);
      const std::vector<int> ks = {0, 1, 3, 16, 20000};
      check_segmented_top_k(this->ctx, keys, data.offsets, ks, less{});
      check_segmented_top_k(this->ctx, keys, data.offsets, ks, greater{});
    }
  }
}

TYPED_TEST(segmented_top_k_on, takes_keys_of_any_type) {
  const segments_of<int> data = make_segments<int>(shape::power_law, 20000);
  check_segmented_top_k(this->ctx, random_values<double>(data.count), data.offsets, 5, greater{});
  check_segmented_top_k(this->ctx, random_values<std::uint8_t>(data.count), data.offsets, 5,
                        less{});
  check_segmented_top_k(this->ctx, random_values<wide>(data.count), data.offsets, 2, less{});
}

TYPED_TEST(segmented_top_k_on, does_not_mind_how_keys_are_distributed) {
  const std::vector<int> offsets = {0, 9000, 9000, 9010, 20000};
  const auto check_both = [&](const std::vector<int>& keys) {
    check_segmented_top_k(this->ctx, keys, offsets, 7, less{});
    check_segmented_top_k(this->ctx, keys, offsets, 7, greater{});
  };
  std::vector<int> keys(20000 + 100, 7);
  check_both(keys);
  std::iota(keys.begin(), keys.end(), -5000);
  check_both(keys);
  // One of the groups that items are dealt out to has the smallest keys, and one has the largest.
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i % 7);
  check_both(keys);
}

TYPED_TEST(segmented_top_k_on, takes_many_equal_keys_in_pieces_of_a_segment) {
  const std::vector<int> offsets = {0, 3000, 3100, 5148, 9000};
  std::vector<int> keys(12000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 1024 * 3 % 7);
  for (const int k : {1, 20, 32, 33}) {
    check_segmented_top_k(this->ctx, keys, offsets, k, less{});
    check_segmented_top_k(this->ctx, keys, offsets, k, greater{});
  }
}

TYPED_TEST(segmented_top_k_on, puts_nan_behind_all_numbers) {
  std::vector<float> host = random_values<float>(3000);
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (i >= 1000 && i != 1700 && i != 2500) host[i] = std::nanf("");
  }
  const array<float> keys = to_context(this->ctx, host);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 1000});
  array<float> out(this->ctx, 8);
  array<int> out_offsets(this->ctx, 2);
  ASSERT_EQ(segmented_top_k(this->ctx, keys.data(), 3000, offsets.data(), 2, 4, out.data(),
                            out_offsets.data(), greater{}),
            8);
  const std::vector<float> got = to_host(this->ctx, out);
  EXPECT_EQ(got[4], std::max(host[1700], host[2500]));
  EXPECT_EQ(got[5], std::min(host[1700], host[2500]));
  for (const std::size_t j : {std::size_t{6}, std::size_t{7}}) EXPECT_TRUE(std::isnan(got[j]));
  std::sort(host.begin(), host.begin() + 1000, std::greater<>());
  EXPECT_TRUE(std::equal(host.begin(), host.begin() + 4, got.begin()));
}

/// Zeros, infinities, numbers, and NaN of several kinds, in segments of up to `longest` items.
template <class Key, class Context>
void check_unusual_keys(Context& ctx, int longest, bool with_nan) {
  const Key nan = std::numeric_limits<Key>::quiet_NaN(), infinity = detail::infinity_of<Key>;
  const Key kinds[] = {nan, std::copysign(nan, Key{-1}), Key{0}, -Key{0}, infinity, -infinity, 1,
                       -1};
  std::vector<Key> keys(4000);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t first = with_nan ? 0 : 2;
    const std::uint64_t kind = first + random_stream(5).below(i, 12 - first);
    keys[i] = kind < 8 ? kinds[kind] : static_cast<Key>(kind) - Key{10};
  }
  std::vector<int> offsets;
  for (int at = 0; at < 4000; at += static_cast<int>(offsets.size()) % (longest + 1)) {
    offsets.push_back(at);
  }
  for (const int k : {1, 5, 33, 300, 1000}) {
    check_segmented_top_k(ctx, keys, offsets, k, less{});
    check_segmented_top_k(ctx, keys, offsets, k, greater{});
  }
}

TYPED_TEST(segmented_top_k_on, orders_nan_and_zeros_in_segments_of_any_length) {
  for (const int longest : {3, 15, 60, 255, 257, 800}) {
    SCOPED_TRACE(longest);
    for (const bool with_nan : {false, true}) {
      check_unusual_keys<float>(this->ctx, longest, with_nan);
      check_unusual_keys<double>(this->ctx, longest, with_nan);
    }
  }
  check_segmented_top_k(this->ctx, random_values<std::uint16_t>(4000),
                        {0, 100, 356, 600, 850, 1100, 4000 - 256}, 9, less{});
}

TYPED_TEST(segmented_top_k_on, takes_keys_of_their_segments_whatever_the_order_says) {
  const std::vector<std::int64_t> host = random_values<std::int64_t>(20000);
  const array<std::int64_t> keys = to_context(this->ctx, host);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 5000, 5010});
  array<int> indices(this->ctx, 50 + 10 + 50), out_offsets(this->ctx, 3);
  ASSERT_EQ(segmented_top_k_indices(this->ctx, keys.data(), 20000, offsets.data(), 3, 50,
                                    indices.data(), out_offsets.data(), random_answer{}),
            110);
  const std::vector<int> got = to_host(this->ctx, indices);
  for (std::size_t j = 0; j < got.size(); ++j) {
    EXPECT_EQ(got[j] < 5000, j < 50) << j;
    EXPECT_EQ(got[j] < 5010, j < 60) << j;
  }
  std::vector<int> sorted = got;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_TRUE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  EXPECT_GE(sorted.front(), 0);
  EXPECT_LT(sorted.back(), 20000);
}

TYPED_TEST(segmented_top_k_on, refuses_a_negative_k) {
  const array<int> keys(this->ctx, 3);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0});
  array<int> out(this->ctx, 3), out_offsets(this->ctx, 1);
  EXPECT_THROW(segmented_top_k(this->ctx, keys.data(), 3, offsets.data(), 1, -1, out.data(),
                               out_offsets.data(), less{}),
               argument_error);
}

}  // namespace
}  // namespace evenfold::testing
