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
//
// Where results can be read, too, step 2 writes the values to where the results will be: that saves
// the memory for them, which a system would have to clear, and the caches have what step 3 writes.
//
// Where buckets have several items, and numbers are below 2^25, values are written to their buckets
// first, and each bucket is then sorted on its own, in cache lines that are written one after the
// other. Few items of few buckets are written to their buckets without parts, and those of few
// numbers are sorted by counting (counting_sort.hpp).

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cpu/bucket_part.hpp"
#include "evenfold/backend/cpu/bucket_plan.hpp"
#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/counting_sort.hpp"
#include "evenfold/backend/cpu/rank_bucket.hpp"
#include "evenfold/backend/cpu/sort.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// One thread sorts parts of at most this many items, and of at most four times the intended size.
inline constexpr std::size_t most_part_size = 1 << 17;

/// Up to this many items are written to their buckets without parts.
inline constexpr std::size_t most_items_without_parts = 1 << 19;

/// The items of a call: bucket(i) and value(i).
template <class BucketOf, class ValueOf>
struct all_items {
  BucketOf bucket_of;
  ValueOf value_of;
  std::size_t bucket(std::size_t i) const { return static_cast<std::size_t>(bucket_of(i)); }
  auto value(std::size_t i) const { return value_of(i); }
};

/// The results of a call: write(k, v), and where they can be read, read(k).
template <class Size, class Write>
struct results_of {
  Write write;
  template <class Value>
  void operator()(std::size_t k, const Value& value) const {
    write(static_cast<Size>(k), value);
  }
  auto read(std::size_t k) const
    requires requires { write.read(Size{}); }
  {
    return write.read(static_cast<Size>(k));
  }
};

/// Results that are only written.
template <class Write>
struct written_results {
  const Write& results;
  template <class Value>
  void operator()(std::size_t k, const Value& value) const {
    results(k, value);
  }
};

/// Sorts few items of few buckets: each bin of the plan is a bucket.
template <class Value, class Items, class Offset, class Order, class Write>
void sort_without_parts(cpu_context& ctx, std::size_t count, const Items& items,
                        const bucket_plan& plan, Offset* offsets, std::size_t first,
                        [[maybe_unused]] const Order& order, const Write& write) {
  const std::size_t num_buckets = plan.part_of.size();
  array<std::uint32_t> slots(ctx, plan.counts.size());
  std::uint32_t slot = 0;
  for (std::size_t b = 0; b < num_buckets; ++b) {
    offsets[b] = static_cast<Offset>(first + slot);
    for (std::size_t at = b; at < slots.size(); at += num_buckets) {
      slots[at] = slot;
      slot += static_cast<std::uint32_t>(plan.counts[at]);
    }
  }
  const auto distribute = [&](const auto& put) {
    plan.for_each_chunk(ctx, count, [&](std::size_t c, std::size_t begin, std::size_t end) {
      std::uint32_t* const own = slots.data() + c * num_buckets;
      for (std::size_t i = begin; i < end; ++i) put(own[items.bucket(i)]++, items.value(i));
    });
  };
  if constexpr (std::same_as<Order, no_order>) {
    distribute([&](std::size_t k, const Value& value) { write(first + k, value); });
  } else {
    array<Value> values(ctx, count);
    array<Value> others(
        ctx, plan.longest > bucket_numbers::most_ranked ? plan.chunks * plan.longest : 0);
    distribute([&](std::size_t k, const Value& value) { std::construct_at(&values[k], value); });
    // The positions of the last chunk are now the ends of the buckets.
    const std::uint32_t* const ends = slots.data() + (plan.chunks - 1) * num_buckets;
    ctx.parallel(plan.chunks, [&](std::size_t from, std::size_t to) {
      const auto bucket_at = [&](std::size_t share) {
        const std::size_t item = detail::share_begin(count, plan.chunks, share);
        return static_cast<std::size_t>(std::upper_bound(ends, ends + num_buckets, item) - ends);
      };
      const std::size_t begin = from == 0 ? 0 : bucket_at(from);
      const std::size_t end = to == plan.chunks ? num_buckets : bucket_at(to);
      Value* const other = others.empty() ? nullptr : others.data() + from * plan.longest;
      sort_buckets(values.data(), other, ends, begin, end, first, order, write);
    });
  }
}

template <class Items, class Offset, class Order, class Write>
void bucket_sort(cpu_context& ctx, std::size_t count, const Items& items, std::size_t num_buckets,
                 Offset* offsets, std::size_t first, const Order& order, const Write& write,
                 std::size_t part_size);

