// Strongly connected components, compared with Tarjan's algorithm on the host.

#include "evenfold/graph/strong_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/strong_components_verify.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

/// The lowest vertex of the component of each vertex, by one depth-first search.
template <class Graph>
std::vector<int> expected_labels(const Graph& g) {
  const auto n = static_cast<std::size_t>(g.num_vertices());
  std::vector<int> labels(n, -1), order(n, -1), low(n), open;
  std::vector<std::pair<int, std::int64_t>> path;
  int visited = 0;
  const auto enter = [&](int v) {
    order[v] = low[v] = visited++;
    open.push_back(v);
    path.emplace_back(v, g.out.offsets[v]);
  };
  for (int start = 0; start < g.num_vertices(); ++start) {
    if (order[start] < 0) enter(start);
    while (!path.empty()) {
      auto& [u, edge] = path.back();
      if (edge < g.out.offsets[u + 1]) {
        const int v = g.out.columns[edge++];
        if (order[v] < 0) {
          enter(v);
        } else if (labels[v] < 0) {
          low[u] = std::min(low[u], order[v]);
        }
        continue;
      }
      const int done = u;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != order[done]) continue;
      const auto first = std::find(open.begin(), open.end(), done);
      const int label = *std::min_element(first, open.end());
      for (auto v = first; v != open.end(); ++v) labels[*v] = label;
      open.erase(first, open.end());
    }
  }
  return labels;
}

template <class Context>
void check_components(Context& ctx, int n, const edge_pairs& edges) {
  const test_graph<Context> g(ctx, n, edges);
  array<int> labels(ctx, n);
  strongly_connected_components(ctx, g.view(), labels.data());
  EXPECT_EQ(to_host(ctx, labels), expected_labels(g));
  const components_report report = strong_components_verify(ctx, g.view(), labels.data());
  EXPECT_TRUE(report.ok()) << report.text();
}

}  // namespace

template <class Context>
class strong_components : public on<Context> {};
TYPED_TEST_SUITE(strong_components, contexts);

TYPED_TEST(strong_components, corner_cases) {
  check_components(this->ctx, 0, {});
  check_components(this->ctx, 1, {{0, 0}});
  check_components(this->ctx, 4, {});
  check_components(this->ctx, 3, {{2, 1}, {1, 0}});
  check_components(this->ctx, 3, {{2, 1}, {1, 2}, {1, 2}, {1, 0}});
  const test_graph<TypeParam> g(this->ctx, 4, {{0, 1}, {2, 1}}, true);
  array<int> labels(this->ctx, 4);
  strongly_connected_components(this->ctx, g.view(), labels.data());
  EXPECT_EQ(to_host(this->ctx, labels), (std::vector<int>{0, 0, 0, 3}));
}

TYPED_TEST(strong_components, random_graphs) {
  for (const std::int64_t edges : {800, 1300, 2500}) {
    check_components(this->ctx, 1000, edges_of(uniform_edges{random_stream(7), 1000}, edges));
  }
}

// A circle, a path, and circles of two in a chain and alone: neither one search after the other nor
// one trimmed vertex after the other would end soon.
TYPED_TEST(strong_components, circles_and_chains) {
  edge_pairs circle, path, chain, pairs;
  for (int v = 0; v < 200; ++v) {
    circle.emplace_back(v, (v + 1) % 200);
    path.emplace_back(v, v + 1);
    pairs.emplace_back(2 * v, 2 * v + 1);
    pairs.emplace_back(2 * v + 1, 2 * v);
  }
  chain = pairs;
  for (int v = 0; v < 199; ++v) chain.emplace_back(2 * v, 2 * v + 2);
  check_components(this->ctx, 200, circle);
  check_components(this->ctx, 201, path);
  check_components(this->ctx, 400, pairs);
  check_components(this->ctx, 400, chain);
}

// A circle 0 -> 1 -> 2 -> 0, an edge 2 -> 3 and a circle 4 -> 5 -> 4.
TYPED_TEST(strong_components, reports) {
  const test_graph<TypeParam> g(this->ctx, 6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 5}, {5, 4}});
  const auto law = [&](const std::vector<int>& labels) {
    const auto here = to_context(this->ctx, labels);
    const components_report report = strong_components_verify(this->ctx, g.view(), here.data());
    EXPECT_EQ(report.ok(), report.text().empty());
    return report.law;
  };
  EXPECT_EQ(law({0, 0, 0, 3, 4, 4}), components_law{});
  EXPECT_EQ(law({0, 0, 0, 3, 5, 5}), components_law::label);
  EXPECT_EQ(law({0, 0, 0, -7, 4, 4}), components_law::label);
  EXPECT_EQ(law({0, 0, 0, 0, 4, 4}), components_law::path);
  EXPECT_EQ(law({0, 0, 0, 0, 0, 0}), components_law::path);
  EXPECT_EQ(law({0, 1, 1, 3, 4, 4}), components_law::cycle);
  EXPECT_EQ(law({0, 1, 2, 3, 4, 4}), components_law::cycle);
  EXPECT_EQ(law({0, 0, 0, 3, 4, 5}), components_law::cycle);
  const test_graph<TypeParam> arrow(this->ctx, 2, {{1, 0}});
  const array<int> together = to_context(this->ctx, std::vector<int>{0, 0});
  EXPECT_EQ(strong_components_verify(this->ctx, arrow.view(), together.data()).law,
            components_law::path_back);
}

TYPED_TEST(strong_components, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  array<int> labels(this->ctx, 3);
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("strongly_connected_components", "graph",
                 [&] { strongly_connected_components(this->ctx, view, labels.data()); });
}

}  // namespace evenfold::testing
