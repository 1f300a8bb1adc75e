#include "evenfold/graph/bfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/graph/bfs_verify.hpp"
#include "evenfold/graph/generators.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

constexpr bfs_method methods[] = {bfs_method::scan, bfs_method::frontier, bfs_method::bitmap,
                                  bfs_method::direction};

/// The result of a serial search with a queue, with the smallest parents.
template <class Index>
struct expected_search {
  std::vector<Index> levels, parents;
  std::vector<std::int64_t> vertices, edges;  // of each level

  template <class Graph>
  expected_search(const Graph& g, const std::vector<Index>& sources)
      : levels(static_cast<std::size_t>(g.num_vertices()), -1), parents(levels) {
    std::vector<Index> queue;
    const auto reach = [&](Index v, Index level) {
      if (levels[v] >= 0) return;
      levels[v] = level;
      queue.push_back(v);
    };
    for (const Index s : sources) reach(s, 0);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Index u = queue[i];
      if (levels[u] == static_cast<Index>(vertices.size())) {
        vertices.push_back(0);
        edges.push_back(0);
      }
      ++vertices.back();
      edges.back() += g.out.offsets[u + 1] - g.out.offsets[u];
      for (auto k = g.out.offsets[u]; k < g.out.offsets[u + 1]; ++k) {
        reach(g.out.columns[k], levels[u] + 1);
      }
    }
    for (Index v = 0; v < g.num_vertices(); ++v) {
      if (levels[v] == 0) parents[v] = v;
      for (auto k = g.in.offsets[v]; k < g.in.offsets[v + 1]; ++k) {
        const Index u = g.in.columns[k];
        if (levels[v] <= 0 || levels[u] != levels[v] - 1) continue;
        if (parents[v] < 0 || u < parents[v]) parents[v] = u;
      }
    }
  }
};

/// Compares one search by one method with the queue, and checks the laws.
template <class Context, class Graph, class Index>
void check_search(Context& ctx, const Graph& g, const std::vector<Index>& sources,
                  bfs_method method) {
  SCOPED_TRACE("method " + std::to_string(static_cast<int>(method)));
  const expected_search<Index> expected(g, sources);
  const bfs_result<Index> got =
      bfs(ctx, g.view(), sources, {.method = method, .parents = true, .levels = true});
  ASSERT_EQ(to_host(ctx, got.levels), expected.levels);
  ASSERT_EQ(to_host(ctx, got.parents), expected.parents);
  EXPECT_EQ(got.reached, std::count_if(expected.levels.begin(), expected.levels.end(),
                                       [](Index level) { return level >= 0; }));
  EXPECT_EQ(got.depth, std::max<std::int64_t>(0, std::ssize(expected.vertices) - 1));
  ASSERT_EQ(got.table.size(), expected.vertices.size());
  for (std::size_t l = 0; l < got.table.size(); ++l) {
    ASSERT_EQ(got.table[l].vertices, expected.vertices[l]) << l;
    ASSERT_EQ(got.table[l].edges, expected.edges[l]) << l;
    ASSERT_GE(got.table[l].ms, 0) << l;
  }
  const bfs_report report = bfs_verify(ctx, g.view(), sources, got);
  EXPECT_TRUE(report.ok()) << report.text();

  if (method != bfs_method::bitmap) {
    EXPECT_TRUE(got.order.empty());
    return;
  }
  std::vector<Index> order = to_host(ctx, got.order.data(), static_cast<std::size_t>(got.reached));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end(), [&](Index a, Index b) {
    return expected.levels[a] < expected.levels[b];
  }));
  std::sort(order.begin(), order.end());
  EXPECT_EQ(std::unique(order.begin(), order.end()), order.end());
}

template <class Context, class Graph>
void check_search(Context& ctx, const Graph& g, const std::vector<std::int32_t>& sources) {
  for (const bfs_method method : methods) check_search(ctx, g, sources, method);
}

template <class Context>
void check_search(Context& ctx, std::int64_t vertices, const edge_pairs& edges, bool undirected,
                  const std::vector<std::int32_t>& sources) {
  check_search(ctx, test_graph<Context>(ctx, vertices, edges, undirected), sources);
}

template <class Context>
class bfs_on : public on<Context> {};
TYPED_TEST_SUITE(bfs_on, contexts);

