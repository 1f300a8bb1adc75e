#pragma once
// Aggregates of one column whose values are sorted with the keys of group_by.
//
// On a GPU, reading a column in the order of the groups takes about as long as sorting the rows.
// Where all aggregates are folds of one column, its values are sorted instead of the rows. The
// sorted values do not tell the first row of each group, which is therefore found in a table with
// an entry per possible key. Most groups have a row among the first rows; all rows are read only if
// some group has none there.

#if defined(__CUDACC__)

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/detail/sort_packed.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/table/aggregates.hpp"

namespace evenfold::detail {

/// The type of the values of an aggregate that needs only the values of a group in their order, if
/// these lie in memory and are small; else void. Moving large values takes longer than it saves.
template <class Aggregate>
struct moved_column {
  using type = void;
};
template <class T>
using movable = std::conditional_t<sizeof(T) <= 8, const T*, void>;
template <class State, class Op, class T>
struct moved_column<fold_aggregate<State, Op, T*, no_nulls>> {
  using type = movable<T>;
};
template <class T>
struct moved_column<mean_aggregate<T*, no_nulls>> {
  using type = movable<T>;
};
template <class T>
struct moved_column<variance_aggregate<T*, no_nulls>> {
  using type = movable<T>;
};

/// Whether all aggregates can take the moved values of one column.
template <class First, class... Others>
inline constexpr bool take_moved_values =
    !std::is_void_v<typename moved_column<First>::type> &&
    (std::same_as<typename moved_column<First>::type, typename moved_column<Others>::type> && ...);

/// Whether all aggregates are of one column.
template <class First, class... Others>
bool are_of_one_column(const First& first, const Others&... others) {
  return ((others.values == first.values) && ...);
}

/// The same aggregate of other values.
template <class Aggregate, class T>
Aggregate with_values(Aggregate aggregate, T* values) {
  aggregate.values = values;
  return aggregate;
}

/// The packed keys of rows and their values of one column, sorted by the keys.
template <class Key, class T>
struct sorted_values {
  array<Key> keys;
  array<T> values;
  /// `keys` are larger than the packed keys by this number.
  Key first = 0;
};

/// Whether there is one column, of ascending integers in memory that are as wide as Key.
template <class Key, class Columns>
inline constexpr bool is_column_of_numbers = false;
template <class Key, class T, class Order>
inline constexpr bool is_column_of_numbers<Key, tuple<sort_column<T*, Order>>> =
    std::integral<T> && sizeof(T) == sizeof(Key) && radix_order<Order, std::remove_const_t<T>> &&
    !is_descending<Order, std::remove_const_t<T>>;

/// Sorts the values by the packed keys of their rows. Integers that differ in no more bytes than
/// the packed keys have are sorted as they are, which saves a pass.
template <context Context, class Columns, class Ranges, std::integral Size, class T>
auto sort_values(Context& ctx, const Columns& columns, const Ranges& ranges, Size count,
                 T* values) {
  using key = std::conditional_t<sizeof(Size) <= 4, std::uint32_t, std::uint64_t>;
  sorted_values<key, std::remove_const_t<T>> sorted{array<key>(ctx, count),
                                                    array<std::remove_const_t<T>>(ctx, count)};
  const auto sort_as = [&](const key* keys, int bits) {
    backend::sort_bits_to(ctx, keys, sorted.keys.data(), static_cast<const T*>(values),
                          sorted.values.data(), count, std::max(bits, 1));
  };
  if constexpr (is_column_of_numbers<key, Columns>) {
    const auto* const column = get<0>(columns).keys;
    const key_range range = ranges.of[0];
    const int bits = static_cast<int>(std::bit_width(range.low ^ range.high));
    using number = std::remove_cvref_t<decltype(*column)>;
    // Signed integers have the order of their bits if none, or all, of them are negative.
    const bool ascends = std::is_unsigned_v<number> || bits < static_cast<int>(8 * sizeof(number));
    if (ascends && ceil_div(bits, 8) == ceil_div(ranges.bits(), 8)) {
      sort_as(reinterpret_cast<const key*>(column), bits);
      sorted.first = static_cast<key>(
          key_of_radix<less, number>(static_cast<radix_bits_t<number>>(range.low)));
      return sorted;
    }
  }
  array<key> keys(ctx, count);
  transform(ctx, count, write_result{packed_rows(columns, ranges), keys.data()});
  sort_as(std::as_const(keys).data(), ranges.bits());
  return sorted;
}

/// i -> the i-th packed keys, from the keys of sorted_values
template <class Key>
struct packed_keys {
  const Key* numbers;
  Key first;

  template <std::integral Size>
  EF_HD constexpr Key operator[](Size i) const {
    return static_cast<Key>(numbers[i] - first);
  }
};

/// Lowers firsts[packed keys of row i] to i.
template <class Packed, class Size>
struct lower_first_row {
  Packed packed;
  Size* firsts;

  EF_HD constexpr void operator()(Size i) const {
    const std::uint64_t key = packed(i);
    // A row is not the first of its key if the previous row has this key, or if an earlier row of
    // the key is known.
    if (i > 0 && packed(static_cast<Size>(i - 1)) == key) return;
    if (i < firsts[key]) atomic_minimum(firsts[key], i);
  }
};

/// 1 for a group whose first row is not known.
template <class Keys, class Size>
struct lacks_first_row {
  Keys keys;
  const Size* firsts;

  EF_HD constexpr Size operator()(Size group) const {
    return static_cast<Size>(firsts[keys[group]] == largest_number<Size>);
  }
};

/// The first row of each group, whose packed keys have `bits` bits.
template <context Context, class Packed, std::integral Size, class Keys>
array<Size> first_rows_of_keys(Context& ctx, Packed packed, int bits, Size count, Keys keys,
                               Size num_groups) {
  array<Size> firsts(ctx, std::size_t{1} << bits);
  fill(ctx, firsts.data(), firsts.size(), largest_number<Size>);
  const lower_first_row<Packed, Size> lower{packed, firsts.data()};
  // If all groups are equally frequent, about as many rows have some of each.
  const auto groups = static_cast<std::uint64_t>(num_groups);
  const auto some = static_cast<Size>(
      std::min(static_cast<std::uint64_t>(count), groups * std::bit_width(groups)));
  transform(ctx, some, lower);
  const lacks_first_row<Keys, Size> lacks{keys, firsts.data()};
  if (some < count && transform_reduce(ctx, num_groups, lacks, plus{}, Size{0}) > 0) {
    transform(ctx, count, lower);
  }
  array<Size> rows(ctx, num_groups);
  gather(ctx, std::as_const(firsts).data(), keys, num_groups, rows.data());
  return rows;
}

}  // namespace evenfold::detail

#endif
