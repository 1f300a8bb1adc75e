// Connected components, compared with union-find on the host.

#include "evenfold/graph/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evenfold/graph/components_verify.hpp"
#include "evenfold/graph/generators.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {

namespace {

/// The first vertex of the component of each vertex, by union-find.
template <class Index>
std::vector<Index> expected_labels(Index n, const edge_pairs& edges) {
  std::vector<Index> parents(static_cast<std::size_t>(n));
  std::iota(parents.begin(), parents.end(), Index{0});
  const auto root = [&](Index v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const auto& [u, v] : edges) {
    const Index a = root(static_cast<Index>(u));
    const Index b = root(static_cast<Index>(v));
    parents[std::max(a, b)] = std::min(a, b);
  }
  for (Index v = 0; v < n; ++v) parents[v] = root(v);
  return parents;
}

template <class Index = std::int32_t, class Context>
void expect_components(Context& ctx, Index n, const edge_pairs& edges) {
  const std::vector<Index> expected = expected_labels(n, edges);
  std::vector<Index> sizes(expected.size());
  for (const Index label : expected) ++sizes[label];
  const auto empty = std::count(sizes.begin(), sizes.end(), Index{0});
  const Index largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  for (const bool undirected : {false, true}) {
    const test_graph<Context, Index> g(ctx, n, edges, undirected);
    array<Index> labels(ctx, n);
    connected_components(ctx, g.view(), labels.data());
    EXPECT_EQ(to_host(ctx, labels), expected) << "undirected: " << undirected;
    if (n <= 5000) {
      const components_report report = components_verify(ctx, g.view(), labels.data());
      EXPECT_TRUE(report.ok()) << report.text();
    }
    const component_counts<Index> counts = count_components(ctx, labels.data(), n);
    EXPECT_EQ(counts.components, n - static_cast<Index>(empty));
    EXPECT_EQ(counts.largest, largest);
  }
}

}  // namespace

template <class Context>
class components : public on<Context> {};
TYPED_TEST_SUITE(components, contexts);

TYPED_TEST(components, corner_cases) {
  expect_components(this->ctx, 0, {});
  expect_components(this->ctx, 1, {});
  expect_components(this->ctx, 1, {{0, 0}, {0, 0}});
  expect_components(this->ctx, 5, {});
  expect_components(this->ctx, 6, {{5, 3}, {3, 5}, {3, 3}, {1, 0}, {1, 0}});
}

// Edge densities around the one where a giant component appears, with 32- and 64-bit indices.
TYPED_TEST(components, random_graphs) {
  for (const std::int64_t percent : {20, 50, 60, 200}) {
    expect_components(this->ctx, 5000,
                      edges_of(uniform_edges{random_stream(7), 5000}, 50 * percent));
  }
  expect_components<std::int64_t>(this->ctx, 3000,
                                  edges_of(uniform_edges{random_stream(8), 3000}, 1600));
}

// One component: a path, edges across the whole range, and a star around the last vertex, whose
// component gets a smaller label with nearly every edge.
TYPED_TEST(components, paths_and_stars) {
  const auto n = static_cast<int>(large_size / 8);
  edge_pairs path, rungs, star;
  for (int v = 1; v < n; ++v) {
    path.emplace_back(v, v - 1);
    rungs.emplace_back(v, n - v);
    star.emplace_back(n - 1, v);
  }
  expect_components(this->ctx, n, path);
  expect_components(this->ctx, n, rungs);
  expect_components(this->ctx, n, star);
}

// 1 -> 0 and 2 -> 3 are two components.
TYPED_TEST(components, reports) {
  const test_graph<TypeParam> g(this->ctx, 4, {{1, 0}, {2, 3}});
  const auto law = [&](const std::vector<int>& labels) {
    const auto here = to_context(this->ctx, labels);
    const components_report report = components_verify(this->ctx, g.view(), here.data());
    EXPECT_EQ(report.ok(), report.text().empty());
    return report.law;
  };
  EXPECT_EQ(law({0, 0, 2, 2}), components_law{});
  EXPECT_EQ(law({0, 0, 3, 3}), components_law::label);
  EXPECT_EQ(law({0, -1, 2, 2}), components_law::label);
  EXPECT_EQ(law({0, 0, 1, 1}), components_law::label);
  EXPECT_EQ(law({0, 1, 2, 2}), components_law::edge);
  EXPECT_EQ(law({0, 0, 0, 0}), components_law::path);
}

TYPED_TEST(components, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  array<int> labels(this->ctx, 3);
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("connected_components", "graph",
                 [&] { connected_components(this->ctx, view, labels.data()); });
  expect_refusal("count_components", "num_vertices",
                 [&] { count_components(this->ctx, labels.data(), -1); });
}

}  // namespace evenfold::testing
