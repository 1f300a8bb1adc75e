#pragma once
// bucket_sort of few items by one CPU thread: a counting sort of their indices by number and then
// one by bucket. Items and counters stay in the caches of a core, and no branch depends on an item.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"

namespace evenfold::cpu {

/// Whether counters of `count` items are few, and the items fit a cache.
template <class Limit>
bool sorts_by_counting(std::size_t count, std::size_t num_buckets, Limit limit) {
  constexpr std::size_t most_items = 1 << 17;
  return count <= most_items && num_buckets <= 2 * count && std::cmp_less_equal(limit, 2 * count);
}

/// Replaces counts by the sums of those before them.
inline void sum_counts(std::uint32_t* counts, std::size_t size) {
  std::uint32_t before = 0;
  for (std::size_t k = 0; k < size; ++k) before += std::exchange(counts[k], before);
}

template <class Items, class Offset, class F, class Limit, class Write>
void sort_by_counting(cpu_context& ctx, std::size_t count, const Items& items,
                      std::size_t num_buckets, Offset* offsets, const number_order<F, Limit>& order,
                      const Write& write) {
  const auto num_numbers = static_cast<std::size_t>(order.limit);
  const auto number = [&](std::size_t i) {
    return static_cast<std::size_t>(order.number(items.value(i)));
  };
  array<std::uint32_t> counters(ctx, num_buckets + num_numbers);
  std::uint32_t* const of_bucket = counters.data();
  std::uint32_t* const of_number = of_bucket + num_buckets;
  std::fill_n(of_bucket, counters.size(), 0u);
  for (std::size_t i = 0; i < count; ++i) {
    ++of_bucket[items.bucket(i)];
    ++of_number[number(i)];
  }
  sum_counts(of_bucket, num_buckets);
  sum_counts(of_number, num_numbers);
  std::copy_n(of_bucket, num_buckets, offsets);

  array<std::uint32_t> by_number(ctx, count);
  for (std::size_t i = 0; i < count; ++i) {
    by_number[of_number[number(i)]++] = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t i : by_number) write(of_bucket[items.bucket(i)]++, items.value(i));
}

}  // namespace evenfold::cpu
