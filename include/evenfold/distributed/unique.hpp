#pragma once
// unique and unique_offsets of sharded sequences.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

/// The runs of consecutive equal keys: the first key of each, and its global index. Each rank has
/// the runs that begin in its shard.
template <class Key>
struct sharded_runs {
  sharded<Key> keys;
  sharded<std::uint64_t> offsets;
};

namespace detail {

/// Whether the first key of this shard continues the run at the end of the shards before it.
template <class Context, class Key, class Equal>
bool continues_run(Context& ctx, const sharded<Key>& keys, Equal equal) {
  auto& local = ctx.local();
  const std::uint64_t count = keys.local_size();
  const bool has_keys = count > 0;
  const std::vector<Key> last = to_host(local, keys.data() + (has_keys ? count - 1 : 0), has_keys);
  std::vector<std::uint64_t> sizes;
  int before = -1;
  for (int r = 0; r < ctx.size(); ++r) {
    sizes.push_back(keys.map().size(r) > 0 ? 1 : 0);
    if (r < ctx.rank() && sizes.back() > 0) ++before;
  }
  const array<Key> lasts = gather_shards(ctx, ctx.host(), last.data(), shard_map::of_sizes(sizes));
  if (!has_keys || before < 0) return false;
  const std::vector<Key> first = to_host(local, keys.data(), 1);
  return equal(lasts[static_cast<std::size_t>(before)], first[0]);
}

/// out[i] = local[i] + begin: global indices.
struct add_begin {
  std::uint64_t begin;
  EF_HD constexpr std::uint64_t operator()(std::uint64_t i) const { return begin + i; }
};

template <class Context, class Key, class Equal>
sharded_runs<Key> find_runs(Context& ctx, const sharded<Key>& keys, Equal equal) {
  auto& local = ctx.local();
  const std::uint64_t count = keys.local_size();
  array<Key> firsts(local, count);
  array<std::uint64_t> offsets(local, count);
  const std::uint64_t runs =
      unique_offsets(local, keys.data(), count, equal, firsts.data(), offsets.data());
  // The first run of the local context may be the end of one that began on another rank.
  const std::uint64_t skipped = continues_run(ctx, keys, equal) ? 1 : 0;
  array<Key> own_firsts(local, runs - skipped);
  array<std::uint64_t> own_offsets(local, runs - skipped);
  copy(local, firsts.data() + skipped, runs - skipped, own_firsts.data());
  transform(local, offsets.data() + skipped, runs - skipped, own_offsets.data(),
            add_begin{keys.local_begin()});
  local.synchronize();
  return {sharded<Key>(ctx, std::move(own_firsts)),
          sharded<std::uint64_t>(ctx, std::move(own_offsets))};
}

}  // namespace detail

/// The first key of each run of consecutive equal keys, along the global indices, with the global
/// index of that key. The offsets are those of segments: sharded_segments takes them.
///
/// Each rank finds the runs of its shard, and gathers one key per rank, to know whether the first
/// one is new; no other keys are sent. `equal` is called on the host, too. Waits.
///
/// Errors: communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Key, class Equal>
sharded_runs<Key> unique_offsets(distributed_context<Local, Communicator>& ctx,
                                 const sharded<Key>& keys, Equal equal) {
  return detail::run_on_all_ranks(ctx, "unique_offsets", {{"keys", keys.size()}},
                                  [&] { return detail::find_runs(ctx, keys, equal); });
}

/// The same without the indices.
template <context Local, class Communicator, class Key, class Equal>
sharded<Key> unique(distributed_context<Local, Communicator>& ctx, const sharded<Key>& keys,
                    Equal equal) {
  return detail::run_on_all_ranks(ctx, "unique", {{"keys", keys.size()}},
                                  [&] { return detail::find_runs(ctx, keys, equal).keys; });
}

}  // namespace evenfold
