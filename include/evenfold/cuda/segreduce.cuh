#pragma once
// Segmented reduction on a GPU: one kernel, one pass, whatever the segments look like.
//
// Every block walks an equal share of items and segment ends (segment_tiles.cuh). The values of a tile pass
// through shared memory, so that they are loaded by rows and held by threads as runs of consecutive items.
// A thread folds its run, leaving in place the fold at each segment end it meets; one segmented scan over
// the threads' last folds then tells each thread what belongs in front of its first end. The result of a
// segment is thus found at the place of its last item, and results leave in segment order, coalesced. While
// a tile is folded, the values of the next one are on their way into registers.
//
// A segment that reaches over blocks is put together by the block that finishes last, in block order. The
// launch depends on the sizes and the device alone, so do the bits.

#include <algorithm>
#include <type_traits>

#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/cuda/block.cuh"
#include "evenfold/cuda/context.cuh"
#include "evenfold/cuda/segment_tiles.cuh"

namespace evenfold {

/// Launch tuning of the segmented reductions: threads a block, item places a thread, most window entries a
/// thread.
template <int Threads = 256, int Items = 16, int Rows = 16>
struct segreduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int rows = Rows;
};

namespace device {

/// Whether the function of a segmented reduction wants the segment beside the index.
enum class item_call { index, segment };

template <class Tuning, item_call Call>
struct segreduce_tiles_tuning : Tuning {
  static constexpr bool finds_segments = Call == item_call::segment;
};

/// What a block leaves for the segments that reach over its borders.
template <class T, class SegmentSize>
struct block_carry {
  bool closed;       // a segment ends in the block
  bool has_first;    // the first one that ends has items in the block: `first` is their fold
  bool has_tail;     // the one open at the end has items in the block: `tail` is their fold
  SegmentSize segment;  // the first one that ends
  maybe<T> first;
  maybe<T> tail;
};

/// The fold of the open segment, over several blocks.
template <class T>
struct open_fold {
  bool closed;
  bool has;
  maybe<T> value;
};

template <class T, class Op>
struct join_open_folds {
  Op op;
  __device__ open_fold<T> operator()(const open_fold<T>& a, const open_fold<T>& b) const {
    open_fold<T> joined = b;
    joined.closed = a.closed || b.closed;
    if (!b.closed && a.has) {
      joined.value = b.has ? maybe<T>(op(a.value.value, b.value.value)) : a.value;
      joined.has = true;
    }
    return joined;
  }
};

template <class Tuning, class T>
struct value_places {
  /// A thread's row of places ends in a gap that keeps 16-byte loads of neighbours off the same banks.
  static constexpr int items = Tuning::items;
  static constexpr int gap = items * sizeof(T) % 32 == 0 ? (sizeof(T) < 16 ? 16 / sizeof(T) : 1) : 0;
  static constexpr int row = items + gap;

  __align__(16) maybe<T> value[Tuning::threads * row];

  __device__ maybe<T>& operator[](int place) { return value[place + place / items * gap]; }

  /// The places of one thread, as wide loads.
  __device__ void load_row(maybe<T> (&to)[items]) const {
    const maybe<T>* from = value + threadIdx.x * row;
    if constexpr (items * sizeof(T) % 16 == 0 && row * sizeof(T) % 16 == 0) {
      constexpr int quads = items * sizeof(T) / 16;
      uint4 raw[quads];
#pragma unroll
      for (int q = 0; q < quads; ++q) raw[q] = reinterpret_cast<const uint4*>(from)[q];
      memcpy(static_cast<void*>(to), raw, sizeof(raw));
    } else {
#pragma unroll
      for (int k = 0; k < items; ++k) to[k] = from[k];
    }
  }
};

template <class Tuning, class Tiles, class T>
struct segreduce_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  typename Tiles::shared_type tiles;
  value_places<Tuning, T> places;
  maybe<T> warp_total[warps];
  bool warp_closed[warps];
  int last_block;
  maybe<open_fold<T>> scan_room[warps];
};

/// Puts together the segments that reach over blocks; run by one block when all others have ended.
template <int Threads, class T, class SegmentSize, class Output, class Op>
__device__ void join_blocks(const block_carry<T, SegmentSize>* carries, Output out, Op op,
                            const maybe<T>& init, maybe<open_fold<T>>* room) {
  const int blocks = static_cast<int>(gridDim.x);
  const int each = (blocks + Threads - 1) / Threads;
  const int begin = min(static_cast<int>(threadIdx.x) * each, blocks);
  const int end = min(begin + each, blocks);
  const join_open_folds<T, Op> join{op};
  const auto of_block = [=](int b) {
    return open_fold<T>{carries[b].closed, carries[b].has_tail, carries[b].tail};
  };
  open_fold<T> mine{false, false, {}};
  for (int b = begin; b < end; ++b) mine = join(mine, of_block(b));
  const scanned<open_fold<T>> before = block_scan<Threads>(mine, room, join);

  open_fold<T> open{false, false, {}};
  if (threadIdx.x > 0) open = before.before.value;
  for (int b = begin; b < end; ++b) {
    const block_carry<T, SegmentSize>& carry = carries[b];
    if (carry.closed) {
      maybe<T> result = init;
      if (open.has) result.value = op(result.value, open.value.value);
      if (carry.has_first) result.value = op(result.value, carry.first.value);
      out[carry.segment] = result.value;
    }
    open = join(open, of_block(b));
  }
}

