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

/// A column of keys as numbers: two rows have the same number exactly where their keys are equal,
/// and a smaller one where the key comes first.
struct key_column {
  /// One per row, uint64.
  array codes;
  /// Which rows are null, uint8, their codes being 0; empty where none is.
  array nulls;
  /// No code is larger.
  std::uint64_t largest = 0;
};

enum class comparison { equal, not_equal, less, less_equal, greater, greater_equal };

/// A step of a condition on rows. A condition is a list of steps in postfix order: a comparison
/// gives the truth of each row, the other steps combine the truths that precede them, and one
/// remains.
///
/// Truth has three values, as in SQL: a comparison with a null is neither true nor false but
/// unknown, and so is what depends on it. `not` unknown is unknown; `and` is false if a side is
/// false, and `or` is true if a side is true, whatever the other side.
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

/// The first row of each key, and how many rows have it, in the order of these rows.
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
  /// One per row: for `sum` int64 or float64; for `mean`, `variance` and `quantile` float64.
  array values;
  /// For `smallest` and `largest`: the values as keys, whose own nulls do not count.
  std::vector<key_column> keys;
  /// Which rows are null, uint8; empty where none is.
  array nulls;
  /// Of a quantile, from 0 to 1.
  double fraction = 0;
};

struct grouped_table {
  /// The first row of each group, int32.
  array first_rows;
  /// One array per aggregate, with an element per group: int64 for `count`; of the type of the
  /// values for `sum`, 0 where all are null; float64 for `mean`, `variance` and `quantile`, NaN
  /// where there are no values, or not enough; and otherwise the row with the value, int64, the
  /// first of several, and -1 where all are null.
  std::vector<array> results;
};

/// The positions of needles in a haystack.
struct found_rows {
  /// For each needle, how many rows of the haystack are less, and how many are less or equal.
  array lower, upper;
  /// The first row of the haystack that is before its predecessor; then nothing is found. The
  /// number of rows if there is none.
  std::int32_t first_unsorted;
};

/// The rows of a join, in the order of the left table, then of the right one; -1 where a side has
/// no row, and those without a left one at the end. Of semi and anti joins `right` is empty.
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

  /// The rows in the order of their keys, the first column deciding first, equal ones in their own
  /// order. Nulls come last in each column.
  virtual array sort(const std::vector<key_column>& keys) = 0;

  /// Nulls are equal to each other.
  virtual first_rows unique(const std::vector<key_column>& keys) = 0;

  /// Nulls among the keys are equal to each other, and come last in each column.
  virtual grouped_table group(const std::vector<key_column>& keys,
                              const std::vector<column_aggregate>& aggregates,
                              group_order order) = 0;

  /// The first `most` of the sorted rows; where there are columns `per`, those of each group of
  /// rows that are equal in these, in the order of the groups.
  virtual array top(const std::vector<key_column>& keys, const std::vector<key_column>& per,
                    std::int64_t most) = 0;

  /// The rows for which a condition is true, in their order. Errors: argument_error for steps that
  /// are no condition.
  virtual array filter(const std::vector<filter_step>& condition) = 0;

  /// The keys are those of the needles, then those of the haystack.
  virtual found_rows search(const std::vector<key_column>& keys, std::int32_t num_needles) = 0;

  /// The keys are those of the left rows, then those of the right ones. A row with a null among its
  /// keys matches nothing. Reports the phase `join` once both tables are sorted.
  ///
  /// Errors: result_too_large.
  virtual joined_table_rows join(const std::vector<key_column>& keys, std::int32_t left_count,
                                 join_kind how) = 0;
  /// How many rows there are, without making them.
  virtual std::int64_t join_count(const std::vector<key_column>& keys, std::int32_t left_count,
                                  join_kind how) = 0;
};

}  // namespace evenfold::runtime
