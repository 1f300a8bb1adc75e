// bfs_direction: a square grid of a million vertices, each with up to four neighbours; how far each
// vertex is from a corner, and how many vertices are at a given distance.

#include <evenfold/evenfold.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::grid_edges edges{1000, 1000};
  ef::coo<ef::pattern> ends(ctx, 1'000'000, 1'000'000, static_cast<int>(edges.size()));
  int* rows = ends.rows.data();
  int* columns = ends.columns.data();
  ef::transform(
      ctx, ends.num_nonzeros, EF_LAMBDA(int i) {
        const ef::edge e = edges(static_cast<std::uint64_t>(i));
        rows[i] = static_cast<int>(e.from);
        columns[i] = static_cast<int>(e.to);
      });
  const ef::coo<ef::pattern> both = ef::symmetrize(ctx, ends.view());
  const auto square = ef::undirected_graph(ctx, ef::to_csr(ctx, both.view()));

  const ef::array<int> corner = ef::to_context(ctx, std::vector<int>{0});
  ef::array<int> hops(ctx, square.out.num_rows);
  const ef::bfs_summary found =
      ef::bfs_direction(ctx, square.view(), corner.data(), 1, hops.data(), true);
  std::printf("%lld vertices, the farthest %lld hops away\n", static_cast<long long>(found.reached),
              static_cast<long long>(found.depth));
  const ef::bfs_level& widest = found.table[999];
  std::printf("%lld of them are 999 hops away\n", static_cast<long long>(widest.vertices));
  return found.reached == 1'000'000 && found.depth == 1998 && widest.vertices == 1000 &&
                 ef::to_host(ctx, hops)[999'999] == 1998
             ? 0
             : 1;
}
