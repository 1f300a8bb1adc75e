// k_core: how tightly each of six people is tied to the others.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // People 0 to 3 all know each other. Person 4 knows two of them, person 5 knows person 4.
  const std::vector<int> from = {0, 0, 0, 1, 1, 2, 4, 4, 5};
  const std::vector<int> to = {1, 2, 3, 2, 3, 3, 0, 1, 4};
  ef::reference_context host;
  ef::coo<ef::pattern> known(host, 6, 6, 9);
  ef::copy(host, from.data(), 9, known.rows.data());
  ef::copy(host, to.data(), 9, known.columns.data());

  const ef::coo<ef::pattern> here = ef::to_context(ctx, known.view());
  const ef::graph<ef::pattern> people = ef::directed_graph(ctx, ef::to_csr(ctx, here.view()));

  ef::array<int> cores(ctx, 6);
  const int largest = ef::k_core(ctx, people.view(), cores.data());
  const std::vector<int> numbers = ef::to_host(ctx, cores);
  std::printf("the largest core number is %d; those of the vertices:", largest);
  for (const int number : numbers) std::printf(" %d", number);
  std::printf("\n");
  return numbers == std::vector<int>{3, 3, 3, 3, 2, 1} ? 0 : 1;
}
