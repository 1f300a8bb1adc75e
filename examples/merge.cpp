// merge: two logs, each sorted by time, become one. Entries of the same second keep their order,
// those of the first log before those of the second. multiway_merge does so with any number of
// logs.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<int> seconds_a = ef::to_context(ctx, std::vector<int>{1, 4, 4, 9});
  const ef::array<int> seconds_b = ef::to_context(ctx, std::vector<int>{0, 4, 10});
  const ef::array<char> entries_a = ef::to_context(ctx, std::vector<char>{'a', 'b', 'c', 'd'});
  const ef::array<char> entries_b = ef::to_context(ctx, std::vector<char>{'x', 'y', 'z'});

  ef::array<int> seconds(ctx, 7);
  ef::array<char> entries(ctx, 7);
  ef::merge(ctx, seconds_a.data(), entries_a.data(), 4, seconds_b.data(), entries_b.data(), 3,
            seconds.data(), entries.data(), ef::less{});

  const std::vector<int> times = ef::to_host(ctx, seconds);
  const std::vector<char> log = ef::to_host(ctx, entries);
  for (int i = 0; i < 7; ++i) std::printf("%d:%c ", times[i], log[i]);
  std::printf("\n");

  const ef::array<int> three_logs = ef::to_context(ctx, std::vector<int>{1, 4, 9, 0, 4, 2});
  ef::array<int> merged(ctx, 6);
  ef::multiway_merge(ctx, three_logs.data(), 6, {0, 3, 5}, merged.data(), ef::less{});

  return ef::to_host(ctx, merged) == std::vector<int>{0, 1, 2, 4, 4, 9} &&
                 times == std::vector<int>{0, 1, 4, 4, 4, 9, 10} &&
                 log == std::vector<char>{'x', 'a', 'b', 'c', 'y', 'd', 'z'}
             ? 0
             : 1;
}
