#pragma once
// inner_join, left_join, right_join, full_join, semi_join, anti_join: the rows of two sorted tables
// that have the same key.
//
// A search tells for each left row where its key stands on the right and how often, a scan of these
// numbers where its results begin, and one load-balanced transform writes them, however uneven they
// are. Right rows without a partner come from a search the other way round.
//
// Source: Baxter, "moderngpu", 2013 (relational joins).

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/table/join_kind.hpp"

namespace evenfold {

/// No key is null.
struct never_null {
  template <class Key>
  EF_HD constexpr bool operator()(const Key&) const {
    return false;
  }
};

/// The result of a join, row by row: where it comes from on the left and on the right. `Row` has 32
/// bits, or 64 where one of the counts has a type that goes beyond 2^31.
template <class Row>
struct joined_rows {
  static constexpr Row none = -1;  ///< stands for the partner of a row that has none

  array<Row> left;
  array<Row> right;

  std::size_t size() const { return left.size(); }
};

/// Two tables on their way through a join.
template <class Left, class Right, class Row, class Less, class IsNull>
struct join_sides {
  using row = Row;

  Left left;
  Row left_count;
  Right right;
  Row right_count;
  Less less;
  IsNull is_null;

  join_sides<Right, Left, Row, Less, IsNull> exchanged() const {
    return {right, right_count, left, left_count, less, is_null};
  }
};

template <std::integral Size>
inline constexpr bool beyond_32_bits =
    std::cmp_greater(std::numeric_limits<Size>::max(), std::numeric_limits<std::int32_t>::max());

template <class LeftSize, class RightSize>
using row_index = std::conditional_t<beyond_32_bits<LeftSize> || beyond_32_bits<RightSize>,
                                     std::int64_t, std::int32_t>;

/// The tables of a call, after checking them.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull>
auto checked_join(const Context& ctx, const char* algorithm, Left left_keys, LeftSize left_count,
                  Right right_keys, RightSize right_count, Less less, IsNull is_null) {
  using row = row_index<LeftSize, RightSize>;
  using sides = join_sides<decltype(values_of(left_keys)), decltype(values_of(right_keys)), row,
                           Less, IsNull>;
  static_assert(can_be_called<bool, IsNull, const element_t<Left>&>(),
                "is_null is called as is_null(key) and returns a bool; its operator() is const");
  check_count(algorithm, "left_count", left_count);
  check_count(algorithm, "right_count", right_count);
  check_pointer(ctx, algorithm, "left_keys", left_keys, left_count);
  check_pointer(ctx, algorithm, "right_keys", right_keys, right_count);
  return sides{values_of(left_keys),
               static_cast<row>(left_count),
               values_of(right_keys),
               static_cast<row>(right_count),
               less,
               is_null};
}

/// Whether a left row has a partner on the right.
template <class Sides>
struct has_partner {
  using row = typename Sides::row;
  Sides sides;
  const row* lower_bounds;  ///< of the left keys on the right
  bool wanted;

  EF_HD bool operator()(row i) const {
    const auto key = sides.left[i];
    const row at = lower_bounds[i];
    const bool found =
        at < sides.right_count && !sides.less(key, sides.right[at]) && !sides.is_null(key);
    return found == wanted;
  }
};

/// The left rows that have a partner, or those that have none.
template <context Context, class Sides, class Row = typename Sides::row>
array<Row> rows_by_partner(Context& ctx, const Sides& sides, bool wanted) {
  array<Row> lower_bounds(ctx, sides.left_count);
  sorted_search<bounds::lower>(ctx, sides.left, sides.left_count, sides.right, sides.right_count,
                               lower_bounds.data(), sides.less);
  const compact_plan<Context, Row> plan(ctx, sides.left_count,
                                        has_partner<Sides>{sides, lower_bounds.data(), wanted});
  array<Row> rows(ctx, plan.num_kept());
  plan.write(write_to<Row*>{rows.data()});
  return rows;
}

/// The right rows that each left row meets: `counts[i]` of them from row `first[i]` on.
template <class Row>
struct row_matches {
  array<Row> first;
  array<Row> counts;

