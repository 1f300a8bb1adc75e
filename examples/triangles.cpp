// triangle_count: the triangles among five people, and how many friends of each are friends.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Two triangles, 0 1 2 and 1 2 3. Person 4 knows only person 3.
  const std::vector<int> from = {0, 1, 2, 1, 2, 3};
  const std::vector<int> to = {1, 2, 0, 3, 3, 4};
  ef::reference_context host;
  ef::coo<ef::pattern> known(host, 5, 5, 6);
  ef::copy(host, from.data(), 6, known.rows.data());
  ef::copy(host, to.data(), 6, known.columns.data());

  const ef::coo<ef::pattern> here = ef::to_context(ctx, known.view());
  const ef::coo<ef::pattern> both_ways = ef::symmetrize(ctx, here.view());
  const ef::graph<ef::pattern> people =
      ef::undirected_graph(ctx, ef::to_csr(ctx, both_ways.view(), ef::duplicates::first));

  const ef::triangle_result found =
      ef::triangle_count(ctx, people.view(), {.counts = true, .coefficients = true});
  std::printf("%d triangles\n", static_cast<int>(found.total));
  const std::vector<double> coefficients = ef::to_host(ctx, found.coefficients);
  for (const double coefficient : coefficients) std::printf("clustering %.3f\n", coefficient);
  const std::vector<std::int64_t> right = {1, 2, 2, 1, 0};
  return found.total == 2 && ef::to_host(ctx, found.counts) == right && coefficients[0] == 1. ? 0
                                                                                              : 1;
}
