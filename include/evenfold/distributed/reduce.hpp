#pragma once
// reduce of sharded sequences.

#include <cstddef>
#include <vector>

#include "evenfold/algorithm/partial_reduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

/// init (+) x_0 (+) x_1 (+) ... over the elements of all ranks, in the order of their global
/// indices. All ranks return the same value.
///
/// Each rank reduces its shard to a partial fold; the partial folds of all ranks, O(log size)
/// values each, are gathered on every rank and joined in the order of the ranks. The fold has the
/// canonical order (balance/fold_order.hpp), so that the result has the bits of `reduce` on one
/// context, wherever the sequence is cut. Waits.
///
/// Errors: argument_error if the ranks pass different arguments; communication_error if another
/// rank fails; allocation_error.
///
/// Example: examples/distributed.cpp.
/// Names elsewhere: MPI_Allreduce of local results, which folds in an order that depends on the
/// number of ranks.
template <context Local, class Communicator, class Element, class Op, class T>
T reduce(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input, Op op,
         T init) {
  const auto run = [&] {
    const auto part =
        partial_reduce<T>(ctx.local(), input.local_size(),
                          element_of<T, const Element*>{input.data()}, op, input.local_begin());
    partial_fold<T> all;
    for (const partial_fold<T>& next :
         detail::gather_partial_folds(ctx, part, detail::ranges_of(input.map()))) {
      all.join(next, op);
    }
    return all.fold(op, init);
  };
  return detail::run_on_all_ranks(
      ctx, "reduce", {{"input", input.size()}, {"init", detail::fingerprint(init)}}, run);
}

}  // namespace evenfold
