#pragma once
// transform on a GPU: a grid-stride loop. Any numbers of blocks and threads cover each index once,
// so that the launch shape affects speed alone. Where the type of the function tells what it reads
// and where it writes, a thread handles several neighbouring elements at a time.

#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of transform: threads per block, blocks per multiprocessor, and threads per block
/// where each thread handles several neighbouring elements at a time.
template <unsigned Threads = 256, unsigned BlocksPerMultiprocessor = 32,
          unsigned ThreadsWide = 1024>
struct transform_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned blocks_per_multiprocessor = BlocksPerMultiprocessor;
  static constexpr unsigned threads_wide = ThreadsWide;
};

namespace device {

/// How many neighbouring elements a thread handles at a time.
template <class F>
inline constexpr int transform_width = 1;
template <class Value, class P>
inline constexpr int transform_width<write_result<Value, P*>> = reader<Value>::widest;

/// Handles the part of this thread's share of [0, total) that consists of whole packs; returns
/// where the rest begins. Each pack is read before its results are written, so that a result may
/// overwrite a value of the same index.
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
      results.value[k] = uninitialized<P>(static_cast<P>(read::value(f.value, raw, k)));
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

}  // namespace evenfold