  template <context Context, class Sides>
  row_matches(Context& ctx, const Sides& sides)
      : first(ctx, sides.left_count), counts(ctx, sides.left_count) {
    sorted_equal_range(ctx, sides.left, sides.left_count, sides.right, sides.right_count,
                       first.data(), counts.data(), sides.less);
  }
};

/// How many results a left row has: one for each partner, and one if it is kept without any.
template <class Sides>
struct results_of_row {
  using row = typename Sides::row;
  Sides sides;
  const row* counts;
  bool keeps_lonely;

  EF_HD bool is_lonely(row i) const { return counts[i] == 0 || sides.is_null(sides.left[i]); }
  EF_HD std::int64_t operator()(row i) const {
    return is_lonely(i) ? std::int64_t{keeps_lonely} : std::int64_t{counts[i]};
  }
};

/// Refuses a result that the context has no memory for. Small ones are not looked into: asking the
/// driver would take as long as the join.
template <class Row, context Context>
void check_room(Context& ctx, const char* algorithm, std::int64_t rows) {
  constexpr std::int64_t small = std::int64_t{1} << 26;
  if (rows <= small) return;
  const std::size_t row_bytes = 2 * sizeof(Row);
  const std::size_t available = ctx.available_bytes();
  if (static_cast<std::size_t>(rows) > available / row_bytes) {
    throw allocation_error(std::string(algorithm) + ": the result has " + std::to_string(rows) +
                           " rows of " + std::to_string(row_bytes) + " bytes, but " +
                           std::to_string(available) +
                           " bytes are available; count it with join_count, or join in parts");
  }
}

/// Output that keeps the low 32 bits of what is written.
struct low_bits {
  struct place {
    std::int32_t& to;
    EF_HD void operator=(std::int64_t value) const { to = static_cast<std::int32_t>(value); }
  };
  std::int32_t* to;

  template <std::integral Size>
  EF_HD constexpr place operator[](Size i) const {
    return {to[i]};
  }
};

/// Writes the rank-th result of a left row, whose partners on the right begin at a cached row.
template <class Row>
struct write_match {
  Row* left;
  Row* right;

  template <std::integral Offset>
  EF_HD void operator()(Offset at, Row row, Offset rank, const tuple<Row>& first) const {
    left[at] = row;
    right[at] = get<0>(first) + static_cast<Row>(rank);
  }
};

/// A left row without a partner meets no row, instead of the first one that is not before it.
template <class Sides>
struct mark_lonely {
  using row = typename Sides::row;
  results_of_row<Sides> results;
  row* first;

  EF_HD void operator()(row i) const {
    if (results.is_lonely(i)) first[i] = joined_rows<row>::none;
  }
};

/// Writes the result of a right row without a partner.
template <class Row>
struct write_lonely {
  const Row* rows;
  Row* left;
  Row* right;

