#pragma once
// Ranks for the tests of distributed algorithms: threads of this process, each with a context of
// its own, and ways to cut a sequence into shards. On a machine with several GPUs, the contexts are
// on all of them in turn. With EVENFOLD_TEST_NCCL, NCCL moves what is in device memory.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/threads.hpp"
#if defined(EVENFOLD_TEST_NCCL)
#include "evenfold/distributed/nccl.cuh"
#endif

namespace evenfold::testing {

inline constexpr int rank_counts[] = {1, 2, 3, 5, 8};

/// The context of a rank: CPU contexts have two threads.
template <class Context>
Context open_rank_context(int /*rank*/) {
  if constexpr (requires(const Context& team) { team.threads(); }) {
    return Context(2);
  } else {
    return Context();
  }
}

#if defined(__CUDACC__)
inline int count_gpus() {
  int gpus = 0;
  device::check_cuda(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
  return gpus;
}

template <>
inline cuda_context open_rank_context<cuda_context>(int rank) {
  cuda_context gpu(rank % count_gpus());
  gpu.allow_peers();
  return gpu;
}
#endif

#if defined(EVENFOLD_TEST_NCCL)
using rank_communicator = nccl_communicator<thread_communicator>;
inline rank_communicator connect(thread_communicator& threads, cuda_context& gpu) {
  return {threads, gpu, std::chrono::seconds(60)};
}
/// NCCL has at most one rank per GPU.
inline int most_ranks() { return count_gpus(); }
#else
using rank_communicator = thread_communicator;
template <class Context>
rank_communicator& connect(thread_communicator& threads, Context&) {
  return threads;
}
inline int most_ranks() { return 8; }
#endif

template <class Context>
using ranked = distributed_context<Context, rank_communicator>;

/// Calls f(ctx) with the distributed context of each of some ranks. More ranks than there can be
/// are left out.
template <class Context, class F>
void on_ranks(int ranks, F f) {
  if (ranks > most_ranks()) return;
  run_ranks(
      ranks,
      [&](thread_communicator& threads) {
        Context local = open_rank_context<Context>(threads.rank());
        decltype(auto) communicator = connect(threads, local);
        ranked<Context> ctx(local, communicator);
        f(ctx);
      },
      std::chrono::seconds(60));
}

enum class cut {
  equal,
  on_one_rank,  ///< everything on the last rank but one
  uneven,       ///< nothing on every third rank, odd numbers elsewhere
};
inline constexpr cut cuts[] = {cut::equal, cut::on_one_rank, cut::uneven};

inline shard_map make_shards(cut kind, std::uint64_t count, int ranks) {
  if (kind == cut::equal) return shard_map::equal(count, ranks);
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks));
  const auto last = static_cast<std::size_t>(std::max(0, ranks - 2));
  std::uint64_t left = count;
  if (kind == cut::uneven) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      if (r % 3 == 1 || r == last) continue;
      sizes[r] = std::min<std::uint64_t>(left, count / (2 * sizes.size()) * (r % 2 + 1) | 1);
      left -= sizes[r];
    }
  }
  sizes[last] += left;
  return shard_map::of_sizes(sizes);
}

/// The part of a sequence on the host that is the shard of this rank.
template <class Context, class T>
sharded<T> shard_of(Context& ctx, const std::vector<T>& host, const shard_map& map) {
  sharded<T> result(ctx, map);
  copy(ctx.local(), host.data() + map.begin(ctx.rank()), map.size(ctx.rank()), result.data());
  ctx.local().synchronize();
  return result;
}

/// All elements, on the host of every rank.
template <class Context, class T>
std::vector<T> gathered_on_host(Context& ctx, const sharded<T>& input) {
  return to_host(ctx.local(), gather(ctx, input));
}

}  // namespace evenfold::testing