TYPED_TEST(bfs_on, corner_cases) {
  check_search(this->ctx, 0, {}, false, {});
  check_search(this->ctx, 1, {}, false, {0});
  check_search(this->ctx, 1, {{0, 0}}, true, {0});
  check_search(this->ctx, 100, {}, false, {99});
  check_search(this->ctx, 100, {}, false, {});
  check_search(this->ctx, 3, {{0, 0}, {1, 1}, {1, 1}, {2, 2}}, false, {1});
  // An edge in one direction only, parallel edges, and an edge to a source from a vertex that is
  // not reached.
  check_search(this->ctx, 4, {{1, 0}, {1, 2}, {1, 2}, {3, 1}}, false, {1});
  // Two components.
  check_search(this->ctx, 6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}}, true, {4});
  // Several sources, some of them listed twice.
  check_search(this->ctx, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, true, {5, 0, 5});
  check_search(this->ctx, 3, {{0, 1}, {1, 2}}, false, {0, 0, 1, 2, 1});
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}, {1, 2}});
  check_search(this->ctx, g, std::vector<std::int32_t>{1}, bfs_method::automatic);
}

TYPED_TEST(bfs_on, random_graphs_in_both_directions) {
  for (const bool undirected : {false, true}) {
    SCOPED_TRACE(undirected);
    // Numbers of vertices around those of words and tiles. Sparse graphs have many components; in
    // dense graphs every vertex is reached in two steps.
    for (const int vertices : {2, 31, 32, 33, 63, 64, 65, 1000, 1025}) {
      for (const int degree : {1, 2, 20}) {
        const uniform_edges make{random_stream(static_cast<std::uint64_t>(vertices)),
                                 static_cast<std::uint64_t>(vertices)};
        check_search(this->ctx, vertices, edges_of(make, vertices * degree / 2), undirected,
                     {0, vertices / 2});
      }
    }
    const edge_pairs skewed = edges_of(rmat_edges(14, 3), 1 << 18);
    const test_graph<TypeParam> g(this->ctx, 1 << 14, skewed, undirected);
    check_search(this->ctx, g, {0});
    check_search(this->ctx, g, {static_cast<std::int32_t>(skewed[5].first), 17, 3000});
  }
}

edge_pairs path_of(std::int64_t vertices) {
  edge_pairs path;
  for (std::int64_t v = 0; v + 1 < vertices; ++v) path.emplace_back(v, v + 1);
  return path;
}

TYPED_TEST(bfs_on, long_paths) {
  check_search(this->ctx, 1000, path_of(1000), false, {0});
  check_search(this->ctx, 1000, path_of(1000), true, {500, 0});
  const grid_edges grid{40, 300};
  check_search(this->ctx, 12000, edges_of(grid, grid.size()), true, {7});
}

TYPED_TEST(bfs_on, a_star_of_a_million_leaves) {
  constexpr std::int64_t leaves = large_size;
  edge_pairs star;
  for (std::int64_t v = 0; v < leaves; ++v) star.emplace_back(leaves, v);
  const test_graph<TypeParam> g(this->ctx, leaves + 1, star, true);
  check_search(this->ctx, g, {leaves});
  check_search(this->ctx, g, std::vector<std::int32_t>{77}, bfs_method::direction);
}

TYPED_TEST(bfs_on, a_path_of_a_million_vertices) {
  constexpr std::int64_t vertices = large_size;
  const test_graph<TypeParam> g(this->ctx, vertices, path_of(vertices), true);
  const auto got = bfs(this->ctx, g.view(), {0}, {.method = bfs_method::direction});
  EXPECT_EQ(got.depth, vertices - 1);
  const std::vector<std::int32_t> levels = to_host(this->ctx, got.levels);
  for (std::int64_t v = 0; v < vertices; ++v) ASSERT_EQ(levels[v], v);
}

template <class Context>
void check_bits_of_bfs() {
  const edge_pairs edges = edges_of(kronecker_edges(13, 9), 100000);
  std::vector<std::int32_t> levels, parents;
  for (const auto& ctx : equal_contexts<Context>()) {
    const test_graph<Context> g(*ctx, 1 << 13, edges);
    for (const bfs_method method : methods) {
      const auto got = bfs(*ctx, g.view(), {static_cast<std::int32_t>(edges[0].first)},
                           {.method = method, .parents = true});
      EXPECT_TRUE(got.table.empty());
      if (levels.empty()) {
        levels = to_host(*ctx, got.levels);
        parents = to_host(*ctx, got.parents);
      }
      ASSERT_EQ(to_host(*ctx, got.levels), levels);
      ASSERT_EQ(to_host(*ctx, got.parents), parents);
    }
  }
}

TYPED_TEST(bfs_on, the_same_bits_with_any_number_of_workers) { check_bits_of_bfs<TypeParam>(); }

/// Claims v along an edge from a vertex with an even value.
struct claim_from_even {
  int* claims;
  EF_HD bool operator()(int, int v, const tuple<int>& value) const {
    int none = 0;
    return get<0>(value) % 2 == 0 && atomic_ref<int>(claims[v]).compare_exchange_strong(none, 1);
  }
};
struct is_unclaimed {
  int* claims;
  EF_HD bool operator()(int v) const { return atomic_ref<int>(claims[v]).load() == 0; }
};