template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads)
    segreduce_kernel(segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                     Output out, Op op, maybe<T> init, block_carry<T, SegmentSize>* carries,
                     unsigned* arrived) {
  using tiles_type = segment_tiles<segreduce_tiles_tuning<Tuning, Call>, Size, Offsets, SegmentSize,
                                   Cached>;
  using shared_type = segreduce_shared<Tuning, tiles_type, T>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int threads = Tuning::threads;
  constexpr int warps = threads / warp_threads;
  constexpr int tile = tiles_type::tile;
  const int thread = static_cast<int>(threadIdx.x);

  // Where f wants the index alone, the values of the next tile are loaded ahead. Values of places outside
  // a tile repeat one inside: they can be folded, and reach no result.
  maybe<T> value[items];
  const auto load_values = [&](const typename tiles_type::start_type& at) {
    if constexpr (Call == item_call::index) {
      if (at.first() == 0 && at.limit == tile) {
#pragma unroll
        for (int j = 0; j < items; ++j) {
          const Size index = at.base + static_cast<Size>(j * threads + thread);
          value[j] = maybe<T>(static_cast<T>(f(index)));
        }
      } else if (at.first() < at.limit) {
#pragma unroll
        for (int j = 0; j < items; ++j) {
          const int place = min(max(j * threads + thread, at.first()), at.limit - 1);
          value[j] = maybe<T>(static_cast<T>(f(at.base + static_cast<Size>(place))));
        }
      }
    }
  };

  tiles_type tiles(segments, cached, shared.tiles);
  load_values(tiles.now());

  block_carry<T, SegmentSize> carry{};
  maybe<T> open;
  bool has_open = false;

  while (!tiles.done()) {
    tiles.store_window();
    if constexpr (Call == item_call::index) {
#pragma unroll
      for (int j = 0; j < items; ++j) shared.places[j * threads + thread] = value[j];
    }
    __syncthreads();
    tiles.settle();
    load_values(tiles.next());
    if constexpr (Call == item_call::segment) {
      tiles.count_ends_before();
      __syncthreads();
      if (tiles.now().first() < tiles.last()) {
#pragma unroll 2
        for (int j = 0; j < items; ++j) {
          const int place = j * threads + thread;
          const int inside = min(max(place, tiles.now().first()), tiles.last() - 1);
          shared.places[place] = maybe<T>(static_cast<T>(tiles.call(f, inside)));
        }
      }
      __syncthreads();
    }

    const bool has_items = tiles.now().first() < tiles.last();
    const bool ends_closed = tiles.ends_closed();
    if (has_items) {
      // Bit k: a segment ends before this thread's k-th place. The borders of the tile count as ends.
      const int mine = thread * items;
      const std::uint64_t words =
          shared.tiles.boundary[mine / 32] |
          static_cast<std::uint64_t>(shared.tiles.boundary[mine / 32 + 1]) << 32;
      unsigned ends = static_cast<unsigned>(words >> (mine % 32)) & ((2u << items) - 1);
      for (const int border : {tiles.now().first(), tiles.last()}) {
        if (border > 0 && border < tile && border >= mine && border <= mine + items) {
          ends |= 1u << (border - mine);
        }
      }

      maybe<T> row[items];
      shared.places.load_row(row);
      T run = row[0].value;
#pragma unroll
      for (int k = 1; k < items; ++k) {
        if (ends >> k & 1) {
          shared.places[mine + k - 1] = maybe<T>(run);
          run = row[k].value;
        } else {
          run = op(run, row[k].value);
        }
      }
      if (ends >> items & 1) shared.places[mine + items - 1] = maybe<T>(run);

      // What lies before this thread: a segmented scan over the warp, then along the warps.
      const unsigned closes = __ballot_sync(whole_warp, (ends & ((1u << items) - 1)) != 0);
      const int lane = lane_id();
      const unsigned closes_to_here = closes & (0xffffffffu >> (31 - lane));
      const int head = closes_to_here != 0 ? 31 - __clz(closes_to_here) : 0;
#pragma unroll
      for (int delta = 1; delta < warp_threads; delta *= 2) {
        const T earlier = shuffle_up(run, delta);
        if (lane - delta >= head) run = op(earlier, run);
      }
      if (lane == warp_threads - 1) {
        shared.warp_total[warp_id()] = maybe<T>(run);
        shared.warp_closed[warp_id()] = closes != 0;
      }
      maybe<T> before(shuffle_up(run, 1));
      __syncthreads();
      maybe<T> to_warp;
      bool has_to_warp = false;
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        if (w == warp_id()) {
          to_warp = open;
          has_to_warp = has_open;
        }
        const maybe<T> total = shared.warp_total[w];
        open = has_open && !shared.warp_closed[w] ? maybe<T>(op(open.value, total.value)) : total;
        has_open = true;
      }
      bool has_before = lane > 0;
      if ((closes & ((1u << lane) - 1)) == 0 && has_to_warp) {
        before = has_before ? maybe<T>(op(to_warp.value, before.value)) : to_warp;
        has_before = true;
      }
      if ((ends & 1) == 0 && ends != 0 && has_before) {
        maybe<T>& first_end = shared.places[mine + __ffs(ends) - 2];
        first_end.value = op(before.value, first_end.value);
      }
      __syncthreads();
      if (tiles.last() < tile) open = shared.places[tiles.last() - 1];
    }
    if (has_items || tiles.closed() > 0) has_open = !ends_closed && has_items;

    // Results leave in segment order.
    for (int s = thread; s < tiles.closed(); s += threads) {
      const int end = shared.tiles.ends[s];
      const bool has = end > (s > 0 ? shared.tiles.ends[s - 1] : tiles.now().first());
      if (s == 0 && tiles.first_of_share()) {
        carry.closed = true;
        carry.has_first = has;
        carry.segment = tiles.now().segment;
        if (has) carry.first = shared.places[end - 1];
      } else {
        out[tiles.now().segment + static_cast<SegmentSize>(s)] =
            has ? op(init.value, shared.places[end - 1].value) : init.value;
      }
    }
    __syncthreads();
    tiles.clear();
    __syncthreads();
    tiles.advance();
  }

  if (thread == 0) {
    carry.has_tail = has_open;
    carry.tail = open;
    carries[blockIdx.x] = carry;
  }
  if (arrive_last(arrived, &shared.last_block)) {
    join_blocks<threads>(carries, out, op, init, shared.scan_room);
  }
}

