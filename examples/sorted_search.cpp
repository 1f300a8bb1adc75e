// sorted_search, search, sorted_equal_range: which tax bracket each income falls into, for sorted
// incomes and for incomes in any order; and how many people earn a given income.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<int> brackets = ef::to_context(ctx, std::vector<int>{0, 12000, 35000, 80000});
  const ef::array<int> incomes =
      ef::to_context(ctx, std::vector<int>{9000, 12000, 12000, 34999, 50000, 90000});

  // The bracket of an income is the last one that begins at or below it.
  ef::array<int> bracket(ctx, 6);
  ef::sorted_search<ef::bounds::upper>(ctx, incomes.data(), 6, brackets.data(), 4, bracket.data(),
                                       ef::less{});

  const ef::array<int> visitors = ef::to_context(ctx, std::vector<int>{90000, 100, 36000});
  ef::array<int> bracket_of_visitor(ctx, 3);
  ef::search<ef::bounds::upper>(ctx, visitors.data(), 3, brackets.data(), 4,
                                bracket_of_visitor.data(), ef::less{});

  const ef::array<int> asked = ef::to_context(ctx, std::vector<int>{12000, 13000});
  ef::array<int> first(ctx, 2);
  ef::array<int> people(ctx, 2);
  ef::sorted_equal_range(ctx, asked.data(), 2, incomes.data(), 6, first.data(), people.data(),
                         ef::less{});

  const std::vector<int> brackets_of_incomes = ef::to_host(ctx, bracket);
  std::printf("brackets of the incomes: ");
  for (const int b : brackets_of_incomes) std::printf("%d ", b);
  std::printf("\n");
  return brackets_of_incomes == std::vector<int>{1, 2, 2, 2, 3, 4} &&
                 ef::to_host(ctx, bracket_of_visitor) == std::vector<int>{4, 1, 3} &&
                 ef::to_host(ctx, first) == std::vector<int>{1, 3} &&
                 ef::to_host(ctx, people) == std::vector<int>{2, 0}
             ? 0
             : 1;
}
