#pragma once
// Sort of a long sequence of arithmetic keys on CPU threads. Merging sorted blocks would read and
// write all keys once per doubling of the blocks. Instead, the keys are distributed once to parts
// that fit a cache:
//
// 1. Threads find the lowest and the highest key, and count their chunks of keys by equal ranges
//    between the two; neighbouring ranges make a part.
// 2. They write the items of their chunks to the parts, after those of earlier chunks.
// 3. One thread sorts each part, by its highest digits and then, by insertion, the few items that
//    share them; or, where many share them, by all digits.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "evenfold/backend/cpu/bucket_plan.hpp"
#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/merge_sort.hpp"
#include "evenfold/backend/cpu/radix_sort.hpp"
#include "evenfold/backend/cpu/segmented_sort.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cpu {

/// The lowest and the highest of some numbers.
template <class Bits>
struct bits_range {
  Bits low = std::numeric_limits<Bits>::max();
  Bits high = 0;
};

template <class Bits, class BitsOf>
bits_range<Bits> range_of(cpu_context& ctx, std::size_t count, const BitsOf& bits_of) {
  const auto chunks = static_cast<std::size_t>(ctx.threads());
  array<bits_range<Bits>> ranges(ctx, chunks);
  ctx.parallel(chunks, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      bits_range<Bits> own;
      const std::size_t end = detail::share_begin(count, chunks, c + 1);
      for (std::size_t i = detail::share_begin(count, chunks, c); i < end; ++i) {
        own = {std::min(own.low, bits_of(i)), std::max(own.high, bits_of(i))};
      }
      ranges[c] = own;
    }
  });
  bits_range<Bits> all;
  for (const auto& own : ranges) all = {std::min(all.low, own.low), std::max(all.high, own.high)};
  return all;
}

/// The bucket of item i: where in the range of all keys its key is.
template <class Bits, class BitsOf>
struct ranged_items {
  const BitsOf& bits_of;
  Bits low;
  int shift;
  std::size_t bucket(std::size_t i) const { return (bits_of(i) - low) >> shift; }
};

/// Sorts the items item(i), whose keys have the bits bits_of(i), and calls write(first, sorted, n)
/// for each part of the result, n items from `first` on. If there are few items, or many of them
/// crowd together in the range of the keys, so that a part would be too large, it does nothing and
/// returns false.
template <class Tuning, class BitsOf, class ItemOf, class Order, class Write>
bool distribution_sort(cpu_context& ctx, std::size_t count, const BitsOf& bits_of,
                       const ItemOf& item_of, const Order& order, const Write& write) {
  using Bits = decltype(bits_of(0));
  using Item = decltype(item_of(0));
  constexpr std::size_t most_bins = std::size_t{1} << most_bin_bits;
  const std::size_t block = sort_block<Tuning>(ctx, count);
  if (count < 8 * block) return false;
  const bits_range<Bits> keys = range_of<Bits>(ctx, count, bits_of);
  const Bits low = keys.low;
  if (low == keys.high) return true;
  const std::uint64_t range = keys.high - low;
  const std::uint64_t most_buckets = std::min<std::uint64_t>(std::bit_floor(count / 8), most_bins);
  int shift = 0;
  while (range >> shift >= most_buckets) ++shift;
  const ranged_items<Bits, BitsOf> items{bits_of, low, shift};
  bucket_plan plan(ctx, count, items, (range >> shift) + 1, block);

  // Equal keys need no sort, however many there are.
  const auto is_single = [&](std::size_t p) { return shift == 0 && plan.buckets(p) == 1; };
  const std::size_t large = std::max(
      4 * block, std::min<std::size_t>(std::numeric_limits<std::uint32_t>::max(),
                                       count / (8 * static_cast<std::size_t>(ctx.threads()))));
  std::size_t most_items = 0;
  for (std::size_t p = 0; p < plan.num_parts(); ++p) {
    if (!is_single(p)) most_items = std::max(most_items, plan.items(p));
  }
  if (most_items > large) return false;

  array<Item> distributed(ctx, count);
  const auto threads = std::min(static_cast<std::size_t>(ctx.threads()), plan.num_parts());
  array<Item> scratch(ctx, threads * most_items);
  plan.distribute(ctx, count, items, [&](std::size_t to, std::size_t i, std::size_t) {
    std::construct_at(&distributed[to], item_of(i));
  });
  std::atomic<std::size_t> next = 0;
  ctx.parallel(threads, [&](std::size_t thread, std::size_t) {
    for (std::size_t p; (p = next.fetch_add(1, std::memory_order_relaxed)) < plan.num_parts();) {
      const std::size_t first = plan.parts[p].first_item;
      Item* const part = distributed.data() + first;
      const auto size = static_cast<std::ptrdiff_t>(plan.items(p));
      if (!is_single(p) && size > 1) {
        Item* const other = scratch.data() + thread * most_items;
        const std::uint64_t from = plan.parts[p].first_bucket;
        const std::uint64_t last =
            std::min(range, ((from + plan.buckets(p)) << shift) - 1);  // which may be 2^64 - 1
        const auto bits = [&](const Item& x) { return order.bits(x); };
        if (!sort_spread_run(part, other, size, static_cast<Bits>(low + (from << shift)),
                             static_cast<Bits>(low + last), bits)) {
          sort_run(part, other, size, false, order);
        }
      }
      write(first, part, plan.items(p));
    }
  });
  return true;
}

}  // namespace evenfold::cpu
