#include "evenfold/algorithm/bfs_direction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/graph.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {

/// A tuning with small steps, so that every graph has borders between shares, long rows and changes
/// of direction.
struct small_steps {
  static constexpr int threads = 64;
  static constexpr int blocks = 2;
  static constexpr int items = 2;
  static constexpr int single_block_edges = 8;
  static constexpr int lane_edges = 2;
  static constexpr int alpha = 4;
  static constexpr std::size_t tile = 3;
};

namespace {

using vertex_pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class Index, class Offset>
csr<pattern, Index, Offset> rows_of(std::int64_t vertices, vertex_pairs list) {
  std::sort(list.begin(), list.end());
  reference_context host;
  csr<pattern, Index, Offset> result(host, static_cast<Index>(vertices),
                                     static_cast<Index>(vertices),
                                     static_cast<Offset>(list.size()));
  std::fill(result.row_offsets.begin(), result.row_offsets.end(), Offset{0});
  for (std::size_t k = 0; k < list.size(); ++k) {
    result.columns[k] = static_cast<Index>(list[k].second);
    ++result.row_offsets[static_cast<std::size_t>(list[k].first) + 1];
  }
  for (std::size_t v = 0; v < static_cast<std::size_t>(vertices); ++v) {
    result.row_offsets[v + 1] += result.row_offsets[v];
  }
  return result;
}

vertex_pairs reversed(vertex_pairs list) {
  for (auto& [from, to] : list) std::swap(from, to);
  return list;
}

vertex_pairs both_ways(const vertex_pairs& list) {
  vertex_pairs result = reversed(list);
  result.insert(result.end(), list.begin(), list.end());
  return result;
}

/// A graph in host memory.
template <class Index = std::int32_t, class Offset = Index>
graph<pattern, Index, Offset> directed(std::int64_t vertices, const vertex_pairs& list) {
  return {rows_of<Index, Offset>(vertices, list), rows_of<Index, Offset>(vertices, reversed(list)),
          false};
}
template <class Index = std::int32_t, class Offset = Index>
graph<pattern, Index, Offset> undirected(std::int64_t vertices, const vertex_pairs& list) {
  return {rows_of<Index, Offset>(vertices, both_ways(list)), {}, true};
}

/// Expects the levels and the table of the reference.
template <class Tuning, class Context, class Index, class Offset>
void check_bfs_direction(Context& ctx, const graph<pattern, Index, Offset>& host,
                         const std::vector<Index>& sources) {
  const auto vertices = static_cast<std::size_t>(host.out.num_rows);
  const auto num_sources = static_cast<Index>(sources.size());
  reference_context reference;
  std::vector<Index> expected(vertices);
  const bfs_summary oracle =
      bfs_direction(reference, host.view(), sources.data(), num_sources, expected.data(), true);

  graph<pattern, Index, Offset> there{to_context(ctx, host.out.view()), {}, host.is_undirected};
  if (!host.is_undirected) there.in = to_context(ctx, host.in.view());
  const array<Index> from = to_context(ctx, sources);
  for (const bool with_table : {false, true}) {
    array<Index> levels = to_context(ctx, std::vector<Index>(vertices, Index{77}));
    const bfs_summary found = bfs_direction<Tuning>(ctx, there.view(), from.data(), num_sources,
                                                    levels.data(), with_table);
    ASSERT_EQ(to_host(ctx, levels), expected);
    ASSERT_EQ(found.reached, oracle.reached);
    ASSERT_EQ(found.depth, oracle.depth);
    ASSERT_EQ(found.table.size(), with_table ? oracle.table.size() : 0);
    for (std::size_t level = 0; level < found.table.size(); ++level) {
      ASSERT_EQ(found.table[level].vertices, oracle.table[level].vertices) << level;
      ASSERT_EQ(found.table[level].edges, oracle.table[level].edges) << level;
      ASSERT_GE(found.table[level].ms, 0) << level;
    }
  }
}

template <class Context, class Index = std::int32_t>
void check_both(Context& ctx, const graph<pattern, Index, Index>& host,
                const std::vector<Index>& sources) {
  check_bfs_direction<default_tuning>(ctx, host, sources);
  check_bfs_direction<small_steps>(ctx, host, sources);
}

template <class Recipe>
vertex_pairs first_edges(const Recipe& recipe, std::uint64_t count) {
  vertex_pairs result;
  for (std::uint64_t i = 0; i < count; ++i) {
    const edge e = recipe(i);
    result.emplace_back(e.from, e.to);
  }
  return result;
}

vertex_pairs path(std::int64_t vertices) {
  vertex_pairs result;
  for (std::int64_t v = 1; v < vertices; ++v) result.emplace_back(v - 1, v);
  return result;
}

vertex_pairs star(std::int64_t vertices) {
  vertex_pairs result;
  for (std::int64_t v = 1; v < vertices; ++v) result.emplace_back(0, v);
  return result;
}

/// Vertex 0 has `width` neighbours. Every second one of them has one more neighbour, which has
/// `others` further neighbours with smaller numbers: in a bottom-up step its row is long, and the
/// neighbour with a level is the last one in it.
vertex_pairs broom(std::int64_t width, std::int64_t others) {
  vertex_pairs result;
  const std::int64_t near = 1 + others;
  const std::int64_t late = near + width;
  for (std::int64_t k = 0; k < width; ++k) {
    result.emplace_back(0, near + k);
    if (k % 2 == 1) continue;
    for (std::int64_t o = 0; o < others; ++o) result.emplace_back(late + k / 2, 1 + o);
    result.emplace_back(late + k / 2, near + k);
  }
  return result;
}

template <class Context>
void check_refusals(Context& ctx) {
  const graph<pattern> host = undirected(2, {{0, 1}});
  const graph<pattern> there{to_context(ctx, host.out.view()), {}, true};
  const array<int> sources = to_context(ctx, std::vector<int>{0});
  array<int> levels(ctx, 2);
  expect_refusal("bfs_direction", "num_sources",
                 [&] { bfs_direction(ctx, there.view(), sources.data(), -1, levels.data()); });
  misplaced<Context::side> elsewhere;
  expect_refusal("bfs_direction", "levels",
                 [&] { bfs_direction(ctx, there.view(), sources.data(), 1, elsewhere.address()); });
  expect_refusal("bfs_direction", "sources",
                 [&] { bfs_direction(ctx, there.view(), elsewhere.address(), 1, levels.data()); });
}

template <class Context>
class bfs_direction_on : public on<Context> {};
TYPED_TEST_SUITE(bfs_direction_on, contexts);

TYPED_TEST(bfs_direction_on, smallest_graphs) {
  check_both(this->ctx, undirected(0, {}), {});
  check_both(this->ctx, undirected(1, {}), {});
  check_both(this->ctx, undirected(1, {}), {0});
  check_both(this->ctx, undirected(1, {{0, 0}}), {0, 0});
  check_both(this->ctx, undirected(2, {{0, 1}}), {1});
  check_both(this->ctx, directed(2, {{0, 1}}), {1});
}

TYPED_TEST(bfs_direction_on, every_number_of_vertices_around_a_word) {
  for (const int vertices : {31, 32, 33, 63, 64, 65, 1023, 1024, 1025}) {
    check_both(this->ctx, undirected(vertices, path(vertices)), {0});
    check_both(this->ctx, undirected(vertices, star(vertices)), {vertices - 1});
    check_both(this->ctx, undirected(vertices, {}), {0, vertices - 1});
  }
}

TYPED_TEST(bfs_direction_on, self_loops_repeated_edges_and_components) {
  vertex_pairs loops;
  for (int v = 0; v < 100; ++v) loops.emplace_back(v, v);
  check_both(this->ctx, undirected(100, loops), {5});
  vertex_pairs parts = loops;
  for (int v = 0; v < 90; ++v) parts.emplace_back(v, v + 10);
  for (int v = 0; v < 90; ++v) parts.emplace_back(v, v + 10);
  check_both(this->ctx, undirected(100, parts), {5});
  check_both(this->ctx, undirected(100, parts), {5, 5, 17, 5, 99});
  check_both(this->ctx, directed(100, parts), {55});
}

TYPED_TEST(bfs_direction_on, stars_and_dead_ends) {
  check_both(this->ctx, undirected(5000, star(5000)), {0});
  check_both(this->ctx, undirected(5000, star(5000)), {4711});
  check_both(this->ctx, directed(5000, star(5000)), {0});
  check_both(this->ctx, directed(5000, star(5000)), {4711});
  check_both(this->ctx, directed(5000, reversed(star(5000))), {4711, 1});
}

TYPED_TEST(bfs_direction_on, long_rows_that_find_nothing_for_long) {
  check_both(this->ctx, undirected(1 + 300 + 400 + 200, broom(400, 300)), {0});
  check_both(this->ctx, directed(1 + 300 + 400 + 200, both_ways(broom(400, 300))), {0});
}

TYPED_TEST(bfs_direction_on, graphs_with_hubs) {
  const vertex_pairs list = first_edges(rmat_edges(10, 1), 8 << 10);
  check_both(this->ctx, undirected(1 << 10, list), {0});
  check_both(this->ctx, undirected(1 << 10, list), {1000});
  check_both(this->ctx, undirected(1 << 10, list), {7, 500, 7, 1023, 0});
  check_both(this->ctx, directed(1 << 10, list), {0});
  check_both(this->ctx, directed(1 << 10, list), {900, 77});
}

TYPED_TEST(bfs_direction_on, graphs_without_hubs) {
  const uniform_edges even{random_stream(3), 3000};
  check_both(this->ctx, undirected(3000, first_edges(even, 6000)), {0});
  check_both(this->ctx, directed(3000, first_edges(even, 9000)), {0, 1, 2});
  const grid_edges grid{50, 60};
  check_both(this->ctx,
             undirected(3000, first_edges(grid, static_cast<std::uint64_t>(grid.size()))), {1234});
}

TYPED_TEST(bfs_direction_on, every_vertex_is_a_source) {
  std::vector<std::int32_t> all;
  for (int k = 0; k < 6000; ++k) all.push_back(k % 3000);
  check_both(this->ctx, undirected(3000, path(3000)), all);
}

TYPED_TEST(bfs_direction_on, numbers_of_64_bits) {
  const vertex_pairs list = first_edges(rmat_edges(9, 2), 4 << 9);
  check_bfs_direction<default_tuning>(this->ctx, undirected<std::int64_t>(1 << 9, list),
                                      std::vector<std::int64_t>{0, 300});
  check_bfs_direction<default_tuning>(this->ctx, directed<std::int32_t, std::int64_t>(1 << 9, list),
                                      std::vector<std::int32_t>{0});
}

TYPED_TEST(bfs_direction_on, a_star_and_a_path_of_a_million) {
  constexpr int vertices = large_size;
  check_bfs_direction<default_tuning>(this->ctx, undirected(vertices, star(vertices)),
                                      std::vector<std::int32_t>{vertices / 2});
  check_bfs_direction<default_tuning>(this->ctx, undirected(vertices, path(vertices)),
                                      std::vector<std::int32_t>{0});
}

TYPED_TEST(bfs_direction_on, refuses_bad_arguments) { check_refusals(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
