// spgemm, elementwise_add, elementwise_multiply: paths of two edges in a small graph.

#include <evenfold/evenfold.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Edges 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3 and 0 -> 3.
  const std::vector<int> offsets{0, 3, 4, 5, 5};
  const std::vector<int> columns{1, 2, 3, 3, 3};
  const std::vector<std::int64_t> ones(5, 1);
  const ef::csr_view<const std::int64_t> host{4, 4, 5, offsets.data(), columns.data(), ones.data()};
  const ef::csr<std::int64_t> edges = ef::to_context(ctx, host);

  const ef::csr<std::int64_t> paths = ef::spgemm(ctx, edges.view(), edges.view());
  const std::vector<std::int64_t> ways = ef::to_host(ctx, paths.values);
  std::printf("%d ways of two edges from 0 to 3\n", static_cast<int>(ways[0]));

  // Ways of one or two edges, and pairs that have both.
  const ef::csr<std::int64_t> either = ef::elementwise_add(ctx, edges.view(), paths.view());
  const ef::csr<std::int64_t> both = ef::elementwise_multiply(ctx, edges.view(), paths.view());
  const bool right = ways == std::vector<std::int64_t>{2} && either.num_nonzeros == 5 &&
                     ef::to_host(ctx, either.values)[2] == 3 &&
                     ef::to_host(ctx, both.values) == std::vector<std::int64_t>{2};
  return right ? 0 : 1;
}
