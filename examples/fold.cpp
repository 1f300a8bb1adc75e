// fold: a sum by its three strategies. The rounds of the tournament are printed, and its loop
// invariant is checked after each of them.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::vector<int> values = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  const ef::array<int> x = ef::to_context(ctx, values);
  const int count = static_cast<int>(values.size());

  const auto tournament = ef::fold_strategy::tournament;
  bool holds = true;
  const auto watch = [&](int round, const ef::array<int>& cells) {
    const std::vector<int> now = ef::to_host(ctx, cells);
    holds = holds &&
            !ef::first_broken_cell(tournament, round, values.data(), now.data(), count, ef::plus{});
    std::printf("round %d:", round);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (ef::holds_fold(tournament, now.size(), round, i)) std::printf(" [%zu] %d", i, now[i]);
    }
    std::printf("\n");
  };
  const int watched = ef::fold(ctx, x.data(), count, ef::plus{}, 0, tournament, watch);

  const int halved =
      ef::fold(ctx, x.data(), count, ef::plus{}, 0, ef::fold_strategy::array_folding);
  const int fast = ef::fold(ctx, x.data(), count, ef::plus{}, 0, ef::fold_strategy::tiled);
  std::printf("sum by tournament %d, by array folding %d, by tiles %d\n", watched, halved, fast);
  return holds && watched == 44 && halved == 44 && fast == 44 ? 0 : 1;
}
