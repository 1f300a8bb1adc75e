#pragma once
// Sorting one part of the items of bucket_sort on one CPU thread, by bucket and by number.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "evenfold/backend/cpu/rank_bucket.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bucket_order.hpp"

namespace evenfold::cpu {

/// The bits of a digit of the radix sort by number.
inline constexpr int digit_bits = 11;
inline constexpr std::uint64_t digit_mask = (1 << digit_bits) - 1;

struct digit_counters {
  std::uint32_t of[1 << digit_bits];
};

/// The number of digits of numbers below `limit`, at least one.
template <std::integral Limit>
int number_digits(Limit limit) {
  const auto bits = std::bit_width(static_cast<std::uint64_t>(limit) - 1);
  return std::max(1, detail::ceil_div(static_cast<int>(bits), digit_bits));
}

/// The items of a part, whose buckets are numbered from its first bucket on. values(i) is the value
/// of item i.
template <class Values>
struct part_items {
  const std::uint16_t* buckets;  ///< the low bits
  Values values;
  std::size_t first_bucket;
  std::size_t bucket(std::size_t i) const {
    return static_cast<std::uint16_t>(buckets[i] - first_bucket);
  }
  auto value(std::size_t i) const { return values(i); }
};
template <class Values>
part_items(const std::uint16_t*, Values, std::size_t) -> part_items<Values>;

/// Values in memory.
template <class Value>
using values_at = element_of<Value, const Value*>;

/// Whether results can be read, too. Then the values are distributed to the parts in the memory of
/// the results, which saves scratch: the result at a position is read before it is written again.
template <class Write>
inline constexpr bool has_readable_results =
    requires(const Write& write) { write.read(std::size_t{}); };

/// The values of a part that lie where its results will be, from `first` on.
template <class Write>
struct values_in_results {
  const Write* results;
  std::size_t first;
  auto operator()(std::size_t i) const { return results->read(first + i); }
};

/// The scratch of a thread that sorts a part: counters of buckets and digits, and twice the items.
template <class Value>
struct part_scratch {
  std::uint32_t* positions;
  digit_counters* digits;
  std::uint16_t* buckets[2];
  Value* values[2];
};

/// Whether the numbers of a part ascend.
template <class Items, class F, class Limit>
bool numbers_ascend(std::size_t count, const Items& items, const number_order<F, Limit>& order) {
  std::size_t ascending = 1;
  while (ascending < count &&
         order.number(items.value(ascending - 1)) <= order.number(items.value(ascending))) {
    ++ascending;
  }
  return ascending >= count;
}

/// Moves the items of a part to an array, by the digit of their numbers from bit `shift` on.
/// `position` has how many items have each digit.
template <class Value, class Items, class F, class Limit>
part_items<values_at<Value>> sort_by_digit(std::size_t count, const Items& items,
                                           const number_order<F, Limit>& order, int shift,
                                           std::uint32_t* position, std::uint16_t* buckets,
                                           Value* values) {
  std::exclusive_scan(position, position + (1 << digit_bits), position, 0u);
  for (std::size_t i = 0; i < count; ++i) {
    const Value value = items.value(i);
    const auto bits = static_cast<std::uint64_t>(order.number(value)) >> shift;
    const std::uint32_t to = position[bits & digit_mask]++;
    buckets[to] = items.buckets[i];
    std::construct_at(values + to, value);
  }
  return {buckets, {values}, items.first_bucket};
}

/// Sorts the items of a part by number. The result is in the scratch.
template <class Value, class Items, class F, class Limit>
part_items<values_at<Value>> sort_by_number(std::size_t count, const Items& items,
                                            const number_order<F, Limit>& order,
                                            const part_scratch<Value>& scratch) {
  const int digits = number_digits(order.limit);
  std::fill_n(scratch.digits, digits, digit_counters{});
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(order.number(items.value(i)));
    for (int d = 0; d < digits; ++d)
      ++scratch.digits[d].of[number >> (d * digit_bits) & digit_mask];
  }
  const auto sort = [&](const auto& from, int d) {
    return sort_by_digit<Value>(count, from, order, d * digit_bits, scratch.digits[d].of,
                                scratch.buckets[d % 2], scratch.values[d % 2]);
  };
  auto sorted = sort(items, 0);
  for (int d = 1; d < digits; ++d) sorted = sort(sorted, d);
  return sorted;
}

/// Sorts the values of each of the buckets from `bucket` to `last`. ends[b] is where bucket b ends;
/// bucket 0 begins at 0, and `write` counts from `first`. `other` has space for those of a bucket.
template <class Value, class Position, class Order, class Write>
void sort_buckets(Value* values, Value* other, const Position* ends, std::size_t bucket,
                  std::size_t last, std::size_t first, const Order& order, const Write& write) {
  bucket_numbers numbers;
  std::size_t begin = bucket == 0 ? 0 : static_cast<std::size_t>(ends[bucket - 1]);
  for (; bucket < last; ++bucket) {
    const auto end = static_cast<std::size_t>(ends[bucket]);
    numbers.write_sorted(values + begin, other, end - begin, order, first + begin, write);
    begin = end;
  }
}

/// Sorts a part: `write` and `offsets` count from `first`.
template <class Value, class Items, class Offset, class Order, class Write>
void sort_part(std::size_t count, const Items& items, std::size_t num_buckets, Offset* offsets,
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
  const auto write_to_buckets = [&](const auto& from) {
    for (std::size_t i = 0; i < count; ++i)
      write(first + position[from.bucket(i)]++, from.value(i));
  };
  Value* const values = scratch.values[0];
  const auto move_to_buckets = [&] {
    for (std::size_t i = 0; i < count; ++i)
      std::construct_at(values + position[items.bucket(i)]++, items.value(i));
  };
  if constexpr (!std::same_as<Order, no_order>) {
    if (!numbers_ascend(count, items, order)) {
      // Buckets of one or two items take longer than their digits.
      if (count / 3 >= num_buckets && bucket_numbers::fits(order.limit)) {
        move_to_buckets();
        // A position is now the end of its bucket.
        sort_buckets(values, scratch.values[1], position, 0, num_buckets, first, order, write);
      } else {
        write_to_buckets(sort_by_number<Value>(count, items, order, scratch));
      }
      return;
    }
  }
  if constexpr (has_readable_results<Write>) {
    move_to_buckets();
    for (std::size_t i = 0; i < count; ++i) write(first + i, values[i]);
  } else {
    write_to_buckets(items);
  }
}

}  // namespace evenfold::cpu
