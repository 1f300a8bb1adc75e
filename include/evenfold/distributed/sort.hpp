#pragma once
// sort and sort_by_key of sharded sequences.
//
// Each rank sorts its shard. Exact splitters (distributed/splitters.hpp) cut the sorted shards,
// each rank gets the parts of its share in one all_to_all_v, and merges them two by two.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"

namespace evenfold {

namespace detail {

/// Merges sorted parts, which lie one after the other, two by two until one is left. Equivalent
/// keys keep the order of the parts. `values` is empty if there are none.
template <context Local, class Key, class Value, class Order>
void merge_parts(Local& local, received_run<Key>& keys, array<Value>& values, Order order) {
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  array<Key> merged_keys(local, keys.elements.size());
  array<Value> merged_values(local, values.size());
  std::vector<std::uint64_t>& offsets = keys.offsets;
  while (offsets.size() > 2) {
    std::vector<std::uint64_t> merged{0};
    for (std::size_t p = 0; p + 1 < offsets.size(); p += 2) {
      const std::uint64_t begin = offsets[p];
      const std::uint64_t middle = offsets[p + 1];
      const std::uint64_t end = p + 2 < offsets.size() ? offsets[p + 2] : middle;
      const Key* const from = keys.elements.data();
      Key* const to = merged_keys.data() + begin;
      if constexpr (has_values) {
        const Value* const with = values.data();
        evenfold::merge(local, from + begin, with + begin, middle - begin, from + middle,
                        with + middle, end - middle, to, merged_values.data() + begin, order);
      } else {
        evenfold::merge(local, from + begin, middle - begin, from + middle, end - middle, to,
                        order);
      }
      merged.push_back(end);
    }
    keys.elements.swap(merged_keys);
    values.swap(merged_values);
    offsets = std::move(merged);
  }
}

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
  array<Value> received_values;
  if constexpr (has_values) {
    received_values = exchange_run(ctx, values.data(), 0, cuts).elements;
  }
  merge_parts(local, received, received_values, total_order<Less>{less});
  const shard_map map = exchanged_shards(cuts);
  keys = sharded<Key>(ctx, map, std::move(received.elements));
  if constexpr (has_values) values = sharded<Value>(ctx, map, std::move(received_values));
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