/// The vertices of one and of two steps in a direction, in ascending order, and their edges.
template <class Context>
std::vector<std::vector<int>> two_steps(Context& ctx, const test_graph<Context>& g,
                                        const std::vector<int>& from, advance_direction direction) {
  const int n = g.num_vertices();
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  const array<int> values = to_context(ctx, numbers);
  array<int> claims = to_context(ctx, std::vector<int>(numbers.size()));
  frontier<int, std::int64_t> vertices(ctx, g.view(), from);
  std::vector<std::vector<int>> results;
  for (int k = 0; k < 2; ++k) {
    const auto step = advance(ctx, g.view(), vertices, claim_from_even{claims.data()},
                              is_unclaimed{claims.data()}, make_tuple(values.data()), direction);
    EXPECT_EQ(step.direction, direction == advance_direction::top_down ? traversal::top_down
                                                                       : traversal::bottom_up);
    auto found = to_host(ctx, vertices.vertices(), static_cast<std::size_t>(vertices.size()));
    if (step.direction == traversal::bottom_up) {
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    }
    std::sort(found.begin(), found.end());
    results.push_back(found);
    results.push_back({static_cast<int>(step.edges)});
  }
  return results;
}

TYPED_TEST(bfs_on, steps_top_down_and_bottom_up_find_the_same) {
  // Edges from everywhere to vertex 0, and only the last of them from the frontier.
  edge_pairs star;
  for (int v = 1; v < 200; ++v) star.emplace_back(v, 0);
  star.emplace_back(0, 7);
  const test_graph<TypeParam> to_one(this->ctx, 200, star);
  // Many edges to some vertices, and several from the frontier.
  const test_graph<TypeParam> skewed(this->ctx, 1 << 10, edges_of(rmat_edges(10, 5), 1 << 14));
  for (const auto direction : {advance_direction::top_down, advance_direction::bottom_up}) {
    EXPECT_EQ(two_steps(this->ctx, to_one, {198}, direction),
              (std::vector<std::vector<int>>{{0}, {1}, {7}, {1}}));
    EXPECT_EQ(two_steps(this->ctx, to_one, {199}, direction)[0], std::vector<int>{});
  }
  const auto expected = two_steps(this->ctx, skewed, {2, 3, 500, 512}, advance_direction::top_down);
  EXPECT_GT(expected[2].size(), 100u);
  EXPECT_EQ(two_steps(this->ctx, skewed, {2, 3, 500, 512}, advance_direction::bottom_up), expected);
}

TEST(bfs, numbers_of_64_bits) {
  reference_context ctx;
  const edge_pairs edges = edges_of(rmat_edges(8, 5), 1500);
  const test_graph<reference_context, std::int64_t, std::int64_t> g(ctx, 256, edges);
  for (const bfs_method method : methods) {
    check_search(ctx, g, std::vector<std::int64_t>{edges[0].first}, method);
  }
}

TYPED_TEST(bfs_on, directions_with_numbers_of_64_bits) {
  const edge_pairs edges = edges_of(rmat_edges(12, 5), 60000);
  const test_graph<TypeParam, std::int64_t, std::int64_t> g(this->ctx, 1 << 12, edges);
  const std::vector<std::int64_t> sources = {edges[0].first};
  const auto on_device = to_context(this->ctx, sources);
  array<std::int64_t> levels(this->ctx, 1 << 12);
  bfs_direction(this->ctx, g.view(), on_device.data(), 1, levels.data());
  EXPECT_EQ(to_host(this->ctx, levels), expected_search<std::int64_t>(g, sources).levels);
}

TYPED_TEST(bfs_on, what_makes_no_sense_is_refused) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  for (const bfs_method method : methods) {
    const bfs_options options{.method = method};
    expect_refusal("bfs", "sources[1]", [&] { bfs(this->ctx, g.view(), {0, 3}, options); });
    expect_refusal("bfs", "sources[0]", [&] { bfs(this->ctx, g.view(), {-1}, options); });
  }
  auto view = g.view();
  view.in.num_rows = 2;
  expect_refusal("bfs", "graph", [&] { bfs(this->ctx, view, {0}); });
  const auto levels = bfs(this->ctx, g.view(), {0}).levels;
  expect_refusal("bfs_verify", "graph", [&] { bfs_verify(this->ctx, view, {0}, levels.data()); });
  expect_refusal("bfs_verify", "sources[0]",
                 [&] { bfs_verify(this->ctx, g.view(), {7}, levels.data()); });
}

