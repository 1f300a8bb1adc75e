#pragma once
// bucket_sort on CPU threads. Buckets are cut into parts with about equal numbers of items, so few
// that a thread can write to all of them at the same time, and so small that one fits a cache.
//
// 1. Threads count their chunks of items by bins, which are equal numbers of buckets; neighbouring
//    bins make a part.
// 2. They write the values of their chunks to the parts, after those of earlier chunks.
// 3. One thread sorts each part, by the numbers of the order and then by bucket: a radix sort from
//    the lowest digit to the highest.
//
// A part that is too large for one thread is a single bin. All threads sort it in the same way by
// its buckets, or, if it is a single bucket, by `sort`.

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/backend/cpu/bucket_plan.hpp"
#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The bits of a digit of the radix sort by number.
inline constexpr int digit_bits = 11;
inline constexpr std::uint64_t digit_mask = (1 << digit_bits) - 1;

struct digit_counters {
  std::uint32_t of[1 << digit_bits];
};

/// The number of digits of numbers below `limit`.
template <std::integral Limit>
int number_digits(Limit limit) {
  const auto bits = std::bit_width(static_cast<std::uint64_t>(limit) - 1);
  return detail::ceil_div(static_cast<int>(bits), digit_bits);
}

/// One thread sorts parts of at most this many items, and of at most four times the intended size.
inline constexpr std::size_t most_part_size = 1 << 17;

/// The items of a call: bucket(i) and value(i).
template <class BucketOf, class ValueOf>
struct all_items {
  BucketOf bucket_of;
  ValueOf value_of;
  std::size_t bucket(std::size_t i) const { return static_cast<std::size_t>(bucket_of(i)); }
  auto value(std::size_t i) const { return value_of(i); }
};

/// The items of a part, whose buckets are numbered from its first bucket on.
template <class Value>
struct part_items {
  const std::uint16_t* buckets;  ///< the low bits
  const Value* values;
  std::size_t first_bucket;
  std::size_t bucket(std::size_t i) const {
    return static_cast<std::uint16_t>(buckets[i] - first_bucket);
  }
  Value value(std::size_t i) const { return values[i]; }
};

/// The scratch of a thread that sorts a part: counters of buckets and digits, and twice the items.
template <class Value>
struct part_scratch {
  std::uint32_t* positions;
  digit_counters* digits;
  std::uint16_t* buckets[2];
  Value* values[2];
};

/// Sorts the items of a part by number. The result is `items` if they are sorted, else in the
/// scratch.
template <class Value, class F, class Limit>
part_items<Value> sort_by_number(std::size_t count, const part_items<Value>& items,
                                 const number_order<F, Limit>& order,
                                 const part_scratch<Value>& scratch) {
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint64_t>(order.number(items.value(i)));
  };
  std::size_t ascending = 1;
  while (ascending < count && number(ascending - 1) <= number(ascending)) ++ascending;
  if (ascending >= count) return items;
  const int digits = number_digits(order.limit);
  std::fill_n(scratch.digits, digits, digit_counters{});
  for (std::size_t i = 0; i < count; ++i) {
    for (int d = 0; d < digits; ++d)
      ++scratch.digits[d].of[number(i) >> (d * digit_bits) & digit_mask];
  }
  part_items<Value> from = items;
  for (int d = 0; d < digits; ++d) {
    std::uint32_t* const position = scratch.digits[d].of;
    std::exclusive_scan(position, position + (1 << digit_bits), position, 0u);
    for (std::size_t i = 0; i < count; ++i) {
      const Value value = from.value(i);
      const auto bits = static_cast<std::uint64_t>(order.number(value)) >> (d * digit_bits);
      const std::uint32_t to = position[bits & digit_mask]++;
      scratch.buckets[d % 2][to] = from.buckets[i];
      std::construct_at(scratch.values[d % 2] + to, value);
    }
    from = {scratch.buckets[d % 2], scratch.values[d % 2], from.first_bucket};
  }
  return from;
}

/// Sorts a part: `write` and `offsets` count from `first`.
template <class Value, class Offset, class Order, class Write>
void sort_part(std::size_t count, part_items<Value> items, std::size_t num_buckets, Offset* offsets,
               std::size_t first, [[maybe_unused]] const Order& order, const Write& write,
               const part_scratch<Value>& scratch) {
  std::uint32_t* const position = scratch.positions;
  std::fill_n(position, num_buckets, 0u);
  for (std::size_t i = 0; i < count; ++i) ++position[items.bucket(i)];
  std::uint32_t before = 0;
  for (std::size_t b = 0; b < num_buckets; ++b) {
    offsets[b] = static_cast<Offset>(first + before);
    before += std::exchange(position[b], before);
  }
  if constexpr (!std::same_as<Order, no_order>)
    items = sort_by_number(count, items, order, scratch);
  for (std::size_t i = 0; i < count; ++i)
    write(first + position[items.bucket(i)]++, items.value(i));
}

