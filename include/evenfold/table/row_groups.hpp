#pragma once
// group_rows: the rows of a table, group by group, where a group is the rows with equal keys.
//
// A stable sort brings the rows of each group together, in their order. Arithmetic keys of a small
// range are packed into a number of a bucket (detail/sort_packed.hpp), and rows are sorted by
// bucket, which is cheaper. Either way a group of all rows costs what small groups cost.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/sort_packed.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_columns.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/table/group_order.hpp"

namespace evenfold {

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
template <class Rows, class Columns>
struct begins_group;
template <class Rows, class... Keys, class... Orders>
struct begins_group<Rows, tuple<sort_column<Keys, Orders>...>> {
  using heavy = void;
  Rows rows;
  tuple<sort_column<Keys, Orders>...> columns;

  template <std::integral Size>
  EF_HD constexpr bool operator()(Size k) const {
    return k == 0 || differs(rows[k - 1], rows[k], std::index_sequence_for<Keys...>{});
  }
  template <std::integral Size, std::size_t... I>
  EF_HD constexpr bool differs(Size before, Size row, std::index_sequence<I...>) const {
    return (is_before(get<I>(columns), before, row) || ...);
  }
  template <class Key, class Less, std::integral Size>
  EF_HD static constexpr bool is_before(const sort_column<Key, Less>& column, Size a, Size b) {
    const auto keys = values_of(column.keys);
    const element_t<Key> one = keys[a];
    const element_t<Key> other = keys[b];
    // Rows are sorted lexicographically, so a later row may have the smaller key in all but the
    // first column that differs.
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

/// Whether all columns have radix keys.
template <class Columns>
inline constexpr bool have_radix_keys = false;
template <class... Keys, class... Orders>
inline constexpr bool have_radix_keys<tuple<sort_column<Keys, Orders>...>> =
    (radix_order<Orders, element_t<Keys>> && ...);

/// Whether a bucket is not empty.
template <class Size>
struct has_items {
  const Size* offsets;
  EF_HD constexpr bool operator()(Size bucket) const {
    return offsets[bucket] < offsets[bucket + 1];
  }
};

/// emit: writes where a bucket begins, and marks it.
template <class Size>
struct write_begin {
  const Size* buckets;
  Size* offsets;
  unsigned char* begins;
  EF_HD constexpr void operator()(Size to, Size bucket) const {
    offsets[to] = buckets[bucket];
    begins[buckets[bucket]] = 1;
  }
};

/// i -> the packed keys of row i
template <class... Keys, class... Orders>
auto packed_rows(const tuple<sort_column<Keys, Orders>...>& columns,
                 const key_ranges<sizeof...(Keys)>& ranges) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return elementwise(row_packing<Orders...>(ranges), get<I>(columns).keys...);
  }(std::index_sequence_for<Keys...>{});
}

/// Groups rows whose packed keys have few bits.
template <context Context, class Columns, class Ranges, std::integral Size>
void group_by_bucket(Context& ctx, const Columns& columns, const Ranges& ranges, Size count,
                     row_groups<Size>& groups) {
  const auto num_buckets = static_cast<Size>(std::uint64_t{1} << ranges.bits());
  array<Size> buckets(ctx, static_cast<std::size_t>(num_buckets) + 1);
  bucket_sort(ctx, count, packed_rows(columns, ranges), index_item{}, num_buckets, buckets.data(),
              no_order{}, write_to<Size*>{groups.rows.data()});
  const compact_plan plan(ctx, num_buckets, has_items<Size>{buckets.data()});
  groups.offsets = array<Size>(ctx, plan.num_kept());
  fill(ctx, groups.begins.data(), count, static_cast<unsigned char>(0));
  plan.write(write_begin<Size>{buckets.data(), groups.offsets.data(), groups.begins.data()});
}

/// Finds where groups begin among the rows of `columns` that are sorted.
template <context Context, class Rows, class Columns, std::integral Size>
void find_groups(Context& ctx, Rows rows, const Columns& columns, Size count,
                 row_groups<Size>& groups) {
  using begins = begins_group<Rows, Columns>;
  const Size num_groups = transform_reduce(
      ctx, count, flag_kept<begins>{{rows, columns}, groups.begins.data()}, plus{}, Size{0});
  groups.offsets = array<Size>(ctx, num_groups);
  compact_indices(ctx, count, element_of<bool, const unsigned char*>{groups.begins.data()},
                  groups.offsets.data(), nullptr);
}

/// Groups rows by a sort.
template <context Context, class Columns, std::integral Size>
void group_by_sort(Context& ctx, const Columns& columns, Size count, row_groups<Size>& groups) {
  sort_indices(ctx, columns, groups.rows.data(), count);
  find_groups(ctx, groups.rows.data(), columns, count, groups);
}

/// The same for one column, whose sorted keys are kept, so that neighbours are compared in order.
template <context Context, class Keys, class Less, std::integral Size>
void group_by_sort(Context& ctx, const tuple<sort_column<Keys, Less>>& columns, Size count,
                   row_groups<Size>& groups) {
  using key = element_t<Keys>;
  const sort_column<Keys, Less>& column = get<0>(columns);
  Size* const rows = groups.rows.data();
  array<key> keys(ctx, count);
  transform(ctx, count, copy_and_number<Keys, key, Size>{column.keys, keys.data(), rows});
  sort_by_key(ctx, keys.data(), rows, count, column.less);
  const key* const sorted = keys.data();
  find_groups(ctx, counting_iterator<Size>{}, evenfold::make_tuple(ordered_by(sorted, column.less)),
              count, groups);
}

/// Whether there are no more buckets of `bits` bits than about the number of items.
template <std::integral Size>
bool are_few_buckets(int bits, Size count) {
  return bits <= static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) &&
         bits < static_cast<int>(8 * sizeof(Size)) - 2;
}

}  // namespace detail

