#pragma once
// Operations on the rows of tables, by their keys: `engine::tables()`.
//
// Rows are numbered from 0, in 32 bits. Results are int32 arrays of row numbers.

#include <cstdint>
#include <vector>

#include "evenfold/core/error.hpp"
#include "evenfold/table/group_order.hpp"
#include "evenfold/table/join_kind.hpp"
#include "runtime/array.hpp"

namespace evenfold::runtime {

/// A column of keys as codes: two rows have the same code if and only if their keys are equal, and
/// the key that comes first has the smaller code.
struct key_column {
  /// One code per row, uint64.
  array codes;
  /// One flag per row, uint8: 1 if the row is null, and its code 0. Empty if no row is null.
  array nulls;
  /// At least the largest code.
  std::uint64_t largest = 0;
};

enum class comparison { equal, not_equal, less, less_equal, greater, greater_equal };

/// A step of a condition on rows. A condition is a list of steps in postfix order: a comparison
/// pushes a truth value per row, and the other steps combine the values on top of the stack; one
/// value remains.
///
/// There are three truth values, as in SQL: a comparison with a null is unknown. `not` of unknown
/// is unknown; `and` is false if one side is false, and `or` is true if one side is true, even if
/// the other side is unknown.
struct filter_step {
  enum class kind {
    compare,          ///< the codes of `left` with `bound`
    compare_columns,  ///< the codes of `left` with those of `right`
    negation,         ///< not
    conjunction,      ///< and
    disjunction       ///< or
  };
  kind what;
  key_column left{}, right{};
  comparison op = comparison::equal;
  std::uint64_t bound = 0;
};

/// The first row of each distinct key and the number of rows with this key, in ascending order of
/// the first rows.
struct first_rows {
  array rows, counts;
};

enum class aggregate_kind {
  count,
  sum,
  mean,
  variance,  ///< of a sample
  quantile,
  smallest,
  largest,
  first,
  last
};

/// An aggregate of the values that are not null in each group.
struct column_aggregate {
  aggregate_kind kind;
  /// One value per row: int64 or float64 for `sum`; float64 for `mean`, `variance` and `quantile`.
  array values;
  /// For `smallest` and `largest`: the values as keys, whose `nulls` are ignored.
  std::vector<key_column> keys;
  /// One flag per row, uint8: whether the row is null. Empty if no row is null.
  array nulls;
  /// The fraction of a quantile, from 0 to 1.
  double fraction = 0;
};

struct grouped_table {
  /// The first row of each group, int32.
  array first_rows;
  /// One array per aggregate, with one element per group. `count` gives int64. `sum` gives the type
  /// of the values, 0 if all are null. `mean`, `variance` and `quantile` give float64, NaN if there
  /// are too few values. All others give the row with the value, int64: the first of several, -1 if
  /// all are null.
  std::vector<array> results;
};

/// The positions of needles in a haystack.
struct found_rows {
  /// For each needle, the number of rows of the haystack that are less, and the number that are
  /// less or equal.
  array lower, upper;
  /// The first row of the haystack that is less than the row before it; `lower` and `upper` are
  /// then empty. The number of rows if the haystack is sorted.
  std::int32_t first_unsorted;
};

/// The rows of a join, ordered by left row and then by right row; -1 where a side has no row. Right
/// rows without a partner are at the end. `right` is empty for semi and anti joins.
struct joined_table_rows {
  array left, right;
};

/// The device has no memory for the result of a join.
class result_too_large : public allocation_error {
 public:
  using allocation_error::allocation_error;
};

/// Arrays are where the engine can reach them. Errors of all: type_error, closed_engine_error,
/// argument_error for an array that the engine cannot reach or columns of different lengths,
/// allocation_error. All wait.
class table_operations {
 public:
  virtual ~table_operations() = default;

  /// The rows sorted by their keys: by the first column, then by the second, and so on. Rows with
  /// equal keys keep their order. Nulls come last in each column.
  virtual array sort(const std::vector<key_column>& keys) = 0;

  /// The distinct keys. Nulls are equal to each other.
  virtual first_rows unique(const std::vector<key_column>& keys) = 0;

  /// The aggregates of the rows with equal keys. Nulls among the keys are equal to each other, and
  /// come last in each column.
  virtual grouped_table group(const std::vector<key_column>& keys,
                              const std::vector<column_aggregate>& aggregates,
                              group_order order) = 0;

  /// The first `most` of the sorted rows. With columns `per`: the first `most` rows of each group
  /// of rows that are equal in these columns, group by group.
  virtual array top(const std::vector<key_column>& keys, const std::vector<key_column>& per,
                    std::int64_t most) = 0;

  /// The rows for which a condition is true, in ascending order. Errors: argument_error for steps
  /// that are not a valid condition.
  virtual array filter(const std::vector<filter_step>& condition) = 0;

  /// The positions of needles in a sorted haystack. The keys are those of the needles, followed by
  /// those of the haystack.
  virtual found_rows search(const std::vector<key_column>& keys, std::int32_t num_needles) = 0;

  /// The rows of a join. The keys are those of the left rows, followed by those of the right rows.
  /// A row with a null among its keys matches nothing. Reports the phase `join` once both tables
  /// are sorted.
  ///
  /// Errors: result_too_large.
  virtual joined_table_rows join(const std::vector<key_column>& keys, std::int32_t left_count,
                                 join_kind how) = 0;
  /// The number of rows of a join, without making them.
  virtual std::int64_t join_count(const std::vector<key_column>& keys, std::int32_t left_count,
                                  join_kind how) = 0;
};

}  // namespace evenfold::runtime
