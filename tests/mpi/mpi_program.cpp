// Folds on several processes against those of one context, and ways in which a rank fails.

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
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/scan.hpp"
#include "support/ranks.hpp"
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

void run(const std::string& ending) {
  ef::mpi_communicator all(MPI_COMM_WORLD,
                           std::chrono::milliseconds(ending == "waits" ? 500 : 60000));
  ef::cpu_context local(1);
  rank_context ctx(local, all);
  check_folds(ctx);
  const bool is_odd_one = all.rank() == 1;
  if (ending == "throws" && is_odd_one) throw std::out_of_range("bad row");
  if (ending == "waits" && is_odd_one) sleep(2);
  if (ending == "dies" && is_odd_one) std::raise(SIGKILL);
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
