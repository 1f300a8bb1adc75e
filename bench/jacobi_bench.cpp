// jacobi on CPU threads, compared with a plain loop with a reduction.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "bench/harness.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/matrix/jacobi.hpp"

namespace bench {
namespace {

using evenfold::array;

struct grids {
  std::int64_t side;
  evenfold::cpu_context ctx;
  array<double> ours, theirs, other;
  double residual = 0;
  double their_residual = 0;

  grids(std::int64_t n, int threads)
      : side(n), ctx(threads), ours(ctx, n * n), theirs(ctx, n * n), other(ctx, n * n) {
    const evenfold::random_stream random(1);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n * n; ++i) {
      ours[i] = theirs[i] = other[i] = random.uniform<double>(static_cast<std::uint64_t>(i));
    }
  }
};

/// One sweep without a library. Returns the largest change.
double plain_sweep(const double* from, double* to, std::int64_t side) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::int64_t i = 1; i < side - 1; ++i) {
    const double* const in = from + i * side;
    double* const out = to + i * side;
#pragma omp simd reduction(max : most)
    for (std::int64_t j = 1; j < side - 1; ++j) {
      out[j] = ((in[j - side] + in[j + side]) + (in[j - 1] + in[j + 1])) * 0.25;
      most = std::max(most, std::abs(out[j] - in[j]));
    }
  }
  return most;
}

prepared_case sweep(const options& chosen) {
  constexpr int sweeps = 32;
  const std::int64_t side = chosen.quick ? 1024 : 4096;
  const auto d = std::make_shared<grids>(side, chosen.threads);
  const auto ours = [=] {
    const auto grid = evenfold::matrix_view<double>::row_major(d->ours.data(), side, side);
    d->residual = evenfold::jacobi(d->ctx, grid, 0, sweeps).residual;
  };
  const auto plain = [=] {
    for (int k = 0; k < sweeps; k += 2) {
      plain_sweep(d->theirs.data(), d->other.data(), side);
      d->their_residual = plain_sweep(d->other.data(), d->theirs.data(), side);
    }
  };
  return {.bytes = 16.0 * static_cast<double>(side * side) * sweeps,
          .contestants = {{"evenfold jacobi", ours, {}, 5}, {"OpenMP loop", plain, {}, 5}},
          .check = [=]() -> std::string {
            ours();
            plain();
            if (d->residual != d->their_residual) return "another residual than the loop's";
            const auto at = std::mismatch(d->ours.begin(), d->ours.end(), d->theirs.begin()).first;
            return at == d->ours.end() ? ""
                                       : "element " + std::to_string(at - d->ours.begin()) +
                                             " is not that of the loop";
          },
          .marks = {at_least_best_peer(0.95)}};
}

const add_case cases[] = {{"jacobi_32_sweeps", sweep}};

}  // namespace
}  // namespace bench
