// set_intersection, set_difference, set_symmetric_difference, set_union: which ordered articles can
// be delivered from the stock, which are missing, and which are left over.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<int> stock = ef::to_context(ctx, std::vector<int>{3, 3, 3, 5, 8});
  const ef::array<int> orders = ef::to_context(ctx, std::vector<int>{1, 3, 3, 8, 8});
  const int* const s = stock.data();
  const int* const o = orders.data();

  const std::vector<int> delivered =
      ef::to_host(ctx, ef::set_intersection(ctx, o, 5, s, 5, ef::less{}));
  const std::vector<int> missing =
      ef::to_host(ctx, ef::set_difference(ctx, o, 5, s, 5, ef::less{}));
  const std::vector<int> left_over =
      ef::to_host(ctx, ef::set_difference(ctx, s, 5, o, 5, ef::less{}));
  const std::vector<int> unsettled =
      ef::to_host(ctx, ef::set_symmetric_difference(ctx, o, 5, s, 5, ef::less{}));
  const std::vector<int> handled = ef::to_host(ctx, ef::set_union(ctx, o, 5, s, 5, ef::less{}));

  // The number of the order and the shelf belong to the articles as values.
  const ef::array<int> order = ef::to_context(ctx, std::vector<int>{71, 72, 73, 74, 75});
  const ef::array<int> shelf = ef::to_context(ctx, std::vector<int>{1, 2, 3, 4, 5});
  const auto served = ef::set_intersection_by_key(ctx, o, order.data(), 5, s, 5, ef::less{});
  const auto open =
      ef::set_symmetric_difference_by_key(ctx, o, order.data(), 5, s, shelf.data(), 5, ef::less{});

  for (const int article : delivered) std::printf("deliver %d\n", article);
  for (const int article : missing) std::printf("missing %d\n", article);
  return delivered == std::vector<int>{3, 3, 8} && missing == std::vector<int>{1, 8} &&
                 left_over == std::vector<int>{3, 5} && unsettled == std::vector<int>{1, 3, 5, 8} &&
                 handled == std::vector<int>{1, 3, 3, 3, 5, 8, 8} &&
                 ef::to_host(ctx, served.values) == std::vector<int>{72, 73, 74} &&
                 ef::to_host(ctx, open.values) == std::vector<int>{71, 3, 4, 75}
             ? 0
             : 1;
}
