// rmat_edges: a skewed random graph, generated on the device, and the number of edges that leave
// each vertex.

#include <evenfold/evenfold.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int scale = 10, count = 16 << scale;
  const ef::rmat_edges recipe(scale, 1);
  ef::array<ef::edge> edges(ctx, count);
  ef::edge* const list = edges.data();
  ef::transform(
      ctx, count, EF_LAMBDA(int i) { list[i] = recipe(i); });

  ef::array<std::int64_t> degrees(ctx, 1 << scale);
  ef::histogram(
      ctx, count, 1 << scale, EF_LAMBDA(int i) { return static_cast<int>(list[i].from); },
      degrees.data());

  const std::vector<std::int64_t> of_vertex = ef::to_host(ctx, degrees);
  const std::int64_t most = *std::max_element(of_vertex.begin(), of_vertex.end());
  const std::int64_t all = std::accumulate(of_vertex.begin(), of_vertex.end(), std::int64_t{0});
  std::printf("%d edges; on average 16 leave a vertex, and at most %d\n", count,
              static_cast<int>(most));
  return all == count && most > 200 ? 0 : 1;
}
