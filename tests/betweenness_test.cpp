// Betweenness, compared with the definition: the shares of all shortest paths.

#include "evenfold/graph/betweenness.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/graph/betweenness_verify.hpp"
#include "evenfold/graph/generators.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {

namespace {

/// From the hops between all pairs of vertices and the numbers of shortest paths between them,
/// where repeated edges count each: a path from s to t leads through v if it is as long as the one
/// from s to v and the one from v to t together.
std::vector<double> scores_of(std::int64_t n, const edge_pairs& edges, bool undirected) {
  const auto size = static_cast<std::size_t>(n);
  constexpr int far = std::numeric_limits<int>::max() / 2;
  std::vector<std::vector<int>> hops(size, std::vector<int>(size, far));
  std::vector<std::vector<double>> paths(size, std::vector<double>(size));
  for (std::size_t s = 0; s < size; ++s) {
    hops[s][s] = 0;
    paths[s][s] = 1;
    for (int hop = 0; hop < static_cast<int>(n); ++hop) {
      const auto extend = [&](std::size_t u, std::size_t v) {
        if (hops[s][u] != hop || hops[s][v] <= hop) return;
        hops[s][v] = hop + 1;
        paths[s][v] += paths[s][u];
      };
      for (const auto& [u, v] : edges) {
        extend(u, v);
        if (undirected && u != v) extend(v, u);
      }
    }
  }
  std::vector<double> scores(size);
  for (std::size_t v = 0; v < size; ++v) {
    for (std::size_t s = 0; s < size; ++s) {
      for (std::size_t t = 0; t < size; ++t) {
        if (s == v || t == v || s == t || hops[s][t] == far) continue;
        if (hops[s][v] + hops[v][t] == hops[s][t]) {
          scores[v] += paths[s][v] * paths[v][t] / paths[s][t];
        }
      }
    }
    if (undirected) scores[v] /= 2;
  }
  return scores;
}

template <class Context>
void expect_scores(Context& ctx, std::int64_t n, const edge_pairs& edges) {
  for (const bool undirected : {false, true}) {
    SCOPED_TRACE(undirected);
    const test_graph<Context> g(ctx, n, edges, undirected);
    const std::vector<double> right = scores_of(n, edges, undirected);
    const array<double> scores = betweenness(ctx, g.view());
    EXPECT_TRUE(betweenness_verify(ctx, g.view(), scores.data()).ok());
    const std::vector<double> got = to_host(ctx, scores);
    ASSERT_EQ(got.size(), right.size());
    for (std::size_t v = 0; v < right.size(); ++v) {
      ASSERT_NEAR(got[v], right[v], 1e-12 * (1 + right[v])) << "vertex " << v;
    }
  }
}

}  // namespace

template <class Context>
class betweenness_scores : public on<Context> {};
TYPED_TEST_SUITE(betweenness_scores, contexts);

TYPED_TEST(betweenness_scores, corner_cases) {
  expect_scores(this->ctx, 0, {});
  expect_scores(this->ctx, 1, {{0, 0}});
  expect_scores(this->ctx, 4, {});
  expect_scores(this->ctx, 4, {{0, 1}, {1, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 3}, {0, 3}});
  edge_pairs star, path, clique;
  for (std::int64_t v = 1; v < 20; ++v) {
    star.emplace_back(10, v == 10 ? 0 : v);
    path.emplace_back(v, v - 1);
    for (std::int64_t u = 0; u < v; ++u) clique.emplace_back(u, v);
  }
  expect_scores(this->ctx, 20, star);
  expect_scores(this->ctx, 21, path);
  expect_scores(this->ctx, 20, clique);
}

TYPED_TEST(betweenness_scores, random_graphs) {
  expect_scores(this->ctx, 24, edges_of(uniform_edges{random_stream(3), 24}, 50));
  expect_scores(this->ctx, 32, edges_of(kronecker_edges(5, 2), 150));
  expect_scores(this->ctx, 20, edges_of(grid_edges{4, 5}, 4 * 4 + 3 * 5));
}

