#pragma once
// Blocks merge the sorted pieces of split segments pairwise, pass by pass: the third step of
// segmented_sort.cuh, and of the sort of a sequence of few tiles (sort.cuh), which is one segment.
// All passes are one cooperative launch, whose blocks wait for each other between passes. Each job
// (merge_jobs.cuh) is one span of results, found by merge path.
//
// If `less` is not a strict weak order, cuts need not fit each other (fit_cut), and two blocks that
// search for the same cut may find different ones. The pass is then void: jobs stay within their
// runs, but their results are not used. Their input is unchanged, and the next pass continues from
// it.

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_jobs.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

template <class Sizes, class Key, class Size, bool Indexed>
struct merge_shared {
  static constexpr int warps = Sizes::threads / warp_threads;
  static constexpr int batch = warps - 1;  // the most spans between the cuts that the warps find
  uninitialized<Key> keys[2][Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
  std::uint64_t split[warps];
  merge_job<Size> jobs[2 * batch];
};

/// The cuts between the spans of many segments, with positions of a type that may be narrower than
/// that of the cuts in memory.
template <class Size, class Stored>
struct segment_cuts {
  const sort_cut<Stored>* cuts;
  const int* most_passes;

  __device__ sort_cut<Size> operator[](std::size_t k) const {
    const sort_cut<Stored> cut = cuts[k];
    return {static_cast<Size>(cut.at), static_cast<Size>(cut.begin), static_cast<Size>(cut.end)};
  }
  __device__ int passes() const { return *most_passes; }
};

/// The cuts between the spans of a sequence of at least one item that is one segment.
template <class Size>
struct whole_cuts {
  Size count;
  Size span;

  __device__ sort_cut<Size> operator[](std::size_t k) const {
    const std::size_t at = k * static_cast<std::size_t>(span);
    if (at == 0 || at >= static_cast<std::size_t>(count)) return {at == 0 ? 0 : count, 0, 0};
    return {static_cast<Size>(at), 0, count};
  }
  __host__ __device__ int passes() const { return merge_passes(Size{0}, count, span); }
};

/// The state that the blocks share, which is zero at first.
struct merge_state {
  unsigned long long* void_passes;  // bit p: pass p is void
  unsigned long long* found;        // per cut between two blocks: what the first one found, + 1

  __device__ void make_void(int pass) const { atomicOr(void_passes, 1ull << pass); }
  __device__ bool is_void(int pass) const {
    return (*static_cast<volatile unsigned long long*>(void_passes) >> pass & 1) != 0;
  }
};

/// Step 3: all merge passes. Blocks take batches of spans in turn. A span holds results of at most
/// two split segments: one that begins before the span, and one that begins in it and ends after
/// it. First each warp finds where one of the cuts between the spans of the batch splits its pair
/// of runs, so that the latencies of these searches overlap. Then the block merges the jobs one
/// after the other, while the keys of the next job are loaded.
template <class Sizes, class Size, class Key, class Value, class Cuts, class Less>
__global__ void __launch_bounds__(Sizes::threads, 1024 / Sizes::threads)
    merge_spans_kernel(sort_buffers<Key, Value> buffers, Cuts cuts, std::size_t spans,
                       merge_state state, Less less) {
  using shared_type = merge_shared<Sizes, Key, Size, !std::is_same_v<Value, detail::no_value>>;
  shared_type& shared = shared_as<shared_type>();
  constexpr Size span = Sizes::span;
  // The smallest batch with which each block has at most one, up to the largest that fits.
  const std::size_t even = (spans + gridDim.x - 1) / gridDim.x;
  const int batch = even < shared_type::batch ? static_cast<int>(even) : shared_type::batch;
  const int passes = cuts.passes();
  const int thread = static_cast<int>(threadIdx.x);

  for (int pass = 0;; ++pass) {
    if (pass > 0) cooperative_groups::this_grid().sync();
    const bool after_void = pass > 0 && state.is_void(pass - 1);
    if (pass >= passes && !after_void) break;
    for (std::size_t begin = std::size_t{blockIdx.x} * batch; begin < spans;
         begin += std::size_t{gridDim.x} * batch) {
      unsigned long long first_found = 0;  // in the second of the two blocks that find a cut
      if (!after_void && warp_id() <= batch && begin + warp_id() <= spans) {
        const sort_cut<Size> cut = cuts[begin + warp_id()];
        const int own_passes = merge_passes(cut.begin, cut.end, span);
        if (pass < own_passes) {
          const merge_pair<Size> pair = pair_around(cut.at, cut.begin, cut.end, span, pass);
          const Size split = find_split(buffers.keys((own_passes - pass) % 2), pair, cut.at, less);
          if (lane_id() == 0) {
            shared.split[warp_id()] = static_cast<std::uint64_t>(split);
            if (warp_id() == 0 || warp_id() == batch) {
              first_found =
                  atomicExch(state.found + begin + warp_id(), shared.split[warp_id()] + 1);
            }
          }
        }
      }
      __syncthreads();
      if (thread < 2 * batch) {
        const int k = thread / 2;
        merge_job<Size> job{};
        if (begin + k < spans) {
          const Size from = static_cast<Size>(begin + k) * span;
          const sort_cut<Size> left = cuts[begin + k];
          const sort_cut<Size> right = cuts[begin + k + 1];
          const bool is_left = thread % 2 == 0;
          if (is_left || (right.begin < right.end && right.begin >= from)) {
            const sort_cut<Size> cut = is_left ? left : right;
            const Size first = is_left ? from : right.begin;
            const Size last = is_left && left.end - from < span ? left.end : from + span;
            bool fits = true;
            job = after_void ? job_after_void(cut, first, last, span, pass)
                             : job_of(cut, first, last, span, pass, shared.split[k],
                                      shared.split[k + 1], fits);
            if (!fits) state.make_void(pass);
          }
        }
        shared.jobs[thread] = job;
      }
      __syncthreads();

      const auto next_job = [&](int j) {
        while (j < 2 * batch && shared.jobs[j].count == 0) ++j;
        return j;
      };
      const auto start = [&](int j, int stage) {
        if (j < 2 * batch) {
          const merge_job<Size> job = shared.jobs[j];
          load_job<Sizes, Less>(buffers.keys(job.source_buffer), job, shared.keys[stage]);
        }
        __pipeline_commit();
      };
      int stage = 0;
      int j = next_job(0);
      start(j, stage);
      while (j < 2 * batch) {
        const int after = next_job(j + 1);
        start(after, 1 - stage);
        __pipeline_wait_prior(1);
        __syncthreads();
        const merge_job<Size> job = shared.jobs[j];
        merge_loaded<Sizes>(buffers, job, shared.keys[stage], shared.source, less);
        __syncthreads();
        j = after;
        stage = 1 - stage;
      }
      // The result of the exchange is used late, so that it arrives while jobs are merged.
      if (first_found != 0) {
        state.found[begin + warp_id()] = 0;
        if (first_found != shared.split[warp_id()] + 1) state.make_void(pass);
      }
    }
  }
}

}  // namespace evenfold::device
