#pragma once
// Warp- and block-level primitives: shuffles, ordered folds and scans of any trivially copyable
// type, with or without a default constructor. Operand order is kept, and the shape of every tree
// is fixed, so that results are deterministic.

#include <cstdint>
#include <cstring>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold::device {

inline constexpr int warp_threads = 32;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// Storage for a value that may not have been written yet.
template <class T>
union uninitialized {
  T value;
  EF_HD uninitialized() {}
  EF_HD explicit uninitialized(const T& v) : value(v) {}
};

// Divided before the conversion: the compiler then knows that the results are not negative, and
// divides them by powers of two in one instruction.
__device__ inline int lane_id() { return static_cast<int>(threadIdx.x % warp_threads); }
__device__ inline int warp_id() { return static_cast<int>(threadIdx.x / warp_threads); }

/// The position of the highest bit that is one, or -1.
__device__ inline int highest_bit(std::uint32_t bits) { return 31 - __clz(static_cast<int>(bits)); }
__device__ inline int highest_bit(std::uint64_t bits) {
  return 63 - __clzll(static_cast<long long>(bits));
}

/// The dynamic shared memory of the kernel as a structure.
template <class Shared>
__device__ Shared& shared_as() {
  extern __shared__ __align__(16) unsigned char evenfold_shared_bytes[];
  return *reinterpret_cast<Shared*>(evenfold_shared_bytes);
}

/// Applies a 32-bit shuffle to each word of a value.
template <class T, class Shuffle>
__device__ T shuffle_words(const T& value, Shuffle shuffle) {
  constexpr int words = (sizeof(T) + 3) / 4;
  std::uint32_t raw[words] = {};
  memcpy(raw, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) raw[w] = shuffle(raw[w]);
  uninitialized<T> result;
  memcpy(static_cast<void*>(&result), raw, sizeof(T));
  return result.value;
}

template <class T>
__device__ T shuffle_up(const T& value, int delta) {
  return shuffle_words(value,
                       [=](std::uint32_t w) { return __shfl_up_sync(whole_warp, w, delta); });
}

template <class T>
__device__ T shuffle_down(const T& value, int delta) {
  return shuffle_words(value,
                       [=](std::uint32_t w) { return __shfl_down_sync(whole_warp, w, delta); });
}

template <class T>
__device__ T shuffle_xor(const T& value, int bits) {
  return shuffle_words(value,
                       [=](std::uint32_t w) { return __shfl_xor_sync(whole_warp, w, bits); });
}

template <class T>
__device__ T shuffle_from(const T& value, int lane) {
  return shuffle_words(value, [=](std::uint32_t w) { return __shfl_sync(whole_warp, w, lane); });
}

/// A value that is equal in all lanes, which call this together, and which the compiler then knows
/// to be equal in them. In a branch on it, shuffles and votes need no test whether lanes have left
/// the warp, and no second form for lanes that have.
template <class T>
__device__ T warp_uniform(const T& value) {
  return shuffle_from(value, 0);
}
__device__ inline int uniform_warp_id() { return warp_uniform(warp_id()); }

/// In lane 0: the fold of the values of lanes 0 .. lanes - 1, in order. Other lanes get partial
/// folds.
template <class T, class Op>
__device__ T warp_fold(T value, int lanes, Op op) {
#pragma unroll
  for (int delta = 1; delta < warp_threads; delta *= 2) {
    const T other = shuffle_down(value, delta);
    if (lane_id() + delta < lanes) value = op(value, other);
  }
  return value;
}

/// In each lane: the fold of the values of lanes 0 .. lane, in order.
template <class T, class Op>
__device__ T warp_inclusive_scan(T value, Op op) {
#pragma unroll
  for (int delta = 1; delta < warp_threads; delta *= 2) {
    const T other = shuffle_up(value, delta);
    if (lane_id() >= delta) value = op(other, value);
  }
  return value;
}

/// In thread 0: the fold of the values of threads 0 .. count - 1, in order. Other threads get
/// partial folds. `scratch` has one element per warp. Synchronises the block once; the block must
/// synchronise again before it reuses `scratch`.
template <int Threads, class T, class Op>
__device__ T block_fold(T value, int count, uninitialized<T>* scratch, Op op) {
  constexpr int warps = Threads / warp_threads;
  const int in_warp = count - warp_id() * warp_threads;
  value = warp_fold(value, in_warp < warp_threads ? in_warp : warp_threads, op);
  if constexpr (warps > 1) {
    if (lane_id() == 0) scratch[warp_id()] = uninitialized<T>(value);
    __syncthreads();
    if (threadIdx.x == 0) {
      const int filled = (count + warp_threads - 1) / warp_threads;
#pragma unroll
      for (int w = 1; w < warps; ++w) {
        if (w < filled) value = op(value, scratch[w].value);
      }
    }
  }
  return value;
}

