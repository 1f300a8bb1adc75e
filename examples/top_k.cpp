// top_k, top_k_indices, segmented_top_k: the largest elements of a sequence, the indices of the
// smallest, and the largest of every segment.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int count = 6;
  const ef::array<float> scores =
      ef::to_context(ctx, std::vector<float>{3.5f, 9.f, 1.f, 9.f, 7.25f, 2.f});

  ef::array<float> best(ctx, 3);
  ef::top_k(ctx, scores.data(), count, 3, best.data(), ef::greater{});
  const std::vector<float> largest = ef::to_host(ctx, best);
  std::printf("the three largest: %g %g %g\n", largest[0], largest[1], largest[2]);

  ef::array<int> indices(ctx, 2);
  ef::top_k_indices(ctx, scores.data(), count, 2, indices.data(), ef::less{});
  const std::vector<int> smallest = ef::to_host(ctx, indices);
  std::printf("the two smallest are at %d and %d\n", smallest[0], smallest[1]);

  // The two best scores of each team.
  const ef::array<int> teams = ef::to_context(ctx, std::vector<int>{0, 1, 4});
  ef::array<int> begins(ctx, 3);
  ef::array<float> of_teams(ctx, 3 * 2);
  const int results = ef::segmented_top_k(ctx, scores.data(), count, teams.data(), 3, 2,
                                          of_teams.data(), begins.data(), ef::greater{});
  std::vector<float> best_of_teams = ef::to_host(ctx, of_teams);
  best_of_teams.resize(static_cast<std::size_t>(results));
  std::printf("the best of each team:");
  for (const float score : best_of_teams) std::printf(" %g", score);
  std::printf("\n");

  return largest == std::vector<float>{9, 9, 7.25f} && smallest == std::vector<int>{2, 5} &&
                 best_of_teams == std::vector<float>{3.5f, 9, 9, 7.25f, 2}
             ? 0
             : 1;
}
