#pragma once
// Folds the columns of a row-major matrix in pieces.
//
// A column is cut into runs of rows: few enough that their folds are small compared to the matrix,
// many enough that every worker has some, whatever the aspect ratio. For lanes (a GPU) a work item
// is one column of one run, so that consecutive lanes read consecutive memory. For threads (a CPU)
// it is a block of columns of one run, so that cache lines are used as a whole and rows are folded
// by vector instructions.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/divisor.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::detail {

/// How columns are cut. The cut, and with it the bits of the folds, depends only on the extents and
/// the backend.
struct column_cut {
  std::int64_t width;   ///< columns per piece; the last block of columns may have fewer
  std::int64_t length;  ///< rows per run; the last run may have fewer
  std::int64_t runs;
  divisor<std::int64_t> blocks;  ///< blocks of columns

  /// The cut of a matrix with at least one row and one column, whose folds have `bytes` bytes.
  static column_cut of(work_shape shape, std::int64_t rows, std::int64_t columns,
                       std::int64_t bytes) {
    std::int64_t width = 1;
    std::int64_t length;
    if (shape == work_shape::lanes) {
      // At most as many lanes as a large device runs at once, since a few more would take a second
      // wave; and enough loads per lane to overlap them.
      constexpr std::int64_t lanes = 1 << 18;
      constexpr std::int64_t least = 16;
      length = std::max(least, ceil_div(rows, std::max<std::int64_t>(1, lanes / columns)));
    } else {
      // The folds fit the first-level cache, and a piece outweighs the cost of scheduling it.
      constexpr std::int64_t cache = 1 << 15;
      constexpr std::int64_t piece = 1 << 17;
      constexpr std::int64_t least = 32;
      width = std::clamp<std::int64_t>(cache / bytes, 1, columns);
      length = std::max(least, piece / width);
    }
    length = std::min(length, rows);
    return {width, length, ceil_div(rows, length), divisor(ceil_div(columns, width))};
  }
  std::int64_t pieces() const { return runs * blocks.value(); }
};

/// The first operand of a fold, combined with the initial value if there is one.
template <class T, class Op, class Init>
EF_HD constexpr T begin_fold(const Op& op, const Init& init, const T& first) {
  if constexpr (std::is_same_v<Init, no_init>) {
    return first;
  } else {
    return op(init, first);
  }
}

/// folds(run, column) = the fold of one column over one run of rows; a work item is such a pair. If
/// the operator commutes, the rows of runs are interleaved, so that lanes read consecutive memory
/// even if a row is shorter than a warp.
template <class E, class T, class Op, class Init>
struct fold_column {
  matrix_view<const E> from;
  matrix_view<T> folds;
  Op op;
  Init init;
  column_cut cut;

  EF_HD void operator()(std::int64_t item) const {
    const std::int64_t run = cut.blocks.quotient(item);
    const std::int64_t column = item - run * cut.blocks.value();
    std::int64_t row = run, step = cut.runs, end = from.rows();
    if constexpr (!is_commutative<Op, T>) {
      row = run * cut.length;
      step = 1;
      if (end - row > cut.length) end = row + cut.length;
    }
    T fold = begin_fold(op, init, static_cast<T>(from(row, column)));
    for (row += step; row < end; row += step) fold = op(fold, static_cast<T>(from(row, column)));
    folds(run, column) = fold;
  }
};

/// The same for a block of columns: rows are folded one by one into row `run` of `folds`, which is
/// row-major.
template <class E, class T, class Op, class Init>
struct fold_block_of_columns {
  matrix_view<const E> from;
  matrix_view<T> folds;
  Op op;
  Init init;
  column_cut cut;

  void operator()(std::int64_t item) const {
    const std::int64_t run = cut.blocks.quotient(item);
    const std::int64_t column = (item - run * cut.blocks.value()) * cut.width;
    const std::int64_t width = std::min(cut.width, from.columns() - column);
    const std::int64_t first = run * cut.length;
    const std::int64_t end = first + std::min(cut.length, from.rows() - first);
    T* const fold = &folds(run, column);
    for (std::int64_t j = 0; j < width; ++j) {
      std::construct_at(fold + j, begin_fold(op, init, static_cast<T>(from(first, column + j))));
    }
    std::int64_t i = first + 1;
    if (from.column_stride() == 1) {
      // Four rows at a time, so that the folds are read and written a quarter as often.
      for (; i + 4 <= end; i += 4) {
        const E* const row = &from(i, column);
        const std::int64_t next = from.row_stride();
        for (std::int64_t j = 0; j < width; ++j) {
          const T two = op(op(fold[j], static_cast<T>(row[j])), static_cast<T>(row[j + next]));
          fold[j] =
              op(op(two, static_cast<T>(row[j + 2 * next])), static_cast<T>(row[j + 3 * next]));
        }
      }
    }
    for (; i < end; ++i) {
      for (std::int64_t j = 0; j < width; ++j) {
        fold[j] = op(fold[j], static_cast<T>(from(i, column + j)));
      }
    }
  }
};

/// folds(run, column) = init (+) the elements of one run of rows of one column of `from`, without
/// `init` if it is no_init. `folds` is row-major and has cut.runs rows.
template <context Context, class E, class T, class Op, class Init>
void fold_column_pieces(Context& ctx, matrix_view<const E> from, const column_cut& cut,
                        matrix_view<T> folds, Op op, Init init) {
  using fold_piece =
      std::conditional_t<Context::traits.shape == work_shape::lanes, fold_column<E, T, Op, Init>,
                         fold_block_of_columns<E, T, Op, Init>>;
  transform(ctx, cut.pieces(), fold_piece{from, folds, op, init, cut});
}

}  // namespace evenfold::detail
