#pragma once
// reduce_by_key of sharded sequences: the runs of equal keys are segments.

#include <cstdint>
#include <utility>

#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/unique.hpp"

namespace evenfold {

/// A key per run, and the fold of the values of the run; both have the same shards.
template <class Key, class T>
struct sharded_groups {
  sharded<Key> keys;
  sharded<T> values;
};

/// The fold of the values of each run of consecutive equal keys, along the global indices, as
/// `reduce_by_key` on one context computes it. The keys of a sorted sequence have one run each.
///
/// `unique_offsets`, and `segreduce` with the runs as segments: a run may span any number of ranks,
/// and every rank folds the same number of values + runs, however long the runs are. Waits.
///
/// Errors: argument_error if the numbers of keys and values differ, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Key, class Element, class Equal, class Op,
          class T>
sharded_groups<Key, T> reduce_by_key(distributed_context<Local, Communicator>& ctx,
                                     const sharded<Key>& keys, const sharded<Element>& values,
                                     Equal equal, Op op, T init) {
  if (values.size() != keys.size()) {
    detail::refuse_argument("reduce_by_key", "values", values.size(),
                            "there is another number of keys", "pass one value per key");
  }
  const sharded_runs<Key> runs = unique_offsets(ctx, keys, equal);
  const sharded_segments<std::uint64_t> segments(ctx, keys.size(), runs.offsets);
  sharded<T> folds = segreduce(ctx, values, segments, op, init);
  return {redistribute(ctx, runs.keys, segments.segments()), std::move(folds)};
}

}  // namespace evenfold
