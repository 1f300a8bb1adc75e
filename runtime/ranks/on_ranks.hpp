#pragma once
// Runs an operation on all ranks of an engine.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/threads.hpp"
#include "runtime/ranks.hpp"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

using rank_context = distributed_context<backend_context, rank_communicator<backend_context>>;

/// The elements of a result that a rank writes: all of them if ranks are processes, each of which
/// has an engine, or its own part if ranks are threads that share an engine.
struct results_of_rank {
  bool all, numbers;
};

/// Calls f(ctx, results) on all ranks of an engine, whose earlier work is complete.
template <class F>
void on_ranks(state_of_engine& state, F f) {
  state.ctx->synchronize();
  const auto run = [&](backend_context& local, rank_communicator<backend_context>& all,
                       results_of_rank results) {
    rank_context ctx(local, all);
    f(ctx, results);
    local.synchronize();
  };
  if (state.joined != nullptr) {
    run(*state.ctx, *state.joined, results_of_rank{true, true});
  } else {
    run_ranks(static_cast<int>(state.ranks.size()), [&](thread_communicator& threads) {
      rank_communicator_of<backend_context, thread_communicator> all(threads);
      run(*state.ranks[static_cast<std::size_t>(all.rank())], all,
          results_of_rank{false, all.rank() == 0});
    });
  }
}

/// An equal share of elements of the engine.
template <class T>
sharded<T> share_of(rank_context& ctx, const T* all, std::uint64_t count) {
  sharded<T> result(ctx, count);
  copy(ctx.local(), all + result.local_begin(), result.local_size(), result.data());
  return result;
}

/// The elements of this rank, which follow those of the rank before.
template <class T>
sharded<T> part_of(rank_context& ctx, const T* own, std::uint64_t count) {
  evenfold::array<T> copied(ctx.local(), count);
  copy(ctx.local(), own, count, copied.data());
  return sharded<T>(ctx, std::move(copied));
}

/// Copies the part of this rank, or of all ranks, to the elements of the engine.
template <class T>
void give_back(rank_context& ctx, results_of_rank results, const sharded<T>& part, T* all) {
  if (results.all) {
    ctx.communicator().all_gather_v(ctx.local(), reinterpret_cast<const std::byte*>(part.data()),
                                    reinterpret_cast<std::byte*>(all),
                                    evenfold::detail::bytes_of(part.map(), sizeof(T)));
  } else {
    copy(ctx.local(), part.data(), part.local_size(), all + part.local_begin());
  }
}

}  // namespace evenfold::runtime
