#pragma once
// The partial folds of all ranks. A rank sends the folds of its blocks and nothing else: which
// block is where follows from the ranges of items, which all ranks know.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold::detail {

/// Items [begin, end) of a sequence.
struct item_range {
  std::uint64_t begin, end;
};

/// The partial folds of all ranks, by rank, where `ranges` are those of their items.
template <class Context, class T>
std::vector<partial_fold<T>> gather_partial_folds(Context& ctx, const partial_fold<T>& mine,
                                                  const std::vector<item_range>& ranges) {
  std::vector<std::size_t> offsets{0};
  for (const item_range& range : ranges) {
    const auto blocks = static_cast<std::size_t>(num_fold_blocks(range.begin, range.end));
    offsets.push_back(offsets.back() + blocks * sizeof(T));
  }
  array<T> blocks(ctx.host(), offsets.back() / sizeof(T));
  ctx.communicator().all_gather_v(ctx.host(), reinterpret_cast<const std::byte*>(mine.blocks()),
                                  reinterpret_cast<std::byte*>(blocks.data()), offsets);
  std::vector<partial_fold<T>> result;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    result.emplace_back(ranges[r].begin, ranges[r].end, blocks.data() + offsets[r] / sizeof(T));
  }
  return result;
}

/// The ranges of all shards.
inline std::vector<item_range> ranges_of(const shard_map& map) {
  std::vector<item_range> ranges;
  ranges.reserve(static_cast<std::size_t>(map.num_shards()));
  for (int r = 0; r < map.num_shards(); ++r) ranges.push_back({map.begin(r), map.end(r)});
  return ranges;
}

}  // namespace evenfold::detail