/// Sorts a part by all threads: `values` are in the order of `buckets`, and may be overwritten.
template <class Value, class Offset, class Order, class Write>
void sort_large_part(cpu_context& ctx, std::size_t count, const std::uint16_t* buckets,
                     Value* values, std::size_t first_bucket, std::size_t num_buckets,
                     Offset* offsets, std::size_t first, const Order& order, const Write& write,
                     std::size_t part_size) {
  if (num_buckets > 1) {
    const part_items items{buckets, values_at<Value>{values}, first_bucket};
    bucket_sort(ctx, count, items, num_buckets, offsets, first, order, write, part_size);
    return;
  }
  if constexpr (!std::same_as<Order, no_order>) {
    backend::sort<default_tuning>(ctx, values, static_cast<detail::no_value*>(nullptr), count,
                                  order);
  }
  offsets[0] = static_cast<Offset>(first);
  ctx.parallel(count, [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) write(first + k, values[k]);
  });
}

/// The whole sort; results and offsets count from `first`.
template <class Items, class Offset, class Order, class Write>
void bucket_sort(cpu_context& ctx, std::size_t count, const Items& items, std::size_t num_buckets,
                 Offset* offsets, std::size_t first, const Order& order, const Write& write,
                 std::size_t part_size) {
  using Value = std::remove_cvref_t<decltype(items.value(0))>;
  constexpr bool ordered = !std::same_as<Order, no_order>;
  constexpr bool in_results = has_readable_results<Write>;
  bucket_plan plan(ctx, count, items, num_buckets, part_size);
  bool needs_parts = plan.bin_bits > 0 || count > most_items_without_parts;
  if constexpr (ordered)
    needs_parts |= plan.longest > part_size || !bucket_numbers::fits(order.limit);
  if (!needs_parts) {
    sort_without_parts<Value>(ctx, count, items, plan, offsets, first, order, write);
    return;
  }
  array<std::uint16_t> buckets(ctx, count);
  array<Value> values(ctx, in_results ? 0 : count);
  plan.distribute(ctx, count, items, [&](std::size_t to, std::size_t i, std::size_t bucket) {
    buckets[to] = static_cast<std::uint16_t>(bucket);
    if constexpr (in_results) {
      write(first + to, items.value(i));
    } else {
      std::construct_at(&values[to], items.value(i));
    }
  });
  const auto items_of = [&](const bucket_part& part) {
    const std::uint16_t* const own = buckets.data() + part.first_item;
    if constexpr (in_results) {
      return part_items{own, values_in_results<Write>{&write, first + part.first_item},
                        part.first_bucket};
    } else {
      return part_items{own, values_at<Value>{values.data() + part.first_item}, part.first_bucket};
    }
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
    const std::size_t num_items = plan.items(p);
    most_buckets = std::max(most_buckets, plan.buckets(p));
    if (num_items <= large) {
      most_items = std::max(most_items, num_items);
      continue;
    }
    const auto sort_values = [&](Value* own, const auto& results) {
      sort_large_part(ctx, num_items, buckets.data() + part.first_item, own, part.first_bucket,
                      plan.buckets(p), offsets + part.first_bucket, first + part.first_item, order,
                      results, part_size);
    };
    if constexpr (in_results) {
      array<Value> own(ctx, num_items);
      const auto part_of_results = items_of(part);
      ctx.parallel(num_items, [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
          std::construct_at(&own[k], part_of_results.value(k));
      });
      sort_values(own.data(), written_results<Write>{write});
    } else {
      sort_values(values.data() + part.first_item, write);
    }
  }

  int digits = 0;
  if constexpr (ordered) digits = number_digits(order.limit);
  const auto threads = std::min(static_cast<std::size_t>(ctx.threads()), plan.num_parts());
  const std::size_t scratch_items = ordered || in_results ? most_items : 0;
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
      sort_part(plan.items(p), items_of(part), plan.buckets(p), offsets + part.first_bucket,
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
  const cpu::results_of<Size, Write> results{write};
  const cpu::all_items<decltype(bucket_of), decltype(value_of)> items{bucket_of, value_of};
  const auto items_count = static_cast<std::size_t>(count);
  const auto buckets = static_cast<std::size_t>(num_buckets);
  if constexpr (!std::same_as<Order, no_order>) {
    if ((ctx.threads() == 1 || items_count < 2 * part_size) &&
        cpu::sorts_by_counting(items_count, buckets, order.limit)) {
      cpu::sort_by_counting(ctx, items_count, items, buckets, offsets, order, results);
      return;
    }
  }
  cpu::bucket_sort(ctx, items_count, items, buckets, offsets, std::size_t{0}, order, results,
                   part_size);
}

}  // namespace evenfold::backend
