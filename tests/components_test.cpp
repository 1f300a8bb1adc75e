// Connected components against union-find on the host, on every backend.

#include "evenfold/graph/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "evenfold/core/random.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {

namespace {

/// Arcs as pairs of vertices, in any order.
template <class Index>
using arcs = std::vector<std::pair<Index, Index>>;

template <class Index>
arcs<Index> opposite(const arcs<Index>& all) {
  arcs<Index> result;
  for (const auto& [u, v] : all) result.emplace_back(v, u);
  return result;
}

template <class Context, class Index>
csr<pattern, Index> rows_of(Context& ctx, Index n, arcs<Index> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Index> offsets(static_cast<std::size_t>(n) + 1), columns;
  for (const auto& [u, v] : all) {
    ++offsets[static_cast<std::size_t>(u) + 1];
    columns.push_back(v);
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  csr<pattern, Index> result(ctx, n, n, static_cast<Index>(columns.size()));
  result.row_offsets = to_context(ctx, offsets);
  result.columns = to_context(ctx, columns);
  return result;
}

/// The first vertex of each one's component, by the book.
template <class Index>
std::vector<Index> expected_labels(Index n, const arcs<Index>& all) {
  std::vector<Index> parents(static_cast<std::size_t>(n));
  std::iota(parents.begin(), parents.end(), Index{0});
  const auto root = [&](Index v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const auto& [u, v] : all) {
    const auto [first, later] = std::minmax({root(u), root(v)});
    parents[later] = first;
  }
  for (Index v = 0; v < n; ++v) parents[v] = root(v);
  return parents;
}

/// Directed as it is and, with all opposites, undirected.
template <class Context, class Index>
void expect_components(Context& ctx, Index n, const arcs<Index>& all) {
  const std::vector<Index> expected = expected_labels(n, all);
  std::vector<Index> sizes(expected.size());
  for (const Index label : expected) ++sizes[label];
  const auto empty = std::count(sizes.begin(), sizes.end(), Index{0});
  const Index largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());

  arcs<Index> both = opposite(all);
  graph<pattern, Index> g;
  g.out = rows_of(ctx, n, all);
  g.in = rows_of(ctx, n, both);
  g.is_undirected = false;
  for (const bool undirected : {false, true}) {
    if (undirected) {
      both.insert(both.end(), all.begin(), all.end());
      g.out = rows_of(ctx, n, both);
      g.is_undirected = true;
    }
    array<Index> labels(ctx, n);
    connected_components(ctx, g.view(), labels.data());
    EXPECT_EQ(to_host(ctx, labels), expected) << "undirected: " << undirected;
    const component_counts<Index> counts = count_components(ctx, labels.data(), n);
    EXPECT_EQ(counts.components, n - static_cast<Index>(empty));
    EXPECT_EQ(counts.largest, largest);
  }
}

/// `count` arcs between any two of n vertices.
template <class Index>
arcs<Index> random_arcs(Index n, std::int64_t count, std::uint64_t seed) {
  const random_stream random(seed);
  arcs<Index> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const philox_block words = random.block(static_cast<std::uint64_t>(i));
    result.emplace_back(static_cast<Index>(words.word[0] % static_cast<std::uint32_t>(n)),
                        static_cast<Index>(words.word[1] % static_cast<std::uint32_t>(n)));
  }
  return result;
}

}  // namespace

template <class Context>
class components : public on<Context> {};
TYPED_TEST_SUITE(components, contexts);

TYPED_TEST(components, corner_cases) {
  expect_components<TypeParam, int>(this->ctx, 0, {});
  expect_components<TypeParam, int>(this->ctx, 1, {});
  expect_components<TypeParam, int>(this->ctx, 1, {{0, 0}, {0, 0}});
  expect_components<TypeParam, int>(this->ctx, 5, {});
  expect_components<TypeParam, int>(this->ctx, 6, {{5, 3}, {3, 5}, {3, 3}, {1, 0}, {1, 0}});
}

// Around the edge density where a giant component appears, in both widths of indices.
TYPED_TEST(components, random_graphs) {
  for (const std::int64_t percent : {20, 50, 60, 200}) {
    expect_components(this->ctx, 5000, random_arcs(5000, 50 * percent, 7));
  }
  expect_components(this->ctx, std::int64_t{3000}, random_arcs(std::int64_t{3000}, 1600, 8));
}

// The longest way, one arc after the other and in the worst order for links of smaller roots; and
// everything at one vertex, the last.
TYPED_TEST(components, paths_and_stars) {
  const auto n = static_cast<int>(large_size / 8);
  arcs<int> path, rungs, star;
  for (int v = 1; v < n; ++v) {
    path.emplace_back(v, v - 1);
    rungs.emplace_back(v, n - v);
    star.emplace_back(n - 1, v);
  }
  expect_components(this->ctx, n, path);
  expect_components(this->ctx, n, rungs);
  expect_components(this->ctx, n, star);
}

TYPED_TEST(components, refusals) {
  graph<pattern> g;
  g.out = rows_of<TypeParam, int>(this->ctx, 3, {{0, 1}});
  array<int> labels(this->ctx, 3);
  auto view = g.view();
  view.out.num_columns = 4;
  expect_refusal("connected_components", "graph",
                 [&] { connected_components(this->ctx, view, labels.data()); });
  expect_refusal("count_components", "num_vertices",
                 [&] { count_components(this->ctx, labels.data(), -1); });
}

}  // namespace evenfold::testing
