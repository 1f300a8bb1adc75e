#pragma once
// The steps that `inner_join` and the other joins of table/join.hpp are composed of.

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold {

/// The rows of a join: row k joins row left[k] of the left table and row right[k] of the right one.
/// `Row` has 32 bits, or 64 where one of the counts has a type that goes beyond 2^31.
template <class Row>
struct joined_rows {
  static constexpr Row none = -1;  ///< in place of the partner, for a row without partners

  array<Row> left;
  array<Row> right;

  std::size_t size() const { return left.size(); }
};

namespace detail {

/// Whether a type of counts goes beyond 2^31.
template <std::integral Size>
inline constexpr bool beyond_32_bits =
    std::cmp_greater(std::numeric_limits<Size>::max(), std::numeric_limits<std::int32_t>::max());

}  // namespace detail

/// The type of row indices in the result of a join.
template <class LeftSize, class RightSize>
using row_index =
    std::conditional_t<detail::beyond_32_bits<LeftSize> || detail::beyond_32_bits<RightSize>,
                       std::int64_t, std::int32_t>;

namespace detail {

/// The two tables of a join, the order of their keys and the test for nulls.
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

/// The checked arguments of a join.
template <context Context, class Left, std::integral LeftSize, class Right, std::integral RightSize,
          class Less, class IsNull>
auto checked_join(const Context& ctx, const char* algorithm, Left left_keys, LeftSize left_count,
                  Right right_keys, RightSize right_count, Less less, IsNull is_null) {
  using row = row_index<LeftSize, RightSize>;
  using sides = join_sides<decltype(values_of(left_keys)), decltype(values_of(right_keys)), row,
                           Less, IsNull>;
  static_assert(std::is_same_v<element_t<Left>, element_t<Right>>,
                "left and right keys are of one type");
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

/// Whether a left row has a partner on the right, if `wanted` is true; else whether it has none.
template <class Sides>
struct has_partner {
  using heavy = void;
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

/// The left rows with a partner, or those without one.
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

/// The partners of each left row: `counts[i]` right rows, from row `first[i]` on.
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

/// The number of results of a left row: one per partner, or one if a row without partners is kept.
template <class Sides>
struct results_of_row {
  using heavy = void;
  using row = typename Sides::row;
  Sides sides;
  const row* counts;
  bool keeps_unmatched;

  EF_HD bool is_unmatched(row i) const { return counts[i] == 0 || sides.is_null(sides.left[i]); }
  EF_HD std::int64_t operator()(row i) const {
    return is_unmatched(i) ? std::int64_t{keeps_unmatched} : std::int64_t{counts[i]};
  }
};

/// Refuses a result that is larger than the available memory. Small results are not checked: to
/// ask the driver would take as long as the join.
template <class Row, context Context>
void check_memory(Context& ctx, const char* algorithm, std::int64_t rows) {
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

/// An output iterator that stores the low 32 bits of each value.
struct low_bits {
  struct reference {
    std::int32_t& to;
    EF_HD void operator=(std::int64_t value) const { to = static_cast<std::int32_t>(value); }
  };
  std::int32_t* to;

  template <std::integral Size>
  EF_HD constexpr reference operator[](Size i) const {
    return {to[i]};
  }
};

/// Writes the rank-th result of a left row. `first` is the cached first partner of this row.
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

/// Replaces the first partner of a left row without partners by joined_rows::none.
template <class Sides>
struct mark_unmatched {
  using row = typename Sides::row;
  results_of_row<Sides> results;
  row* first;

  EF_HD void operator()(row i) const {
    if (results.is_unmatched(i)) first[i] = joined_rows<row>::none;
  }
};

/// Writes the result of a right row without partners.
template <class Row>
struct write_unmatched {
  const Row* rows;
  Row* left;
  Row* right;

  EF_HD void operator()(std::int64_t i) const {
    left[i] = joined_rows<Row>::none;
    right[i] = rows[i];
  }
};

/// The results of `count` rows as segments: row i has results(i) of them. Offsets have 32 bits
/// unless there are too many results. The total always has 64 bits.
template <context Context, class Row, class Results>
class result_segments {
 public:
  result_segments(Context& ctx, Row count, const Results& results)
      : ctx_(ctx),
        count_(count),
        results_(results),
        offsets_(ctx, count),
        total_(counted<std::int64_t>(
            ctx, [&](std::int64_t* total) { find_offsets(low_bits{offsets_.data()}, total); })) {}

  std::int64_t total() const { return total_; }

  /// Calls f(index, row, rank, first[row]) for the rank-th result of each row.
  template <class F>
  void for_each(F f, const Row* first) const {
    if (total_ <= std::numeric_limits<std::int32_t>::max()) {
      transform_lbs(ctx_, static_cast<std::int32_t>(total_), f, offsets_.data(), count_,
                    make_tuple(first));
    } else {
      array<std::int64_t> wide_offsets(ctx_, count_);
      find_offsets(wide_offsets.data(), nullptr);
      transform_lbs(ctx_, total_, f, std::as_const(wide_offsets).data(), count_, make_tuple(first));
    }
  }

 private:
  template <class Output>
  void find_offsets(Output out, std::int64_t* total) const {
    transform_scan<scan_kind::exclusive>(ctx_, count_, results_, out, plus{}, std::int64_t{0},
                                         total);
  }

  Context& ctx_;
  Row count_;
  Results results_;
  array<std::int32_t> offsets_;
  std::int64_t total_;
};

/// The joins whose results have rows of both tables: inner, left, right and full joins.
template <context Context, class Sides, class Row = typename Sides::row>
joined_rows<Row> join_rows(Context& ctx, const char* algorithm, const Sides& sides, bool keeps_left,
                           bool keeps_right) {
  row_matches<Row> matches(ctx, sides);
  Row* const first = matches.first.data();
  const results_of_row<Sides> results{sides, matches.counts.data(), keeps_left};
  const result_segments<Context, Row, results_of_row<Sides>> rows(ctx, sides.left_count, results);
  const std::int64_t num_matched = rows.total();
  array<Row> unmatched;
  if (keeps_right) unmatched = rows_by_partner(ctx, sides.exchanged(), false);
  const auto num_unmatched = static_cast<std::int64_t>(unmatched.size());
  check_memory<Row>(ctx, algorithm, num_matched + num_unmatched);

  joined_rows<Row> result{array<Row>(ctx, num_matched + num_unmatched),
                          array<Row>(ctx, num_matched + num_unmatched)};
  Row* const left = result.left.data();
  Row* const right = result.right.data();
  if (keeps_left) {
    transform(ctx, sides.left_count, mark_unmatched<Sides>{results, first});
  }
  rows.for_each(write_match<Row>{left, right}, first);
  transform(ctx, num_unmatched,
            write_unmatched<Row>{unmatched.data(), left + num_matched, right + num_matched});
  return result;
}

}  // namespace detail
}  // namespace evenfold
