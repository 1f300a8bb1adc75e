// segmented_scan, scan_by_key: running totals that start again at each segment, and at each new
// key.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // The payments of three accounts, the second of which has none.
  const int count = 6;
  const ef::array<int> payments = ef::to_context(ctx, std::vector<int>{10, 20, 5, 1, 2, 3});
  const ef::array<int> offsets = ef::to_context(ctx, std::vector<int>{0, 3, 3});
  ef::array<int> balance(ctx, count);

  // Each account begins with 100.
  ef::segmented_scan<ef::scan_kind::inclusive>(ctx, payments.data(), count, offsets.data(), 3,
                                               balance.data(), ef::plus{}, 100);
  const std::vector<int> after = ef::to_host(ctx, balance);
  std::printf("after each payment  %d %d %d | %d %d %d\n", after[0], after[1], after[2], after[3],
              after[4], after[5]);

  const ef::array<char> accounts =
      ef::to_context(ctx, std::vector<char>{'a', 'a', 'a', 'c', 'c', 'c'});
  ef::scan_by_key<ef::scan_kind::exclusive>(ctx, accounts.data(), payments.data(), count,
                                            balance.data(), ef::equal_to{}, ef::plus{}, 100);
  const std::vector<int> before = ef::to_host(ctx, balance);
  std::printf("before each payment %d %d %d | %d %d %d\n", before[0], before[1], before[2],
              before[3], before[4], before[5]);

  return after == std::vector<int>{110, 130, 135, 101, 103, 106} &&
                 before == std::vector<int>{100, 110, 130, 100, 101, 103}
             ? 0
             : 1;
}
