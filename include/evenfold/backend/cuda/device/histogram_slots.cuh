#pragma once
// Counts for many bins on a GPU: each item is read once, and its bin is counted in shared memory.
//
// The bins are cut into ranges whose counters fit the shared memory of a block. A first kernel
// writes the slots of a tile of items, 16 bits each, range by range, and the number of slots of
// each range. Ordered by range, and by tile within a range, all slots form one sequence. Each block
// of the second kernel counts an equal share of it, so that every block has the same work, mostly
// in one range, however the items are distributed.
//
// The first kernel may write the weights of the items beside their slots, in the order of the items
// (histogram_slot_sums.cuh).

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/histogram.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold::device {

/// The ranges of 2^slot_bits bins each, and one more for items without a bin.
struct slot_ranges {
  static constexpr int most_range_bits = 9;
  static constexpr std::uint32_t most = std::uint32_t{1} << most_range_bits;
  /// The bits of the number of a bin, or of none.
  static constexpr int number_bits = 23;
  /// For counts.
  static constexpr int count_bits = 15;

  std::uint32_t bins;
  int slot_bits;
  std::uint32_t count;
  /// Bin b has number b * factor, of which the bits of the mask are kept.
  std::uint32_t factor = 1;
  std::uint32_t mask = ~std::uint32_t{0};

  /// Ranges of neighbouring bins, for counts.
  EF_HD static slot_ranges of_neighbours(std::uint32_t bins) {
    return {bins, count_bits, detail::ceil_div(bins, std::uint32_t{1} << count_bits)};
  }
  /// Ranges of bins that lie far from each other, among 2^bits numbers. An odd factor near 2^bits
  /// over the golden ratio spreads bins at any equal distances.
  EF_HD static slot_ranges of_spread(std::uint32_t bins, int bits, int slot_bits) {
    return {bins, slot_bits, std::uint32_t{1} << (bits - slot_bits), 0x9e3779b9u >> (32 - bits) | 1,
            0xffffffffu >> (32 - bits)};
  }

  EF_HD bool fit() const {
    return count <= most && std::uint64_t{count} << slot_bits < std::uint64_t{1} << number_bits;
  }
  EF_HD std::uint32_t width() const { return std::uint32_t{1} << slot_bits; }
  EF_HD std::uint32_t number(std::uint32_t bin) const {
    return bin < bins ? bin * factor & mask : count << slot_bits;
  }
  /// The bin that has a number, by the inverse of the factor modulo 2^32: each step doubles the
  /// number of its bits that are right.
  EF_HD std::uint32_t bin(std::uint32_t number) const {
    std::uint32_t inverse = factor;
    for (int k = 0; k < 4; ++k) inverse *= 2 - factor * inverse;
    return number * inverse & mask;
  }
  EF_HD std::uint32_t range_of(std::uint32_t number) const { return number >> slot_bits; }
  EF_HD std::uint32_t slot_of(std::uint32_t number) const { return number & (width() - 1); }
};

/// A run of slots of one range in a tile.
struct slot_run {
  std::uint16_t begin, count;
};

template <int Threads = 512, int Items = 16, int Blocks = 3>
struct sort_slots_tuning {
  static constexpr int blocks = Blocks;
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int tile = threads * items;
  static constexpr int warps = threads / warp_threads;
  // An item has the other bits for its rank.
  static_assert(items * warp_threads <= 1 << (32 - slot_ranges::number_bits) && tile <= 1 << 15);
};

/// In place of the type of the sums where items are only counted.
struct no_weight {};

template <class Tuning, class T>
struct sort_slots_shared {
  /// The number of items of each warp in each range; later the slot of the first of them.
  std::uint16_t first[Tuning::warps][slot_ranges::most + 1];
  std::uint32_t before[slot_ranges::most + 1];
  alignas(16) std::uint16_t slots[Tuning::tile];
  uninitialized<T> weights[std::is_same_v<T, no_weight> ? 1 : Tuning::tile];
};

/// Writes the slots of a tile of the items [begin, begin + count), range by range, to slots[tile *
/// Tuning::tile], their weights, in the order of the items within a range, beside them, and the run
/// of range r to runs[r * tiles + tile].
template <class Tuning, class T, class Size, class F, class Weight>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    sort_slots_kernel(Size begin, std::uint32_t count, slot_ranges ranges, F f, Weight weight,
                      slot_run* runs, std::uint16_t* slots, uninitialized<T>* weights) {
  constexpr bool has_weights = !std::is_same_v<T, no_weight>;
  auto& shared = shared_as<sort_slots_shared<Tuning, T>>();
  constexpr int items = Tuning::items;
  const std::uint32_t num_ranges = ranges.count;
  const int bits = 32 - __clz(static_cast<int>(num_ranges));
  for (std::uint32_t r = lane_id(); r <= num_ranges; r += warp_threads) {
    shared.first[warp_id()][r] = 0;
  }
  __syncwarp();

  using number_type = std::remove_cvref_t<std::invoke_result_t<const F&, Size>>;
  const std::uint32_t base = blockIdx.x * Tuning::tile;
  // The items of a warp follow each other where their order matters.
  const std::uint32_t mine = has_weights
                                 ? static_cast<std::uint32_t>(warp_id()) * items * warp_threads +
                                       static_cast<std::uint32_t>(lane_id())
                                 : threadIdx.x;
  constexpr std::uint32_t step = has_weights ? warp_threads : Tuning::threads;
  const auto index = [&](int j) { return base + mine + static_cast<std::uint32_t>(j) * step; };
  const auto item_at = [&](std::uint32_t at) {
    return static_cast<Size>(begin + static_cast<Size>(at));
  };
  std::uint32_t item[items];  // the number, and then above it the rank in the warp and the range
  if (!has_weights && count - base >= Tuning::tile) {
    uninitialized<number_type> bin[items];
    load_tile<Tuning::threads, items, number_type, Size>(static_cast<std::uint64_t>(begin) + base,
                                                         f, threadIdx.x, bin);
#pragma unroll
    for (int j = 0; j < items; ++j) {
      item[j] = ranges.number(detail::bin_or_none(bin[j].value, ranges.bins));
    }
  } else {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      item[j] = ranges.number(
          index(j) < count ? detail::bin_or_none(f(item_at(index(j))), ranges.bins) : ranges.bins);
    }
  }
  const auto number_of = [&](int j) { return item[j] & ((1u << slot_ranges::number_bits) - 1); };
  const auto has_bin = [&](int j) { return ranges.range_of(number_of(j)) < num_ranges; };
  uninitialized<T> value[has_weights ? items : 1];
  const auto read_weights = [&] {
    if constexpr (has_weights) {
#pragma unroll
      for (int j = 0; j < items; ++j) {
        if (has_bin(j)) {
          value[j] = uninitialized<T>(static_cast<T>(weight(item_at(index(j)))));
        }
      }
    }
  };
  // Beside the bins, where registers have room for them all the time.
  constexpr bool reads_early = sizeof(T) <= 4;
  if constexpr (reads_early) read_weights();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const std::uint32_t range = ranges.range_of(item[j]);
    const unsigned peers = lanes_with(range, bits);
    const unsigned below = peers & ((1u << lane_id()) - 1);
    const unsigned before = shared.first[warp_id()][range];
    __syncwarp();
    if (below == 0) {
      shared.first[warp_id()][range] = static_cast<std::uint16_t>(before + __popc(peers));
    }
    __syncwarp();
    item[j] |= (before + __popc(below)) << slot_ranges::number_bits;
  }
  __syncthreads();
  for (std::uint32_t r = threadIdx.x; r <= num_ranges; r += Tuning::threads) {
    unsigned sum = 0;
    for (int w = 0; w < Tuning::warps; ++w) {
      const unsigned of_warp = shared.first[w][r];
      shared.first[w][r] = static_cast<std::uint16_t>(sum);
      sum += of_warp;
    }
    shared.before[r] = sum;
  }
  __syncthreads();
  if (warp_id() == 0) {
    unsigned sum = 0;
    for (std::uint32_t r = lane_id(); r - lane_id() < num_ranges; r += warp_threads) {
      const unsigned of_range = r < num_ranges ? shared.before[r] : 0;
      const unsigned through = sum + warp_inclusive_scan(of_range, plus{});
      if (r < num_ranges) {
        shared.before[r] = through - of_range;
        runs[r * gridDim.x + blockIdx.x] = {static_cast<std::uint16_t>(through - of_range),
                                            static_cast<std::uint16_t>(of_range)};
      }
      sum = __shfl_sync(whole_warp, through, warp_threads - 1);
    }
    if (lane_id() == 0) shared.before[num_ranges] = sum;
  }
  __syncthreads();
  const auto slot_at = [&](int j) {
    const std::uint32_t range = ranges.range_of(number_of(j));
    return shared.before[range] + shared.first[warp_id()][range] +
           (item[j] >> slot_ranges::number_bits);
  };
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if (has_bin(j)) {
      const std::uint32_t at = slot_at(j);
      shared.slots[at] = static_cast<std::uint16_t>(ranges.slot_of(number_of(j)));
      if constexpr (has_weights && reads_early) shared.weights[at] = value[j];
    }
  }
  if constexpr (has_weights && !reads_early) {
    read_weights();
#pragma unroll
    for (int j = 0; j < items; ++j) {
      if (has_bin(j)) shared.weights[slot_at(j)] = value[j];
    }
  }
  __syncthreads();
  const auto* const from = reinterpret_cast<const uint4*>(shared.slots);
  auto* const to = reinterpret_cast<uint4*>(slots + base);
  for (int k = static_cast<int>(threadIdx.x); k < Tuning::tile / 8; k += Tuning::threads) {
    to[k] = from[k];
  }
  if constexpr (has_weights) {
    for (std::uint32_t k = threadIdx.x; k < shared.before[num_ranges]; k += Tuning::threads) {
      weights[base + k] = shared.weights[k];
    }
  }
}

