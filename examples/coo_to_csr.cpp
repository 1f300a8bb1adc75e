// to_csr, to_csc, transpose, symmetrize, submatrix: a list of links becomes a matrix by rows, a
// matrix by columns, and a graph.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

/// Prints the entries of a matrix in host memory.
void print(const char* name, const ef::csr<float>& a) {
  std::printf("%s\n", name);
  for (int row = 0; row < a.num_rows; ++row) {
    std::printf("  row %d:", row);
    for (int k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      std::printf(" (%d: %g)", a.columns[k], a.values[k]);
    }
    std::printf("\n");
  }
}

int main() {
  ef::default_context ctx;
  // Entries may be in any order. (2, 1) occurs twice, and vertex 1 links to itself.
  const std::vector<int> rows{2, 0, 1, 2, 0}, columns{1, 2, 1, 1, 1};
  const std::vector<float> values{1, 2, 3, 4, 5};
  const auto links = ef::to_context(
      ctx, ef::coo_view<const float>{3, 3, 5, rows.data(), columns.data(), values.data()});

  const auto by_rows = ef::to_csr(ctx, links.view());  // duplicates are summed
  const auto by_columns = ef::to_csc(ctx, links.view(), ef::duplicates::first);
  const auto turned = ef::transpose(ctx, by_rows.view());
  print("by rows", ef::to_host(ctx, by_rows.view()));
  print("transposed", ef::to_host(ctx, turned.view()));

  const auto both_ways = ef::symmetrize(ctx, ef::drop_self_loops(ctx, links.view()).view());
  const auto friends = ef::undirected_graph(
      ctx, ef::to_csr(ctx, both_ways.view(), ef::duplicates::first), ef::symmetry_check::on);
  const ef::degree_summary degrees = ef::degree_statistics(ctx, friends.view().out);
  const auto corner = ef::submatrix(ctx, by_rows.view(), {1, 3}, {0, 2});
  const ef::array<int> order = ef::to_context(ctx, std::vector<int>{2, 0, 1});
  const auto renumbered = ef::permute(ctx, by_rows.view(), order.data(), order.data());
  std::printf("%d edges, and at most %g times the average number at a vertex\n",
              friends.view().num_edges(), degrees.skew);

  return ef::to_host(ctx, by_rows.values) == std::vector<float>{5, 2, 3, 5} &&
                 ef::to_host(ctx, by_columns.values) == std::vector<float>{5, 3, 1, 2} &&
                 ef::to_host(ctx, turned.columns) == std::vector<int>{0, 1, 2, 0} &&
                 ef::to_host(ctx, corner.columns) == std::vector<int>{1, 1} &&
                 ef::to_host(ctx, renumbered.values) == std::vector<float>{5, 2, 5, 3} &&
                 ef::to_host(ctx, ef::diagonal(ctx, by_rows.view())) ==
                     std::vector<float>{0, 3, 0} &&
                 ef::to_coo(ctx, corner.view()).num_nonzeros == 2 && degrees.max == 2
             ? 0
             : 1;
}
