#pragma once
// transform on a GPU: a grid-stride loop. Any numbers of blocks and threads cover each index once,
// so that the launch shape affects speed alone.
//
// Where the type of the function tells what it reads and where it writes, a thread handles several
// elements at a time, all of which it reads before it writes the first result: 16 bytes of
// neighbours, from the first index on at which all sequences are aligned; or, if there is no such
// index, elements that are as far apart as the block has threads.

#include <cstdint>

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

/// How many elements a thread handles at a time.
template <class F>
inline constexpr int transform_width = 1;
template <class Value, class P>
inline constexpr int transform_width<write_result<Value, P*>> = reader<Value>::widest;

/// The first index below `width` from which on packs can be read and written, or `width`.
template <class Value, class P>
__device__ int first_pack(const write_result<Value, P*>& f) {
  constexpr int width = reader<Value>::widest;
  constexpr std::size_t bytes = sizeof(P) * width;
  const auto aligned = [&](int at) {
    return reader<Value>::template aligned<width>(f.value, at) &&
           lies_at_multiple(f.out + at, bytes < widest_access ? bytes : widest_access);
  };
  int first = 0;
#pragma unroll 1
  while (first < width && !aligned(first)) ++first;
  return first;
}

/// Handles elements from `begin` on in packs of neighbours, and those before and after the packs
/// one by one.
template <class Value, class P>
__device__ void transform_packs(std::uint64_t begin, std::uint64_t total,
                                const write_result<Value, P*>& f) {
  using read = reader<Value>;
  constexpr int width = read::widest;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t packs = begin < total ? (total - begin) / width : 0;
  for (std::uint64_t p = thread; p < packs; p += threads) {
    const std::uint64_t at = begin + p * width;
    const auto raw = read::template fetch<width>(f.value, at);
    pack<P, width> results;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      results.value[k] = uninitialized<P>(static_cast<P>(read::value(f.value, raw, k)));
    }
    store_pack(f.out + at, results);
  }
  for (std::uint64_t i = thread; i < begin && i < total; i += threads) f(i);
  for (std::uint64_t i = begin + packs * width + thread; i < total; i += threads) f(i);
}

/// Whether each single element can be read as one word.
template <class Value, class P>
__device__ bool reads_one_at_a_time(const write_result<Value, P*>& f) {
  return reader<Value>::template aligned<1>(f.value);
}

/// Handles all elements in tiles of at most 4 elements per thread, from a line of the output on.
/// More elements would need too many registers.
template <class Value, class P>
__device__ void transform_tiles(std::uint64_t total, const write_result<Value, P*>& f) {
  using read = reader<Value>;
  constexpr int width = read::widest < 4 ? read::widest : 4;
  constexpr std::uintptr_t line = 128;
  const std::uint64_t shift = reinterpret_cast<std::uintptr_t>(f.out) % line / sizeof(P);
  const std::uint64_t tile = std::uint64_t{blockDim.x} * width;
  for (std::uint64_t base = blockIdx.x * tile; base < shift + total; base += gridDim.x * tile) {
    // Before the first element, the difference wraps around and is not below `total` either.
    const std::uint64_t first = base + threadIdx.x - shift;
    decltype(read::template fetch<1>(f.value, first)) raw[width];
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const std::uint64_t i = first + k * blockDim.x;
      if (i < total) raw[k] = read::template fetch<1>(f.value, i);
    }
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const std::uint64_t i = first + k * blockDim.x;
      if (i < total) f.out[i] = static_cast<P>(read::value(f.value, raw[k], 0));
    }
  }
}

/// One call per element.
template <class Size, class F>
__global__ void transform_kernel(Size count, F f) {
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = thread; i < total; i += threads) f(static_cast<Size>(i));
}

/// Several elements at a time. The launch bound leaves registers for blocks of any size.
template <class F>
__global__ void __launch_bounds__(1024) transform_wide_kernel(std::uint64_t total, F f) {
  const int first = first_pack(f);
  if (first < transform_width<F>) {
    transform_packs(static_cast<std::uint64_t>(first), total, f);
  } else if (reads_one_at_a_time(f)) {
    transform_tiles(total, f);
  } else {
    transform_packs(total, total, f);
  }
}

}  // namespace device

}  // namespace evenfold
