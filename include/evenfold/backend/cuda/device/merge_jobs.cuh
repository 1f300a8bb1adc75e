#pragma once
// The jobs of a merge pass: each is one span of the results of two runs, for one block
// (merge_spans.cuh).

#include <cuda_pipeline_primitives.h>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Two runs that are merged: [a_begin, b_begin) and [b_begin, b_end).
template <class Size>
struct merge_pair {
  Size a_begin;
  Size b_begin;
  Size b_end;
};

/// The pair of runs that contains `item` in the segment [begin, end). Pieces are numbered from the
/// first of the segment; a run consists of 2^pass pieces.
template <class Size>
__device__ merge_pair<Size> pair_around(Size item, Size begin, Size end, Size span, int pass) {
  const Size first_piece = begin / span;
  const Size pieces = (end - 1) / span - first_piece + 1;
  const Size pair = (item / span - first_piece) >> (pass + 1) << (pass + 1);
  const auto begin_of = [=](Size piece) {
    return piece == 0 ? begin : piece >= pieces ? end : (first_piece + piece) * span;
  };
  return {begin_of(pair), begin_of(pair + (Size{1} << pass)), begin_of(pair + (Size{2} << pass))};
}

/// Where the results before `item` end in the first run of a pair; computed by one warp.
template <class Size, class Key, class Less>
__device__ Size find_split(const uninitialized<Key>* keys, const merge_pair<Size>& pair, Size item,
                           Less less) {
  const Size a_count = pair.b_begin - pair.a_begin;
  const Size b_count = pair.b_end - pair.b_begin;
  const Size diagonal = item - pair.a_begin;
  const Size low = diagonal > b_count ? diagonal - b_count : 0;
  const Size high = diagonal < a_count ? diagonal : a_count;
  const auto order = order_of_search<Key>(less);
  return pair.a_begin + group_partition_point<warp_threads, 2>(low, high, [&](Size at) {
           return !order(keys[pair.b_begin + (diagonal - 1 - at)].value,
                         keys[pair.a_begin + at].value);
         });
}

/// A part of a merge pass for one block: `count` results of a pair of runs from `from` on, which
/// take `a_count` keys of the first run and the rest of the second.
template <class Size>
struct merge_job {
  Size from;
  Size a_from;
  Size b_from;
  int a_count;
  int count;  // 0: nothing to do
  int source_buffer;

  /// The position of the key in a slot before the merge: keys of the first run come first.
  __device__ Size origin(int slot) const {
    return slot < a_count ? a_from + slot : b_from + (slot - a_count);
  }
};

/// The job of one segment in a span: its items [from, to). `split_from` and `split_to` are the
/// results of find_split for them, unless they are borders of the pair. They may not fit each
/// other; the job then still stays within the runs.
template <class Size>
__device__ merge_job<Size> job_of(const sort_cut<Size>& cut, Size from, Size to, Size span,
                                  int pass, std::uint64_t split_from, std::uint64_t split_to,
                                  bool& fits) {
  const int passes = merge_passes(cut.begin, cut.end, span);
  if (pass >= passes) return {};
  const merge_pair<Size> pair = pair_around(from, cut.begin, cut.end, span, pass);
  const Size a_from = from == pair.a_begin ? pair.a_begin : static_cast<Size>(split_from);
  const Size a_found = to == pair.b_end ? pair.b_begin : static_cast<Size>(split_to);
  const Size a_to = detail::fit_cut(a_found, a_from, to - from);
  fits = a_to == a_found;
  return {from,
          a_from,
          pair.b_begin + (from - a_from),
          static_cast<int>(a_to - a_from),
          static_cast<int>(to - from),
          (passes - pass) % 2};
}

/// The same after a void pass: a segment whose last pass was void is copied to the user's buffer as
/// it is. All others are already in the buffer that the pass after this one reads.
template <class Size>
__device__ merge_job<Size> job_after_void(const sort_cut<Size>& cut, Size from, Size to, Size span,
                                          int pass) {
  if (pass != merge_passes(cut.begin, cut.end, span)) return {};
  const int count = static_cast<int>(to - from);
  return {from, from, from, count, count, 1};
}

