#pragma once
// Operations on dense matrices: `engine::matrices()`.

#include <cstdint>
#include <functional>

#include "evenfold/core/error.hpp"
#include "runtime/array.hpp"

namespace evenfold::runtime {

/// A matrix in an array: element (i, j) is element i * row_stride + j * column_stride of the array.
struct matrix_shape {
  std::int64_t rows, columns, row_stride, column_stride;

  static matrix_shape row_major(std::int64_t rows, std::int64_t columns) {
    return {rows, columns, columns, 1};
  }
  static matrix_shape column_major(std::int64_t rows, std::int64_t columns) {
    return {rows, columns, 1, rows};
  }
};

enum class aggregate_operator { max, min, sum, product, mean, argmax, argmin };
enum class aggregate_axis { all, rows, columns };

/// The fold of all elements, or of each row or column.
struct aggregate_result {
  /// For integers and bool: int64 or uint64, and float64 for means. For floating-point numbers:
  /// float64 for sums, products and means, otherwise the type of the elements. For argmax and
  /// argmin: the extreme elements.
  array values;
  /// For argmax and argmin only, int64: the index of each extreme element in its row or column, or
  /// its row and its column if the axis is `all`.
  array places;
};

/// The exact sum or product of integers does not fit into 64 bits. The message names the row or the
/// column.
class overflow_error : public error {
 public:
  using error::error;
};

/// As evenfold::jacobi_result.
struct jacobi_summary {
  std::int64_t sweeps;
  double residual;
  bool converged;
};

/// Called with the number of sweeps and the residual, after each sweep on the host and after each
/// batch of sweeps on a GPU.
using jacobi_observer = std::function<void(std::int64_t, double)>;

/// Arrays are where the engine can reach them. The element types of each operation are in
/// runtime/operation_types.hpp. Errors of all: type_error, closed_engine_error, argument_error for
/// an array that the engine cannot reach or that is smaller than the shape says, allocation_error.
class matrix_operations {
 public:
  virtual ~matrix_operations() = default;

  /// Folds all elements, each row, or each column. Elements of any type and layout are read without
  /// a copy of the matrix. Sums and products of integers are exact. Means of no elements are NaN.
  /// Waits.
  ///
  /// Errors: overflow_error; argument_error for argmax and argmin of no elements.
  virtual aggregate_result aggregate(const array& elements, const matrix_shape& shape,
                                     aggregate_operator op, aggregate_axis axis) = 0;

  /// Sweeps a row-major grid until it converges, as evenfold::jacobi. The observer may be empty.
  /// Waits.
  virtual jacobi_summary jacobi(array& grid, std::int64_t rows, std::int64_t columns,
                                double tolerance, std::int64_t max_sweeps,
                                const jacobi_observer& watch) = 0;
};

}  // namespace evenfold::runtime
