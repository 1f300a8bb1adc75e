#pragma once
// Where the tiles of a merge begin in both sequences: one kernel searches the merge path for all
// tiles.
//
// If `less` is not a strict weak order, cuts that are found independently need not fit each other:
// a tile could have a negative number of elements of one sequence. Each block therefore checks its
// cuts before it stores them, and the block that finishes last checks the borders between blocks.
// Where a cut does not fit, it and all cuts after it are corrected (fit_cut). Neighbouring tiles
// then meet, and no tile exceeds its sequences.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::device {

/// Two sorted sequences as iterators and counts. The diagonals of their merge path are 64-bit
/// numbers, whatever the type of the counts.
template <class A, class B>
struct merge_inputs {
  A a;
  std::uint64_t a_count;
  B b;
  std::uint64_t b_count;

  EF_HD std::uint64_t count() const { return a_count + b_count; }
};
template <class A, class B>
merge_inputs(A, std::uint64_t, B, std::uint64_t) -> merge_inputs<A, B>;

/// How many elements of `a` are among the first `diagonal` of the merge: detail::merge_path by
/// `Lanes` neighbouring lanes together.
template <int Lanes, class A, class B, class Less>
__device__ std::uint64_t group_merge_path(const merge_inputs<A, B>& in, std::uint64_t diagonal,
                                          const Less& less) {
  return group_partition_point<Lanes, 1>(
      diagonal > in.b_count ? diagonal - in.b_count : 0, min(diagonal, in.a_count),
      [&](std::uint64_t at) { return !less(in.b[diagonal - 1 - at], in.a[at]); });
}

/// Stores the cuts that the block has found, cuts[k] for k from blockIdx.x * Cuts on, below
/// `total`, after correcting those that do not fit: fit(k, cut, before) is cut k corrected to fit
/// `before`, which is cut k - 1. Unless `blocks_meet`, the cuts of one block always fit those of
/// another. `arrived` is zero between kernels. Synchronises the block.
template <int Cuts, class Fit>
__device__ void store_cuts(std::uint64_t (&found)[Cuts], std::uint64_t total, std::uint64_t* cuts,
                           bool blocks_meet, unsigned* arrived, Fit fit) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Cuts;
  const int count = total - first < Cuts ? static_cast<int>(total - first) : Cuts;
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  __syncthreads();
  bool fits = true;
  for (int i = 1 + thread; i < count; i += threads) {
    fits = fits && fit(first + i, found[i], found[i - 1]) == found[i];
  }
  if (!__syncthreads_and(fits)) {
    if (thread == 0) {
      for (int i = 1; i < count; ++i) found[i] = fit(first + i, found[i], found[i - 1]);
    }
    __syncthreads();
  }
  for (int i = thread; i < count; i += threads) cuts[first + i] = found[i];

  __shared__ int is_last;
  if (!blocks_meet || gridDim.x == 1 || !arrive_last(arrived, &is_last)) return;
  fits = true;
  for (std::uint64_t k = (std::uint64_t{1} + thread) * Cuts; k < total;
       k += std::uint64_t{blockDim.x} * Cuts) {
    fits = fits && fit(k, cuts[k], cuts[k - 1]) == cuts[k];
  }
  if (__syncthreads_and(fits) || thread > 0) return;
  for (std::uint64_t k = 1; k < total; ++k) cuts[k] = fit(k, cuts[k], cuts[k - 1]);
}

/// Finds the cuts: cuts[k] elements of `a` are among the first k * tile elements of the merge, 0 <=
/// k <= tiles. For few of them: half a warp searches for each in the whole sequences.
template <int Threads, class A, class B, class Less>
__global__ void __launch_bounds__(Threads)
    cut_merge_few_kernel(merge_inputs<A, B> in, int tile, std::uint64_t tiles, std::uint64_t* cuts,
                         unsigned* arrived, Less less) {
  constexpr int half = warp_threads / 2;
  constexpr int each = Threads / half;
  __shared__ std::uint64_t found[each];
  const int group = static_cast<int>(threadIdx.x) / half;
  const auto diagonal_of = [&](std::uint64_t k) { return min(k * tile, in.count()); };
  const std::uint64_t diagonal = diagonal_of(std::uint64_t{blockIdx.x} * each + group);
  const std::uint64_t own = group_merge_path<half>(in, diagonal, less);
  if (lane_id() % half == 0) found[group] = own;
  store_cuts(found, tiles + 1, cuts, true, arrived,
             [&](std::uint64_t k, std::uint64_t cut, std::uint64_t before) {
               return detail::fit_cut(cut, before, diagonal_of(k) - diagonal_of(k - 1));
             });
}

/// The same for many. A warp finds 32 cuts. Its halves search for the first and the last of them in
/// the whole sequences; then each lane searches for one cut between these two, which stay close in
/// memory.
template <int Threads, class A, class B, class Less>
__global__ void __launch_bounds__(Threads)
    cut_merge_kernel(merge_inputs<A, B> in, int tile, std::uint64_t tiles, std::uint64_t* cuts,
                     unsigned* arrived, Less less) {
  constexpr int half = warp_threads / 2;
  __shared__ std::uint64_t found[Threads];
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * Threads + threadIdx.x;
  const std::uint64_t first = thread - lane_id();
  const auto diagonal_of = [&](std::uint64_t k) { return k < tiles ? k * tile : in.count(); };

  if (first <= tiles) {
    const std::uint64_t from = diagonal_of(first);
    const std::uint64_t to = diagonal_of(first + warp_threads);
    const std::uint64_t end_cut = group_merge_path<half>(in, lane_id() < half ? from : to, less);
    const std::uint64_t a_from = shuffle_from(end_cut, 0);
    const std::uint64_t a_to = shuffle_from(end_cut, half);
    const std::uint64_t b_from = from - a_from;
    const std::uint64_t b_to = to - a_to;

    const std::uint64_t diagonal = diagonal_of(thread);
    const std::uint64_t low = diagonal > b_to ? diagonal - b_to : 0;
    const std::uint64_t high = diagonal - b_from;
    found[threadIdx.x] = detail::partition_point(
        low > a_from ? low : a_from, high < a_to ? high : a_to,
        [&](std::uint64_t at) { return !less(in.b[diagonal - 1 - at], in.a[at]); });
  }
  store_cuts(found, tiles + 1, cuts, true, arrived,
             [&](std::uint64_t k, std::uint64_t cut, std::uint64_t before) {
               return detail::fit_cut(cut, before, diagonal_of(k) - diagonal_of(k - 1));
             });
}

}  // namespace evenfold::device
