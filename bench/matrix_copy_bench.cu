// copy of matrices compared with cuBLAS and with the driver's copy of rows.

#include <cstdint>

#include "bench/cublas.cuh"
#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/copy_matrix.hpp"

namespace bench {
namespace {

using evenfold::array;
using evenfold::matrix_view;

template <class T>
struct matrices {
  array<T> from, ours, theirs;
  blas library;

  explicit matrices(int count)
      : from(filled<small_numbers, T>(count, 1)),
        ours(device_array<T>(count)),
        theirs(device_array<T>(count)) {
    device_context().fill_bytes(theirs.data(), 0, theirs.size() * sizeof(T));
  }
};

/// Row-major to column-major.
template <class T>
prepared_case transpose(int rows, int columns, std::vector<mark> marks) {
  const int count = rows * columns;
  auto d = std::make_shared<matrices<T>>(count);
  const auto ours = [=] {
    evenfold::copy(device_context(), matrix_view<T>::row_major(d->from.data(), rows, columns),
                   matrix_view<T>::column_major(d->ours.data(), rows, columns));
  };
  const auto geam = [=] {
    d->library.transpose(rows, columns, d->from.data(), columns, d->theirs.data());
  };
  return {.bytes = 2.0 * sizeof(T) * count,
          .contestants = {{"evenfold copy", ours}, {"cublas geam", geam}},
          .check = same_results(d, ours, geam, count),
          .marks = std::move(marks)};
}

/// The left part of a row-major matrix to a matrix without gaps.
template <class T>
prepared_case left_part(int rows, int columns, int leading) {
  auto d = std::make_shared<matrices<T>>(rows * leading);
  const auto from = matrix_view<T>::row_major(d->from.data(), rows, columns, leading);
  const auto ours = [=] {
    evenfold::copy(device_context(), from,
                   matrix_view<T>::row_major(d->ours.data(), rows, columns));
  };
  const auto driver = [=] {
    evenfold::device::check_cuda(
        cudaMemcpy2DAsync(d->theirs.data(), columns * sizeof(T), from.data(), leading * sizeof(T),
                          columns * sizeof(T), rows, cudaMemcpyDefault, device_context().stream()),
        "cudaMemcpy2DAsync");
  };
  return {.bytes = 2.0 * sizeof(T) * rows * columns,
          .contestants = {{"evenfold copy", ours}, {"cudaMemcpy2DAsync", driver}},
          .check = same_results(d, ours, driver, rows * columns),
          .marks = {at_least_best_peer(1.0)}};
}

/// 2^14, or 2^11 in a quick run.
int side(const options& chosen) { return chosen.quick ? 1 << 11 : 1 << 14; }

const add_case cases[] = {
    {"copy_transposed_float",
     [](const options& o) {
       return transpose<float>(side(o), side(o), {at_least_best_peer(1.0)});
     }},
    {"copy_transposed_double",
     [](const options& o) {
       return transpose<double>(side(o) / 2, side(o), {at_least_best_peer(1.0)});
     }},
    {"copy_transposed_float_odd",
     [](const options& o) {
       return transpose<float>(side(o) - 1, side(o) - 1, {at_least_best_peer(1.0)});
     }},
    {"copy_transposed_float_3_rows",
     [](const options& o) {
       return transpose<float>(3, o.size(26) / 3, {at_least_best_peer(1.0)});
     }},
    {"copy_transposed_float_3_columns",
     [](const options& o) {
       return transpose<float>(o.size(26) / 3, 3, {at_least_best_peer(1.0)});
     }},
    {"copy_left_part_float",
     [](const options& o) { return left_part<float>(side(o), side(o) - 384, side(o)); }},
    {"copy_left_part_float_odd",
     [](const options& o) { return left_part<float>(side(o), side(o) - 385, side(o) - 1); }},
    {"copy_left_part_3_of_4_columns",
     [](const options& o) { return left_part<float>(o.size(25), 3, 4); }},
};

}  // namespace
}  // namespace bench
