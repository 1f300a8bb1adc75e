// betweenness: which of seven stations most of the shortest ways lead through.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Two triangles of stations, 0 1 2 and 4 5 6, and a line from 2 over 3 to 4.
  const std::vector<int> from = {0, 1, 2, 2, 3, 4, 5, 6};
  const std::vector<int> to = {1, 2, 0, 3, 4, 5, 6, 4};
  ef::reference_context host;
  ef::coo<ef::pattern> lines(host, 7, 7, 8);
  ef::copy(host, from.data(), 8, lines.rows.data());
  ef::copy(host, to.data(), 8, lines.columns.data());

  const ef::coo<ef::pattern> here = ef::to_context(ctx, lines.view());
  const ef::coo<ef::pattern> both_ways = ef::symmetrize(ctx, here.view());
  const ef::graph<ef::pattern> map =
      ef::undirected_graph(ctx, ef::to_csr(ctx, both_ways.view(), ef::duplicates::first));

  const std::vector<double> scores = ef::to_host(ctx, ef::betweenness(ctx, map.view()));
  for (int v = 0; v < 7; ++v) std::printf("station %d: %g\n", v, scores[v]);
  return scores == std::vector<double>{0, 0, 8, 9, 8, 0, 0} ? 0 : 1;
}
