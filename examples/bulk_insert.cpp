// bulk_insert, bulk_remove: elements inserted into a sequence at many positions at once, and
// removed again.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::vector<int> tens = {10, 20, 30, 40};
  const ef::array<int> input = ef::to_context(ctx, tens);

  // 5 before the first element, 24 and 25 before the third, 45 at the end.
  const ef::array<int> inserted = ef::to_context(ctx, std::vector<int>{5, 24, 25, 45});
  const ef::array<int> before = ef::to_context(ctx, std::vector<int>{0, 2, 2, 4});
  ef::array<int> longer(ctx, 8);
  ef::bulk_insert(ctx, input.data(), 4, inserted.data(), before.data(), 4, longer.data());
  const std::vector<int> more = ef::to_host(ctx, longer);
  std::printf("after the insertions:");
  for (const int value : more) std::printf(" %d", value);
  std::printf("\n");

  const ef::array<int> removed = ef::to_context(ctx, std::vector<int>{0, 3, 4, 7});
  ef::array<int> shorter(ctx, 4);
  ef::bulk_remove(ctx, longer.data(), 8, removed.data(), 4, shorter.data());

  return more == std::vector<int>{5, 10, 20, 24, 25, 30, 40, 45} &&
                 ef::to_host(ctx, shorter) == tens
             ? 0
             : 1;
}
