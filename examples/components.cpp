// connected_components, strongly_connected_components, count_components: the groups of islands that
// bridges connect.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Bridges connect the islands 0, 1 and 2, and the islands 3 and 4. Island 5 has none. Each bridge
  // is listed once, by its ends.
  const std::vector<int> from = {0, 1, 3};
  const std::vector<int> to = {1, 2, 4};
  ef::reference_context host;
  ef::coo<ef::pattern> bridges(host, 6, 6, 3);
  ef::copy(host, from.data(), 3, bridges.rows.data());
  ef::copy(host, to.data(), 3, bridges.columns.data());

  const ef::coo<ef::pattern> here = ef::to_context(ctx, bridges.view());
  const ef::coo<ef::pattern> both_ways = ef::symmetrize(ctx, here.view());
  const ef::graph<ef::pattern> map =
      ef::undirected_graph(ctx, ef::to_csr(ctx, both_ways.view(), ef::duplicates::first));

  ef::array<int> labels(ctx, 6);
  ef::connected_components(ctx, map.view(), labels.data());
  const ef::component_counts<int> counts = ef::count_components(ctx, labels.data(), 6);
  std::printf("%d groups, the largest of %d islands; the first island of each group:",
              counts.components, counts.largest);
  const std::vector<int> firsts = ef::to_host(ctx, labels);
  for (const int first : firsts) std::printf(" %d", first);
  std::printf("\n");

  // If the bridges are one-way, nobody can return.
  const ef::graph<ef::pattern> one_way = ef::directed_graph(ctx, ef::to_csr(ctx, here.view()));
  ef::strongly_connected_components(ctx, one_way.view(), labels.data());
  return firsts == std::vector<int>{0, 0, 0, 3, 3, 5} &&
                 ef::to_host(ctx, labels) == std::vector<int>{0, 1, 2, 3, 4, 5}
             ? 0
             : 1;
}