template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
void launch_segreduce(cuda_context& ctx, const char* name,
                      segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                      Output out, Op op, const T& init) {
  using tiles_type = segment_tiles<segreduce_tiles_tuning<Tuning, Call>, Size, Offsets, SegmentSize,
                                   Cached>;
  using shared_type = segreduce_shared<Tuning, tiles_type, T>;
  constexpr std::size_t shared_bytes = sizeof(shared_type);
  const auto kernel = segreduce_kernel<Tuning, Call, T, Size, F, Offsets, SegmentSize, Cached,
                                       Output, Op>;
  const std::size_t grid = std::min<std::size_t>(
      ceil_div(segments.steps(), std::uint64_t{tiles_type::tile}),
      ctx.resident_blocks(kernel, Tuning::threads, shared_bytes));
  array<block_carry<T, SegmentSize>> carries(ctx, grid);
  ctx.launch(name, kernel, grid, Tuning::threads, shared_bytes, segments, f, cached, out, op,
             maybe<T>(init), carries.data(), ctx.counters());
}

/// Places a thread holds 64 bytes of values, at least 4 of them.
template <class T>
using default_segreduce_tuning =
    segreduce_tuning<(sizeof(T) <= 8 ? 256 : 128),
                     (sizeof(T) <= 4   ? 16
                      : sizeof(T) <= 8 ? 8
                                       : 4),
                     (sizeof(T) <= 4   ? 16
                      : sizeof(T) <= 8 ? 8
                                       : 4)>;

}  // namespace device

namespace backend {

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Output,
          class Op, class T>
void transform_segreduce(cuda_context& ctx, segment_view<Size, Offsets, SegmentSize> segments, F f,
                         Output out, Op op, T init) {
  device::launch_segreduce<tuning_or<Tuning, device::default_segreduce_tuning<T>>,
                           device::item_call::index>(ctx, "transform_segreduce", segments, f,
                                                     tuple<>{}, out, op, init);
}

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(cuda_context& ctx, segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached, Output out, Op op, T init) {
  device::launch_segreduce<tuning_or<Tuning, device::default_segreduce_tuning<T>>,
                           device::item_call::segment>(ctx, "lbs_segreduce", segments, f, cached,
                                                       out, op, init);
}

}  // namespace backend
}  // namespace evenfold
