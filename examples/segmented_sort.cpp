// segmented_sort, segmented_sort_indices: the neighbours of every vertex sorted together with the
// weights of their edges, and the scores of every group ranked in descending order.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int num_edges = 6;
  const ef::array<int> offsets = ef::to_context(ctx, std::vector<int>{0, 3, 3});
  ef::array<int> neighbours = ef::to_context(ctx, std::vector<int>{2, 0, 1, 1, 2, 0});
  ef::array<float> weights = ef::to_context(ctx, std::vector<float>{20, 0, 10, 11, 12, 13});
  ef::segmented_sort(ctx, neighbours.data(), weights.data(), num_edges, offsets.data(), 3,
                     ef::less{});

  ef::array<float> scores = ef::to_context(ctx, std::vector<float>{.5f, .9f, .9f, .1f, .3f, .2f});
  ef::array<int> ranking(ctx, num_edges);
  ef::segmented_sort_indices(ctx, scores.data(), ranking.data(), num_edges, offsets.data(), 3,
                             ef::greater{});

  const std::vector<float> sorted_weights = ef::to_host(ctx, weights);
  const std::vector<int> ranks = ef::to_host(ctx, ranking);
  std::printf("sorted weights:");
  for (const float weight : sorted_weights) std::printf(" %g", weight);
  std::printf("\nranking:");
  for (const int rank : ranks) std::printf(" %d", rank);
  std::printf("\n");
  return sorted_weights == std::vector<float>{0, 10, 20, 13, 11, 12} &&
                 ranks == std::vector<int>{1, 2, 0, 4, 5, 3}
             ? 0
             : 1;
}
