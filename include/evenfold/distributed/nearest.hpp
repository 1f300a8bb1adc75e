#pragma once
// nearest of places that are distributed over ranks.
//
// The search takes the square of the size of a group, and the places take little memory. So every
// rank has all places, and searches for an equal share of them: about as many blocks of candidates
// as every other rank.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/search.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/geo/nearest.hpp"

namespace evenfold {

namespace detail {

/// Offsets from the first one of a rank on.
struct offsets_from {
  using value_type = std::int64_t;
  const std::int64_t* offsets;
  std::int64_t first;

  template <class Index>
  EF_HD constexpr std::int64_t operator[](Index i) const {
    return offsets[i] - first;
  }
};

/// best_of_blocks for the places from `first` on.
template <class Best>
struct best_of_blocks_from {
  Best best;
  std::int32_t first;

  template <class Cached>
  EF_HD auto operator()(std::int64_t item, std::int32_t place, std::int64_t block,
                        const Cached& cached) const {
    return best(item, first + place, block, cached);
  }
};

/// The K best of all blocks per place, where each rank searches for some places.
template <class Context>
struct best_on_ranks {
  Context* ranks;

  template <int K, context Local>
  array<k_best<K>> find(Local& local, const blocks_of_places<Local>& blocks,
                        std::int32_t count) const {
    constexpr nearest_blocks shape = blocks_of_places<Local>::shape;
    using best_type = best_of_blocks<K, shape.lanes, shape.width>;
    const shard_map map = cut(local, blocks, count);
    const auto first = static_cast<std::int32_t>(map.begin(ranks->rank()));
    const auto own = static_cast<std::int32_t>(map.size(ranks->rank()));
    const auto block_at = [&](std::uint64_t place) {
      return place < map.size() ? to_host(local, blocks.offsets + place, 1)[0] : blocks.total;
    };
    const std::int64_t begin = block_at(map.begin(ranks->rank()));
    const std::int64_t end = block_at(map.end(ranks->rank()));
    array<k_best<K>> best(local, own);
    const sorted_places& places = blocks.places;
    lbs_segreduce(
        local, end - begin, best_of_blocks_from<best_type>{{places}, first},
        offsets_from{blocks.offsets + first, begin}, own,
        make_tuple(blocks.bounds + first, places.x + first, places.y + first, places.z + first),
        best.data(), merge_k_best{}, k_best<K>::none());
    return gather_shards(*ranks, local, best.data(), map);
  }

 private:
  /// Each rank gets the places whose blocks begin in its equal share of all blocks.
  template <context Local>
  shard_map cut(Local& local, const blocks_of_places<Local>& blocks, std::int32_t count) const {
    std::vector<std::int64_t> shares;
    shares.reserve(static_cast<std::size_t>(ranks->size()));
    for (int r = 1; r < ranks->size(); ++r) {
      shares.push_back(share_begin(blocks.total, ranks->size(), r));
    }
    const array<std::int64_t> needles = to_context(local, shares);
    array<std::uint64_t> found(local, shares.size());
    search<bounds::lower>(local, needles.data(), shares.size(), blocks.offsets, count, found.data(),
                          less{});
    std::vector<std::uint64_t> begins{0};
    for (const std::uint64_t begin : to_host(local, found)) begins.push_back(begin);
    begins.push_back(static_cast<std::uint64_t>(count));
    return shard_map(std::move(begins));
  }
};

}  // namespace detail

/// The k nearest other places of each place, as `nearest` on one context finds them, and with its
/// bits: rows are global indices. `latitudes`, `longitudes` and `groups` have the same shards; the
/// result is in the memory of the local context, the same on all ranks.
///
/// Three all_gather_v of the places and one of the k best per place, 20 + 12 K bytes per place.
/// Scratch: that of `nearest` for all places. Waits.
///
/// Errors: those of `nearest`; argument_error for other shards, for more than 2^31 - 1 places, or
/// if the ranks pass different arguments; communication_error if another rank fails.
template <context Local, class Communicator>
nearest_places nearest(distributed_context<Local, Communicator>& ctx,
                       const sharded<double>& latitudes, const sharded<double>& longitudes,
                       const sharded<std::int32_t>& groups, std::int32_t num_groups, int k,
                       double radius) {
  if (longitudes.map() != latitudes.map() || groups.map() != latitudes.map()) {
    detail::refuse_argument("nearest", "longitudes or groups", "in other shards",
                            "each place has its coordinates and its group on one rank",
                            "create them with latitudes.map()");
  }
  if (latitudes.size() > std::uint64_t{std::numeric_limits<std::int32_t>::max()}) {
    detail::refuse_argument("nearest", "latitudes", latitudes.size(),
                            "places are numbered in 31 bits", "pass fewer places");
  }
  detail::check_count("nearest", "num_groups", num_groups);
  return detail::run_on_all_ranks(
      ctx, "nearest",
      {{"latitudes", latitudes.size()},
       {"num_groups", static_cast<std::uint64_t>(num_groups)},
       {"k", static_cast<std::uint64_t>(k)},
       {"radius", detail::fingerprint(radius)}},
      [&] {
        auto& local = ctx.local();
        const auto all = [&](const auto& shards) {
          return detail::gather_shards(ctx, local, shards.data(), shards.map());
        };
        const auto north = all(latitudes), east = all(longitudes);
        const auto of_group = all(groups);
        using context_type = distributed_context<Local, Communicator>;
        nearest_places result =
            detail::nearest_by(local, north.data(), east.data(), of_group.data(),
                               static_cast<std::int32_t>(of_group.size()), num_groups, k, radius,
                               detail::best_on_ranks<context_type>{&ctx});
        local.synchronize();
        return result;
      });
}

}  // namespace evenfold
