#pragma once
// Folds the columns of a row-major matrix in pieces.
//
// A column is cut into runs of rows: few enough that their folds are small compared to the matrix,
// many enough that every worker has some, whatever the aspect ratio. If the operator commutes, the
// rows of runs are interleaved: run r has rows r, r + runs, r + 2 runs, ...; otherwise a run is
// consecutive rows. For lanes (a GPU) a work item is one column of one run, or a few neighbouring
// ones, so that consecutive lanes read consecutive memory. For threads (a CPU) it is a block of
// folds that fits the first-level cache, to which rows are added by vector instructions.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/divisor.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/index_loop.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::detail {

/// How columns are cut. The cut, and with it the bits of the folds, depends only on the extents.
struct column_cut {
  std::int64_t length;  ///< rows per run; the last run may have fewer, or the last runs one less
  std::int64_t runs;
  divisor<std::int64_t> columns;

  /// The cut of a matrix with at least one row and one column.
  static column_cut of(std::int64_t rows, std::int64_t columns) {
    // At most as many folds as lanes that a large device runs at once, since a few more would take
    // a second wave; and enough loads per lane to overlap them.
    constexpr std::int64_t folds = 1 << 18;
    constexpr std::int64_t least = 16;
    const std::int64_t length =
        std::min(rows, std::max(least, ceil_div(rows, std::max<std::int64_t>(1, folds / columns))));
    return {length, ceil_div(rows, length), divisor(columns)};
  }
  std::int64_t folds() const { return runs * columns.value(); }
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

/// The rows of one run: each `step`-th row from `first` on that is below `end`.
struct rows_of_run {
  std::int64_t first, step, end;

  EF_HD rows_of_run(const column_cut& cut, std::int64_t rows, std::int64_t run, bool interleaved)
      : first(interleaved ? run : run * cut.length),
        step(interleaved ? cut.runs : 1),
        end(interleaved || rows - first < cut.length ? rows : first + cut.length) {}

  std::int64_t count() const { return ceil_div(end - first, step); }
};

/// `Width` neighbours in memory, which one access reads or writes.
template <int Width, class T>
struct alignas(Width == 1 ? alignof(T) : sizeof(T) * Width) neighbours {
  T element[Width];

  static EF_HD const neighbours& at(const T* first) {
    return *reinterpret_cast<const neighbours*>(first);
  }
  static EF_HD neighbours& at(T* first) { return *reinterpret_cast<neighbours*>(first); }
};

/// The folds of `Width` neighbouring columns over one run of rows; a work item is such a pair.
/// `folds` is row-major and contiguous.
template <int Width, class E, class T, class Op, class Init>
struct fold_columns {
  matrix_view<const E> from;
  T* folds;
  Op op;
  Init init;
  column_cut cut;

  /// Whether all that one work item reads from a row, or writes, is one aligned access.
  bool is_aligned() const {
    const auto aligned = [](const auto* pointer, std::size_t bytes) {
      return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
    };
    return from.column_stride() == 1 && cut.columns.value() % Width == 0 &&
           (from.rows() == 1 || from.row_stride() % Width == 0) &&
           aligned(from.data(), alignof(elements)) && aligned(folds, alignof(neighbours<Width, T>));
  }
  std::int64_t items() const { return cut.folds() / Width; }

  EF_HD void operator()(std::int64_t item) const {
    const std::int64_t at = item * Width;
    const std::int64_t run = cut.runs == 1 ? 0 : cut.columns.quotient(at);
    const rows_of_run rows(cut, from.rows(), run, is_commutative<Op, T>);
    const std::int64_t next = rows.step * from.row_stride();
    const E* line = &from(rows.first, at - run * cut.columns.value());
    fold_lines(line, next, rows, folds + at, std::make_index_sequence<Width>{});
  }

 private:
  using elements = neighbours<Width, E>;

  template <std::size_t... K>
  EF_HD void fold_lines(const E* line, std::int64_t next, const rows_of_run& rows, T* out,
                        std::index_sequence<K...>) const {
    const elements first = elements::at(line);
    neighbours<Width, T> fold{{begin_fold(op, init, static_cast<T>(first.element[K]))...}};
    const auto append = [&](const elements& row) {
      ((fold.element[K] = op(fold.element[K], static_cast<T>(row.element[K]))), ...);
    };
    std::int64_t row = rows.first + rows.step;
    line += next;
    // Four rows at a time, whose loads overlap.
    for (; row + 3 * rows.step < rows.end; row += 4 * rows.step, line += 4 * next) {
      const elements a = elements::at(line), b = elements::at(line + next);
      const elements c = elements::at(line + 2 * next), d = elements::at(line + 3 * next);
      append(a);
      append(b);
      append(c);
      append(d);
    }
    for (; row < rows.end; row += rows.step, line += next) append(elements::at(line));
    neighbours<Width, T>::at(out) = fold;
  }
};

/// The same for a block of neighbouring elements of `folds`, which is row-major and contiguous.
template <class E, class T, class Op, class Init>
struct fold_block_of_columns {
  matrix_view<const E> from;
  T* folds;
  Op op;
  Init init;
  column_cut cut;

