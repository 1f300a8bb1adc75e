#pragma once
// merge of two sorted sharded sequences.

#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"

namespace evenfold {

/// The stable merge of two sequences, each sorted by `less` along its global indices: elements of
/// `a` come before equivalent ones of `b`. The result has equal shares, wherever `a` and `b` are.
///
/// Exact splitters cut all shards at the borders of equal shares of the result; each element is
/// sent at most once, and each rank merges what it gets of `a` with what it gets of `b`. Waits.
///
/// Errors: as for `sort` of sharded keys.
template <context Local, class Communicator, class Key, class Less>
sharded<Key> merge(distributed_context<Local, Communicator>& ctx, const sharded<Key>& a,
                   const sharded<Key>& b, Less less) {
  detail::check_order<Key, Less>();
  return detail::run_on_all_ranks(ctx, "merge", {{"a", a.size()}, {"b", b.size()}}, [&] {
    const std::vector<detail::sorted_run<Key>> runs{{a.data(), a.local_size()},
                                                    {b.data(), b.local_size()}};
    const auto cuts = detail::find_equal_cuts(ctx, runs, a.size() + b.size(), less);
    const detail::in_shards<Key> own_a(ctx, a, detail::shares_of_run(cuts, 0));
    const detail::in_shards<Key> own_b(ctx, b, detail::shares_of_run(cuts, 1));
    sharded<Key> result(ctx, detail::exchanged_shards(cuts));
    merge(ctx.local(), own_a->data(), own_a->local_size(), own_b->data(), own_b->local_size(),
          result.data(), detail::total_order<Less>{less});
    return result;
  });
}

}  // namespace evenfold
