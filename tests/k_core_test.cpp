// Core numbers, compared with the removal of one vertex at a time.

#include "evenfold/graph/k_core.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/k_core_verify.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {

namespace {

/// Removes the vertex of the lowest degree again and again.
std::vector<int> cores_of(std::int64_t n, const edge_pairs& edges) {
  std::vector<std::set<std::int64_t>> near(static_cast<std::size_t>(n));
  for (const auto& [u, v] : edges) {
    if (u == v) continue;
    near[u].insert(v);
    near[v].insert(u);
  }
  std::vector<int> cores(near.size(), -1);
  int k = 0;
  for (std::int64_t removed = 0; removed < n; ++removed) {
    std::int64_t lowest = -1;
    for (std::int64_t v = 0; v < n; ++v) {
      if (cores[v] < 0 && (lowest < 0 || near[v].size() < near[lowest].size())) lowest = v;
    }
    k = std::max(k, static_cast<int>(near[lowest].size()));
    cores[lowest] = k;
    for (const std::int64_t v : near[lowest]) near[v].erase(lowest);
  }
  return cores;
}

template <class Context>
void expect_cores(Context& ctx, std::int64_t n, const edge_pairs& edges) {
  const std::vector<int> right = cores_of(n, edges);
  const int largest = right.empty() ? 0 : *std::max_element(right.begin(), right.end());
  for (const bool undirected : {false, true}) {
    const test_graph<Context> g(ctx, n, edges, undirected);
    array<int> cores(ctx, n);
    EXPECT_EQ(k_core(ctx, g.view(), cores.data()), largest) << "undirected: " << undirected;
    EXPECT_EQ(to_host(ctx, cores), right) << "undirected: " << undirected;
    EXPECT_EQ(k_core_verify(ctx, g.view(), cores.data()), 0);
    if (n == 0) continue;
    // A number that is too high or negative is noticed.
    for (const int wrong : {right[0] + 1, -1}) {
      std::vector<int> others = right;
      others[0] = wrong;
      EXPECT_GT(k_core_verify(ctx, g.view(), to_context(ctx, others).data()), 0);
    }
  }
}

}  // namespace

template <class Context>
class core_numbers : public on<Context> {};
TYPED_TEST_SUITE(core_numbers, contexts);

TYPED_TEST(core_numbers, corner_cases) {
  expect_cores(this->ctx, 0, {});
  expect_cores(this->ctx, 1, {{0, 0}});
  expect_cores(this->ctx, 4, {});
  expect_cores(this->ctx, 3, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}});
  edge_pairs star, path, clique;
  for (std::int64_t v = 1; v < 40; ++v) {
    star.emplace_back(20, v == 20 ? 0 : v);
    path.emplace_back(v, v - 1);
    for (std::int64_t u = 10; u < v && v < 30; ++u) clique.emplace_back(u, v);
  }
  expect_cores(this->ctx, 40, star);
  expect_cores(this->ctx, 41, path);
  expect_cores(this->ctx, 40, clique);
  // Cores inside of each other: a clique on a path, whose vertices a star joins.
  path.insert(path.end(), clique.begin(), clique.end());
  path.insert(path.end(), star.begin(), star.end());
  expect_cores(this->ctx, 40, path);
}

TYPED_TEST(core_numbers, random_graphs) {
  expect_cores(this->ctx, 300, edges_of(uniform_edges{random_stream(3), 300}, 900));
  expect_cores(this->ctx, 256, edges_of(kronecker_edges(8, 2), 2000));
}

TYPED_TEST(core_numbers, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  array<int> cores(this->ctx, 3);
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("k_core", "graph", [&] { k_core(this->ctx, view, cores.data()); });
}

}  // namespace evenfold::testing