/// The groups of the rows 0, ..., count - 1, where rows with equal keys are in one group.
///
/// - `keys`: an iterator to `count` keys, ascending(x), descending(x) or ordered_by(x, less), or a
///   tuple of several of these, of which the first decides first. Keys are equal where neither is
///   less, and NaN where their bits are equal, as in `sort`.
/// - `Order`: of keys, or of appearance.
///
/// If all columns are arithmetic and ascending or descending, and the bits of the differences of
/// their largest and smallest radix keys are together at most those of `count`, the rows are sorted
/// by `bucket_sort`: work and span are those of bucket_sort with at most 2 * count buckets, scratch
/// is its own and two `Size` and a byte per bucket. Otherwise work, span and scratch are those of
/// `sort_indices` of the columns. Either way they do not depend on how even the groups are. The
/// result has `count` rows, `count` flags and one `Size` per group, two for the order of
/// appearance. Deterministic: the result is unique. Waits, for the ranges of the columns and for
/// the number of groups.
///
/// Errors: argument_error for a negative count or a pointer on the wrong side; allocation_error.
///
/// Example: examples/group_by.cpp.
template <group_order Order = group_order::keys, context Context, class Keys, std::integral Size>
row_groups<Size> group_rows(Context& ctx, Keys keys, Size count) {
  const auto columns = detail::key_columns(keys);
  using columns_type = std::remove_const_t<decltype(columns)>;
  detail::check_count("group_by", "count", count);
  detail::check_columns(ctx, "group_by", columns, count);
  row_groups<Size> groups;
  groups.rows = array<Size>(ctx, count);
  groups.begins = array<unsigned char>(ctx, count);
  const auto by_bucket = [&] {
    if constexpr (detail::have_radix_keys<columns_type>) {
      const auto ranges = detail::find_ranges(ctx, columns, count);
      if (!detail::are_few_buckets(ranges.bits(), count)) return false;
      detail::group_by_bucket(ctx, columns, ranges, count, groups);
      return true;
    }
    return false;
  };
  if (!by_bucket()) detail::group_by_sort(ctx, columns, count, groups);
  if constexpr (Order == group_order::appearance) {
    const auto num_groups = static_cast<Size>(groups.size());
    groups.order = array<Size>(ctx, num_groups);
    const detail::first_row<Size> first{groups.rows.data(), groups.offsets.data()};
    sort_indices(ctx, first, groups.order.data(), num_groups, less{});
  }
  return groups;
}

/// The same for a range of keys.
template <group_order Order = group_order::keys, context Context, sized_range Keys>
row_groups<std::size_t> group_rows(Context& ctx, const Keys& keys) {
  return evenfold::group_rows<Order>(ctx, detail::begin_of(keys), detail::size_of(keys));
}

}  // namespace evenfold
