// A transposing copy on CPU threads, compared with common loops.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "bench/harness.hpp"
#include "evenfold/algorithm/copy_matrix.hpp"
#include "evenfold/matrix/fill.hpp"
#include "evenfold/matrix/matrix.hpp"

namespace bench {
namespace {

using evenfold::matrix;
using evenfold::matrix_view;
using evenfold::storage_order;

template <class T>
struct matrices {
  evenfold::cpu_context ctx;
  matrix<T> from, ours, theirs;

  matrices(std::int64_t side, int threads)
      : ctx(threads),
        from(ctx, side, side),
        ours(ctx, side, side, storage_order::column_major),
        theirs(ctx, side, side, storage_order::column_major) {
    fill_uniform(ctx, from.view(), 1);
    fill_uniform(ctx, ours.view(), 2);
    fill_uniform(ctx, theirs.view(), 3);
  }
};

/// Blocks of `height` x `width` elements, each column by column, in the storage order of the
/// target.
template <class T>
void plain_transpose(matrix_view<const T> from, matrix_view<T> to, std::int64_t height,
                     std::int64_t width) {
  const std::int64_t side = from.rows();
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t column = 0; column < side; column += width) {
    for (std::int64_t row = 0; row < side; row += height) {
      for (std::int64_t j = column; j < std::min(side, column + width); ++j) {
        for (std::int64_t i = row; i < std::min(side, row + height); ++i) to(i, j) = from(i, j);
      }
    }
  }
}

template <class T>
prepared_case transposed(const options& chosen) {
  const std::int64_t side = chosen.quick ? 2048 : 8192;
  const auto d = std::make_shared<matrices<T>>(side, chosen.threads);
  const auto ours = [=] { evenfold::copy(d->ctx, d->from, d->ours.view()); };
  const auto plain = [=] { plain_transpose<T>(d->from, d->theirs.view(), side, 1); };
  const auto tiled = [=] { plain_transpose<T>(d->from, d->theirs.view(), 32, 32); };
  return {.bytes = 2.0 * sizeof(T) * static_cast<double>(side * side),
          .contestants = {{"evenfold copy", ours},
                          {"OpenMP loop in tiles", tiled},
                          {"OpenMP loop", plain, {}, 3}},
          .check = [=]() -> std::string {
            ours();
            tiled();
            const bool same = std::memcmp(d->ours.data(), d->theirs.data(),
                                          static_cast<std::size_t>(side * side) * sizeof(T)) == 0;
            return same ? "" : "the elements differ";
          },
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"copy_transposed_float", transposed<float>},
    {"copy_transposed_double", transposed<double>},
};

}  // namespace
}  // namespace bench
