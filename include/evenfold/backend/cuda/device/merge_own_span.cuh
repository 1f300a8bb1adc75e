#pragma once
// Each block merges the span of its tile with the other spans of its segments, pass by pass, in the
// cooperative launch in which it has sorted the tile: what merge_spans.cuh does in a launch of its
// own, for so few spans that each block has one. A block waits only for those whose spans are parts
// of the same segment, and does not wait where no segment of its tile is split.
//
// A pass whose cuts do not fit each other is void, as in merge_spans.cuh, for the segment.

#include <cuda_pipeline_primitives.h>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_jobs.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// What blocks tell each other: for each span, a word of the split segment that begins in it, and
/// one of the cut at its beginning. The upper half of each word is the generation of the launch,
/// since an earlier one has left its own.
struct span_words {
  unsigned long long* words;
  std::uint32_t generation;

  /// The lower half of the word of a segment: how many times spans of it have arrived, and a bit
  /// for each void pass.
  static constexpr int void_bit = 16;
  /// With so many spans, the arrivals of at most 12 passes and of the last look fit.
  static constexpr unsigned most_spans = 1u << 12;

  __device__ unsigned long long none() const {
    return static_cast<unsigned long long>(generation) << 32;
  }
  /// Before the first arrival.
  __device__ void begin(unsigned segment) const { atomicMax(words + segment, none()); }
  __device__ void arrive(unsigned segment) const { release_add(words + segment, 1); }
  __device__ void make_void(unsigned segment, int pass) const {
    atomicOr(words + segment, 1ull << (void_bit + pass));
  }
  /// Waits for so many arrivals, and returns the lower half of the word.
  __device__ unsigned wait(unsigned segment, unsigned arrivals) const {
    while (true) {
      const unsigned long long now = acquire(words + segment);
      const auto low = static_cast<unsigned>(now);
      if (now >= none() && low % (1u << void_bit) >= arrivals) return low;
    }
  }
  __device__ static bool is_void(unsigned seen, int pass) {
    return (seen >> (void_bit + pass) & 1) != 0;
  }
  /// Tells the other block that searches for a cut what this one has found, and returns the word
  /// that was there: is_of_other() if that block has come first.
  __device__ unsigned long long exchange(unsigned cut, std::uint32_t found) const {
    return atomicExch(words + gridDim.x + cut, none() + found + 1);
  }
  __device__ bool is_of_other(unsigned long long word) const { return word > none(); }
  __device__ bool agrees(unsigned long long word, std::uint64_t found) const {
    return word == none() + found + 1;
  }
  __device__ void forget(unsigned cut) const { words[gridDim.x + cut] = none(); }
};