/// The result of block_scan in a thread: the fold of all earlier threads (uninitialized in thread
/// 0), and of all threads.
template <class T>
struct scanned {
  uninitialized<T> before;
  T total;
};

/// An ordered scan of the values of all threads of the block. `scratch` as in block_fold.
template <int Threads, class T, class Op>
__device__ scanned<T> block_scan(const T& value, uninitialized<T>* scratch, Op op) {
  constexpr int warps = Threads / warp_threads;
  const T inclusive = warp_inclusive_scan(value, op);
  if (lane_id() == warp_threads - 1) scratch[warp_id()] = uninitialized<T>(inclusive);
  uninitialized<T> before(shuffle_up(inclusive, 1));
  __syncthreads();
  T total = scratch[0].value;
  uninitialized<T> earlier_warps;
#pragma unroll
  for (int w = 1; w < warps; ++w) {
    if (w == warp_id()) earlier_warps = uninitialized<T>(total);
    total = op(total, scratch[w].value);
  }
  if (warp_id() > 0) {
    before =
        lane_id() == 0 ? earlier_warps : uninitialized<T>(op(earlier_warps.value, before.value));
  }
  return {before, total};
}

/// partition_point by groups of `Lanes` consecutive lanes with `Probes` probes per lane and round.
/// All lanes of the warp call it; the arguments may differ between groups. A search over 2^24
/// elements waits for memory 6 times with 16 lanes and 1 probe, where a binary search waits 24
/// times.
template <int Lanes, int Probes, class Index, class Predicate>
__device__ Index group_partition_point(Index begin, Index end, Predicate predicate) {
  constexpr unsigned group = Lanes == warp_threads ? whole_warp : (1u << Lanes % warp_threads) - 1;
  const int lane = lane_id() % Lanes;
  const int shift = lane_id() / Lanes * Lanes;
  while (__any_sync(whole_warp, begin < end)) {
    const Index step = detail::ceil_div(static_cast<Index>(end - begin), Probes * Lanes);
    int held = 0;
#pragma unroll
    for (int p = 0; p < Probes; ++p) {
      const Index at = begin + static_cast<Index>(p * Lanes + lane + 1) * step - 1;
      const unsigned holds = __ballot_sync(whole_warp, begin < end && at < end && predicate(at));
      held += __popc(holds >> shift & group);
    }
    if (begin < end) {
      begin += static_cast<Index>(held) * step;
      end = end < begin + step - 1 ? end : begin + step - 1;
    }
  }
  return begin;
}

/// Returns true in all threads of the block that arrives last, to which everything is visible that
/// the other blocks wrote before. The counter is zero before and after the kernel. Synchronises the
/// block.
__device__ inline bool arrive_last(unsigned* counter, int* scratch) {
  __syncthreads();
  if (threadIdx.x == 0) {
    // The barriers extend the release and the acquire of this thread to the whole block.
    // cuda::atomic_ref gives the same instruction, but <cuda/atomic> alone takes a second to
    // compile.
    const bool last = __nv_atomic_fetch_add(counter, 1u, __NV_ATOMIC_ACQ_REL,
                                            __NV_THREAD_SCOPE_DEVICE) == gridDim.x - 1;
    if (last) *counter = 0;
    *scratch = last;
  }
  __syncthreads();
  return *scratch != 0;
}

/// Adds to a counter. What this thread wrote before is visible to those that acquire the sum.
__device__ inline void release_add(unsigned long long* counter, unsigned long long amount) {
  __nv_atomic_add(counter, amount, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
/// Reads a counter. What the threads wrote that added to it before is visible afterwards.
__device__ inline unsigned long long acquire(unsigned long long* counter) {
  return __nv_atomic_load_n(counter, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}
/// Adds to a counter and returns its value before. What the threads that added to it before wrote
/// is visible to this thread afterwards.
__device__ inline unsigned long long fetch_add(unsigned long long* counter,
                                               unsigned long long amount) {
  return __nv_atomic_fetch_add(counter, amount, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}

}  // namespace evenfold::device
