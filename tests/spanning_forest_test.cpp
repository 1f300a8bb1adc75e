// Minimum spanning forests, compared with Kruskal's algorithm on the host.

#include "evenfold/graph/spanning_forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "evenfold/core/random.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/spanning_forest_verify.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"
#include "support/weighted_graphs.hpp"

namespace evenfold::testing {
namespace {

/// The positions of the edges of the forest. An edge is an entry in the row of its lower end.
template <class Graph>
std::vector<std::int64_t> expected_forest(const Graph& g) {
  std::vector<std::int64_t> order;
  std::vector<int> rows(g.columns.size()), roots(static_cast<std::size_t>(g.num_vertices()));
  for (int u = 0; u < g.num_vertices(); ++u) {
    for (auto k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
      rows[k] = u;
      if (u < g.columns[k]) order.push_back(k);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return g.weights[a] < g.weights[b]; });
  std::iota(roots.begin(), roots.end(), 0);
  const auto root = [&](int v) {
    while (roots[v] != v) v = roots[v] = roots[roots[v]];
    return v;
  };
  std::vector<std::int64_t> forest;
  for (const std::int64_t k : order) {
    const int u = root(rows[k]);
    const int v = root(g.columns[k]);
    if (u == v) continue;
    roots[u] = v;
    forest.push_back(k);
  }
  std::sort(forest.begin(), forest.end());
  return forest;
}

template <class Value, class Context>
void check_forest(Context& ctx, int n, const weighted_edges<Value>& edges) {
  const weighted_graph<Context, Value, std::int64_t> g(ctx, n, edges);
  const auto found = minimum_spanning_forest(ctx, g.view());
  const std::vector<std::int64_t> positions = to_host(ctx, found.positions);
  ASSERT_EQ(positions, expected_forest(g));
  const auto rows = to_host(ctx, found.edges.rows);
  const auto columns = to_host(ctx, found.edges.columns);
  const auto values = to_host(ctx, found.edges.values);
  total_weight_t<Value> total = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t k = positions[i];
    EXPECT_TRUE(g.offsets[rows[i]] <= k && k < g.offsets[rows[i] + 1]) << k;
    EXPECT_EQ(columns[i], g.columns[k]);
    EXPECT_EQ(values[i], g.weights[k]);
    total += g.weights[k];  // exact: the weights are small integers
  }
  EXPECT_EQ(found.total_weight, total);
  EXPECT_EQ(found.edges.num_rows, n);
  const spanning_forest_report report =
      spanning_forest_verify(ctx, g.view(), found.positions.data(), found.edges.num_nonzeros);
  EXPECT_TRUE(report.ok()) << report.text();
}

/// Few different weights, some of them negative.
template <class Value>
struct few_weights {
  random_stream random{11};
  Value operator()(std::size_t k) const {
    return static_cast<Value>(static_cast<int>(random.below(k, 20)) - 5);
  }
};

template <class Context>
class spanning_forests : public on<Context> {};
TYPED_TEST_SUITE(spanning_forests, contexts);

TYPED_TEST(spanning_forests, corner_cases) {
  check_forest<double>(this->ctx, 0, {});
  check_forest<double>(this->ctx, 3, {});
  check_forest<double>(this->ctx, 2, {{0, 0, -1}, {0, 1, 4}, {0, 1, 2}, {1, 0, 4}, {1, 0, 2}});
  const double infinity = std::numeric_limits<double>::infinity();
  check_forest<double>(this->ctx, 3,
                       with_weights({{0, 1}, {1, 2}}, [&](std::size_t) { return infinity; }));
}

TYPED_TEST(spanning_forests, random_graphs) {
  for (const std::int64_t edges : {900, 3000}) {
    check_forest<double>(this->ctx, 1000,
                         with_weights(edges_of(uniform_edges{random_stream(7), 1000}, edges),
                                      few_weights<double>{}));
  }
  check_forest<double>(this->ctx, 1 << 9,
                       with_weights(edges_of(kronecker_edges{9, 3}, 4000), few_weights<double>{}));
}

// Paths whose weights ascend, descend and are equal, and a star around the last vertex: chains of
// trees of any length join in one round.
TYPED_TEST(spanning_forests, paths_and_stars) {
  const int n = 5000;
  edge_pairs path, star;
  for (int v = 1; v < n; ++v) {
    path.emplace_back(v - 1, v);
    star.emplace_back(n - 1, v - 1);
  }
  check_forest<double>(this->ctx, n, with_weights(path, [](std::size_t k) { return double(k); }));
  check_forest<double>(this->ctx, n, with_weights(path, [](std::size_t k) { return -double(k); }));
  check_forest<double>(this->ctx, n, with_weights(path, [](std::size_t) { return 7.; }));
  check_forest<double>(this->ctx, n, with_weights(star, few_weights<double>{}));
}

// Every entry of a directed graph is an edge; without weights the first edges are the lightest.
TYPED_TEST(spanning_forests, directions_and_patterns) {
  const test_graph<TypeParam> g(this->ctx, 5, {{1, 0}, {0, 1}, {2, 1}, {1, 2}, {3, 3}});
  const auto found = minimum_spanning_forest(this->ctx, g.view());
  EXPECT_EQ(to_host(this->ctx, found.positions), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(to_host(this->ctx, found.edges.rows), (std::vector<int>{0, 1}));
  EXPECT_EQ(to_host(this->ctx, found.edges.columns), (std::vector<int>{1, 2}));
  EXPECT_EQ(found.total_weight, 2);
}

// A triangle 0 1 2 with the weights 1, 2 and 3, and an edge from 3 to 4.
TYPED_TEST(spanning_forests, reports) {
  const weighted_graph<TypeParam, double, std::int64_t> g(
      this->ctx, 5, with_weights({{0, 1}, {1, 2}, {0, 2}, {3, 4}}, [](std::size_t k) {
        return static_cast<double>(k) + 1;
      }));
  ASSERT_EQ(g.columns, (std::vector<int>{1, 2, 0, 2, 1, 0, 4, 3}));
  const auto report_of = [&](const std::vector<std::int64_t>& positions) {
    const auto here = to_context(this->ctx, positions);
    const spanning_forest_report report = spanning_forest_verify(
        this->ctx, g.view(), here.data(), static_cast<std::int64_t>(positions.size()));
    EXPECT_EQ(report.ok(), report.text().empty());
    return report;
  };
  EXPECT_TRUE(report_of({0, 3, 6}).ok());
  for (const std::vector<std::int64_t>& wrong :
       {std::vector<std::int64_t>{0, 3, 8}, {-1, 3, 6}, {3, 0, 6}, {0, 0, 6}, {2, 3, 6}}) {
    EXPECT_EQ(report_of(wrong).law, spanning_forest_law::position);
  }
  EXPECT_EQ(report_of({0, 1, 3, 6}).law, spanning_forest_law::cycle);
  EXPECT_EQ(report_of({0, 3}).law, spanning_forest_law::connection);
  EXPECT_EQ(report_of({0, 3}).vertex, 3);
  EXPECT_EQ(report_of({0, 1, 6}).law, spanning_forest_law::weight);
  EXPECT_EQ(report_of({0, 1, 6}).vertex, 1);
  EXPECT_EQ(report_of({0, 1, 6}).violations, 1);
}

TYPED_TEST(spanning_forests, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("minimum_spanning_forest", "graph",
                 [&] { minimum_spanning_forest(this->ctx, view); });
  expect_refusal("spanning_forest_verify", "count",
                 [&] { spanning_forest_verify(this->ctx, g.view(), nullptr, -1); });
}

}  // namespace
}  // namespace evenfold::testing
