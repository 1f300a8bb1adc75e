#pragma once
// The inner loop of `jacobi`: one sweep over one strip of the grid.
//
// Idea: on a GPU a strip is a few rows of one column, so that consecutive threads read and write
// consecutive elements. All of its elements are read into registers before any is written, so that
// no load waits for a store. On a CPU a strip is a part of four rows, which are processed together
// in vector registers: what is the element of one row is a neighbour in the rows beside it.

#include <cmath>
#include <concepts>
#include <cstdint>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/divisor.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

namespace detail {

/// The larger of two changes that are not negative; NaN is larger than every number. `maximum`
/// gives the same result, but also orders -0 and +0, which takes two thirds more time on a CPU.
struct larger_change {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a < b || b != b ? b : a;
  }
};

}  // namespace detail

template <std::floating_point T>
inline constexpr bool is_commutative<detail::larger_change, T> = true;
template <std::floating_point T>
inline constexpr bool detail::is_exact_fold<detail::larger_change, T> = true;

namespace detail {

/// The rows and columns of a strip. Measured on 8192 x 8192 doubles on an H100: 8 rows took 0.387
/// ms per sweep, 4 rows 0.430 ms, 10 rows 0.425 ms. On a CPU, strips of one row took 1.05 to 1.25
/// times as long as those of four.
struct jacobi_strip {
  int rows, columns;
};
constexpr jacobi_strip jacobi_strip_for(work_shape shape) {
  return shape == work_shape::runs ? jacobi_strip{4, 2048} : jacobi_strip{8, 1};
}

/// A row-major grid with the leading dimension `leading`.
template <class T>
struct grid_rows {
  T* data;
  std::int64_t leading;

  EF_HD T* row(std::int64_t i) const { return data + i * leading; }
};

/// Writes to a strip of `to` the averages of the neighbours in `from`, both `rows` by `columns`
/// grids. Returns the largest change of the strip. If *before, the largest change of the sweep
/// before, is not above the tolerance, does nothing and returns *before.
///
/// Borders are not written, except that strips of many columns copy the ends of their rows: then
/// the memory of the other grid is first written by the threads that sweep over it.
template <class T, jacobi_strip Strip>
struct jacobi_sweep {
  static constexpr int strip_rows = Strip.rows;
  static constexpr std::int64_t width = Strip.columns;
  static constexpr bool copies_ends = width > 1;

  grid_rows<const T> from;
  grid_rows<T> to;
  std::int64_t rows, columns;
  const T* before;
  T tolerance;
  divisor<std::int64_t> strips_per_row{ceil_div(columns, width)};

  std::int64_t strips() const { return ceil_div(rows - 2, strip_rows) * strips_per_row.value(); }

  EF_HD T operator()(std::int64_t strip) const {
    if (!(*before > tolerance)) return *before;
    const std::int64_t row = 1 + strips_per_row.quotient(strip) * strip_rows;
    // Strips begin at the border, so that they cover whole cache lines of aligned rows.
    const std::int64_t begin = strips_per_row.remainder(strip) * width;
    const std::int64_t end = begin + width < columns ? begin + width : columns - 1;
    std::int64_t column = begin == 0 ? 1 : begin;
    if constexpr (copies_ends) {
      copy_ends(row, begin == 0, begin + width >= columns);
      return average_rows(row, column, end) * T{0.25};
    } else {
      // One column: a loop over it takes a GPU a quarter longer.
      static_assert(width == 1);
      return column < end ? average_column(row, column) * T{0.25} : T{};
    }
  }

 private:
  // All functions return four times the largest change. They add in the same order, and the
  // transposed grid has the same sums, since additions commute. The product 4 * x is exact, so the
  // bits do not depend on fused multiply-add.

  /// The row after the last one of the strip that begins at `row`.
  EF_HD std::int64_t end_row(std::int64_t row) const {
    return row + strip_rows < rows - 1 ? row + strip_rows : rows - 1;
  }

  /// Copies the first and the last element of the rows of a strip that has them.
  EF_HD void copy_ends(std::int64_t row, bool has_first, bool has_last) const {
    for (std::int64_t r = row; r < end_row(row); ++r) {
      if (has_first) to.row(r)[0] = from.row(r)[0];
      if (has_last) to.row(r)[columns - 1] = from.row(r)[columns - 1];
    }
  }

  /// Averages the columns [column, end) of the rows of a strip.
  EF_HD T average_rows(std::int64_t row, std::int64_t column, std::int64_t end) const {
    const std::int64_t last = end_row(row);
    if (last - row == strip_rows) return average_part<strip_rows>(row, column, end);
    T most{};
    for (; row < last; ++row) {
      most = larger_change{}(most, average_part<1>(row, column, end));
    }
    return most;
  }

  /// Averages the columns [column, end) of so many rows. Inlined in the loops of a fold, where g++
  /// runs out of registers, a row took up to twice as long.
  template <int Rows>
  [[gnu::noinline]] EF_HD T average_part(std::int64_t row, std::int64_t column,
                                         std::int64_t end) const {
    // The largest change and the sum of all changes, in any order: the sum is NaN exactly if one of
    // the changes is. To compare with larger_change, which handles NaN, takes a CPU twice as long.
    T most{};
    T sum{};
    const T* __restrict in = from.row(row);
    T* __restrict out = to.row(row);
    const std::int64_t next_in = from.leading;
    const std::int64_t next_out = to.leading;
// clang 16 cannot vectorize the maximum of numbers that may be NaN, and would warn.
#if defined(_OPENMP) && !defined(__CUDACC__) && !defined(__clang__)
#pragma omp simd reduction(max : most) reduction(+ : sum)
#endif
    for (std::int64_t j = column; j < end; ++j) {
      T above = in[j - next_in];
      T here = in[j];
// At -O2, g++ does not unroll by itself, and cannot vectorize the loop over columns then.
#if !defined(__CUDACC__)
#pragma GCC unroll 4
#endif
      for (int i = 0; i < Rows; ++i) {
        const T* const at = in + i * next_in + j;
        const T below = at[next_in];
        const T total = (above + below) + (at[-1] + at[1]);
        const T change = std::abs(total - 4 * here);
        most = most < change ? change : most;
        sum += change;
        out[i * next_out + j] = total * T{0.25};
        above = here;
        here = below;
      }
    }
    return sum != sum ? sum : most;
  }

  /// Averages one column of all rows of a strip. All reads come before all writes.
  EF_HD T average_column(std::int64_t row, std::int64_t column) const {
    T value[strip_rows + 2];
    T beside[strip_rows];
    for (int i = 0; i < strip_rows + 2; ++i) {
      if (row - 1 + i < rows) value[i] = from.row(row - 1 + i)[column];
    }
    for (int i = 0; i < strip_rows; ++i) {
      if (row + i >= rows - 1) continue;
      const T* const in = from.row(row + i) + column;
      beside[i] = in[-1] + in[1];
    }
    T largest{};
    for (int i = 0; i < strip_rows; ++i) {
      if (row + i >= rows - 1) continue;
      const T total = (value[i] + value[i + 2]) + beside[i];
      largest = larger_change{}(largest, std::abs(total - 4 * value[i + 1]));
      to.row(row + i)[column] = total * T{0.25};
    }
    return largest;
  }
};

}  // namespace detail

}  // namespace evenfold
