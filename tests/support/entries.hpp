#pragma once
// Lists of entries of sparse matrices for the tests of conversions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/core/random.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold::testing {

/// Entries on the host.
template <class T, class Index, class Offset>
struct entry_list {
  Index num_rows, num_columns;
  std::vector<Index> rows, columns;
  std::vector<T> values;  ///< none of a pattern

  T value(std::size_t k) const {
    if constexpr (is_pattern<T>) {
      return {};
    } else {
      return values[k];
    }
  }
  void add(Index row, Index column, T value) {
    rows.push_back(row);
    columns.push_back(column);
    if constexpr (!is_pattern<T>) values.push_back(value);
  }
  coo_view<const T, Index, Offset> view() const {
    return {num_rows,    num_columns,    static_cast<Offset>(rows.size()),
            rows.data(), columns.data(), values.data()};
  }
};

/// The same with rows and columns exchanged.
template <class T, class Index, class Offset>
entry_list<T, Index, Offset> exchanged(entry_list<T, Index, Offset> a) {
  std::swap(a.num_rows, a.num_columns);
  std::swap(a.rows, a.columns);
  return a;
}

enum class entry_shape {
  none,          ///< no entry in some rows
  no_rows,       ///< no row at all
  one,           ///< a single entry
  one_row,       ///< of all columns, in descending order
  one_column,    ///< of all rows
  one_position,  ///< only duplicates
  sorted,        ///< in the order of rows and columns
  reversed,      ///< in the opposite order
  by_columns,    ///< in the order of columns, as Matrix Market files mostly have them
  scattered,     ///< anywhere in a wide matrix, hardly a duplicate
  repeated,      ///< anywhere in a tall matrix, hundreds at one position
  giant_row,     ///< half of all entries in one row
  empty_ends     ///< in few rows in the middle of many
};

inline constexpr entry_shape entry_shapes[] = {
    entry_shape::none,      entry_shape::no_rows,    entry_shape::one,
    entry_shape::one_row,   entry_shape::one_column, entry_shape::one_position,
    entry_shape::sorted,    entry_shape::reversed,   entry_shape::by_columns,
    entry_shape::scattered, entry_shape::repeated,   entry_shape::giant_row,
    entry_shape::empty_ends};

inline const char* name_of(entry_shape shape) {
  constexpr const char* names[] = {
      "none",     "no_rows",    "one",       "one_row",  "one_column", "one_position", "sorted",
      "reversed", "by_columns", "scattered", "repeated", "giant_row",  "empty_ends"};
  return names[static_cast<int>(shape)];
}

/// Entries of a shape. Values are small integers, so that sums are exact in any order.
template <class T, class Index, class Offset>
entry_list<T, Index, Offset> make_entries(entry_shape shape) {
  const random_stream random(5);
  std::uint64_t draw = 0;
  const auto below = [&](std::int64_t count) {
    return static_cast<Index>(random.below(draw++, static_cast<std::uint64_t>(count)));
  };
  entry_list<T, Index, Offset> a{9, 7, {}, {}, {}};
  const auto add = [&](Index row, Index column) {
    if constexpr (is_pattern<T>) {
      a.add(row, column, {});
    } else {
      a.add(row, column, static_cast<T>(1 + draw % 100));
    }
  };
  const auto grid = [&](Index rows, Index columns) {
    a.num_rows = rows;
    a.num_columns = columns;
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < columns; ++c) {
        if (below(4) == 0) add(r, c);
      }
    }
  };
  switch (shape) {
    case entry_shape::none:
      break;
    case entry_shape::no_rows:
      a.num_rows = a.num_columns = 0;
      break;
    case entry_shape::one:
      add(8, 6);
      break;
    case entry_shape::one_row:
      a.num_rows = 1;
      a.num_columns = 3000;
      for (Index c = 3000; c > 0; --c) add(0, static_cast<Index>(c - 1));
      break;
    case entry_shape::one_column:
      a.num_rows = 3000;
      a.num_columns = 1;
      for (int k = 0; k < 3000; ++k) add(below(3000), 0);
      break;
    case entry_shape::one_position:
      for (int k = 0; k < 5000; ++k) add(4, 2);
      break;
    case entry_shape::sorted:
      grid(50, 90);
      break;
    case entry_shape::reversed:
      grid(90, 50);
      std::reverse(a.rows.begin(), a.rows.end());
      std::reverse(a.columns.begin(), a.columns.end());
      break;
    case entry_shape::by_columns:
      grid(40, 60);
      return exchanged(a);
    case entry_shape::scattered:
      a.num_rows = 5000;
      a.num_columns = 100000;
      for (int k = 0; k < 20000; ++k) add(below(a.num_rows), below(a.num_columns));
      break;
    case entry_shape::repeated:
      a.num_rows = 20;
      a.num_columns = 3;
      for (int k = 0; k < 20000; ++k) add(below(a.num_rows), below(a.num_columns));
      break;
    case entry_shape::giant_row:
      a.num_rows = 4000;
      a.num_columns = 30000;
      for (int k = 0; k < 20000; ++k) {
        add(k % 2 == 0 ? Index{77} : below(a.num_rows), below(a.num_columns));
      }
      break;
    case entry_shape::empty_ends:
      a.num_rows = 30000;
      a.num_columns = 10;
      for (int k = 0; k < 300; ++k) {
        add(static_cast<Index>(14000 + below(100)), below(a.num_columns));
      }
      break;
  }
  return a;
}

/// Expects that the rows of a matrix on the host have these entries, which are sorted.
template <class T, class Index, class Offset>
void expect_rows(const csr<T, Index, Offset>& got, const entry_list<T, Index, Offset>& expected) {
  EXPECT_EQ(got.num_rows, expected.num_rows);
  EXPECT_EQ(got.num_columns, expected.num_columns);
  EXPECT_EQ(got.num_nonzeros, static_cast<Offset>(expected.rows.size()));
  std::vector<Offset> offsets(static_cast<std::size_t>(expected.num_rows) + 1);
  for (const Index row : expected.rows) ++offsets[static_cast<std::size_t>(row) + 1];
  for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] += offsets[r - 1];
  EXPECT_EQ(std::vector(got.row_offsets.begin(), got.row_offsets.end()), offsets);
  EXPECT_EQ(std::vector(got.columns.begin(), got.columns.end()), expected.columns);
  EXPECT_EQ(std::vector(got.values.begin(), got.values.end()), expected.values);
}

}  // namespace evenfold::testing