// The same bits on any number of threads, and as on the reference.
TYPED_TEST(betweenness_scores, equal_bits) {
  const std::int64_t n = 1 << 11;
  const edge_pairs edges = edges_of(kronecker_edges(11, 1), 8 * n);
  const betweenness_options few{.samples = 3, .seed = 4};
  const auto scores_on = [&](auto& any) {
    const test_graph<std::remove_reference_t<decltype(any)>> g(any, n, edges, true);
    return to_host(any, betweenness(any, g.view(), few));
  };
  reference_context reference;
  const std::vector<double> right = scores_on(reference);
  for (const auto& any : equal_contexts<TypeParam>()) EXPECT_EQ(scores_on(*any), right);
}

TYPED_TEST(betweenness_scores, options) {
  // The middle vertex of a star is between all pairs of the others.
  edge_pairs star;
  for (std::int64_t v = 1; v < 30; ++v) star.emplace_back(0, v);
  const test_graph<TypeParam> g(this->ctx, 30, star, true);
  const auto scores = [&](const betweenness_options& how) {
    return to_host(this->ctx, betweenness(this->ctx, g.view(), how));
  };
  EXPECT_DOUBLE_EQ(scores({.normalized = true})[0], 1.);
  EXPECT_EQ(scores({.samples = 30, .seed = 8}), scores({}));
  EXPECT_EQ(scores({.samples = 7, .seed = 8}), scores({.samples = 7, .seed = 8}));
  const betweenness_options some{.samples = 7, .seed = 8, .normalized = true};
  std::vector<double> others = scores(some);
  EXPECT_TRUE(
      betweenness_verify(this->ctx, g.view(), to_context(this->ctx, others).data(), some).ok());
  others[0] *= 1.01;
  EXPECT_FALSE(
      betweenness_verify(this->ctx, g.view(), to_context(this->ctx, others).data(), some).ok());
  const std::vector<std::int32_t> drawn = detail::sample_sources(1000, 100, 5);
  ASSERT_EQ(drawn.size(), 100u);
  for (std::size_t i = 1; i < drawn.size(); ++i) ASSERT_LT(drawn[i - 1], drawn[i]);
  EXPECT_GE(drawn.front(), 0);
  EXPECT_LT(drawn.back(), 1000);
  EXPECT_NE(drawn, (detail::sample_sources(1000, 100, 6)));
}

// A chain of 1100 diamonds has 2^1100 shortest paths from its begin to its end.
TYPED_TEST(betweenness_scores, too_many_paths) {
  edge_pairs chain;
  for (std::int64_t v = 0; v < 3 * 1100; v += 3) {
    for (const std::int64_t way : {v + 1, v + 2}) {
      chain.emplace_back(v, way);
      chain.emplace_back(way, v + 3);
    }
  }
  const test_graph<TypeParam> g(this->ctx, 3 * 1100 + 1, chain);
  array<double> scores(this->ctx, 3 * 1100 + 1);
  EXPECT_THROW(sum_dependencies(this->ctx, g.view(), {0}, scores.data()), error);
  sum_dependencies(this->ctx, g.view(), {300}, scores.data());
  EXPECT_EQ(to_host(this->ctx, scores)[3300 - 3], 3.);
}

TYPED_TEST(betweenness_scores, refusals) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  auto view = g.view();
  expect_refusal("betweenness", "samples", [&] { betweenness(this->ctx, view, {.samples = -1}); });
  array<double> scores(this->ctx, 3);
  expect_refusal("sum_dependencies", "sources[1]", [&] {
    sum_dependencies(this->ctx, view, {0, 3}, scores.data());
  });
  view.out.num_columns = 4;
  expect_refusal("betweenness", "graph", [&] { betweenness(this->ctx, view); });
}

}  // namespace evenfold::testing