  EF_HD void operator()(std::int64_t i) const {
    left[i] = joined_rows<Row>::none;
    right[i] = rows[i];
  }
};

/// Writes the results of the left rows: those of row i begin at offsets[i], and on the right they
/// are the rows from first[i] on.
template <context Context, class Row, std::integral Offset>
void write_matched(Context& ctx, Offset num_matched, const Offset* offsets, const Row* first,
                   Row left_count, Row* left, Row* right) {
  transform_lbs(ctx, num_matched, write_match<Row>{left, right}, offsets, left_count,
                make_tuple(first));
}

/// All joins whose rows come from both sides.
template <context Context, class Sides, class Row = typename Sides::row>
joined_rows<Row> join_rows(Context& ctx, const char* algorithm, const Sides& sides, bool keeps_left,
                           bool keeps_right) {
  row_matches<Row> matches(ctx, sides);
  Row* const first = matches.first.data();
  const results_of_row<Sides> results{sides, matches.counts.data(), keeps_left};
  const auto find_offsets = [&](auto out, std::int64_t* total) {
    transform_scan<scan_kind::exclusive>(ctx, sides.left_count, results, out, plus{},
                                         std::int64_t{0}, total);
  };

  // Offsets are half as wide unless the number of results, which is always exact, forbids it.
  array<std::int32_t> offsets(ctx, sides.left_count);
  const auto num_matched = counted<std::int64_t>(
      ctx, [&](std::int64_t* total) { find_offsets(low_bits{offsets.data()}, total); });
  array<Row> lonely;
  if (keeps_right) lonely = rows_by_partner(ctx, sides.exchanged(), false);
  const auto num_lonely = static_cast<std::int64_t>(lonely.size());
  check_room<Row>(ctx, algorithm, num_matched + num_lonely);

  joined_rows<Row> result{array<Row>(ctx, num_matched + num_lonely),
                          array<Row>(ctx, num_matched + num_lonely)};
  Row* const left = result.left.data();
  Row* const right = result.right.data();
  if (keeps_left) {
    transform(ctx, sides.left_count, mark_lonely<Sides>{results, first});
  }
  if (num_matched <= std::numeric_limits<std::int32_t>::max()) {
    write_matched<Context, Row>(ctx, static_cast<std::int32_t>(num_matched), offsets.data(), first,
                                sides.left_count, left, right);
  } else {
    array<std::int64_t> wide_offsets(ctx, sides.left_count);
    find_offsets(wide_offsets.data(), nullptr);
    write_matched<Context, Row>(ctx, num_matched, wide_offsets.data(), first, sides.left_count,
                                left, right);
  }
  transform(ctx, num_lonely,
            write_lonely<Row>{lonely.data(), left + num_matched, right + num_matched});
  return result;
}

/// All pairs of a left and a right row with equivalent keys, in the order of the left rows and,
/// for one left row, in the order of the right ones: rows (left[k], right[k]) with
/// !less(left_keys[l], right_keys[r]) and !less(right_keys[r], left_keys[l]).
///
/// - `left_keys`, `right_keys`: iterators to keys of one trivially copyable type, both sorted by
///   `less`; rows are numbered in this order. A key of several columns is a structure.
/// - `left_count`, `right_count`: 32- or 64-bit. The result has 32-bit row indices if both fit, and
///   may have more than 2^31 rows all the same.
/// - `less`: a strict weak order. Under < a NaN breaks it: pass an order that gives NaN a place.
///   From one that is none follow unspecified rows of both tables; nothing outside them is read.
/// - `is_null`: a predicate of a key. A null matches nothing, not even another null. Nulls may
///   stand wherever `less` puts them. By default no key is null.
///
/// Every worker gets the same share, if one key makes all the results or none does. Work
/// O(left_count + right_count + results), span O(work / workers + log work). Moves each key in
/// once, and the results out once. Scratch: 16 bytes a left row, 24 where rows have 64-bit indices.
/// Deterministic: the answer is unique. Waits once, for the size of the result.
///
/// Errors: argument_error for a negative count or pointers on the wrong side; allocation_error for
/// a result above 2^26 rows that the context has no memory for, which names rows and bytes before
/// anything is allocated for it, and where memory is exhausted otherwise.
///
/// Example: examples/join.cpp. Names elsewhere: mgpu::inner_join, pandas.merge(how="inner").
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
joined_rows<row_index<LeftSize, RightSize>> inner_join(Context& ctx, Left left_keys,
                                                       LeftSize left_count, Right right_keys,
                                                       RightSize right_count, Less less,
                                                       IsNull is_null = {}) {
  const auto sides = checked_join(ctx, "inner_join", left_keys, left_count, right_keys, right_count,
                                  less, is_null);
  return join_rows(ctx, "inner_join", sides, false, false);
}

/// The rows of inner_join, and each left row without a partner, once and in its place, with
/// `joined_rows::none` on the right. All else as for inner_join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
joined_rows<row_index<LeftSize, RightSize>> left_join(Context& ctx, Left left_keys,
                                                      LeftSize left_count, Right right_keys,
                                                      RightSize right_count, Less less,
                                                      IsNull is_null = {}) {
  const auto sides =
      checked_join(ctx, "left_join", left_keys, left_count, right_keys, right_count, less, is_null);
  return join_rows(ctx, "left_join", sides, true, false);
}

/// The rows of inner_join; behind them all right rows without a partner, in order, with
/// `joined_rows::none` on the left. Waits three times. All else as for inner_join, and scratch of 5
/// to 9 bytes a right row.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
joined_rows<row_index<LeftSize, RightSize>> right_join(Context& ctx, Left left_keys,
                                                       LeftSize left_count, Right right_keys,
                                                       RightSize right_count, Less less,
                                                       IsNull is_null = {}) {
  const auto sides = checked_join(ctx, "right_join", left_keys, left_count, right_keys, right_count,
                                  less, is_null);
  return join_rows(ctx, "right_join", sides, false, true);
}

/// The rows of left_join; behind them all right rows without a partner, as in right_join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
joined_rows<row_index<LeftSize, RightSize>> full_join(Context& ctx, Left left_keys,
                                                      LeftSize left_count, Right right_keys,
                                                      RightSize right_count, Less less,
                                                      IsNull is_null = {}) {
  const auto sides =
      checked_join(ctx, "full_join", left_keys, left_count, right_keys, right_count, less, is_null);
  return join_rows(ctx, "full_join", sides, true, true);
}

/// The left rows that have a partner on the right, each once and in order. All else as for
/// inner_join, with scratch of 5 to 9 bytes a left row.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
array<row_index<LeftSize, RightSize>> semi_join(Context& ctx, Left left_keys, LeftSize left_count,
                                                Right right_keys, RightSize right_count, Less less,
                                                IsNull is_null = {}) {
  return rows_by_partner(
      ctx,
      checked_join(ctx, "semi_join", left_keys, left_count, right_keys, right_count, less, is_null),
      true);
}

/// The left rows that have no partner on the right, in order; those with a null key among them. All
/// else as for semi_join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
array<row_index<LeftSize, RightSize>> anti_join(Context& ctx, Left left_keys, LeftSize left_count,
                                                Right right_keys, RightSize right_count, Less less,
                                                IsNull is_null = {}) {
  return rows_by_partner(
      ctx,
      checked_join(ctx, "anti_join", left_keys, left_count, right_keys, right_count, less, is_null),
      false);
}

/// How many rows a join has, without making them: with as many keys and nulls as you like, a result
/// beyond any memory can be counted. All else as for inner_join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull = never_null>
std::int64_t join_count(Context& ctx, join_kind how, Left left_keys, LeftSize left_count,
                        Right right_keys, RightSize right_count, Less less, IsNull is_null = {}) {
  const auto sides = checked_join(ctx, "join_count", left_keys, left_count, right_keys, right_count,
                                  less, is_null);
  if (how == join_kind::semi || how == join_kind::anti) {
    return static_cast<std::int64_t>(rows_by_partner(ctx, sides, how == join_kind::semi).size());
  }
  const bool keeps_left = how == join_kind::left || how == join_kind::full;
  const bool keeps_right = how == join_kind::right || how == join_kind::full;
  const row_matches<row_index<LeftSize, RightSize>> matches(ctx, sides);
  const results_of_row<std::remove_const_t<decltype(sides)>> results{sides, matches.counts.data(),
                                                                     keeps_left};
  const std::int64_t matched =
      transform_reduce(ctx, sides.left_count, results, plus{}, std::int64_t{0});
  if (!keeps_right) return matched;
  return matched + static_cast<std::int64_t>(rows_by_partner(ctx, sides.exchanged(), false).size());
}

}  // namespace evenfold
