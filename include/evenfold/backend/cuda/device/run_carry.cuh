#pragma once
// Partial results of segments that span several runs of tiles, and how they are joined in order:
// those of the warps of a block by one thread, those of the blocks of a grid by the block that
// finishes last.

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// The partial folds of the segments that begin before a run of tiles or end after it.
template <class T, class SegmentSize>
struct run_carry {
  bool closed;     // whether a segment ends in the run
  bool has_first;  // whether the first one that ends has items in the run: `first` is their fold
  bool has_tail;   // whether the one after the last end has items in the run: `tail` is their fold
  SegmentSize segment;  // the first one that ends
  uninitialized<T> first;
  uninitialized<T> tail;
};

/// The fold of the segment that is open after several runs.
template <class T>
struct open_fold {
  bool closed;
  bool has;
  uninitialized<T> value;
};

template <class T, class Op>
struct join_open_folds {
  Op op;
  __device__ open_fold<T> operator()(const open_fold<T>& a, const open_fold<T>& b) const {
    open_fold<T> joined = b;
    joined.closed = a.closed || b.closed;
    if (!b.closed && a.has) {
      joined.value = b.has ? uninitialized<T>(op(a.value.value, b.value.value)) : a.value;
      joined.has = true;
    }
    return joined;
  }
};

/// The fold that is open after a run. A tail that is not there is not read.
template <class T, class SegmentSize>
__device__ open_fold<T> tail_of(const run_carry<T, SegmentSize>& run) {
  open_fold<T> tail{run.closed, run.has_tail, {}};
  if (run.has_tail) tail.value = run.tail;
  return tail;
}

/// Continues the open segment through runs [begin, end): writes the result of the first segment
/// that ends in each of them, and returns the fold that is open after the last.
template <class T, class SegmentSize, class Output, class Op>
__device__ open_fold<T> join_runs(const run_carry<T, SegmentSize>* runs, int begin, int end,
                                  open_fold<T> open, Output out, Op op,
                                  const uninitialized<T>& init) {
  const join_open_folds<T, Op> join{op};
  for (int r = begin; r < end; ++r) {
    const run_carry<T, SegmentSize>& run = runs[r];
    if (run.closed) {
      uninitialized<T> result = init;
      if (open.has) result.value = op(result.value, open.value.value);
      if (run.has_first) result.value = op(result.value, run.first.value);
      out[run.segment] = result.value;
    }
    open = join(open, tail_of(run));
  }
  return open;
}

/// Joins the runs of the warps of a block to one run, by one thread, and writes the results of the
/// segments that begin and end in the block.
template <class T, class SegmentSize, class Output, class Op>
__device__ run_carry<T, SegmentSize> join_warps(const run_carry<T, SegmentSize>* runs, int warps,
                                                Output out, Op op, const uninitialized<T>& init) {
  const join_open_folds<T, Op> join{op};
  run_carry<T, SegmentSize> block{};
  open_fold<T> open{false, false, {}};
  int first = 0;  // the run in which the block's first segment ends
  while (first < warps && !runs[first].closed) {
    open = join(open, tail_of(runs[first]));
    ++first;
  }
  if (first < warps) {
    open_fold<T> end{false, runs[first].has_first, {}};
    if (end.has) end.value = runs[first].first;
    end = join(open, end);
    block.closed = true;
    block.segment = runs[first].segment;
    block.has_first = end.has;
    block.first = end.value;
    open = join_runs(runs, first + 1, warps, tail_of(runs[first]), out, op, init);
  }
  block.has_tail = open.has;
  block.tail = open.value;
  return block;
}

/// Joins the runs of all blocks and writes the results of the segments that span several of them.
/// Called by the last block, when all others have finished.
template <int Threads, class T, class SegmentSize, class Output, class Op>
__device__ void join_blocks(const run_carry<T, SegmentSize>* blocks, Output out, Op op,
                            const uninitialized<T>& init, uninitialized<open_fold<T>>* scratch) {
  const int count = static_cast<int>(gridDim.x);
  const int each = (count + Threads - 1) / Threads;
  const int begin = min(static_cast<int>(threadIdx.x) * each, count);
  const int end = min(begin + each, count);
  const join_open_folds<T, Op> join{op};
  open_fold<T> mine{false, false, {}};
#pragma unroll 4
  for (int b = begin; b < end; ++b) {
    mine = join(mine, tail_of(blocks[b]));
  }
  const scanned<open_fold<T>> before = block_scan<Threads>(mine, scratch, join);
  open_fold<T> open{false, false, {}};
  if (threadIdx.x > 0) open = before.before.value;
  join_runs(blocks, begin, end, open, out, op, init);
}

}  // namespace evenfold::device
