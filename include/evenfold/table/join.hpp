#pragma once
// inner_join, left_join, right_join, full_join, semi_join, anti_join: the rows of two sorted tables
// that have the same key.
//
// Idea: a search finds the interval of partners of each left row, a scan of their counts gives the
// offsets of the results, and one load-balanced transform writes the results, however unevenly the
// keys are distributed. Right rows without partners are found by a search in the other direction.
// The steps are in table/join_rows.hpp.
//
// Source: Baxter, "moderngpu", 2013 (relational joins).

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/table/join_kind.hpp"
#include "evenfold/table/join_rows.hpp"

namespace evenfold {

/// The default of `is_null`: no key is null.
struct never_null {
  template <class Key>
  EF_HD constexpr bool operator()(const Key&) const {
    return false;
  }
};

namespace detail {

/// The join of kind `Kind` as a function object: `inner_join` and the others.
template <join_kind Kind>
struct join {
  static constexpr bool keeps_left = Kind == join_kind::left || Kind == join_kind::full;
  static constexpr bool keeps_right = Kind == join_kind::right || Kind == join_kind::full;

  static constexpr const char* name() {
    constexpr const char* names[] = {"inner_join", "left_join", "right_join",
                                     "full_join",  "semi_join", "anti_join"};
    return names[static_cast<int>(Kind)];
  }

  template <context Context, class Left, std::integral LeftSize, class Right,
            std::integral RightSize, class Less, class IsNull = never_null>
  auto operator()(Context& ctx, Left left_keys, LeftSize left_count, Right right_keys,
                  RightSize right_count, Less less, IsNull is_null = {}) const {
    const auto sides =
        checked_join(ctx, name(), left_keys, left_count, right_keys, right_count, less, is_null);
    if constexpr (Kind == join_kind::semi || Kind == join_kind::anti) {
      return rows_by_partner(ctx, sides, Kind == join_kind::semi);
    } else {
      return join_rows(ctx, name(), sides, keeps_left, keeps_right);
    }
  }

  /// The same for ranges of keys.
  template <context Context, sized_range Left, sized_range Right, class Less,
            class IsNull = never_null>
  auto operator()(Context& ctx, const Left& left_keys, const Right& right_keys, Less less,
                  IsNull is_null = {}) const {
    return (*this)(ctx, begin_of(left_keys), size_of(left_keys), begin_of(right_keys),
                   size_of(right_keys), less, is_null);
  }

  /// The join of two tables that are distributed over ranks (distributed/join.hpp).
  template <class Ranks, class Left, class Right, class Less, class IsNull = never_null>
    requires(!context<Ranks>)
  auto operator()(Ranks& ctx, const Left& left_keys, const Right& right_keys, Less less,
                  IsNull is_null = {}) const {
    return join_shards<Kind>(ctx, left_keys, right_keys, less, is_null);
  }
};

}  // namespace detail

/// inner_join(ctx, left_keys, left_count, right_keys, right_count, less [, is_null]) ->
/// joined_rows<row_index<LeftSize, RightSize>>: all pairs of a left and a right row with equivalent
/// keys, in the order of the left rows and, for one left row, in the order of the right rows: rows
/// (left[k], right[k]) with !less(left_keys[l], right_keys[r]) and !less(right_keys[r],
/// left_keys[l]).
///
/// - `left_keys`, `right_keys`: iterators to keys of one trivially copyable type, both sorted by
///   `less`; rows are numbered in this order. To join by several columns, use a structure as key.
/// - `left_count`, `right_count`: 32- or 64-bit. If both are 32-bit, the result has 32-bit row
///   indices; it may still have more than 2^31 rows. Without counts, the keys are ranges, and the
///   result has 64-bit row indices.
/// - `less`: a strict weak order. The operator < is none for keys with NaN: pass an order that says
///   where NaN belongs. With an order that is not strict weak the rows of the result are
///   unspecified, but they are rows of the tables, and nothing outside of the tables is read.
/// - `is_null`: a predicate of a key. A null matches nothing, not even another null. Nulls are
///   sorted by `less` like any other key. By default no key is null.
///
/// Every worker gets the same share of the work, even if one key makes all the results. Work
/// O(left_count + right_count + results), span O(work / workers + log work). Memory traffic: each
/// key and each result once. Scratch: 16 bytes per left row, 24 where rows have 64-bit indices.
/// Deterministic: the result is unique. Waits once, for the size of the result.
///
/// Errors: argument_error for a negative count or pointers on the wrong side; allocation_error if
/// memory is exhausted. A result of more than 2^26 rows for which the context has too little memory
/// is refused before anything is allocated for it, and the message names rows and bytes.
///
/// Example: examples/join.cpp. Names elsewhere: mgpu::inner_join, pandas.merge(how="inner").
inline constexpr detail::join<join_kind::inner> inner_join;

/// The rows of inner_join and, in the same order of left rows, each left row without partners once,
/// with `joined_rows::none` on the right. Otherwise as inner_join.
inline constexpr detail::join<join_kind::left> left_join;

/// The rows of inner_join, followed by all right rows without partners, in order, with
/// `joined_rows::none` on the left. Waits three times. Additional scratch of 5 to 9 bytes per right
/// row. Otherwise as inner_join.
inline constexpr detail::join<join_kind::right> right_join;

/// The rows of left_join, followed by all right rows without partners, as in right_join.
inline constexpr detail::join<join_kind::full> full_join;

/// semi_join(ctx, left_keys, left_count, right_keys, right_count, less [, is_null]) ->
/// array<row_index<LeftSize, RightSize>>: the left rows with a partner on the right, each once and
/// in order. Scratch of 5 to 9 bytes per left row. Otherwise as inner_join.
inline constexpr detail::join<join_kind::semi> semi_join;

/// The left rows without partners on the right, in order, including those with a null key.
/// Otherwise as semi_join.
inline constexpr detail::join<join_kind::anti> anti_join;

/// The number of rows of a join, without making them: also of results that do not fit in memory.
/// Otherwise as inner_join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
std::int64_t join_count(Context& ctx, join_kind how, Left left_keys, LeftSize left_count,
                        Right right_keys, RightSize right_count, Less less, IsNull is_null = {}) {
  const auto sides = detail::checked_join(ctx, "join_count", left_keys, left_count, right_keys,
                                          right_count, less, is_null);
  if (how == join_kind::semi || how == join_kind::anti) {
    return static_cast<std::int64_t>(
        detail::rows_by_partner(ctx, sides, how == join_kind::semi).size());
  }
  const bool keeps_left = how == join_kind::left || how == join_kind::full;
  const bool keeps_right = how == join_kind::right || how == join_kind::full;
  const detail::row_matches<row_index<LeftSize, RightSize>> matches(ctx, sides);
  const detail::results_of_row<std::remove_const_t<decltype(sides)>> results{
      sides, matches.counts.data(), keeps_left};
  const std::int64_t matched =
      transform_reduce(ctx, sides.left_count, results, plus{}, std::int64_t{0});
  if (!keeps_right) return matched;
  return matched +
         static_cast<std::int64_t>(detail::rows_by_partner(ctx, sides.exchanged(), false).size());
}

/// The same for ranges of keys.
template <context Context, sized_range Left, sized_range Right, class Less,
          class IsNull = never_null>
std::int64_t join_count(Context& ctx, join_kind how, const Left& left_keys, const Right& right_keys,
                        Less less, IsNull is_null = {}) {
  return evenfold::join_count(ctx, how, detail::begin_of(left_keys), detail::size_of(left_keys),
                              detail::begin_of(right_keys), detail::size_of(right_keys), less,
                              is_null);
}

}  // namespace evenfold
