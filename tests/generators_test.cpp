#include "evenfold/graph/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

template <class Make>
std::vector<edge> made_on_host(const Make& make, std::int64_t count) {
  std::vector<edge> edges;
  for (std::int64_t i = 0; i < count; ++i) edges.push_back(make(static_cast<std::uint64_t>(i)));
  return edges;
}

TEST(generators, rmat_falls_into_the_quarters_as_often_as_asked) {
  constexpr int draws = 40000;
  const std::vector<edge> edges = made_on_host(rmat_edges(1, 3, 0.5, 0.3, 0.15), draws);
  double found[2][2] = {};
  for (const edge& e : edges) found[e.from][e.to] += 1. / draws;
  // Within four standard errors, of which the largest is 0.0025.
  EXPECT_NEAR(found[0][0], 0.5, 0.01);
  EXPECT_NEAR(found[0][1], 0.3, 0.01);
  EXPECT_NEAR(found[1][0], 0.15, 0.01);
  EXPECT_NEAR(found[1][1], 0.05, 0.01);
}

TEST(generators, rmat_with_all_in_one_quarter_has_one_edge) {
  for (const edge& e : made_on_host(rmat_edges(9, 1, 1, 0, 0), 100)) EXPECT_EQ(e, (edge{0, 0}));
  for (const edge& e : made_on_host(rmat_edges(9, 1, 0, 0, 0), 100)) EXPECT_EQ(e, (edge{511, 511}));
  for (const edge& e : made_on_host(rmat_edges(0, 1), 10)) EXPECT_EQ(e, (edge{0, 0}));
}

TEST(generators, rmat_draws_every_level_afresh) {
  // If two levels used the same random number, their bits would always agree.
  const std::vector<edge> edges = made_on_host(rmat_edges(9, 1, 0.25, 0.25, 0.25), 300);
  for (int one = 0; one < 9; ++one) {
    for (int other = one + 1; other < 9; ++other) {
      const auto same = std::count_if(edges.begin(), edges.end(), [&](const edge& e) {
        return (e.from >> one & 1) == (e.from >> other & 1);
      });
      EXPECT_GT(same, 100) << one << " and " << other;
      EXPECT_LT(same, 200) << one << " and " << other;
    }
  }
}

TEST(generators, kronecker_is_rmat_with_other_numbers) {
  for (const int scale : {0, 1, 2, 5, 10}) {
    const kronecker_edges kronecker(scale, 7);
    const std::int64_t vertices = std::int64_t{1} << scale;
    std::set<std::int64_t> numbers;
    for (std::int64_t v = 0; v < vertices; ++v) numbers.insert(kronecker.renumbered(v));
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(vertices)) << scale;
    EXPECT_EQ(*numbers.begin(), 0);
    EXPECT_EQ(*numbers.rbegin(), vertices - 1);

    const std::vector<edge> old = made_on_host(rmat_edges(scale, 7), 1000);
    const std::vector<edge> made = made_on_host(kronecker, 1000);
    for (std::size_t i = 0; i < old.size(); ++i) {
      EXPECT_EQ(made[i],
                (edge{kronecker.renumbered(old[i].from), kronecker.renumbered(old[i].to)}));
    }
  }
  // The vertex with most edges of R-MAT is 0. Renumbering leaves it there only by chance.
  int stayed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    stayed += kronecker_edges(10, seed).renumbered(0) == 0;
  }
  EXPECT_LT(stayed, 5);
  // The vertices of R-MAT with many edges have the smaller numbers; renumbering spreads them over
  // both halves.
  const kronecker_edges kronecker(10, 3);
  int low = 0;
  for (std::int64_t v = 0; v < 512; ++v) low += kronecker.renumbered(v) < 512;
  EXPECT_GT(low, 156);
  EXPECT_LT(low, 356);
}

TEST(generators, a_grid_connects_every_vertex_to_its_neighbours) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<int, int>>{{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 4}, {0, 3}}) {
    const grid_edges grid{rows, columns};
    std::set<std::pair<std::int64_t, std::int64_t>> expected;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        if (j + 1 < columns) expected.emplace(i * columns + j, i * columns + j + 1);
        if (i + 1 < rows) expected.emplace(i * columns + j, (i + 1) * columns + j);
      }
    }
    ASSERT_EQ(grid.size(), static_cast<std::int64_t>(expected.size()));
    for (const edge& e : made_on_host(grid, grid.size())) expected.erase({e.from, e.to});
    EXPECT_TRUE(expected.empty()) << rows << " by " << columns;
  }
}

TEST(generators, refuse_what_makes_no_sense) {
  EXPECT_THROW(rmat_edges(-1, 0), argument_error);
  EXPECT_THROW(rmat_edges(63, 0), argument_error);
  EXPECT_THROW(kronecker_edges(63, 0), argument_error);
  EXPECT_THROW(rmat_edges(3, 0, 0.5, 0.5, 0.5), argument_error);
  EXPECT_THROW(rmat_edges(3, 0, -0.5, 0.5, 0.5), argument_error);
}

template <class Context, class Make>
void expect_same_as_host(Context& ctx, const Make& make, std::int64_t count) {
  array<edge> edges(ctx, count);
  edge* const out = edges.data();
  transform(
      ctx, count, EF_LAMBDA(std::int64_t i) { out[i] = make(static_cast<std::uint64_t>(i)); });
  EXPECT_EQ(to_host(ctx, edges), made_on_host(make, count));
}

template <class Context>
class generators_on : public on<Context> {};
TYPED_TEST_SUITE(generators_on, contexts);

TYPED_TEST(generators_on, make_the_same_edges_as_the_host) {
  expect_same_as_host(this->ctx, rmat_edges(17, 5), 10000);
  expect_same_as_host(this->ctx, kronecker_edges(17, 5), 10000);
  expect_same_as_host(this->ctx, uniform_edges{random_stream(6), 1000}, 10000);
  expect_same_as_host(this->ctx, grid_edges{30, 40}, grid_edges{30, 40}.size());
}

}  // namespace
}  // namespace evenfold::testing
