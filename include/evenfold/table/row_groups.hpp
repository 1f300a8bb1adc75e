#pragma once
// group_rows: the rows of a table, group by group, where a group is the rows with equal keys.
//
// A stable sort brings the rows of each group together, in their order. It knows no skew: a group
// of all rows costs what as many groups as rows cost.

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_columns.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {

/// The order of groups: that of their keys, or that of their first rows.
enum class group_order { keys, appearance };

/// Rows in the order of their keys, and where groups begin.
template <std::integral Size>
struct row_groups {
  /// The rows, group after group in the order of the keys; those of a group in ascending order.
  array<Size> rows;
  /// For each index in `rows`, whether a group begins there.
  array<unsigned char> begins;
  /// For each group, the index in `rows` where it begins.
  array<Size> offsets;
  /// The groups in the order of appearance, as indices in `offsets`; empty for the order of keys.
  array<Size> order;

  std::size_t size() const { return offsets.size(); }
};

namespace detail {

template <class T>
inline constexpr bool is_sort_column = false;
template <class Keys, class Less>
inline constexpr bool is_sort_column<sort_column<Keys, Less>> = true;

/// The keys of group_by as a tuple of columns.
template <class Keys>
auto key_columns(const Keys& keys) {
  if constexpr (is_sort_column<Keys>) {
    return evenfold::make_tuple(keys);
  } else if constexpr (requires { std::tuple_size<Keys>::value; }) {
    return keys;
  } else {
    return evenfold::make_tuple(ascending(keys));
  }
}

/// Whether the k-th row of the sorted order has another key than the row before it.
template <class Size, class Columns>
struct begins_group;
template <class Size, class... Keys, class... Orders>
struct begins_group<Size, tuple<sort_column<Keys, Orders>...>> {
  const Size* rows;
  tuple<sort_column<Keys, Orders>...> columns;

  EF_HD constexpr bool operator()(Size k) const {
    return k == 0 || differs(rows[k - 1], rows[k], std::index_sequence_for<Keys...>{});
  }
  template <std::size_t... I>
  EF_HD constexpr bool differs(Size before, Size row, std::index_sequence<I...>) const {
    return (is_before(get<I>(columns), before, row) || ...);
  }
  template <class Key, class Less>
  EF_HD static constexpr bool is_before(const sort_column<Key, Less>& column, Size a, Size b) {
    const auto keys = values_of(column.keys);
    const element_t<Key> one = keys[a];
    const element_t<Key> other = keys[b];
    // The rows are sorted, so only the first of the columns that differ is in order for sure.
    const total_order<Less> less{column.less};
    return less(one, other) || less(other, one);
  }
};

/// k -> the first row of group k.
template <class Size>
struct first_row {
  const Size* rows;
  const Size* offsets;
  EF_HD constexpr Size operator[](Size group) const { return rows[offsets[group]]; }
};

}  // namespace detail

/// The groups of the rows 0, ..., count - 1, where rows with equal keys are in one group.
///
/// - `keys`: an iterator to `count` keys, ascending(x), descending(x) or ordered_by(x, less), or a
///   tuple of several of these, of which the first decides first. Keys are equal where neither is
///   less, and NaN where their bits are equal, as in `sort`.
/// - `Order`: of keys, or of appearance.
///
/// Work and span as `sort_indices` of the columns, however uneven the groups. Scratch: that of
/// `sort_indices` and of `compact_indices`. The result has `count` rows, `count` flags and one
/// `Size` per group, two for the order of appearance. Deterministic: the result is unique. Waits,
/// for the number of groups.
///
/// Errors: argument_error for a negative count or a pointer on the wrong side; allocation_error.
///
/// Example: examples/group_by.cpp.
template <group_order Order = group_order::keys, context Context, class Keys, std::integral Size>
row_groups<Size> group_rows(Context& ctx, Keys keys, Size count) {
  const auto columns = detail::key_columns(keys);
  row_groups<Size> groups;
  groups.rows = array<Size>(ctx, count);
  sort_indices(ctx, columns, groups.rows.data(), count);
  groups.begins = array<unsigned char>(ctx, count);
  using begins = detail::begins_group<Size, std::remove_const_t<decltype(columns)>>;
  const Size num_groups = transform_reduce(
      ctx, count, detail::flag_kept<begins>{{groups.rows.data(), columns}, groups.begins.data()},
      plus{}, Size{0});
  groups.offsets = array<Size>(ctx, num_groups);
  compact_indices(ctx, count, element_of<bool, const unsigned char*>{groups.begins.data()},
                  groups.offsets.data(), nullptr);
  if constexpr (Order == group_order::appearance) {
    groups.order = array<Size>(ctx, num_groups);
    const detail::first_row<Size> first{groups.rows.data(), groups.offsets.data()};
    sort_indices(ctx, first, groups.order.data(), num_groups, less{});
  }
  return groups;
}

}  // namespace evenfold
