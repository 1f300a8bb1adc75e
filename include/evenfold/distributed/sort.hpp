#pragma once
// sort and sort_by_key of sharded sequences.
//
// Each rank sorts its shard. Exact splitters (distributed/splitters.hpp) cut the sorted shards,
// each rank gets the parts of its share in one all_to_all_v, and merges them.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/multiway_merge.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"

namespace evenfold {

namespace detail {

/// Sorts keys, and their values unless Value is no_value.
template <class Context, class Key, class Value, class Less>
void sort_shards(Context& ctx, sharded<Key>& keys, sharded<Value>& values, Less less) {
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  auto& local = ctx.local();
  if constexpr (has_values) {
    sort_by_key(local, keys.data(), values.data(), keys.local_size(), less);
  } else {
    sort(local, keys.data(), keys.local_size(), less);
  }
  const std::vector<sorted_run<Key>> runs{{keys.data(), keys.local_size()}};
  const run_cuts cuts = find_equal_cuts(ctx, runs, keys.size(), less);
  received_run<Key> received = exchange_run(ctx, keys.data(), 0, cuts);
  received.offsets.pop_back();  // where the last part ends
  const std::size_t count = received.elements.size();
  const shard_map map = exchanged_shards(cuts);
  array<Key> merged(local, count);
  const total_order<Less> order{less};
  if constexpr (has_values) {
    const array<Value> with = exchange_run(ctx, values.data(), 0, cuts).elements;
    array<Value> merged_values(local, count);
    multiway_merge(local, std::as_const(received.elements).data(), with.data(), count,
                   received.offsets, merged.data(), merged_values.data(), order);
    values = sharded<Value>(ctx, map, std::move(merged_values));
  } else {
    multiway_merge(local, std::as_const(received.elements).data(), count, received.offsets,
                   merged.data(), order);
  }
  keys = sharded<Key>(ctx, map, std::move(merged));
}

}  // namespace detail

/// Sorts the keys of all ranks stably: afterwards the keys ascend along the global indices, and
/// equivalent keys keep the order of their global indices. The shards are equal shares afterwards.
///
/// The keys, with any distribution, are the same sequence as after `sort` on one context. Each key
/// is sent at most once, and never sampled. `less` is called on the host, too.
///
/// Per rank: the local sort; O(log size) rounds of two all_gather of one key and one number per
/// rank and splitter; one all_to_all_v of the shard; ceil(log2(ranks)) merges of the new shard.
/// Scratch: two more copies of the shard. Waits.
///
/// Errors: argument_error if the ranks pass different arguments; communication_error if another
/// rank fails; allocation_error, with unspecified keys.
template <context Local, class Communicator, class Key, class Less>
void sort(distributed_context<Local, Communicator>& ctx, sharded<Key>& keys, Less less) {
  detail::check_order<Key, Less>();
  sharded<detail::no_value> none;
  detail::run_on_all_ranks(ctx, "sort", {{"keys", keys.size()}},
                           [&] { detail::sort_shards(ctx, keys, none, less); });
}

/// The same with one value per key, which moves with its key. The values have the shards of the
/// keys, before and after the call.
template <context Local, class Communicator, class Key, class Value, class Less>
void sort_by_key(distributed_context<Local, Communicator>& ctx, sharded<Key>& keys,
                 sharded<Value>& values, Less less) {
  detail::check_order<Key, Less>();
  if (values.map() != keys.map()) {
    detail::refuse_argument("sort_by_key", "values", values.size(),
                            "their shards are not those of the keys",
                            "create them with keys.map()");
  }
  detail::run_on_all_ranks(ctx, "sort_by_key", {{"keys", keys.size()}},
                           [&] { detail::sort_shards(ctx, keys, values, less); });
}

}  // namespace evenfold
