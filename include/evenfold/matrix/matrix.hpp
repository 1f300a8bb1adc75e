#pragma once
// `matrix<T>`: a dense matrix in the memory of a context; to_context, to_host.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/copy_matrix.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// Whether the elements of a row or those of a column are consecutive in memory.
enum class storage_order { row_major, column_major };

/// Owns rows() x columns() elements of a trivially copyable type in the memory of a context, which
/// must outlive it: an `array` with a shape, without gaps. The elements start uninitialized.
/// Move-only. Algorithms take its view(), to which it converts implicitly where the type of the
/// view is known. For a leading dimension larger than the matrix, as in BLAS, take a block() of a
/// larger matrix.
///
/// Errors: argument_error for a negative extent, and for sizes beyond the address space;
/// allocation_error if memory is exhausted.
///
/// Example: examples/copy_matrix.cpp.
/// Names elsewhere: numpy.empty((rows, columns), order="C" or "F").
template <class T>
class matrix {
 public:
  using index = std::int64_t;

  matrix() = default;

  template <context Context>
  matrix(Context& ctx, index rows, index columns, storage_order order = storage_order::row_major)
      : elements_(ctx, (detail::check_extents("matrix", rows, columns), rows * columns)),
        rows_(rows),
        columns_(columns),
        order_(order) {}

  matrix(matrix&& other) noexcept { swap(other); }
  matrix& operator=(matrix&& other) noexcept {
    matrix(std::move(other)).swap(*this);
    return *this;
  }
  matrix(const matrix&) = delete;
  matrix& operator=(const matrix&) = delete;
  ~matrix() = default;

  void swap(matrix& other) noexcept {
    elements_.swap(other.elements_);
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
    std::swap(order_, other.order_);
  }

  index rows() const { return rows_; }
  index columns() const { return columns_; }
  index size() const { return rows_ * columns_; }
  bool empty() const { return size() == 0; }
  storage_order order() const { return order_; }
  memory_side side() const { return elements_.side(); }
  T* data() { return elements_.data(); }
  const T* data() const { return elements_.data(); }

  matrix_view<T> view() { return view_of(data()); }
  matrix_view<const T> view() const { return view_of(data()); }
  operator matrix_view<T>() { return view(); }
  operator matrix_view<const T>() const { return view(); }

  /// Element access is for matrices in host memory.
  T& operator()(index row, index column) { return view()(row, column); }
  const T& operator()(index row, index column) const { return view()(row, column); }

 private:
  template <class U>
  matrix_view<U> view_of(U* data) const {
    return order_ == storage_order::row_major ? matrix_view<U>::row_major(data, rows_, columns_)
                                              : matrix_view<U>::column_major(data, rows_, columns_);
  }

  array<T> elements_;
  index rows_ = 0, columns_ = 0;
  storage_order order_ = storage_order::row_major;
};

/// The storage order of a view, or the nearest one.
template <class T>
storage_order order_of(matrix_view<T> view) {
  return view.is_row_major() ? storage_order::row_major : storage_order::column_major;
}

/// A matrix in the context's memory with the elements of a host view, in the storage order `order`.
/// Cost, synchronisation and errors of copy().
template <context Context, class T>
matrix<std::remove_const_t<T>> to_context(Context& ctx, matrix_view<T> host, storage_order order) {
  matrix<std::remove_const_t<T>> result(ctx, host.rows(), host.columns(), order);
  copy(ctx, host, result.view());
  return result;
}

/// The same in the storage order of the view.
template <context Context, class T>
matrix<std::remove_const_t<T>> to_context(Context& ctx, matrix_view<T> host) {
  return to_context(ctx, host, order_of(host));
}

/// A matrix on the host with the elements of a view in the context's memory, in its storage order.
/// Waits.
template <context Context, class T>
matrix<std::remove_const_t<T>> to_host(Context& ctx, matrix_view<T> there) {
  host_context host;
  matrix<std::remove_const_t<T>> result(host, there.rows(), there.columns(), order_of(there));
  copy(ctx, there, result.view());
  ctx.synchronize();
  return result;
}

template <context Context, class T>
matrix<T> to_host(Context& ctx, const matrix<T>& there) {
  return to_host(ctx, there.view());
}

}  // namespace evenfold
