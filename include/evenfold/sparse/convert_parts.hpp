#pragma once
// The steps of conversions between forms of sparse matrices: entries that are read and written, and
// the check of their positions.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold::detail {

/// A column and a value of the same size are moved at once.
template <class Value, class Index>
inline constexpr std::size_t row_entry_alignment =
    sizeof(Value) == sizeof(Index) ? 2 * sizeof(Index) : std::max(alignof(Index), alignof(Value));

/// The column and the value of an entry.
template <class Value, class Index>
struct alignas(row_entry_alignment<Value, Index>) row_entry {
  Index column;
  Value value;
};
template <class Index>
struct row_entry<pattern, Index> {
  Index column;
};

/// Reads entry k from separate arrays of columns and values.
template <class Value, class Index>
struct read_entry {
  const Index* columns;
  const Value* values;
  template <class Offset>
  EF_HD row_entry<Value, Index> operator()(Offset k) const {
    if constexpr (is_pattern<Value>) {
      return {columns[k]};
    } else {
      return {columns[k], values[k]};
    }
  }
};

/// Writes entry k to separate arrays. What was written can be read.
template <class Value, class Index>
struct write_entry {
  Index* columns;
  Value* values;
  template <class Offset>
  EF_HD void operator()(Offset k, const row_entry<Value, Index>& entry) const {
    columns[k] = entry.column;
    if constexpr (!is_pattern<Value>) values[k] = entry.value;
  }
  template <class Offset>
  EF_HD row_entry<Value, Index> read(Offset k) const {
    return read_entry<Value, Index>{columns, values}(k);
  }
};

/// Copies entry k.
template <class Value, class Index>
struct copy_row_entry {
  read_entry<Value, Index> from;
  write_entry<Value, Index> to;
  template <class Offset>
  EF_HD void operator()(Offset k) const {
    to(k, from(k));
  }
};

/// The column of an entry.
struct column_of_entry {
  template <class Entry>
  EF_HD auto operator()(const Entry& entry) const {
    return entry.column;
  }
};

/// True unless 0 <= index < count. One comparison: as an unsigned number, a negative index is above
/// every count.
template <class Index>
EF_HD bool lies_outside(Index index, Index count) {
  using unsigned_index = std::make_unsigned_t<Index>;
  return static_cast<unsigned_index>(index) >= static_cast<unsigned_index>(count);
}

/// Whether a row or a column lies outside, without a branch.
template <class Index>
EF_HD bool position_is_outside(Index row, Index column, Index num_rows, Index num_columns) {
  const bool row_outside = lies_outside(row, num_rows);
  const bool column_outside = lies_outside(column, num_columns);
  return row_outside | column_outside;
}

/// The faults of the position of an entry, from good to bad.
enum position_fault : int { in_order, before_previous, outside };

/// The fault of entry k. Without branches, so that a CPU checks several entries at once.
template <class Index>
struct find_fault {
  Index num_rows, num_columns;
  const Index* rows;
  const Index* columns;
  template <class Offset>
  EF_HD int operator()(Offset k) const {
    const Offset before = k - (k > 0);
    const Index row = rows[k];
    const Index column = columns[k];
    const bool leaves_matrix = position_is_outside(row, column, num_rows, num_columns);
    const bool descends =
        (rows[before] > row) | ((rows[before] == row) & (columns[before] > column));
    return leaves_matrix ? outside : descends ? before_previous : in_order;
  }
};

/// The index of an entry outside of the matrix, else the largest number.
template <class Index, class Offset>
struct number_outside {
  find_fault<Index> look;
  EF_HD Offset operator()(Offset k) const {
    return look(k) == outside ? k : largest_number<Offset>;
  }
};

/// The order of a list of entries: by (row, column), or, in host memory, with ascending columns. A
/// stable sort by row then sorts the entries.
struct entry_order {
  bool by_rows, by_columns;
};

/// The faults of all entries of a list in host memory, as bits: of positions outside of the matrix,
/// of positions before the previous one, and of columns before the previous one.
enum host_fault : int { none = 0, leaves = 1, position_descends = 2, column_descends = 4 };

/// The faults of entry k + 1. Neighbours are read at fixed distances, so that a CPU checks several
/// entries at once.
template <class Index>
struct find_host_faults {
  Index num_rows, num_columns;
  const Index* rows;
  const Index* columns;
  template <class Offset>
  int operator()(Offset k) const {
    const Index row_before = rows[k], row = rows[k + 1];
    const Index column_before = columns[k], column = columns[k + 1];
    const bool leaves_matrix = position_is_outside(row, column, num_rows, num_columns);
    const bool falls = (row_before > row) | ((row_before == row) & (column_before > column));
    return (leaves_matrix ? leaves : 0) | (falls ? position_descends : 0) |
           (column_before > column ? column_descends : 0);
  }
};

struct join_faults {
  constexpr int operator()(int a, int b) const { return a | b; }

  /// A plain loop, of which compilers make vectors.
  template <class Size, class F>
  int fold_range(Size begin, Size end, const F& f, int faults) const {
    for (; begin < end; ++begin) faults |= f(begin);
    return faults;
  }
};

}  // namespace evenfold::detail

namespace evenfold {
template <>
inline constexpr bool is_commutative<detail::join_faults, int> = true;
}  // namespace evenfold

namespace evenfold::detail {

/// Refuses entries outside of the matrix, and returns the order of the entries. Waits.
template <context Context, class Value, class Index, class Offset>
entry_order check_positions(Context& ctx, const char* function, coo_view<Value, Index, Offset> a) {
  check_count(function, "a.num_rows", a.num_rows);
  check_count(function, "a.num_columns", a.num_columns);
  check_count(function, "a.num_nonzeros", a.num_nonzeros);
  check_pointer(ctx, function, "a.rows", a.rows, a.num_nonzeros);
  check_pointer(ctx, function, "a.columns", a.columns, a.num_nonzeros);
  check_pointer(ctx, function, "a.values", a.values, stored_values<Value>(a.num_nonzeros));
  const find_fault<Index> look{a.num_rows, a.num_columns, a.rows, a.columns};
  bool any_outside = false;
  entry_order order{};
  if constexpr (Context::side == memory_side::host) {
    if (a.num_nonzeros == 0) return {true, true};
    const int faults =
        transform_reduce(ctx, static_cast<Offset>(a.num_nonzeros - 1),
                         find_host_faults<Index>{a.num_rows, a.num_columns, a.rows, a.columns},
                         join_faults{}, look(Offset{0}) == outside ? int{leaves} : int{none});
    any_outside = (faults & leaves) != 0;
    order = {(faults & position_descends) == 0, (faults & column_descends) == 0};
  } else {
    const int worst = transform_reduce(ctx, a.num_nonzeros, look, maximum{}, int{in_order});
    any_outside = worst == outside;
    order.by_rows = worst == in_order;
  }
  if (any_outside) {
    const Offset first = transform_reduce(ctx, a.num_nonzeros, number_outside<Index, Offset>{look},
                                          minimum{}, largest_number<Offset>);
    const Index row = to_host(ctx, a.rows + first, 1)[0];
    const Index column = to_host(ctx, a.columns + first, 1)[0];
    const bool row_outside = lies_outside(row, a.num_rows);
    refuse_argument(function,
                    (row_outside ? "a.rows[" : "a.columns[") + std::to_string(first) + "]",
                    row_outside ? row : column,
                    "the matrix has " + std::to_string(a.num_rows) + " rows and " +
                        std::to_string(a.num_columns) + " columns",
                    "count rows and columns from 0, or make the matrix larger");
  }
  return order;
}

}  // namespace evenfold::detail
