// minimum_spanning_forest: the cheapest cables that connect five houses.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::vector<int> from{0, 0, 1, 1, 2, 3}, to{1, 2, 2, 3, 3, 4};
  const std::vector<float> cost{4, 1, 2, 5, 8, 3};
  const auto cables =
      ef::to_context(ctx, ef::coo_view<const float>{5, 5, 6, from.data(), to.data(), cost.data()});
  const auto graph =
      ef::undirected_graph(ctx, ef::to_csr(ctx, ef::symmetrize(ctx, cables.view()).view()));

  const auto forest = ef::minimum_spanning_forest(ctx, graph.view());
  const auto edges = ef::to_host(ctx, forest.edges.view());
  for (int i = 0; i < edges.num_nonzeros; ++i) {
    std::printf("%d - %d: %g\n", edges.rows.data()[i], edges.columns.data()[i],
                edges.values.data()[i]);
  }
  std::printf("in all %g\n", forest.total_weight);

  const ef::spanning_forest_report report = ef::spanning_forest_verify(
      ctx, graph.view(), forest.positions.data(), forest.edges.num_nonzeros);
  return report.ok() && forest.total_weight == 11 && edges.num_nonzeros == 4 ? 0 : 1;
}
