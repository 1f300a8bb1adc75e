// advance: how many roads away a fire alarm is heard, if every village passes it on once.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

// [advance]
// rounds[v] = the number of roads from `start` to v on a shortest way, -1 where there is none.
template <class Context>
void spread(Context& ctx, ef::graph_view<const ef::pattern> map, int start, int* rounds) {
  ef::transform(
      ctx, map.num_vertices(), EF_LAMBDA(int v) { rounds[v] = v == start ? 0 : -1; });
  ef::frontier<int> heard(ctx, map, {start});
  for (int round = 1; !heard.empty(); ++round) {
    ef::advance(
        ctx, map, heard,
        // The first road that the alarm comes along puts the village into the next frontier.
        EF_LAMBDA(int, int to)->bool {
          int none = -1;
          return ef::atomic_ref<int>(rounds[to]).compare_exchange_strong(none, round);
        },
        EF_LAMBDA(int village)->bool { return ef::atomic_ref<int>(rounds[village]).load() < 0; });
  }
}
// [advance]

int main() {
  ef::default_context ctx;
  // Roads from village to village, in both directions.
  const std::vector<int> from = {0, 1, 1, 2, 1, 3, 3, 4};
  const std::vector<int> to = {1, 0, 2, 1, 3, 1, 4, 3};
  const ef::array<int> rows = ef::to_context(ctx, from);
  const ef::array<int> columns = ef::to_context(ctx, to);
  const ef::coo_view<const ef::pattern> roads{6, 6, 8, rows.data(), columns.data()};
  const auto map = ef::undirected_graph(ctx, ef::to_csr(ctx, roads));

  ef::array<int> rounds(ctx, 6);
  spread(ctx, map.view(), 0, rounds.data());
  const std::vector<int> result = ef::to_host(ctx, rounds);
  for (int v = 0; v < 6; ++v) std::printf("village %d: round %d\n", v, result[v]);
  return result == std::vector<int>{0, 1, 2, 2, 3, -1} ? 0 : 1;
}