/// Starts to copy the keys of a job to shared memory asynchronously, and one of them to the slots
/// past the last where serial_merge() compares these.
template <class Sizes, class Less, class Size, class Key>
__device__ void load_job(const uninitialized<Key>* keys, const merge_job<Size>& job,
                         uninitialized<Key>* to) {
  const int thread = static_cast<int>(threadIdx.x);
  const auto load = [&](int slot, Size from) {
    if constexpr (sizeof(Key) == 4 || sizeof(Key) == 8 || sizeof(Key) == 16) {
      __pipeline_memcpy_async(to + slot, keys + from, sizeof(Key));
    } else {
      to[slot] = keys[from];
    }
  };
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + thread;
    if (slot < job.count) load(slot, job.origin(slot));
  }
  if constexpr (fills_past_end<Sizes, Key, Less>) {
    if (job.count > 0 && thread <= Sizes::items) load(job.count + thread, job.origin(0));
  }
}

/// Whether there is a NaN among the keys of a job, which are in `slots`, if keys may have any.
template <class Less, class Size, class Key>
__device__ bool job_has_nan(const uninitialized<Key>* slots, const merge_job<Size>& job) {
  if constexpr (may_have_nan<Less, Key>) {
    // In each run, NaN are last.
    return is_nan(slots[max(job.a_count - 1, 0)]) || is_nan(slots[job.count - 1]);
  } else {
    return false;
  }
}

/// merge_loaded of keys with NaN: each key searches for those of the other run that are before it.
/// This takes more steps than merge_slots, but few registers.
template <class Sizes, class Size, class Key, class Value, class Less>
__device__ void merge_loaded_by_ranks(const sort_buffers<Key, Value>& buffers,
                                      const merge_job<Size>& job, const uninitialized<Key>* slots,
                                      Less less) {
#pragma unroll 1
  for (int slot = static_cast<int>(threadIdx.x); slot < job.count; slot += Sizes::threads) {
    const bool is_a = slot < job.a_count;
    const uninitialized<Key>* const others = is_a ? slots + job.a_count : slots;
    const Key key = slots[slot].value;
    const int before = detail::partition_point(
        0, is_a ? job.count - job.a_count : job.a_count,
        [&](int at) { return is_a ? less(others[at].value, key) : !less(key, others[at].value); });
    const int own = is_a ? slot : slot - job.a_count;
    const Size to = job.from + (own + before);
    buffers.keys(1 - job.source_buffer)[to] = uninitialized<Key>(key);
    if constexpr (!std::is_same_v<Value, detail::no_value>) {
      buffers.values(1 - job.source_buffer)[to] =
          buffers.values(job.source_buffer)[job.origin(slot)];
    }
  }
}

/// Merges the keys of a job, which are in `slots`, and writes them and their values to the other
/// buffer.
template <class Sizes, class Size, class Key, class Value, class Less>
__device__ void merge_loaded(const sort_buffers<Key, Value>& buffers, const merge_job<Size>& job,
                             uninitialized<Key>* slots, std::uint16_t* sources, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  if (job_has_nan<Less>(slots, job)) {
    merge_loaded_by_ranks<Sizes>(buffers, job, slots, less);
    return;
  }
  if (!merge_slots<Sizes, indexed>(slots, sources, job.a_count, job.count,
                                   order_without_nan<Key>(less))) {
#pragma unroll 1
    for (int slot = static_cast<int>(threadIdx.x); slot < job.count; slot += Sizes::threads) {
      slots[slot] = buffers.keys(job.source_buffer)[job.origin(slot)];
    }
    keep_sources<indexed>(sources, job.count);
  }
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < job.count) {
      buffers.keys(1 - job.source_buffer)[job.from + slot] = slots[slot];
      if constexpr (indexed) {
        buffers.values(1 - job.source_buffer)[job.from + slot] =
            buffers.values(job.source_buffer)[job.origin(sources[slot])];
      }
    }
  }
}

}  // namespace evenfold::device
