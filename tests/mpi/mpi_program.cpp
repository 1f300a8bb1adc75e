// Algorithms on several processes against one context, and ways in which a rank fails.

#include "evenfold/distributed/mpi.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/distributed/bfs.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/join.hpp"
#include "evenfold/distributed/pagerank.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/scan.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "support/graphs.hpp"
#include "support/shards.hpp"
#include "support/values.hpp"

namespace ef = evenfold;
using namespace evenfold::testing;

static_assert(ef::communicator<ef::mpi_communicator, ef::cpu_context>);

using rank_context = ef::distributed_context<ef::cpu_context, ef::mpi_communicator>;

void check(bool good, const char* what) {
  if (!good) throw std::logic_error(std::string(what) + " has other bits than on one context");
}

void check_folds(rank_context& ctx) {
  const std::vector<float> host = random_fractions<float>(5000);
  ef::cpu_context one(2);
  std::vector<float> prefixes(host.size());
  const float sum = ef::reduce(one, host.data(), host.size(), ef::plus{}, 0.1f);
  ef::inclusive_scan(one, host.data(), host.size(), prefixes.data(), ef::plus{});
  for (const cut kind : cuts) {
    const auto shard = shard_of(ctx, host, make_shards(kind, host.size(), ctx.size()));
    check(ef::reduce(ctx, shard, ef::plus{}, 0.1f) == sum, "reduce");
    ef::sharded<float> result(ctx, shard.map());
    ef::inclusive_scan(ctx, shard, result, ef::plus{});
    check(gathered_on_host(ctx, result) == prefixes, "inclusive_scan");
    const auto equal = redistribute(ctx, result, ef::shard_map::equal(host.size(), ctx.size()));
    check(gathered_on_host(ctx, equal) == prefixes, "redistribute");
  }
}

/// Every rank has the same edges; vertex v leads to 2 v + 1 and to 3 v.
void check_graph(rank_context& ctx) {
  constexpr int n = 500;
  ef::reference_context one;
  edge_pairs edges;
  for (int v = 0; v < n; ++v) edges.insert(edges.end(), {{v, (2 * v + 1) % n}, {v, 3 * v % n}});
  const test_graph<ef::reference_context, int> whole(one, n, edges);
  const auto share_rows = [&](const host_rows<int, std::int64_t>& rows) {
    const std::vector<std::int64_t> begins(rows.offsets.begin(), rows.offsets.end() - 1);
    return ef::sharded_csr<ef::pattern, int, std::int64_t>(
        ctx, n, shard_of(ctx, begins, make_shards(cut::equal, begins.size(), ctx.size())),
        shard_of(ctx, rows.columns, make_shards(cut::uneven, rows.columns.size(), ctx.size())));
  };
  const ef::sharded_graph<ef::pattern, int, std::int64_t> graph{share_rows(whole.out),
                                                                share_rows(whole.in)};
  const auto found = ef::bfs(one, whole.view(), {7}, {.parents = true});
  const auto got = ef::bfs(ctx, graph, {7}, true);
  check(gathered_on_host(ctx, got.levels) == to_host(one, found.levels), "bfs");
  check(gathered_on_host(ctx, got.parents) == to_host(one, found.parents), "bfs");
  const auto ranks = ef::pagerank<float>(one, whole.view());
  check(gathered_on_host(ctx, ef::pagerank<float>(ctx, graph).ranks) == to_host(one, ranks.ranks),
        "pagerank");
}

void check_join(rank_context& ctx) {
  std::vector<int> left(300, 20);
  std::vector<int> right(400, 20);
  for (int k = 0; k < 100; ++k) {
    left[static_cast<std::size_t>(k)] = k / 6;
    right[static_cast<std::size_t>(k)] = k / 5;
  }
  ef::reference_context one;
  const auto expected = ef::full_join(one, left.data(), std::int64_t{300}, right.data(),
                                      std::int64_t{400}, ef::less{});
  const auto got =
      ef::full_join(ctx, shard_of(ctx, left, make_shards(cut::uneven, 300, ctx.size())),
                    shard_of(ctx, right, make_shards(cut::equal, 400, ctx.size())), ef::less{});
  check(gathered_on_host(ctx, got.left) == to_host(one, expected.left), "full_join");
  check(gathered_on_host(ctx, got.right) == to_host(one, expected.right), "full_join");
}

void run(const std::string& ending) {
  ef::mpi_communicator all(MPI_COMM_WORLD,
                           std::chrono::milliseconds(ending == "waits" ? 500 : 60000));
  ef::cpu_context local(1);
  rank_context ctx(local, all);
  check_folds(ctx);
  check_graph(ctx);
  check_join(ctx);
  const bool is_odd_one = all.rank() == 1;
  if (ending == "throws" && is_odd_one) throw std::out_of_range("bad row");
  if (ending == "waits" && is_odd_one) sleep(2);
  if (ending == "dies" && is_odd_one) std::raise(SIGKILL);
  if (ending == "lacks") {
    // The shards of rank 1 alone do not fit its memory.
    ef::sharded<double> huge(ctx, is_odd_one ? std::uint64_t{1} << 58 : 0);
    all.barrier();
  }
  if (ending == "refuses") {
    ef::sharded<int> numbers(ctx, 9);
    ef::transform(ctx, numbers, [](std::uint64_t i) {
      if (i == 4) throw std::domain_error("four");
      return static_cast<int>(i);
    });
    all.barrier();
  }
  if (ending == "leaves" && is_odd_one) return;
  const ef::sharded<int> none(ctx, ef::shard_map::equal(0, all.size()));
  if (ending == "differs") ef::reduce(ctx, none, ef::plus{}, is_odd_one ? 1 : 2);
  all.barrier();
  if (all.rank() == 0) std::printf("all %d ranks have the bits of one context\n", all.size());
}

int main(int argc, char** argv) try {
  ef::mpi_session session(argc, argv);
  try {
    run(argv[1]);
  } catch (const std::exception& e) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::printf("rank %d ends: %s\n", rank, e.what());
    std::fflush(stdout);
    throw;
  }
  return evenfold::detail::mpi_has_failed ? 1 : 0;
} catch (const std::exception&) {
  return 1;
}
