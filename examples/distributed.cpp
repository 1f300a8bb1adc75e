// The same calls on several ranks: here threads of this process, each with a context of its own.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/scan.hpp"
#include "evenfold/distributed/threads.hpp"
#include "evenfold/distributed/transform.hpp"

namespace ef = evenfold;

using rank_context = ef::distributed_context<ef::default_context, ef::thread_communicator>;

struct harmonic {
  EF_HD float operator()(std::uint64_t i) const { return 1.f / static_cast<float>(i + 1); }
};

/// What every rank runs; all ranks make the same calls.
float sum_on_rank(rank_context& ctx) {
  ef::sharded<float> terms(ctx, std::uint64_t{1000000});
  transform(ctx, terms, harmonic{});
  ef::sharded<float> prefixes(ctx, terms.map());
  inclusive_scan(ctx, terms, prefixes, ef::plus{});
  return reduce(ctx, terms, ef::plus{}, 0.f);
}

int main() {
  std::vector<float> sums;
  for (const int ranks : {1, 2, 3}) {
    ef::run_ranks(ranks, [&](ef::thread_communicator& communicator) {
      ef::default_context local;
      rank_context ctx(local, communicator);
      const float sum = sum_on_rank(ctx);
      if (ctx.rank() == 0) sums.push_back(sum);
    });
    std::printf("%d ranks: %.9g\n", ranks, sums.back());
  }
  // The order of additions does not depend on the number of ranks.
  return sums[0] == sums[1] && sums[0] == sums[2] ? 0 : 1;
}
