#pragma once
// transform_lbs on a GPU for functions that need one value per segment: load_balance_search,
// interval_expand, interval_gather, interval_scatter and interval_move.
//
// A block marks the heads in its tile, the first items of segments (segment_flags.cuh), and stores
// the value of each segment in the slot of its head. The value of an item is in the slot of the
// last head at or before it, which is found from a word of 32 bits and the last head before that
// word. A segment costs a load and a store, where transform_lbs_kernel walks segment ends in
// windows, and blocks are dealt out as multiprocessors become free, which evens out scattered
// accesses.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_flags.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

/// Launch tuning of functions with one value per segment: threads per block, items per thread, and
/// the number of blocks per multiprocessor that the compiler leaves registers for.
template <int Threads = 256, int Items = 32, int Blocks = 6>
struct segment_values_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Whether a function needs one value per segment, and neither the segment nor the rank of an item.
template <class F>
inline constexpr bool has_segment_value = false;
template <class Value, class Result>
  requires(sizeof(Result) == 4 || sizeof(Result) == 8)
inline constexpr bool has_segment_value<write_result<Value, Result*>> =
    requires { requires Value::is_per_segment; };
template <class Value, class Target, class Output>
inline constexpr bool has_segment_value<scatter_result<Value, Target, Output>> = requires {
  requires Value::takes_cached_alone;
  requires Target::takes_cached_alone;
};

/// The value that a block needs of the segment of an item: the values cached per segment, or where
/// results are the same for all items of a segment, the result.
template <class F, class Cached>
struct segment_value;

template <class Value, class Result, class Cached>
struct segment_value<write_result<Value, Result*>, Cached> {
  using type = Result;
  template <class Size, class SegmentSize>
  __device__ static type of(const write_result<Value, Result*>& f, const Cached& cached,
                            SegmentSize s) {
    return static_cast<Result>(
        detail::call_lbs(f.value, Size{0}, s, Size{0}, detail::load_at(cached, s)));
  }
};

template <class Value, class Target, class Output, class Cached>
struct segment_value<scatter_result<Value, Target, Output>, Cached> {
  using type = std::remove_cvref_t<decltype(detail::load_at(std::declval<Cached>(), 0))>;
  template <class Size, class SegmentSize>
  __device__ static type of(const scatter_result<Value, Target, Output>&, const Cached& cached,
                            SegmentSize s) {
    return detail::load_at(cached, s);
  }
};

/// The shared memory of a block. The value of the segment that begins at item k of the tile is in
/// slot k + `lead`, so that packs are aligned, that of the item before the tile in the slot before.
template <class Tuning, class T>
struct segment_values_shared {
  static constexpr int tile = Tuning::threads * Tuning::items;
  static constexpr int lead = widest_pack<T>;
  tile_heads<tile> heads;
  head_flags<tile> flags;
  alignas(16) uninitialized<T> values[tile + lead];
};

/// The heads among the 32 * `Words` items of a warp.
template <int Words>
class warp_heads {
 public:
  /// Called by all lanes.
  template <int Items>
  __device__ explicit warp_heads(const tile_heads<Items>& heads) {
    static_assert(Words <= warp_threads, "a thread has at most 32 items");
    const int first = warp_id() * Words;
    int before = -1;
    for (int w = first - 1 - lane_id(); before < 0 && __any_sync(whole_warp, w >= 0);
         w -= warp_threads) {
      const std::uint32_t bits = w >= 0 ? heads.bits[w] : 0;
      const unsigned found = __ballot_sync(whole_warp, bits != 0);
      if (found != 0) {
        before = shuffle_from(w * 32 + highest_bit(bits), __ffs(static_cast<int>(found)) - 1);
      }
    }
    const int word = first + lane_id();
    bits_ = lane_id() < Words ? heads.bits[word] : 0;
    const unsigned earlier = __ballot_sync(whole_warp, bits_ != 0) & ((1u << lane_id()) - 1);
    const int last = shuffle_from(word * 32 + highest_bit(bits_), highest_bit(earlier) & 31);
    before_ = earlier != 0 ? last : before;
  }

  /// The bits of the heads from item `at` of the warp on, and the last head of the tile at or
  /// before this item, or -1. Called by all lanes.
  struct head_bits {
    std::uint32_t bits;
    int head;
  };
  __device__ head_bits find(int at) const {
    const std::uint32_t bits = shuffle_from(bits_, at / 32);
    const int before = shuffle_from(before_, at / 32);
    const std::uint32_t until = bits & ((2u << at % 32) - 1);
    const int word = (warp_id() * Words + at / 32) * 32;
    return {bits >> at % 32, until != 0 ? word + highest_bit(until) : before};
  }

