#pragma once
// Sorts columns by packing each row into an integer, for sort_columns.
//
// A column with a small range needs few bits: those of the differences to its smallest radix key.
// The packed rows, with the first column in the highest bits, have the order of the rows. A radix
// sort of packed rows takes one pass per 8 bits, however many rows tie. Then the columns are
// unpacked from the sorted integers.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

namespace detail {

/// The smallest and the largest radix key of a column.
struct key_range {
  std::uint64_t low;
  std::uint64_t high;

  int bits() const { return static_cast<int>(std::bit_width(high - low)); }
};

/// The ranges of several columns.
template <std::size_t Columns>
struct key_ranges {
  key_range of[Columns];

  int bits() const {
    int sum = 0;
    for (const key_range& range : of) sum += range.bits();
    return sum;
  }
};

struct unite_ranges {
  template <std::size_t Columns>
  EF_HD constexpr key_ranges<Columns> operator()(const key_ranges<Columns>& a,
                                                 const key_ranges<Columns>& b) const {
    key_ranges<Columns> both{};
    for (std::size_t c = 0; c < Columns; ++c) {
      both.of[c] = {minimum{}(a.of[c].low, b.of[c].low), maximum{}(a.of[c].high, b.of[c].high)};
    }
    return both;
  }
};

}  // namespace detail

template <std::size_t Columns>
inline constexpr bool is_commutative<detail::unite_ranges, detail::key_ranges<Columns>> = true;
template <std::size_t Columns>
inline constexpr bool detail::is_exact_fold<detail::unite_ranges, detail::key_ranges<Columns>> =
    true;

namespace detail {

/// The range of one element: its radix key. -0 and +0 have the same radix key, so that -0 could not
/// be unpacked; a column with -0 gets the full range, which is not packed.
template <class Order, class Key>
EF_HD constexpr key_range range_of_key(Key key) {
  if constexpr (std::floating_point<Key>) {
    if (key == Key{0} && bit_cast<radix_bits_t<Key>>(key) != 0) {
      return {0, largest_number<std::uint64_t>};
    }
  }
  const std::uint64_t number = radix_key<Order>(key);
  return {number, number};
}

template <class... Orders>
struct ranges_of_row {
  template <class... Keys>
  EF_HD constexpr key_ranges<sizeof...(Keys)> operator()(const Keys&... keys) const {
    return {{range_of_key<Orders>(keys)...}};
  }
};

/// Whether there are several columns, and all of them have radix keys.
template <class... Columns>
inline constexpr bool can_be_packed = false;
template <class... Keys, class... Orders>
inline constexpr bool can_be_packed<sort_column<Keys, Orders>...> =
    sizeof...(Keys) > 1 && (radix_order<Orders, element_t<Keys>> && ...);

/// Rows of more bits are not packed: unless nearly all rows tie, sorting the first column and then
/// the ties is faster (docs/performance.md).
inline constexpr int most_packed_bits = 48;

/// The ranges of the columns, all 0 if there are no rows. Waits.
template <context Context, class... Keys, class... Orders, std::integral Size>
key_ranges<sizeof...(Keys)> find_ranges(Context& ctx,
                                        const tuple<sort_column<Keys, Orders>...>& columns,
                                        Size count) {
  if (count == 0) return {};
  key_ranges<sizeof...(Keys)> none;
  for (key_range& range : none.of) range = {largest_number<std::uint64_t>, 0};
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const elementwise row(ranges_of_row<Orders...>{}, get<I>(columns).keys...);
    return transform_reduce(ctx, count, row, unite_ranges{}, none);
  }(std::index_sequence_for<Keys...>{});
}

/// The smallest radix key of a column, and how many bits the column takes in a packed row.
struct bit_field {
  std::uint64_t low;
  int bits;
};

/// Packs rows: the first column is in the highest bits.
template <class... Orders>
struct row_packing {
  bit_field fields[sizeof...(Orders)];

  explicit row_packing(const key_ranges<sizeof...(Orders)>& ranges) {
    for (std::size_t c = 0; c < sizeof...(Orders); ++c) {
      fields[c] = {ranges.of[c].low, ranges.of[c].bits()};
    }
  }
  template <class... Keys>
  EF_HD constexpr std::uint64_t operator()(const Keys&... keys) const {
    std::uint64_t number = 0;
    const bit_field* field = fields;
    ((number = number << field->bits | (radix_key<Orders>(keys) - field->low), ++field), ...);
    return number;
  }
};

/// Unpacks numbers[i] to the i-th elements of the columns.
template <class... Columns>
struct unpack_row;
template <class... Keys, class... Orders>
struct unpack_row<sort_column<Keys*, Orders>...> {
  row_packing<Orders...> packing;
  const std::uint64_t* numbers;
  tuple<sort_column<Keys*, Orders>...> columns;

  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    store<sizeof...(Keys) - 1>(i, numbers[i]);
  }
  template <std::size_t Column, class Size>
  EF_HD constexpr void store(Size i, std::uint64_t number) const {
    const bit_field field = packing.fields[Column];
    const std::uint64_t own = number & ((std::uint64_t{1} << field.bits) - 1);
    put(get<Column>(columns), i, own + field.low);
    if constexpr (Column > 0) store<Column - 1>(i, number >> field.bits);
  }
  template <class Key, class Order, class Size>
  EF_HD static constexpr void put(const sort_column<Key*, Order>& column, Size i,
                                  std::uint64_t number) {
    column.keys[i] = key_of_radix<Order, Key>(static_cast<radix_bits_t<Key>>(number));
  }
};

/// The packed rows in sorted order; the values move with their rows.
template <context Context, class... Keys, class... Orders, class Value, std::integral Size>
array<std::uint64_t> sorted_numbers(Context& ctx,
                                    const tuple<sort_column<Keys, Orders>...>& columns,
                                    const key_ranges<sizeof...(Keys)>& ranges, Value* values,
                                    Size count) {
  array<std::uint64_t> numbers(ctx, count);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const elementwise row(row_packing<Orders...>(ranges), get<I>(columns).keys...);
    transform(ctx, count, write_result{row, numbers.data()});
  }(std::index_sequence_for<Keys...>{});
  backend::sort_bits(ctx, numbers, values, count, ranges.bits());
  return numbers;
}

/// Sorts columns whose rows can be packed.
template <context Context, class... Keys, class... Orders, std::integral Size>
void sort_packed(Context& ctx, const tuple<sort_column<Keys*, Orders>...>& columns,
                 const key_ranges<sizeof...(Keys)>& ranges, Size count) {
  const auto numbers = sorted_numbers(ctx, columns, ranges, static_cast<no_value*>(nullptr), count);
  transform(ctx, count,
            unpack_row<sort_column<Keys*, Orders>...>{row_packing<Orders...>(ranges),
                                                      numbers.data(), columns});
}

/// indices[k] = the index of the k-th row in sorted order.
template <context Context, class... Keys, class... Orders, std::integral Index, std::integral Size>
void sort_packed_indices(Context& ctx, const tuple<sort_column<Keys, Orders>...>& columns,
                         const key_ranges<sizeof...(Keys)>& ranges, Index* indices, Size count) {
  transform(ctx, count, write_result{element_of<Index, counting_iterator<Index>>{}, indices});
  sorted_numbers(ctx, columns, ranges, indices, count);
}

}  // namespace detail

}  // namespace evenfold