template <class Sizes, class Key, class Size, bool Indexed>
struct span_shared {
  uninitialized<Key> keys[2][Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
  std::uint64_t split[2];
  unsigned seen[2];  ///< of the words of the two segments
  merge_job<Size> jobs[2];
};

/// What a block needs to sort its tile, and then to merge its span.
template <class Sizes, class Key, class Size, bool Indexed>
union tile_and_span_shared {
  sort_shared<Sizes, Key, Indexed> sort;
  span_shared<Sizes, Key, Size, Indexed> merge;
};

/// Merges the span of the block, whose cuts are `left` and `right`, with the other spans of its at
/// most two split segments, after it has sorted its tile of them. All threads of the block call it.
template <class Sizes, class Size, class Key, class Value, class Less>
__device__ void merge_own_span(
    span_shared<Sizes, Key, Size, !std::is_same_v<Value, detail::no_value>>& shared,
    const sort_buffers<Key, Value>& buffers, const sort_cut<Size>& left,
    const sort_cut<Size>& right, const span_words& state, Less less) {
  constexpr bool may_be_void = !detail::is_strict_order<Less, Key>;
  constexpr Size span = Sizes::span;
  const int thread = static_cast<int>(threadIdx.x);
  const Size from = static_cast<Size>(blockIdx.x) * span;
  const sort_cut<Size> other = right.begin >= from ? right : sort_cut<Size>{0, 0, 0};
  const int left_passes = merge_passes(left.begin, left.end, span);
  const int other_passes = merge_passes(other.begin, other.end, span);
  if (left_passes == 0 && other_passes == 0) return;

  // Threads 0 and 1 speak for the block in one of the segments each.
  const int own = thread & 1;
  const sort_cut<Size> own_cut = own == 0 ? left : other;
  const int own_passes = own == 0 ? left_passes : other_passes;
  const auto own_first = static_cast<unsigned>(own_cut.begin / span);
  const auto own_spans = static_cast<unsigned>((own_cut.end - 1) / span) - own_first + 1;
  // Where passes may be void, the blocks look at the last one, too.
  const auto looks = [](int passes) { return passes + (may_be_void && passes > 0); };
  const auto is_void = [&](int s, int pass) {
    return may_be_void && pass >= 0 && state.is_void(shared.seen[s], pass);
  };
  for (int pass = 0;; ++pass) {
    __syncthreads();
    if (thread < 2 && pass < looks(own_passes)) {
      if (pass == 0) state.begin(own_first);
      if (pass < own_passes) state.arrive(own_first);
      shared.seen[own] = state.wait(own_first, static_cast<unsigned>(pass + 1) * own_spans);
    }
    __syncthreads();
    if (pass >= looks(left_passes) && pass >= looks(other_passes)) break;
    // Two warps find the cuts of the span.
    unsigned long long found_before = 0;
    const int side = warp_id();
    if (side < 2) {
      const sort_cut<Size> at = side == 0 ? left : right;
      const int s = at.begin >= from ? 1 : 0;
      const int passes = merge_passes(at.begin, at.end, span);
      if (pass < passes && !is_void(s, pass - 1)) {
        const merge_pair<Size> pair = pair_around(at.at, at.begin, at.end, span, pass);
        const Size split = find_split(buffers.keys((passes - pass) % 2), pair, at.at, less);
        if (lane_id() == 0) {
          shared.split[side] = static_cast<std::uint64_t>(split);
          if (may_be_void) {
            found_before = state.exchange(blockIdx.x + static_cast<unsigned>(side),
                                          static_cast<std::uint32_t>(split));
          }
        }
      }
    }
    __syncthreads();
    if (thread < 2) {
      const Size begin = own == 0 ? from : own_cut.begin;
      const Size end = own_cut.end - from < span ? own_cut.end : from + span;
      bool fits = true;
      shared.jobs[own] = is_void(own, pass - 1) ? job_after_void(own_cut, begin, end, span, pass)
                                                : job_of(own_cut, begin, end, span, pass,
                                                         shared.split[0], shared.split[1], fits);
      if (!fits) state.make_void(own_first, pass);
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      const merge_job<Size> job = shared.jobs[s];
      load_job<Sizes, Less>(buffers.keys(job.source_buffer), job, shared.keys[s]);
    }
    __pipeline_commit();
    // The answer of the exchange arrives while keys do.
    if (state.is_of_other(found_before)) {
      state.forget(blockIdx.x + static_cast<unsigned>(side));
      if (!state.agrees(found_before, shared.split[side])) {
        state.make_void(static_cast<unsigned>((side == 0 ? left : right).begin / span), pass);
      }
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    // For the last look, blocks need not wait for the merges of others.
    if (thread < 2 && may_be_void && pass + 1 == own_passes) state.arrive(own_first);
#pragma unroll 1
    for (int s = 0; s < 2; ++s) {
      const merge_job<Size> job = shared.jobs[s];
      if (job.count == 0) continue;
      merge_loaded<Sizes>(buffers, job, shared.keys[s], shared.source, less);
      if constexpr (!std::is_same_v<Value, detail::no_value>) __syncthreads();
    }
  }
}

}  // namespace evenfold::device
