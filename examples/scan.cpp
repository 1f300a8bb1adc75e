// exclusive_scan: lengths of segments become offsets of segments, and their total the number of
// items.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<int> lengths = ef::to_context(ctx, std::vector<int>{2, 0, 3, 1});
  ef::array<int> offsets(ctx, 4);
  ef::array<int> count(ctx, 1);
  ef::exclusive_scan(ctx, lengths.data(), 4, offsets.data(), ef::plus{}, 0, count.data());

  const std::vector<int> result = ef::to_host(ctx, offsets);
  const int items = ef::to_host(ctx, count)[0];
  std::printf("offsets ");
  for (const int offset : result) std::printf("%d ", offset);
  std::printf("of %d items\n", items);
  return result == std::vector<int>{0, 2, 2, 5} && items == 6 ? 0 : 1;
}
