#pragma once
// Tiles of a matrix: rectangles of a fixed area that cover the matrix.

#include <bit>
#include <cstdint>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// Covers `rows` x `columns` elements with tiles of 2^row_bits x 2^column_bits elements, numbered
/// along the rows. If the matrix is narrower than such a tile, tiles are narrower and longer, so
/// that a matrix with three columns has about as many tiles as a square matrix of the same size.
class matrix_tiles {
 public:
  using index = std::int64_t;

  /// The elements of a tile: `rows` x `columns` elements, the first of which is (row, column).
  struct part {
    index row, column;
    int rows, columns;
  };

  constexpr matrix_tiles(index rows, index columns, int row_bits, int column_bits)
      : rows_(rows), columns_(columns), row_bits_(row_bits), column_bits_(column_bits) {
    const int area_bits = row_bits + column_bits;
    if (bits_for(rows) < row_bits) {
      row_bits_ = bits_for(rows);
      column_bits_ = area_bits - row_bits_;
    } else if (bits_for(columns) < column_bits) {
      column_bits_ = bits_for(columns);
      row_bits_ = area_bits - column_bits_;
    }
    across_ = ceil_div(columns, index{1} << column_bits_);
    count_ = across_ * ceil_div(rows, index{1} << row_bits_);
  }

  EF_HD constexpr index count() const { return count_; }
  EF_HD constexpr int row_bits() const { return row_bits_; }
  EF_HD constexpr int column_bits() const { return column_bits_; }

  EF_HD constexpr part operator[](index tile) const {
    const index row = tile / across_ << row_bits_;
    const index column = tile % across_ << column_bits_;
    return {row, column, inside(rows_ - row, row_bits_), inside(columns_ - column, column_bits_)};
  }

 private:
  static constexpr int bits_for(index extent) {
    return extent > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)))
                      : 0;
  }
  EF_HD static constexpr int inside(index left, int bits) {
    return static_cast<int>(left < (index{1} << bits) ? left : index{1} << bits);
  }

  index rows_, columns_;
  int row_bits_, column_bits_;
  index across_ = 0, count_ = 0;
};

}  // namespace evenfold::detail