TYPED_TEST(bfs_on, exhausted_memory_is_an_error) {
  const test_graph<TypeParam> g(this->ctx, 3, {{0, 1}});
  const auto poor = make_poor_context<TypeParam>();
  for (const bfs_method method : methods) {
    EXPECT_THROW(bfs(*poor, g.view(), {0}, {.method = method}), allocation_error);
  }
}

/// The report of the verifier on levels and parents of the ring 0 -> 1 -> ... -> 5 -> 0 with the
/// chords 0 -> 3 and 5 -> 2, searched from 0, where the true levels are 0 1 2 1 2 3.
template <class Context>
bfs_report judged(Context& ctx, const std::vector<std::int32_t>& levels,
                  const std::vector<std::int32_t>& parents) {
  const test_graph<Context> g(
      ctx, 7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 3}, {5, 2}, {6, 6}});
  const auto given_levels = to_context(ctx, levels);
  const auto given_parents = to_context(ctx, parents);
  return bfs_verify(ctx, g.view(), {0}, given_levels.data(),
                    parents.empty() ? nullptr : given_parents.data());
}

TYPED_TEST(bfs_on, the_verifier_finds_every_error) {
  const std::vector<std::int32_t> levels = {0, 1, 2, 1, 2, 3, -1};
  const std::vector<std::int32_t> parents = {0, 0, 1, 0, 3, 4, -1};
  EXPECT_TRUE(judged(this->ctx, levels, {}).ok());
  EXPECT_TRUE(judged(this->ctx, levels, parents).ok());
  EXPECT_EQ(judged(this->ctx, levels, parents).text(), "");

  // Every other level of every vertex is rejected.
  for (std::size_t v = 0; v < levels.size(); ++v) {
    for (const std::int32_t wrong : {-2147483647 - 1, -2, -1, 0, 1, 2, 3, 4, 7, 2147483647}) {
      if (wrong == levels[v]) continue;
      auto damaged = levels;
      damaged[v] = wrong;
      const bfs_report report = judged(this->ctx, damaged, {});
      EXPECT_FALSE(report.ok()) << "level " << wrong << " of vertex " << v;
      EXPECT_NE(report.text(), "");
    }
    for (const std::int32_t wrong : {-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 2147483647}) {
      if (wrong == parents[v]) continue;
      auto damaged = parents;
      damaged[v] = wrong;
      const bfs_report report = judged(this->ctx, levels, damaged);
      EXPECT_EQ(report.law, bfs_law::parent) << "parent " << wrong << " of vertex " << v;
      EXPECT_EQ(report.violations, 1);
      EXPECT_EQ(report.vertex, static_cast<std::int64_t>(v));
      EXPECT_EQ(report.other, wrong);
    }
  }

  bfs_report report = judged(this->ctx, {0, 1, 2, 3, 4, 5, -1}, {});  // along the ring alone
  EXPECT_EQ(report.law, bfs_law::edge);
  EXPECT_EQ(report.text(), "vertex 0 has level 0 and an edge to vertex 3, which has level 3");
  report = judged(this->ctx, {0, 1, 2, 1, 2, 3, 4}, {});
  EXPECT_EQ(report.law, bfs_law::support);
  EXPECT_EQ(report.text(), "vertex 6 has level 4 and no edge into it from the level before");
  report = judged(this->ctx, {0, 1, 2, 1, 2, 3, 0}, {});
  EXPECT_EQ(report.law, bfs_law::source);
  EXPECT_EQ(report.text([](std::int64_t v) { return "'" + std::to_string(v + 1) + "'"; }),
            "vertex '7' has level 0 and is not a source");
  report = judged(this->ctx, {0, 1, 2, 1, 2, 3, 7}, {});
  EXPECT_EQ(report.law, bfs_law::range);
  report = judged(this->ctx, {-1, -1, -1, -1, -1, -1, -1}, {});
  EXPECT_EQ(report.law, bfs_law::source);
  EXPECT_EQ(report.text(), "vertex 0 has level -1 and is a source");
  EXPECT_EQ(judged(this->ctx, levels, {0, 0, 5, 2, 3, 4, 6}).violations, 3);
}

TYPED_TEST(bfs_on, the_verifier_adds_up) {
  const test_graph<TypeParam> g(this->ctx, 4, {{0, 1}, {1, 2}});
  auto got = bfs(this->ctx, g.view(), {0});
  EXPECT_TRUE(bfs_verify(this->ctx, g.view(), {0}, got).ok());
  ++got.reached;
  EXPECT_EQ(bfs_verify(this->ctx, g.view(), {0}, got).text(),
            "reached or depth disagrees with the levels: 3 vertices have a level, the largest "
            "level is 2");
  --got.reached;
  --got.depth;
  EXPECT_EQ(bfs_verify(this->ctx, g.view(), {0}, got).law, bfs_law::totals);
}

}  // namespace
}  // namespace evenfold::testing
