#pragma once
// transform on a GPU: a grid-stride loop over tiles. Any numbers of blocks and threads cover each
// index once, so that the launch shape affects speed alone.
//
// Where the type of the function tells what it reads and where it writes, a thread handles several
// elements at a time, all of which it reads before it writes the first result: 16 bytes of
// neighbours, from the first index on at which all sequences are aligned. If there is no such
// index, it handles elements that are as far apart as the block has threads; where all elements are
// of at most 2 bytes, or each is used with the one before it, it reads neighbours as the two
// aligned words that contain them. These are kernels of their own, because they need other numbers
// of registers.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/access.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of transform: threads per block, the rows of 32 elements that a warp handles where
/// there are many elements, and threads per block where each thread handles several neighbouring
/// elements at a time.
template <unsigned Threads = 256, unsigned Rows = 4, unsigned ThreadsWide = 256>
struct transform_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned rows = Rows;
  static constexpr unsigned threads_wide = ThreadsWide;
};

namespace device {

/// How the values that are written in packs are read; those of a function that reads nothing are
/// computed from their indices.
template <class Value>
struct pack_source : reader<Value> {};
template <class Value>
  requires detail::reads_nothing<Value>
struct pack_source<Value> {
  using value_type = std::remove_cvref_t<decltype(std::declval<const Value&>()(std::uint64_t{}))>;
  static constexpr int widest = widest_pack<value_type>;
  template <int Width>
  EF_HD static bool aligned(const Value&, std::uint64_t = 0) {
    return true;
  }
  template <int Width>
  __device__ static std::uint64_t fetch(const Value&, std::uint64_t at) {
    return at;
  }
  __device__ static value_type value(const Value& f, std::uint64_t at, int k) {
    return f(at + static_cast<unsigned>(k));
  }
};

/// How many elements a thread handles at a time.
template <class F>
inline constexpr int transform_width = 1;
template <class Value, class P>
inline constexpr int transform_width<write_result<Value, P*>> = pack_source<Value>::widest;

/// Whether the values of a function for transform are computed from their indices.
template <class F>
inline constexpr bool transform_computes = false;
template <class Value, class Out>
inline constexpr bool transform_computes<write_result<Value, Out>> = detail::reads_nothing<Value>;

/// Whether packs that are not aligned are read as the two words that contain them: elements of at
/// most 2 bytes, and where single elements would be read twice.
template <class F>
inline constexpr bool transform_shifts = transform_width<F> > 4 && !transform_computes<F>;
template <class T, class F, class P, class Out>
inline constexpr bool transform_shifts<write_result<with_previous<T, F, P*>, Out>> =
    widest_pack<P> > 1;

/// Handles the elements of `packs` packs of neighbours from `begin` on, and those before and after
/// the packs one by one. With `Shifted`, a pack is read as the two words that contain it.
template <bool Shifted, class Value, class P>
__device__ void transform_packs(std::uint64_t begin, std::uint64_t packs, std::uint64_t total,
                                const write_result<Value, P*>& f) {
  using read = pack_source<Value>;
  constexpr int width = read::widest;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t p = thread; p < packs; p += threads) {
    const std::uint64_t at = begin + p * width;
    const auto raw = [&] {
      if constexpr (Shifted)
        return read::template fetch_shifted<width>(f.value, at);
      else
        return read::template fetch<width>(f.value, at);
    }();
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

/// Handles all elements in tiles, from a line of the output on. Each single element can be read as
/// one word.
template <class Value, class P>
__device__ void transform_tiles(std::uint64_t total, const write_result<Value, P*>& f) {
  using read = pack_source<Value>;
  constexpr int width = read::widest;
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

/// One call per element. A warp handles neighbouring rows of 32 elements one after another: where
/// the rows do not begin at cache lines, the line that two of them share is then still in the L1
/// cache. The last warp of a block may have fewer threads, and shorter rows.
template <class Size, class F>
__global__ void transform_kernel(Size count, unsigned rows, F f) {
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  const std::uint64_t tile = std::uint64_t{blockDim.x} * rows;
  const unsigned lane = threadIdx.x % warp_threads;
  const unsigned warp = threadIdx.x - lane;
  const unsigned row = min(blockDim.x - warp, unsigned{warp_threads});
  for (std::uint64_t first = blockIdx.x * tile + warp * rows + lane; first < total;
       first += gridDim.x * tile) {
    const std::uint64_t end = min(first + rows * row, total);
#pragma unroll 1
    for (std::uint64_t i = first; i < end; i += row) f(static_cast<Size>(i));
  }
}

/// Several elements at a time. The launch bound leaves registers for blocks of any size.
template <bool Shifted, class F>
__global__ void __launch_bounds__(1024)
    transform_wide_kernel(std::uint64_t begin, std::uint64_t packs, std::uint64_t total, F f) {
  transform_packs<Shifted>(begin, packs, total, f);
}

template <class F>
__global__ void __launch_bounds__(1024) transform_tiles_kernel(std::uint64_t total, F f) {
  transform_tiles(total, f);
}

}  // namespace device

}  // namespace evenfold
