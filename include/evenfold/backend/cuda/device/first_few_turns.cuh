#pragma once
// How the keys of which the first few are wanted are dealt to the lanes of a GPU.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

struct first_few_sizes {
  static constexpr int threads = 512;
  static constexpr int warps = threads / warp_threads;
  static constexpr int blocks = 3;  // per multiprocessor, at least
  /// The keys of a tile that a lane reads, all keys of a tile, and those that a block reads at
  /// once.
  static constexpr int items = 16;
  static constexpr unsigned tile = warp_threads * items;
  static constexpr unsigned unit = warps * tile;
  /// The most items of a list that are ranked without being reduced to fewer before, and the lanes
  /// that rank an item.
  static constexpr int most_ranked = 256;
  static constexpr int ranking_lanes = 8;
  /// Below so many keys, and for more results, a sample is faster.
  static constexpr std::uint64_t least_keys = std::uint64_t{1} << 23;
  static constexpr int most_results = warp_threads;
  /// The largest number of keys whose tiles can be numbered.
  static constexpr std::uint64_t most_keys = std::uint64_t{tile} << 31;
};

/// How units of tiles are dealt to a number of blocks: a block takes one in each round. In the
/// first half of all turns one unit of each pair is taken. Each lane keeps the first keys of some
/// rounds in a row.
class unit_turns {
 public:
  static constexpr unsigned none = ~0u;

  EF_HD unit_turns(unsigned count, unsigned blocks)
      : count_(count),
        blocks_(blocks),
        rounds_of_lane_(detail::ceil_div(detail::ceil_div(count, blocks), unsigned{warp_threads})),
        first_half_(detail::ceil_div(pairs(), blocks)) {}

  EF_HD unsigned count() const { return count_; }
  EF_HD unsigned blocks() const { return blocks_; }
  EF_HD unsigned rounds_of_lane() const { return rounds_of_lane_; }
  EF_HD unsigned pairs() const { return count_ - count_ / 2; }
  /// The number of rounds until half of the units are read.
  EF_HD unsigned first_half() const { return first_half_; }

  EF_HD unsigned unit_of(unsigned turn) const {
    const bool is_second_half = turn >= pairs();
    const unsigned pair = is_second_half ? turn - pairs() : turn;
    return 2 * pair + static_cast<unsigned>(is_turned(pair) != is_second_half);
  }
  EF_HD unsigned turn_of(unsigned unit) const {
    const unsigned pair = unit / 2;
    return is_turned(pair) == (unit % 2 != 0) ? pair : pair + pairs();
  }

  /// The j-th of the tiles of which the same lane keeps the first key as of this one, or none.
  EF_HD unsigned tile_of_lane(unsigned tile, unsigned j) const {
    constexpr unsigned warps = first_few_sizes::warps;
    const unsigned turn = turn_of(tile / warps);
    const unsigned round = turn / blocks_;
    const unsigned at = turn + (j - round % rounds_of_lane_) * blocks_;
    return at < count_ ? unit_of(at) * warps + tile % warps : none;
  }

 private:
  EF_HD bool is_turned(unsigned pair) const {
    return 2 * pair + 1 < count_ && pair * 0x9E3779B9u >> 31 != 0;
  }

  unsigned count_;
  unsigned blocks_;
  unsigned rounds_of_lane_;
  unsigned first_half_;
};

}  // namespace evenfold::device
