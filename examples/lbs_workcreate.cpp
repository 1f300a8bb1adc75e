// lbs_workcreate: two steps of a breadth-first search. The segments are the vertices of the
// frontier, and the items are their edges. An edge creates a vertex of the next frontier if it is
// the first one to claim it.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // 0 -> 1, 2; 1 -> 3; 2 -> 3, 4. No edge leaves 3 and 4.
  const std::vector<int> row_offsets = {0, 2, 3, 5, 5, 5};
  const ef::array<int> edge_begins = ef::to_context(ctx, row_offsets);
  const ef::array<int> edge_ends = ef::to_context(ctx, std::vector<int>{1, 2, 3, 3, 4});
  ef::array<int> claimed = ef::to_context(ctx, std::vector<int>{1, 0, 0, 0, 0});
  const int* begins = edge_begins.data();
  const int* ends = edge_ends.data();
  int* claims = claimed.data();

  ef::array<int> frontier = ef::to_context(ctx, std::vector<int>{0});
  int size = 1;
  for (int step = 0; step < 2; ++step) {
    const int* vertices = frontier.data();
    ef::array<int> offsets(ctx, size);
    ef::array<int> num_edges(ctx, 1);
    ef::transform_scan<ef::scan_kind::exclusive>(
        ctx, size, EF_LAMBDA(int s) { return begins[vertices[s] + 1] - begins[vertices[s]]; },
        offsets.data(), ef::plus{}, 0, num_edges.data());
    const int edges = ef::to_host(ctx, num_edges)[0];
    ef::array<int> next(ctx, edges);
    size = ef::lbs_workcreate(
        ctx, edges,
        EF_LAMBDA(int, int, int rank, const ef::tuple<int>& vertex)->ef::optional<int> {
          const int reached = ends[begins[ef::get<0>(vertex)] + rank];
          if (ef::atomic_ref<int>(claims[reached]).exchange(1) != 0) return ef::nullopt;
          return reached;
        },
        offsets.data(), size, ef::make_tuple(vertices), next.data());
    frontier = std::move(next);
  }

  const std::vector<int> last = ef::to_host(ctx, frontier.data(), size);
  std::printf("vertices after two steps: ");
  for (const int v : last) std::printf("%d ", v);
  std::printf("\n");
  return last == std::vector<int>{3, 4} ? 0 : 1;
}
