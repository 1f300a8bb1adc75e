// Triangles and clustering coefficients, compared with all triples of vertices, and with known
// counts of larger graphs.

#include "evenfold/graph/triangle_count.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {

namespace {

struct expected_triangles {
  std::int64_t total = 0;
  std::vector<std::int64_t> counts;
  std::vector<double> coefficients;
};

/// By a table of all pairs.
expected_triangles triangles_of(std::int64_t n, const edge_pairs& edges, bool undirected) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<std::vector<int>> edge(size, std::vector<int>(size));
  for (const auto& [u, v] : edges) {
    if (u == v) continue;
    edge[u][v] = 1;
    if (undirected) edge[v][u] = 1;
  }
  expected_triangles found{0, std::vector<std::int64_t>(size), std::vector<double>(size)};
  const auto near = [&](std::size_t a, std::size_t b) { return edge[a][b] + edge[b][a] > 0; };
  for (std::size_t v = 0; v < size; ++v) {
    std::int64_t degree = 0, links = 0;
    for (std::size_t a = 0; a < size; ++a) {
      if (!near(v, a)) continue;
      ++degree;
      for (std::size_t b = 0; b < size; ++b) {
        if (!near(v, b)) continue;
        links += edge[a][b];
        if (a < b && near(a, b)) ++found.counts[v];
      }
    }
    found.total += found.counts[v];
    if (degree >= 2) {
      found.coefficients[v] =
          static_cast<double>(links) / static_cast<double>(degree * (degree - 1));
    }
  }
  found.total /= 3;
  return found;
}

template <class Context>
void expect_triangles(Context& ctx, std::int64_t n, const edge_pairs& edges) {
  for (const bool undirected : {false, true}) {
    SCOPED_TRACE(undirected);
    const test_graph<Context> g(ctx, n, edges, undirected);
    const expected_triangles right = triangles_of(n, edges, undirected);
    EXPECT_EQ(triangle_count(ctx, g.view()).total, right.total);
    const triangle_result found =
        triangle_count(ctx, g.view(), {.counts = true, .coefficients = true});
    EXPECT_EQ(found.total, right.total);
    EXPECT_EQ(to_host(ctx, found.counts), right.counts);
    EXPECT_EQ(to_host(ctx, found.coefficients), right.coefficients);
  }
}

/// A clique of the first `size` vertices.
edge_pairs clique(std::int64_t size) {
  edge_pairs edges;
  for (std::int64_t u = 0; u < size; ++u) {
    for (std::int64_t v = 0; v < u; ++v) edges.emplace_back(u, v);
  }
  return edges;
}

}  // namespace

template <class Context>
class triangles : public on<Context> {};
TYPED_TEST_SUITE(triangles, contexts);

TYPED_TEST(triangles, corner_cases) {
  expect_triangles(this->ctx, 0, {});
  expect_triangles(this->ctx, 1, {{0, 0}});
  expect_triangles(this->ctx, 3, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  expect_triangles(this->ctx, 3, {{0, 1}, {2, 1}, {2, 0}});
  expect_triangles(this->ctx, 4, {{3, 1}, {1, 3}, {1, 2}, {1, 2}, {2, 3}, {3, 3}, {3, 2}, {1, 3}});
  edge_pairs star, path;
  for (std::int64_t v = 1; v < 40; ++v) {
    star.emplace_back(20, v == 20 ? 0 : v);
    path.emplace_back(v, v - 1);
  }
  expect_triangles(this->ctx, 40, star);
  expect_triangles(this->ctx, 40, path);
  star.insert(star.end(), path.begin(), path.end());
  expect_triangles(this->ctx, 41, star);  // a fan, and an isolated vertex
  expect_triangles(this->ctx, 30, clique(25));
}

TYPED_TEST(triangles, random_graphs) {
  expect_triangles(this->ctx, 60, edges_of(uniform_edges{random_stream(3), 60}, 500));
  expect_triangles(this->ctx, 64, edges_of(kronecker_edges(6, 2), 600));
}

TYPED_TEST(triangles, rows_in_any_order) {
  // Two triangles that share an edge, and an empty row. Rows begin above and below the entry
  // before.
  const std::vector<int> host_rows{0, 3, 5, 5, 8, 10};
  for (const std::vector<int>& host_columns : {std::vector<int>{1, 3, 4, 0, 3, 0, 1, 4, 0, 3},
                                               {4, 3, 1, 3, 0, 1, 4, 0, 3, 0},
                                               {1, 3, 4, 0, 3, 0, 1, 4, 3, 0},
                                               {1, 3, 4, 0, 3, 4, 0, 1, 0, 3}}) {
    const array<int> rows = to_context(this->ctx, host_rows);
    const array<int> columns = to_context(this->ctx, host_columns);
    const csr_view<const pattern, int, int> both{5, 5, 10, rows.data(), columns.data(), nullptr};
    const graph_view<const pattern, int, int> g{both, both};
    EXPECT_EQ(triangle_count(this->ctx, g).total, 2);
  }
}

// More vertices than the table of a marked row has, and more wedges than a tile.
TYPED_TEST(triangles, large_graphs) {
  const std::int64_t n = 70000;
  edge_pairs edges = clique(80);
  for (std::int64_t v = 80; v + 1 < n; ++v) {
    edges.emplace_back(v, v + 1);
    if (v % 2 == 0 && v + 2 < n) edges.emplace_back(v + 2, v);
  }
  const std::int64_t of_clique = 80 * 79 * 78 / 6;
  const std::int64_t strip = (n - 1 - 80) / 2;
  const test_graph<TypeParam> g(this->ctx, n, edges, true);
  const triangle_result found = triangle_count(this->ctx, g.view(), {.counts = true});
  EXPECT_EQ(found.total, of_clique + strip);
  const std::vector<std::int64_t> counts = to_host(this->ctx, found.counts);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 3 * found.total);
  EXPECT_EQ(counts[79], 79 * 78 / 2);
  EXPECT_EQ(counts[80], 1);
  EXPECT_EQ(counts[81], 1);
  EXPECT_EQ(counts[82], 2);
}

TYPED_TEST(triangles, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("triangle_count", "graph", [&] { triangle_count(this->ctx, view); });
}

}  // namespace evenfold::testing
