#pragma once
// Launches the kernels of backend/cuda/device/transform.cuh.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// Whether packs can be written from an index on.
template <class Value, class P>
bool writes_packs(const write_result<Value, P*>& f, int from) {
  constexpr std::size_t bytes = sizeof(P) * pack_source<Value>::widest;
  return lies_at_multiple(f.out + from, bytes < widest_access ? bytes : widest_access);
}

/// Whether all inputs can be read in packs of some width from an index on.
template <int Width, class Value, class P>
bool reads_packs(const write_result<Value, P*>& f, int from) {
  return pack_source<Value>::template aligned<Width>(f.value, static_cast<std::uint64_t>(from));
}

/// The first index below `width` for which a predicate holds, or `width`.
template <class Predicate>
int first_index(int width, Predicate predicate) {
  int first = 0;
  while (first < width && !predicate(first)) ++first;
  return first;
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class F>
void transform(cuda_context& ctx, Size count, F f) {
  using tuning = detail::tuning_or<Tuning, transform_tuning<>>;
  constexpr int width = device::transform_width<F>;
  const auto total = static_cast<std::uint64_t>(count);
  const launch_shape given = ctx.launch_override;
  // One block per tile is faster than a loop in fewer blocks (docs/performance.md).
  const auto launch = [&](auto kernel, unsigned threads, unsigned per_thread, auto... arguments) {
    const unsigned block = given.block > 0 ? given.block : threads;
    const std::uint64_t tiles = detail::ceil_div(total, std::uint64_t{block} * per_thread);
    const std::size_t grid = given.grid > 0
                                 ? given.grid
                                 : std::min<std::uint64_t>(tiles, std::numeric_limits<int>::max());
    ctx.launch("transform", kernel, grid, block, 0, arguments...);
  };
  if constexpr (width > 1) {
    using device::transform_wide_kernel;
    const auto packs_from = [=](std::uint64_t i) { return i < total ? (total - i) / width : 0; };
    const auto in_packs = [&](std::uint64_t begin) {
      launch(transform_wide_kernel<false, F>, tuning::threads_wide, width, begin, packs_from(begin),
             total, f);
    };
    const int first = device::first_index(width, [&](int i) {
      return device::writes_packs(f, i) && device::reads_packs<width>(f, i);
    });
    if (first < width) {
      in_packs(static_cast<std::uint64_t>(first));
    } else if constexpr (device::transform_shifts<F>) {
      const int written =
          device::first_index(width, [&](int i) { return device::writes_packs(f, i); });
      // The word before the first pack and that after the last one are elements, too.
      const std::uint64_t begin = static_cast<std::uint64_t>(written) + width;
      const std::uint64_t packs = written < width ? packs_from(begin) : 0;
      launch(transform_wide_kernel<true, F>, tuning::threads, width, begin,
             packs > 0 ? packs - 1 : 0, total, f);
    } else if constexpr (device::transform_computes<F>) {
      in_packs(total);
    } else if (device::reads_packs<1>(f, 0)) {
      launch(device::transform_tiles_kernel<F>, tuning::threads_wide, width, total, f);
    } else {
      in_packs(total);
    }
  } else {
    // Rows save blocks, of which a GPU starts only so many at a time, but need as many more
    // elements for each thread to have some. The wave of a GPU is 2048 threads per multiprocessor;
    // from 4 waves of rows on, the last one does not matter much.
    const std::uint64_t wave = 2048 * static_cast<std::uint64_t>(ctx.multiprocessors());
    const std::uint64_t waves = detail::ceil_div(total, wave);
    std::uint64_t rows = std::clamp<std::uint64_t>(waves / 4, 1, tuning::rows);
    // Where calls take long, blocks start in time, and a wave that is not full costs as much as a
    // full one.
    if (detail::steps_of_call<F> > 1 && rows < tuning::rows) rows = waves <= 3 ? waves : 1;
    if (given.grid > 0) rows = tuning::rows;
    launch(device::transform_kernel<Size, F>, tuning::threads, static_cast<unsigned>(rows), count,
           static_cast<unsigned>(rows), f);
  }
}

}  // namespace backend

}  // namespace evenfold
