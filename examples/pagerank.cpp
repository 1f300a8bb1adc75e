// pagerank: which of eight linked web pages matters most.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Page 0 links to 1 and 2, page 1 to 3, and so on.
  const std::vector<int> from{0, 0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 6, 7, 7};
  const std::vector<int> to{1, 2, 3, 1, 4, 1, 4, 5, 5, 6, 7, 7, 0, 4, 7, 5, 6};
  const int links = static_cast<int>(from.size());
  const auto rows = ef::to_context(ctx, from);
  const auto columns = ef::to_context(ctx, to);
  const ef::coo_view<const ef::pattern> web{8, 8, links, rows.data(), columns.data(), nullptr};
  const auto graph = ef::directed_graph(ctx, ef::to_csr(ctx, web, ef::duplicates::first));

  const auto result = ef::pagerank<double>(ctx, graph.view(), {.tolerance = 1e-10});
  std::printf("%lld iterations, the last one changed the ranks by %.1e\n",
              static_cast<long long>(result.iterations), result.residual);
  const std::vector<double> ranks = ef::to_host(ctx, result.ranks);
  int best = 0;
  for (int page = 0; page < 8; ++page) {
    std::printf("page %d: %.4f\n", page, ranks[page]);
    if (ranks[page] > ranks[best]) best = page;
  }
  const double sum = std::accumulate(ranks.begin(), ranks.end(), 0.);
  return result.converged && best == 7 && sum > 1 - 1e-12 && sum < 1 + 1e-12 ? 0 : 1;
}