struct slot_run_size {
  const slot_run* runs;
  __device__ std::uint32_t operator()(std::uint32_t k) const { return runs[k].count; }
};

/// Adds the counts of all slots to `out`. before[k] slots precede run k, and before[num_ranges *
/// tiles] is the number of all.
template <int Threads, int Tile, class Count>
__global__ void __launch_bounds__(Threads)
    count_slots_kernel(std::uint32_t tiles, slot_ranges ranges, const slot_run* runs,
                       const std::uint32_t* before, const std::uint16_t* slots, Count* out) {
  std::uint32_t* const table = &shared_as<std::uint32_t>();
  constexpr int rows = 8;
  constexpr int warps = Threads / warp_threads;
  const std::uint32_t num_ranges = ranges.count;
  const std::uint32_t num_runs = num_ranges * tiles;
  const detail::equal_shares<std::uint32_t> shares(before[num_runs], gridDim.x);
  const std::uint32_t begin = shares.begin(blockIdx.x);
  const std::uint32_t end = shares.begin(blockIdx.x + 1);
  if (begin == end) return;
  // The last run that begins at or before the first slot is not empty.
  const auto run_at = [&](auto is_before) {
    return group_partition_point<warp_threads, 4>(0u, num_runs, is_before);
  };
  std::uint32_t run = run_at([&](std::uint32_t k) { return before[k] <= begin; }) - 1;
  const std::uint32_t end_run = run_at([&](std::uint32_t k) { return before[k] < end; });
  while (run < end_run) {
    const std::uint32_t range = run / tiles;
    const std::uint32_t last = min((range + 1) * tiles, end_run);
    if (before[run] == before[last]) {
      run = last;
      continue;
    }
    for (std::uint32_t k = threadIdx.x; k < ranges.width(); k += Threads) table[k] = 0;
    __syncthreads();
    // A warp takes a row of up to 32 runs, whose bounds its lanes read together. A few runs, which
    // are long then, are shared among all warps.
    const std::uint32_t length =
        min(detail::ceil_div(last - run, warps), std::uint32_t{warp_threads});
    for (std::uint32_t row = run + warp_id() * length; row < last; row += warps * length) {
      const std::uint32_t mine = row + lane_id();
      std::uint32_t from = 0;
      std::uint32_t size = 0;
      if (lane_id() < length && mine < last) {
        const slot_run own = runs[mine];
        const std::uint32_t at = before[mine];
        const std::uint32_t low = at < begin ? min(begin - at, std::uint32_t{own.count}) : 0;
        const std::uint32_t high = at < end ? min(end - at, std::uint32_t{own.count}) : 0;
        from = (mine - range * tiles) * Tile + own.begin + low;
        size = high > low ? high - low : 0;
      }
      for (std::uint32_t r = 0; r < length; ++r) {
        const std::uint32_t here = __shfl_sync(whole_warp, from, r);
        const std::uint32_t have = __shfl_sync(whole_warp, size, r);
        for (std::uint32_t k = lane_id(); k - lane_id() < have; k += rows * warp_threads) {
          std::uint16_t slot[rows];
#pragma unroll
          for (int j = 0; j < rows; ++j) {
            if (k + j * warp_threads < have) slot[j] = slots[here + k + j * warp_threads];
          }
#pragma unroll
          for (int j = 0; j < rows; ++j) {
            if (k + j * warp_threads < have) atomicAdd(table + slot[j], 1u);
          }
        }
      }
    }
    __syncthreads();
    using word = std::conditional_t<sizeof(Count) == 4, unsigned, unsigned long long>;
    const std::uint32_t first_bin = range * ranges.width();
    word* const to = reinterpret_cast<word*>(out) + first_bin;
    for (std::uint32_t k = threadIdx.x; k < ranges.width(); k += Threads) {
      if (table[k] > 0) atomicAdd(to + k, static_cast<word>(table[k]));
    }
    __syncthreads();
    run = last;
  }
}

}  // namespace evenfold::device