  static constexpr std::int64_t width = std::max<std::int64_t>(1, (1 << 14) / sizeof(T));
  std::int64_t blocks() const { return ceil_div(cut.folds(), width); }

  void operator()(std::int64_t item) const {
    const std::int64_t end = std::min((item + 1) * width, cut.folds());
    const std::int64_t columns = cut.columns.value();
    // Rows that are interleaved and have no gaps between them are like longer rows.
    const bool joined = is_commutative<Op, T> && from.is_contiguous();
    const std::int64_t last = from.rows() % cut.runs * columns;
    for (std::int64_t at = item * width; at < end;) {
      const std::int64_t run = at / columns;
      const rows_of_run rows(cut, from.rows(), run, is_commutative<Op, T>);
      const std::int64_t next = !joined ? (run + 1) * columns : at < last ? last : end;
      const std::int64_t stop = std::min(next, end);
      const E* const line = &from(rows.first, at - run * columns);
      const std::int64_t distance = rows.step * from.row_stride();
      if (joined || from.column_stride() == 1) {
        fold_lines(line, adjacent{}, distance, rows.count(), stop - at, folds + at);
      } else {
        fold_lines(line, from.column_stride(), distance, rows.count(), stop - at, folds + at);
      }
      at = stop;
    }
  }

 private:
  using adjacent = std::integral_constant<std::int64_t, 1>;

  /// fold[j] = the fold of line[j * stride], line[j * stride + next], ...: `lines` elements.
  template <class Stride>
  void fold_lines(const E* line, Stride stride, std::int64_t next, std::int64_t lines,
                  std::int64_t count, T* fold) const {
    constexpr bool strips = std::is_same_v<Stride, adjacent>;
    for_each_index<strips>(std::int64_t{0}, count, [=, this](std::int64_t j) {
      std::construct_at(fold + j, begin_fold(op, init, static_cast<T>(line[j * stride])));
    });
    std::int64_t i = 1;
    if constexpr (strips) {
      // Four lines at a time, so that the folds are read and written a quarter as often.
      for (; i + 4 <= lines; i += 4) {
        const E* const four = line + i * next;
        for_each_index<true>(std::int64_t{0}, count, [=, this](std::int64_t j) {
          const T two = op(op(fold[j], static_cast<T>(four[j])), static_cast<T>(four[j + next]));
          fold[j] =
              op(op(two, static_cast<T>(four[j + 2 * next])), static_cast<T>(four[j + 3 * next]));
        });
      }
    }
    for (; i < lines; ++i) {
      const E* const one = line + i * next;
      for_each_index<strips>(std::int64_t{0}, count, [=, this](std::int64_t j) {
        fold[j] = op(fold[j], static_cast<T>(one[j * stride]));
      });
    }
  }
};

/// How many columns a lane folds where they are aligned: 16 bytes, or four columns.
template <class E, class T>
inline constexpr int columns_of_item =
    std::is_arithmetic_v<E> && std::is_arithmetic_v<T>
        ? static_cast<int>(std::clamp<std::size_t>(16 / std::max(sizeof(E), sizeof(T)), 1, 4))
        : 1;

/// folds(run, column) = init (+) the elements of one run of rows of one column of `from`, without
/// `init` if it is no_init. `folds` is row-major and contiguous and has cut.runs rows.
template <context Context, class E, class T, class Op, class Init>
void fold_column_pieces(Context& ctx, matrix_view<const E> from, const column_cut& cut,
                        matrix_view<T> folds, Op op, Init init) {
  if constexpr (Context::traits.shape == work_shape::lanes) {
    constexpr int width = columns_of_item<E, T>;
    if constexpr (width > 1) {
      const fold_columns<width, E, T, Op, Init> wide{from, folds.data(), op, init, cut};
      if (wide.is_aligned()) return transform(ctx, wide.items(), wide);
    }
    transform(ctx, cut.folds(), fold_columns<1, E, T, Op, Init>{from, folds.data(), op, init, cut});
  } else {
    const fold_block_of_columns<E, T, Op, Init> f{from, folds.data(), op, init, cut};
    transform(ctx, f.blocks(), f);
  }
}

}  // namespace evenfold::detail
