// bfs: how many clicks each of eight pages is away from the first one, and by which path.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // Page 0 links to 1 and 2, page 1 to 3, ..., and page 7 to 5 and 6.
  const std::vector<int> from = {0, 0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 6, 7, 7};
  const std::vector<int> to = {1, 2, 3, 1, 4, 1, 4, 5, 5, 6, 7, 7, 0, 4, 7, 5, 6};
  const ef::array<int> rows = ef::to_context(ctx, from);
  const ef::array<int> columns = ef::to_context(ctx, to);
  const ef::coo_view<const ef::pattern> links{8, 8, 17, rows.data(), columns.data()};
  const auto web = ef::directed_graph(ctx, ef::to_csr(ctx, links, ef::duplicates::first));

  const auto found = ef::bfs(ctx, web.view(), {0}, {.parents = true});
  const std::vector<int> clicks = ef::to_host(ctx, found.levels);
  const std::vector<int> before = ef::to_host(ctx, found.parents);
  for (int page = 0; page < 8; ++page) {
    std::printf("page %d: %d clicks", page, clicks[page]);
    for (int at = page; clicks[at] > 0; at = before[at]) std::printf(" <- %d", before[at]);
    std::printf("\n");
  }
  return clicks == std::vector<int>{0, 1, 1, 2, 2, 3, 3, 3} &&
                 before == std::vector<int>{0, 0, 0, 1, 2, 3, 4, 4} &&
                 ef::bfs_verify(ctx, web.view(), {0}, found).ok()
             ? 0
             : 1;
}
