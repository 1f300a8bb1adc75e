#pragma once
// transform on a GPU: a grid-stride loop. Any grid of any block covers every index once, so the
// launch shape is a matter of speed alone. Where the function's name tells what it reads and where
// it writes, a thread handles several neighbours at a time.

#include <algorithm>
#include <concepts>
#include <limits>

#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/backend/cuda/wide_access.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// Launch tuning of transform: threads a block, blocks a multiprocessor, and threads a block where
/// each handles several neighbours at a time.
template <unsigned Threads = 256, unsigned BlocksPerMultiprocessor = 32,
          unsigned ThreadsWide = 1024>
struct transform_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned blocks_per_multiprocessor = BlocksPerMultiprocessor;
  static constexpr unsigned threads_wide = ThreadsWide;
};

namespace device {

/// How many neighbours a thread handles at a time.
template <class F>
inline constexpr int transform_width = 1;
template <class Value, class P>
inline constexpr int transform_width<write_result<Value, P*>> = reader<Value>::widest;

/// All of this thread's share of [0, total) that can be handled several at a time; returns where
/// the rest begins. Each pack is read before its results are written, so a result may take the
/// place of a value of the same index.
template <class Value, class P>
__device__ std::uint64_t transform_packs(std::uint64_t total, std::uint64_t thread,
                                         std::uint64_t threads, const write_result<Value, P*>& f) {
  using read = reader<Value>;
  constexpr int width = read::widest;
  constexpr std::size_t bytes = sizeof(P) * width;
  if (!read::template aligned<width>(f.value) ||
      !lies_at_multiple(f.out, bytes < widest_access ? bytes : widest_access)) {
    return 0;
  }
  const std::uint64_t packs = total / width;
  for (std::uint64_t p = thread; p < packs; p += threads) {
    const auto raw = read::template fetch<width>(f.value, p * width);
    pack<P, width> results;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      results.value[k] = maybe<P>(static_cast<P>(read::value(f.value, raw, k)));
    }
    store_pack(f.out + p * width, results);
  }
  return packs * width;
}

template <class Size, class F>
__global__ void transform_kernel(Size count, F f) {
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t first = 0;
  if constexpr (transform_width<F> > 1) first = transform_packs(total, thread, threads, f);
  for (std::uint64_t i = first + thread; i < total; i += threads) f(static_cast<Size>(i));
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class F>
void transform(cuda_context& ctx, Size count, F f) {
  using tuning = tuning_or<Tuning, transform_tuning<>>;
  constexpr int width = device::transform_width<F>;
  const unsigned block = ctx.launch_override.block > 0 ? ctx.launch_override.block
                         : width > 1                   ? tuning::threads_wide
                                                       : tuning::threads;
  // Where threads handle several neighbours, as many blocks as there is work are faster than a loop
  // in a few (docs/performance.md).
  const std::size_t most = width > 1 ? std::numeric_limits<int>::max()
                                     : std::size_t{tuning::blocks_per_multiprocessor} *
                                           static_cast<std::size_t>(ctx.multiprocessors());
  const std::size_t each = std::size_t{block} * width;
  const std::size_t grid = ctx.launch_override.grid > 0
                               ? ctx.launch_override.grid
                               : std::min(most, ceil_div(static_cast<std::size_t>(count), each));
  ctx.launch("transform", device::transform_kernel<Size, F>, grid, block, 0, count, f);
}

}  // namespace backend
}  // namespace evenfold
