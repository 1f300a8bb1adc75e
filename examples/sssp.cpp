// sssp: the shortest ways from a town to all others, in kilometres.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Each road is listed once, by its ends and its length. Town 4 is on an island.
  const std::vector<int> from = {0, 0, 1, 2};
  const std::vector<int> to = {1, 2, 2, 3};
  const std::vector<float> lengths = {7.5f, 20.f, 9.f, 3.5f};
  const ef::array<int> rows = ef::to_context(ctx, from);
  const ef::array<int> columns = ef::to_context(ctx, to);
  const ef::array<float> kilometres = ef::to_context(ctx, lengths);
  const ef::coo_view<const float> roads{5, 5, 4, rows.data(), columns.data(), kilometres.data()};
  const auto both_ways = ef::symmetrize(ctx, roads);
  const auto map = ef::undirected_graph(ctx, ef::to_csr(ctx, both_ways.view()));

  const auto found = ef::sssp(ctx, map.view(), {0}, {.parents = true});
  const std::vector<float> distances = ef::to_host(ctx, found.distances);
  const std::vector<int> before = ef::to_host(ctx, found.parents);
  for (int town = 0; town < 5; ++town) {
    if (distances[town] == ef::no_path<float>) {
      std::printf("town %d: no way\n", town);
    } else {
      std::printf("town %d: %.1f km, from town %d\n", town, distances[town], before[town]);
    }
  }
  return distances == std::vector<float>{0, 7.5f, 16.5f, 20.f, ef::no_path<float>} &&
                 before == std::vector<int>{0, 0, 1, 2, -1} &&
                 ef::sssp_verify(ctx, map.view(), {0}, found).ok()
             ? 0
             : 1;
}
