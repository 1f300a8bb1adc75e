#pragma once
// Compares segmented_top_k and its variants with the beginnings of sorted segments.

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <vector>

#include "contexts.hpp"
#include "evenfold/algorithm/segmented_top_k.hpp"

namespace evenfold::testing {

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
inline int end_of(const std::vector<int>& offsets, std::size_t s, std::size_t count) {
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

}  // namespace evenfold::testing
