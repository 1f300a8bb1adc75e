// Shortest paths, compared with Dijkstra's algorithm on the host.

#include "evenfold/graph/sssp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/core/random.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/sssp_verify.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"
#include "support/weighted_graphs.hpp"

namespace evenfold::testing {
namespace {

/// Distances by a queue ordered by distance, and parents by their definition.
template <class Distance, class Graph>
struct expected_paths {
  std::vector<Distance> distances;
  std::vector<int> parents;

  expected_paths(const Graph& g, const std::vector<int>& sources)
      : distances(g.offsets.size() - 1, no_path<Distance>), parents(distances.size(), -1) {
    using entry = std::pair<Distance, int>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    const auto reach = [&](int v, Distance distance) {
      if (!(distance < distances[v])) return;
      distances[v] = distance;
      queue.emplace(distance, v);
    };
    for (const int s : sources) reach(s, 0);
    while (!queue.empty()) {
      const auto [distance, u] = queue.top();
      queue.pop();
      if (distance > distances[u]) continue;
      for (auto k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        reach(g.columns[k], distance + static_cast<Distance>(g.weights[k]));
      }
    }
    // The parents with a smaller distance, then round by round those with the same distance.
    for (const int s : sources) parents[s] = s;
    for (bool first = true, more = true; more; first = false) {
      std::vector<int> next = parents;
      for (int u = 0; u < g.num_vertices(); ++u) {
        if (!(distances[u] < no_path<Distance>)) continue;
        for (auto k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
          const int v = g.columns[k];
          if (!(distances[v] < no_path<Distance>)) continue;
          if (distances[u] + static_cast<Distance>(g.weights[k]) != distances[v]) continue;
          if (parents[v] >= 0 || (first ? distances[u] == distances[v] : parents[u] < 0)) continue;
          if (next[v] < 0 || u < next[v]) next[v] = u;
        }
      }
      more = first || next != parents;
      parents = std::move(next);
    }
  }
};

/// Compares searches with several deltas, by one worker and by many, and checks the laws.
template <class Offset = std::int64_t, class Value, class Context>
void check_paths(Context& ctx, int n, const weighted_edges<Value>& edges,
                 const std::vector<int>& sources) {
  using distance = detail::distance_for<Value>;
  const weighted_graph<Context, Value, Offset> g(ctx, n, edges);
  const expected_paths<distance, decltype(g)> expected(g, sources);
  for (const sssp_options& options :
       {sssp_options{.delta = 0, .parents = true}, sssp_options{.parents = true, .serial_edges = 0},
        sssp_options{.delta = 1e9, .parents = true, .serial_edges = 0},
        sssp_options{.delta = 1, .parents = true, .serial_edges = 20}}) {
    SCOPED_TRACE("delta " + std::to_string(options.delta) + ", alone up to " +
                 std::to_string(options.serial_edges));
    const auto got = sssp(ctx, g.view(), sources, options);
    ASSERT_EQ(to_host(ctx, got.distances), expected.distances);
    ASSERT_EQ(to_host(ctx, got.parents), expected.parents);
    std::int64_t reached = 0;
    distance farthest = 0;
    for (const distance d : expected.distances) {
      if (d == no_path<distance>) continue;
      ++reached;
      farthest = std::max(farthest, d);
    }
    EXPECT_EQ(got.reached, reached);
    EXPECT_EQ(got.max_distance, farthest);
    const sssp_report report = sssp_verify(ctx, g.view(), sources, got);
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

/// Weights in [0, most) by chance.
template <class Value>
auto random_weights(std::uint64_t seed, int most) {
  return [random = random_stream(seed), most](std::size_t k) {
    return static_cast<Value>(random.below(k, static_cast<std::size_t>(most)));
  };
}

/// Reports of wrong answers for the path 0 -> 1 -> 2 with lengths 2 and 0, and back from 2 to 1
/// with length 0; vertex 3 is alone.
template <class Context>
void check_reports(Context& ctx) {
  const weighted_graph<Context, int, std::int64_t> g(ctx, 4, {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}});
  const auto law = [&](const std::vector<std::int64_t>& distances,
                       const std::vector<int>& parents) {
    const auto d = to_context(ctx, distances);
    const auto p = to_context(ctx, parents);
    const sssp_report report =
        sssp_verify(ctx, g.view(), {0}, d.data(), parents.empty() ? nullptr : p.data());
    EXPECT_EQ(report.ok(), report.text().empty());
    return report.law;
  };
  constexpr auto none = no_path<std::int64_t>;
  EXPECT_EQ(law({0, 2, 2, none}, {}), sssp_law{});
  EXPECT_EQ(law({0, 2, 2, none}, {0, 0, 1, -1}), sssp_law{});
  EXPECT_EQ(law({0, -2, 2, none}, {}), sssp_law::range);
  EXPECT_EQ(law({1, 2, 2, none}, {}), sssp_law::source);
  EXPECT_EQ(law({0, 3, 3, none}, {}), sssp_law::edge);
  EXPECT_EQ(law({0, 2, none, none}, {}), sssp_law::edge);
  EXPECT_EQ(law({0, 1, 1, none}, {}), sssp_law::path);
  EXPECT_EQ(law({0, 2, 2, 7}, {}), sssp_law::path);
  EXPECT_EQ(law({0, 2, 2, none}, {0, 2, 1, -1}), sssp_law::path);
  EXPECT_EQ(law({0, 2, 2, none}, {0, 0, 0, -1}), sssp_law::path);
  EXPECT_EQ(law({0, 2, 2, none}, {1, 0, 1, -1}), sssp_law::parent);
  EXPECT_EQ(law({0, 2, 2, none}, {0, 0, 1, 2}), sssp_law::parent);

  auto got = sssp(ctx, g.view(), {0});
  ++got.reached;
  EXPECT_EQ(sssp_verify(ctx, g.view(), {0}, got).law, sssp_law::totals);
}

}  // namespace

template <class Context>
class shortest_paths : public on<Context> {};
TYPED_TEST_SUITE(shortest_paths, contexts);

TYPED_TEST(shortest_paths, corner_cases) {
  check_paths<std::int64_t, int>(this->ctx, 0, {}, {});
  check_paths<std::int64_t, int>(this->ctx, 1, {{0, 0, 5}}, {0, 0});
  check_paths<std::int64_t, int>(this->ctx, 3, {{0, 1, 4}}, {});
  // Repeated edges, self-loops, edges of length 0 in circles, and vertices that are not reached.
  check_paths<std::int64_t, int>(
      this->ctx, 7, {{0, 1, 9}, {0, 1, 4}, {1, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {5, 6, 1}},
      {0});
  check_paths<std::int64_t, int>(this->ctx, 4,
                                 {{3, 2, 0}, {2, 3, 0}, {2, 1, 0}, {1, 0, 0}, {3, 1, 0}}, {3});
  // Sums at the ends of the range, and weights that rounding loses.
  const float large = std::numeric_limits<float>::max();
  check_paths<int, float>(
      this->ctx, 6, {{0, 1, large}, {1, 2, large}, {0, 3, 1.f}, {3, 4, 1e-20f}, {4, 5, 1e-20f}},
      {0});
  check_paths<std::int64_t, int>(this->ctx, 3, {{0, 1, 2147483647}, {1, 2, 2147483647}}, {0});
}

TYPED_TEST(shortest_paths, of_random_graphs) {
  const auto edges = edges_of(uniform_edges{random_stream(3), 700}, 1500);
  check_paths(this->ctx, 700, with_weights(edges, random_weights<int>(4, 100)), {5});
  check_paths(this->ctx, 700, with_weights(edges, random_weights<int>(5, 2)), {5, 699, 5});
  const auto fractions = [weight = random_weights<int>(6, 1 << 20)](std::size_t k) {
    return static_cast<float>(weight(k)) / 1e5f;
  };
  check_paths<int>(this->ctx, 700, with_weights(edges, fractions), {0});
}

// A long path whose short cuts are found late, and a star whose leaves are all far.
TYPED_TEST(shortest_paths, paths_and_stars) {
  weighted_edges<int> path, star;
  for (int v = 1; v < 400; ++v) {
    path.push_back({v - 1, v, 1});
    path.push_back({0, v, 3 * v});
    star.push_back({0, v, v % 50});
    star.push_back({v, (7 * v) % 400, 10});
  }
  check_paths(this->ctx, 400, path, {0});
  check_paths(this->ctx, 400, star, {0});
  check_paths(this->ctx, 400, star, {399, 17});
}

// Threads share the edges of one vertex, whose ends have distances in many ranges of delta.
TYPED_TEST(shortest_paths, hubs) {
  weighted_edges<int> edges;
  const auto weight = random_weights<int>(8, 1000);
  for (int v = 1; v < 9000; ++v) {
    edges.push_back({0, v, weight(static_cast<std::size_t>(v))});
    edges.push_back({v, (v + 1) % 9000, 1});
  }
  check_paths(this->ctx, 9000, edges, {0});
}

TYPED_TEST(shortest_paths, without_weights) {
  const test_graph<TypeParam> g(this->ctx, 5, {{0, 1}, {1, 2}, {0, 3}, {3, 2}}, true);
  const auto got = sssp<float>(this->ctx, g.view(), {0});
  EXPECT_EQ(to_host(this->ctx, got.distances),
            (std::vector<float>{0, 1, 2, 1, std::numeric_limits<float>::infinity()}));
}

TYPED_TEST(shortest_paths, reports) { check_reports(this->ctx); }

TYPED_TEST(shortest_paths, refusals) {
  const weighted_graph<TypeParam, int, std::int64_t> g(this->ctx, 2, {{0, 1, 5}});
  expect_refusal("sssp", "sources[1]", [&] { sssp(this->ctx, g.view(), {0, 2}); });
  expect_refusal("sssp", "delta", [&] { sssp(this->ctx, g.view(), {0}, {.delta = -1}); });
  const weighted_graph<TypeParam, int, std::int64_t> negative(this->ctx, 2,
                                                              {{0, 1, 5}, {1, 0, -1}});
  expect_refusal("sssp", "graph.out.values[1]", [&] { sssp(this->ctx, negative.view(), {0}); });
  expect_refusal("sssp_verify", "graph.out.values[1]", [&] {
    sssp_verify(this->ctx, negative.view(), {0}, static_cast<const std::int64_t*>(nullptr));
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const weighted_graph<TypeParam, float, int> undefined(this->ctx, 2, {{0, 1, nan}});
  expect_refusal("sssp", "graph.out.values[0]", [&] { sssp(this->ctx, undefined.view(), {0}); });
  const weighted_graph<TypeParam, int, std::int64_t> heavy(this->ctx, 2, {{0, 1, 1 << 30}});
  expect_refusal("sssp", "the largest weight",
                 [&] { detail::check_weights<int>(this->ctx, "sssp", heavy.view().out); });
  const auto poor = make_poor_context<TypeParam>();
  EXPECT_THROW(sssp(*poor, g.view(), {0}), allocation_error);
}

}  // namespace evenfold::testing
