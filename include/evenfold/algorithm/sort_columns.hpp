#pragma once
// sort_columns, and sort_indices of several columns: sorts the rows of a table.
//
// If all columns together use few bits, rows are packed into integers and sorted by a radix sort
// (detail/sort_packed.hpp); ties cost nothing. Else the first column is sorted, and then the rows
// that tie there (detail/sort_rows.hpp).

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/detail/sort_packed.hpp"
#include "evenfold/algorithm/detail/sort_rows.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

namespace detail {

/// Throws argument_error for columns that cannot be read; fails to compile for bad orders.
template <context Context, class... Keys, class... Orders, std::integral Size>
void check_columns(const Context& ctx, const char* algorithm,
                   const tuple<sort_column<Keys, Orders>...>& columns, Size count) {
  (check_order<element_t<Keys>, Orders>(), ...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_pointer(ctx, algorithm, "columns", get<I>(columns).keys, count), ...);
  }(std::index_sequence_for<Keys...>{});
}

/// sort_columns of at least two rows.
template <context Context, class Key, class Less, class... Keys, class... Orders,
          std::integral Size>
void sort_rows(Context& ctx,
               const tuple<sort_column<Key*, Less>, sort_column<Keys*, Orders>...>& columns,
               Size count) {
  if constexpr (can_be_packed<sort_column<Key*, Less>, sort_column<Keys*, Orders>...>) {
    const auto ranges = find_ranges(ctx, columns, count);
    if (ranges.bits() <= most_packed_bits) return sort_packed(ctx, columns, ranges, count);
  }
  const auto& first = get<0>(columns);
  if constexpr (sizeof...(Keys) == 0) {
    sort(ctx, first.keys, count, first.less);
  } else if constexpr (sizeof...(Keys) == 1) {
    const auto second = get<1>(columns);
    using order = total_order<std::remove_cvref_t<decltype(second.less)>>;
    sort_first_then_rows(ctx, first.keys, first.less, second.keys, order{second.less}, count);
  } else {
    using row = column_row<Keys...>;
    array<row> rows(ctx, count);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const tuple<Keys*...> rest(get<I + 1>(columns).keys...);
      transform(ctx, count, gather_row<row, Keys*...>{rest, rows.data()});
      sort_first_then_rows(ctx, first.keys, first.less, rows.data(),
                           lexicographic(get<I + 1>(columns).less...), count);
      transform(ctx, count, scatter_row<row, Keys*...>{rest, rows.data()});
    }(std::index_sequence_for<Keys...>{});
  }
}

}  // namespace detail

/// Sorts the rows of several columns stably and in place, in lexicographic order: row i has the
/// i-th elements of all columns. It comes before row j if it does so in the first column in which
/// they are not equivalent.
///
/// - `columns`: make_tuple(ascending(x), descending(y), ordered_by(z, less), ...) with pointers to
///   `count` elements of any trivially copyable type each.
/// - In ascending and descending columns NaN are ordered as by `sort`.
///
/// If all columns are arithmetic and ascending or descending, and a row takes at most 48 bits, rows
/// are packed into integers. A column takes the bits of the difference of its largest and its
/// smallest radix key, or 64 bits if it has a -0. Then work and span are those of `sort` of as many
/// bits, however many rows tie, and scratch is 16 bytes per row. Otherwise work and span are those
/// of `sort_by_key` of the first column and of `segmented_sort` of the rows that tie there.
/// Scratch: that of these two; one byte per row; with more than two columns, a copy of all columns
/// but the first; and for each row that ties another copy of them, two `Size` and a byte.
/// Deterministic: the result is unique. Waits, for the ranges of the columns and for the number of
/// ties.
///
/// Errors: argument_error for a negative count, or pointers on the wrong side; allocation_error,
/// with the columns in an unspecified order.
///
/// Example: examples/sort_columns.cpp.
/// Names elsewhere: numpy.lexsort with the columns in reverse; thrust::stable_sort of a zip
/// iterator.
template <context Context, class... Keys, class... Orders, std::integral Size>
void sort_columns(Context& ctx, const tuple<sort_column<Keys, Orders>...>& columns, Size count) {
  detail::check_count("sort_columns", "count", count);
  detail::check_columns(ctx, "sort_columns", columns, count);
  if (count < 2) return;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto pointers = evenfold::make_tuple(
        ordered_by(detail::as_pointer(get<I>(columns).keys), get<I>(columns).less)...);
    detail::sort_rows(ctx, pointers, count);
  }(std::index_sequence_for<Keys...>{});
}

/// indices[k] = the index of the k-th row in sorted order. The columns may be any iterators, and
/// are not changed. Additional scratch: the indices and, unless rows are packed into integers, a
/// copy of the columns. An `Index` too narrow for count - 1 is an argument_error. Otherwise as
/// `sort_columns`.
template <context Context, class First, class Less, class... Keys, class... Orders,
          std::integral Index, std::integral Size>
void sort_indices(Context& ctx,
                  const tuple<sort_column<First, Less>, sort_column<Keys, Orders>...>& columns,
                  Index* indices, Size count) {
  detail::check_count("sort_indices", "count", count);
  detail::check_indices_fit<Index>("sort_indices", count);
  detail::check_columns(ctx, "sort_indices", columns, count);
  detail::check_pointer(ctx, "sort_indices", "indices", indices, count);
  if constexpr (detail::can_be_packed<sort_column<First, Less>, sort_column<Keys, Orders>...>) {
    const auto ranges = detail::find_ranges(ctx, columns, count);
    if (ranges.bits() <= detail::most_packed_bits) {
      return detail::sort_packed_indices(ctx, columns, ranges, indices, count);
    }
  }
  const auto& first = get<0>(columns);
  if constexpr (sizeof...(Keys) == 0) {
    sort_indices(ctx, first.keys, indices, count, first.less);
  } else {
    using key = element_t<First>;
    using row = detail::column_row<element_t<Keys>..., Index>;
    array<key> keys(ctx, count);
    array<row> rows(ctx, count);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const tuple<Keys..., counting_iterator<Index>> rest(get<I + 1>(columns).keys...,
                                                          counting_iterator<Index>{});
      transform(ctx, count,
                detail::gather_row<row, Keys..., counting_iterator<Index>>{rest, rows.data()});
      transform(ctx, count, write_result<element_of<key, First>, key*>{{first.keys}, keys.data()});
      detail::sort_first_then_rows(ctx, keys.data(), first.less, rows.data(),
                                   detail::lexicographic(get<I + 1>(columns).less...), count);
      transform(ctx, count, detail::take_index<row, Index>{rows.data(), indices});
    }(std::index_sequence_for<Keys...>{});
  }
}

}  // namespace evenfold