/// The whole sort; results and offsets count from `first`.
template <class Items, class Offset, class Order, class Write>
void bucket_sort(cpu_context& ctx, std::size_t count, const Items& items, std::size_t num_buckets,
                 Offset* offsets, std::size_t first, const Order& order, const Write& write,
                 std::size_t part_size) {
  using Value = std::remove_cvref_t<decltype(items.value(0))>;
  constexpr bool ordered = !std::same_as<Order, no_order>;
  bucket_plan plan(ctx, count, items, num_buckets, part_size);
  array<std::uint16_t> buckets(ctx, count);
  array<Value> values(ctx, count);
  plan.distribute(ctx, count, items, [&](std::size_t to, std::size_t i, std::size_t bucket) {
    buckets[to] = static_cast<std::uint16_t>(bucket);
    std::construct_at(&values[to], items.value(i));
  });
  const auto items_of = [&](std::size_t p) {
    const bucket_part part = plan.parts[p];
    return part_items<Value>{buckets.data() + part.first_item, values.data() + part.first_item,
                             part.first_bucket};
  };

  // A part of one bin may be larger than the others, but not so large that other threads wait for
  // the thread that sorts it.
  const std::size_t large =
      std::max(4 * part_size,
               std::min(most_part_size, count / (8 * static_cast<std::size_t>(ctx.threads()))));
  std::size_t most_items = 0;
  std::size_t most_buckets = 0;
  for (std::size_t p = 0; p < plan.num_parts(); ++p) {
    const bucket_part part = plan.parts[p];
    most_buckets = std::max(most_buckets, plan.buckets(p));
    if (plan.items(p) <= large) {
      most_items = std::max(most_items, plan.items(p));
    } else if (plan.buckets(p) > 1) {
      bucket_sort(ctx, plan.items(p), items_of(p), plan.buckets(p), offsets + part.first_bucket,
                  first + part.first_item, order, write, part_size);
    } else {
      Value* const own = values.data() + part.first_item;
      if constexpr (ordered) {
        backend::sort<default_tuning>(ctx, own, static_cast<detail::no_value*>(nullptr),
                                      plan.items(p), order);
      }
      offsets[part.first_bucket] = static_cast<Offset>(first + part.first_item);
      ctx.parallel(plan.items(p), [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) write(first + part.first_item + k, own[k]);
      });
    }
  }

  int digits = 0;
  if constexpr (ordered) digits = number_digits(order.limit);
  const auto threads = std::min(static_cast<std::size_t>(ctx.threads()), plan.num_parts());
  const std::size_t scratch_items = ordered ? most_items : 0;
  array<std::uint32_t> positions(ctx, threads * most_buckets);
  array<digit_counters> counters(ctx, threads * static_cast<std::size_t>(digits));
  array<std::uint16_t> scratch_buckets(ctx, 2 * threads * scratch_items);
  array<Value> scratch_values(ctx, 2 * threads * scratch_items);
  std::atomic<std::size_t> next = 0;
  ctx.parallel(threads, [&](std::size_t thread, std::size_t) {
    std::uint16_t* const own_buckets = scratch_buckets.data() + 2 * thread * scratch_items;
    Value* const own_values = scratch_values.data() + 2 * thread * scratch_items;
    const part_scratch<Value> scratch{positions.data() + thread * most_buckets,
                                      counters.data() + thread * static_cast<std::size_t>(digits),
                                      {own_buckets, own_buckets + scratch_items},
                                      {own_values, own_values + scratch_items}};
    for (std::size_t p; (p = next.fetch_add(1, std::memory_order_relaxed)) < plan.num_parts();) {
      if (plan.items(p) > large) continue;
      const bucket_part part = plan.parts[p];
      sort_part(plan.items(p), items_of(p), plan.buckets(p), offsets + part.first_bucket,
                first + part.first_item, order, write, scratch);
    }
  });
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, std::integral Size, class BucketOf, class ValueOf, std::integral Bucket,
          std::integral Offset, class Order, class Write>
void bucket_sort(cpu_context& ctx, Size count, BucketOf bucket, ValueOf value, Bucket num_buckets,
                 Offset* offsets, Order order, Write write) {
  // Three times as many items would still fit a cache.
  constexpr std::size_t part_size = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  offsets[num_buckets] = static_cast<Offset>(count);
  if (num_buckets == 0) return;
  const auto bucket_of = [&](std::size_t i) { return bucket(static_cast<Size>(i)); };
  const auto value_of = [&](std::size_t i) { return value(static_cast<Size>(i)); };
  cpu::bucket_sort(
      ctx, static_cast<std::size_t>(count),
      cpu::all_items<decltype(bucket_of), decltype(value_of)>{bucket_of, value_of},
      static_cast<std::size_t>(num_buckets), offsets, std::size_t{0}, order,
      [&](std::size_t k, const auto& v) { write(static_cast<Size>(k), v); }, part_size);
}

}  // namespace evenfold::backend
