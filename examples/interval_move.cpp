// interval_gather, interval_scatter, interval_move: three words of a text are copied to other
// positions, all at once.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::string text = "balance work evenly";
  const ef::array<char> from = ef::to_context(ctx, text.data(), text.size());

  // The words begin at 13, 0 and 8, and have 6, 7 and 4 letters.
  const ef::array<int> gather = ef::to_context(ctx, std::vector<int>{13, 0, 8});
  const ef::array<int> offsets = ef::to_context(ctx, std::vector<int>{0, 6, 13});
  const int letters = 17;

  // All words, one directly after the other.
  ef::array<char> row(ctx, letters);
  ef::interval_gather(ctx, from.data(), gather.data(), letters, offsets.data(), 3, row.data());
  const std::vector<char> gathered = ef::to_host(ctx, row);
  std::printf("%.*s\n", letters, gathered.data());

  // Each word to a position of its own, in the order balance, work, evenly.
  const ef::array<int> scatter = ef::to_context(ctx, std::vector<int>{13, 0, 8});
  ef::array<char> line = ef::to_context(ctx, std::vector<char>(19, '.'));
  ef::interval_move(ctx, from.data(), gather.data(), letters, offsets.data(), 3, scatter.data(),
                    line.data());
  const std::vector<char> moved = ef::to_host(ctx, line);
  std::printf("%.*s\n", 19, moved.data());

  ef::array<char> again = ef::to_context(ctx, std::vector<char>(19, '.'));
  ef::interval_scatter(ctx, row.data(), letters, offsets.data(), 3, scatter.data(), again.data());

  const std::string first(gathered.begin(), gathered.end()), second(moved.begin(), moved.end());
  return first == "evenlybalancework" && second == "balance.work.evenly" &&
                 ef::to_host(ctx, again) == moved
             ? 0
             : 1;
}
