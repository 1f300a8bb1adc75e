#pragma once
// The inner loop of `jacobi`: one sweep over one strip of the grid.
//
// Idea: what a strip computes together it keeps in registers, and stores only then, so that no load
// waits for a store. On a GPU that is a few rows of one column: neighbouring threads read and write
// neighbouring elements. On a CPU it is a few columns of one row, in vector registers, and the
// strip goes on along the row.

#include <cmath>
#include <concepts>
#include <cstdint>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/divisor.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// The larger of two changes, none of them negative; one that is not a number is larger than all.
/// `maximum` gives the same, but minds the signs of zeros, which costs a CPU two thirds more time.
struct larger_change {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a < b || b != b ? b : a;
  }
};
template <std::floating_point T>
inline constexpr bool is_commutative<larger_change, T> = true;

/// A strip has `rows` rows and `steps * columns` columns, `columns` of them worked on at a time.
/// Measured on 8192 x 8192 doubles: on an H100 8 rows took 0.387 ms a sweep, 4 rows 0.430 ms, 10
/// rows 0.425 ms; on a CPU 16 columns took as long as a plain loop, 8 columns 1.4 times as long.
struct jacobi_strip {
  int rows, columns, steps;
};
constexpr jacobi_strip jacobi_strip_for(work_shape shape) {
  return shape == work_shape::runs ? jacobi_strip{1, 16, 128} : jacobi_strip{8, 1, 1};
}

/// Rows one after the other, `leading` elements apart.
template <class T>
struct grid_rows {
  T* data;
  std::int64_t leading;

  EF_HD T* row(std::int64_t i) const { return data + i * leading; }
};

/// Strip by strip, `to` becomes the averages of the neighbours in `from`, both `rows` by `columns`;
/// borders are left alone. A strip returns its largest change; or *before, doing nothing, where
/// that is not above the tolerance: the sweep before was the last.
template <class T, jacobi_strip Strip>
struct jacobi_sweep {
  static constexpr int strip_rows = Strip.rows;
  static constexpr int lanes = Strip.columns;
  static constexpr std::int64_t width = std::int64_t{lanes} * Strip.steps;

  grid_rows<const T> from;
  grid_rows<T> to;
  std::int64_t rows, columns;
  const T* before;
  T tolerance;
  detail::divisor<std::int64_t> strips_a_row{detail::ceil_div(columns, width)};

  std::int64_t strips() const {
    return detail::ceil_div(rows - 2, strip_rows) * strips_a_row.value();
  }

  EF_HD T operator()(std::int64_t strip) const {
    if (!(*before > tolerance)) return *before;
    const std::int64_t row = 1 + strips_a_row.quotient(strip) * strip_rows;
    // Strips begin at the border, not beside it: aligned rows are then written line by line.
    const std::int64_t begin = strips_a_row.remainder(strip) * width;
    const std::int64_t end = begin + width < columns ? begin + width : columns - 1;
    std::int64_t column = begin == 0 ? 1 : begin;
    T change[lanes] = {};
    for (int k = 0; k < Strip.steps && column + lanes <= end; ++k, column += lanes) {
      step<lanes>(row, column, change);
    }
    if constexpr (lanes > 1) {
      for (; column < end; ++column) step<1>(row, column, change);
    }
    for (int j = 1; j < lanes; ++j) change[0] = larger_change{}(change[0], change[j]);
    return change[0] * T{0.25};
  }

 private:
  /// Averages `Width` columns of all rows of a strip; `change` takes in four times the change of
  /// each column.
  template <int Width>
  EF_HD void step(std::int64_t row, std::int64_t column, T* change) const {
    // All that is read, before anything is written.
    T value[strip_rows + 2][Width];
    T beside[strip_rows][Width];
    for (int i = 0; i < strip_rows + 2; ++i) {
      if (strip_rows > 1 && row - 1 + i >= rows) continue;
      const T* const in = from.row(row - 1 + i) + column;
      for (int j = 0; j < Width; ++j) value[i][j] = in[j];
    }
    for (int i = 0; i < strip_rows; ++i) {
      if (strip_rows > 1 && row + i >= rows - 1) continue;
      const T* const in = from.row(row + i) + column;
      for (int j = 0; j < Width; ++j) beside[i][j] = in[j - 1] + in[j + 1];
    }
    for (int i = 0; i < strip_rows; ++i) {
      if (strip_rows > 1 && row + i >= rows - 1) continue;
      T* const out = to.row(row + i) + column;
      for (int j = 0; j < Width; ++j) {
        // The same sum for the transposed grid: additions commute.
        const T sum = (value[i][j] + value[i + 2][j]) + beside[i][j];
        // This product is exact: where a compiler fuses it with the difference, the bits stay.
        change[j] = larger_change{}(change[j], std::abs(sum - 4 * value[i + 1][j]));
        out[j] = sum * T{0.25};
      }
    }
  }
};

}  // namespace evenfold
