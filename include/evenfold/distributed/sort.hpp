#pragma once
// sort and sort_by_key of sharded sequences.
//
// Each rank sorts its shard. Exact splitters (distributed/splitters.hpp) cut the sorted shards, and
// each rank merges the parts of its share (distributed/parts.hpp): where they are if ranks can read
// the arrays of each other, so that nothing is sent before the merge, else after an exchange.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/multiway_merge.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/parts.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"

namespace evenfold {

namespace detail {

/// Merges the sorted parts of all ranks, wherever they lie: first pairs of neighbours, then the
/// results.
template <class Local, class Key, class Value, class Less>
class merge_of_parts {
 public:
  merge_of_parts(Local& local, std::uint64_t count, std::size_t parts, Key* out_keys,
                 Value* out_values, Less less)
      : local_(local),
        count_(count),
        out_keys_(out_keys),
        out_values_(out_values),
        less_(less),
        has_rounds_(parts > 2),
        pairs_(local, has_rounds_ ? count : 0),
        values_of_pairs_(local, has_values && has_rounds_ ? count : 0) {}

  /// Submits the merges that read the parts.
  void merge_pairs(const parts_of_ranks<Key>& keys, const parts_of_ranks<Value>& values) {
    Key* const to = has_rounds_ ? pairs_.data() : out_keys_;
    Value* const to_values = has_rounds_ ? values_of_pairs_.data() : out_values_;
    std::uint64_t at = 0;
    for (std::size_t r = 0; r < keys.parts.size(); r += 2) {
      const std::size_t next = std::min(r + 1, keys.parts.size() - 1);
      const std::uint64_t more = next > r ? keys.sizes[next] : 0;
      if constexpr (has_values) {
        merge(local_, keys.parts[r], values.parts[r], keys.sizes[r], keys.parts[next],
              values.parts[next], more, to + at, to_values + at, less_);
      } else {
        merge(local_, keys.parts[r], keys.sizes[r], keys.parts[next], more, to + at, less_);
      }
      begins_.push_back(at);
      at += keys.sizes[r] + more;
    }
  }

  /// Merges the results of merge_pairs().
  void merge_rest() {
    if (!has_rounds_) return;
    multiway_merge(local_, std::as_const(pairs_).data(), std::as_const(values_of_pairs_).data(),
                   count_, begins_, out_keys_, out_values_, less_);
  }

 private:
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  Local& local_;
  std::uint64_t count_;
  Key* out_keys_;
  Value* out_values_;
  Less less_;
  bool has_rounds_;
  array<Key> pairs_;
  array<Value> values_of_pairs_;
  std::vector<std::uint64_t> begins_;
};

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
  if (ctx.size() == 1) return;
  const std::vector<sorted_run<Key>> runs{{keys.data(), keys.local_size()}};
  const run_cuts cuts = find_equal_cuts(ctx, runs, keys.size(), less);
  const shard_map map = exchanged_shards(cuts);
  const std::uint64_t count = map.size(ctx.rank());
  array<Key> merged(local, count);
  array<Value> merged_values(local, has_values ? count : 0);
  merge_of_parts merges(local, count, static_cast<std::size_t>(ctx.size()), merged.data(),
                        merged_values.data(), total_order<Less>{less});
  use_parts(ctx, std::as_const(keys), std::as_const(values), cuts,
            [&](const auto& parts, const auto& with) { merges.merge_pairs(parts, with); });
  merges.merge_rest();
  keys = sharded<Key>(ctx, map, std::move(merged));
  if constexpr (has_values) values = sharded<Value>(ctx, map, std::move(merged_values));
}

}  // namespace detail

/// Sorts the keys of all ranks stably: afterwards the keys ascend along the global indices, and
/// equivalent keys keep the order of their global indices. The shards are equal shares afterwards.
///
/// The keys, with any distribution, are the same sequence as after `sort` on one context. Each key
/// is sent at most once, and never sampled. `less` is called on the host, too.
///
/// Per rank: the local sort; O(log size) rounds of one all_gather of at most 256 keys per rank and
/// splitter; one exchange of the keys that other ranks get; ceil(log2(ranks)) merges of the new
/// shard. One rank only sorts.
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