 private:
  std::uint32_t bits_;
  int before_;  // the last head before the word of this lane, or -1
};

/// Writes the results of a tile from item `base` on, of which `filled` exist, 16 bytes at a time
/// where they are aligned.
template <class Tuning, class Size, class Value, class Result, class Heads>
__device__ void call_items(const write_result<Value, Result*>& f, const Heads& heads,
                           const uninitialized<Result>* values, Size base, int filled) {
  Result* const to = f.out + base;
  const auto write = [&](auto width_of) {
    constexpr int width = decltype(width_of)::value;
#pragma unroll
    for (int j = 0; j < Tuning::items / width; ++j) {
      const int at = (j * warp_threads + lane_id()) * width;
      const int slot = warp_id() * warp_threads * Tuning::items + at;
      const auto found = heads.find(at);
      // The slots that have no value are not used.
      constexpr int lead = widest_pack<Result>;
      pack<Result, width> results = load_pack<width>(&values[slot + lead].value);
      if ((found.bits & 1) == 0) results.value[0] = values[found.head + lead];
#pragma unroll
      for (int n = 1; n < width; ++n) {
        if ((found.bits >> n & 1) == 0) results.value[n] = results.value[n - 1];
      }
      if (slot + width <= filled) {
        store_pack(to + slot, results);
      } else {
#pragma unroll
        for (int n = 0; n < width; ++n) {
          if (slot + n < filled) to[slot + n] = results.value[n].value;
        }
      }
    }
  };
  if (lies_at_multiple(to, widest_access)) {
    write(std::integral_constant<int, widest_pack<Result>>{});
  } else {
    write(std::integral_constant<int, 1>{});
  }
}

/// The same for results that go elsewhere: several are read before the first is written.
template <class Tuning, class Size, class Value, class Target, class Output, class Heads, class T>
__device__ void call_items(const scatter_result<Value, Target, Output>& f, const Heads& heads,
                           const uninitialized<T>* values, Size base, int filled) {
  using result =
      std::remove_cvref_t<decltype(detail::call_lbs(f.value, base, 0, base, values[0].value))>;
  using index = decltype(detail::call_lbs(f.target, base, 0, base, values[0].value));
  constexpr int batch =
      detail::greatest_common_divisor(Tuning::items, sizeof(result) <= 8 ? 16 : 4);
#pragma unroll 1
  for (int begin = 0; begin < Tuning::items; begin += batch) {
    uninitialized<result> read[batch];
    index target[batch];
    const int first = begin * warp_threads + lane_id();
    const int slot = warp_id() * warp_threads * Tuning::items + first;
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      const T& value = values[heads.find(first + n * warp_threads).head + widest_pack<T>].value;
      if (slot + n * warp_threads < filled) {
        const auto item = static_cast<Size>(base + static_cast<Size>(slot + n * warp_threads));
        read[n] = uninitialized<result>(detail::call_lbs(f.value, item, 0, Size{0}, value));
        target[n] = detail::call_lbs(f.target, item, 0, Size{0}, value);
      }
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if (slot + n * warp_threads < filled) f.out[target[n]] = read[n].value;
    }
  }
}

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segment_values_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments,
                          const SegmentSize* starts, F f, Cached cached) {
  using value = segment_value<F, Cached>;
  using stored = uninitialized<typename value::type>;
  constexpr int tile = segment_values_shared<Tuning, typename value::type>::tile;
  auto& shared = shared_as<segment_values_shared<Tuning, typename value::type>>();

  const std::uint64_t base = std::uint64_t{blockIdx.x} * tile;
  const auto fetch = [&](std::uint64_t s) {
    return stored(value::template of<Size>(f, cached, static_cast<SegmentSize>(s)));
  };
  const segment_range<SegmentSize> range = segments_of_tile(segments, base, starts, shared.heads);
  constexpr int lead = std::remove_cvref_t<decltype(shared)>::lead;
  mark_heads<Tuning::threads>(
      segments, range, base, shared.heads, shared.flags, fetch,
      [&](std::uint32_t slot, const stored& of) { shared.values[slot + lead] = of; });
  if (threadIdx.x == 0 && range.from > 0) {
    shared.values[lead - 1] = fetch(static_cast<std::uint64_t>(range.from) - 1);
  }
  __syncthreads();

  const std::uint64_t left = static_cast<std::uint64_t>(segments.count) - base;
  call_items<Tuning>(f, warp_heads<Tuning::items>(shared.heads), shared.values,
                     static_cast<Size>(base), left < tile ? static_cast<int>(left) : tile);
}

}  // namespace device

}  // namespace evenfold
