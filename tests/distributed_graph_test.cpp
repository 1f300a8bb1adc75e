#include "evenfold/distributed/graph.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/distributed/bfs.hpp"
#include "evenfold/distributed/components.hpp"
#include "evenfold/distributed/pagerank.hpp"
#include "evenfold/distributed/sssp.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/components.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/graph/sssp.hpp"
#include "support/contexts.hpp"
#include "support/graphs.hpp"
#include "support/ranks.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using rank_context = ranked<default_context>;
using edges_of_ranks = sharded_csr<float, int, std::int64_t>;

/// A few components, one of them with a vertex that has a third of all edges, and a long path.
edge_pairs edges_with_a_hub() {
  edge_pairs edges;
  for (int k = 0; k < 300; ++k) edges.emplace_back(7, (k * 31) % 200);
  for (int k = 0; k < 500; ++k) edges.emplace_back((k * 17) % 190, (k * k + 3) % 200);
  for (int v = 300; v < 360; ++v) edges.emplace_back(v, v + 1);
  edges.emplace_back(150, 300);
  return edges;
}
constexpr std::int64_t num_vertices = 370;

/// Weights of edges, 0 among them.
std::vector<float> weights_of(std::size_t count) {
  std::vector<float> weights = random_fractions<float>(static_cast<std::int64_t>(count));
  for (std::size_t k = 0; k < count; k += 9) weights[k] = 0;
  return weights;
}

edges_of_ranks share_rows(rank_context& ctx, const host_rows<int, std::int64_t>& rows,
                          const std::vector<float>& weights) {
  const std::vector<std::int64_t> begins(rows.offsets.begin(), rows.offsets.end() - 1);
  const shard_map entries = make_shards(cut::uneven, rows.columns.size(), ctx.size());
  return {ctx, static_cast<std::uint64_t>(num_vertices),
          shard_of(ctx, begins, make_shards(cut::equal, begins.size(), ctx.size())),
          shard_of(ctx, rows.columns, entries), shard_of(ctx, weights, entries)};
}

/// The same graph on one context.
struct whole_graph {
  reference_context one;
  test_graph<reference_context, int> graph;
  std::vector<float> weights;

  explicit whole_graph(bool undirected)
      : graph(one, num_vertices, edges_with_a_hub(), undirected),
        weights(weights_of(graph.out.columns.size())) {}

  graph_view<const float, int, std::int64_t> view() const {
    const auto where = graph.view();
    const auto with_weights = [&](const csr_view<const pattern, int, std::int64_t>& rows) {
      return csr_view<const float, int, std::int64_t>{rows.num_rows,     rows.num_columns,
                                                      rows.num_nonzeros, rows.row_offsets,
                                                      rows.columns,      weights.data()};
    };
    return {with_weights(where.out), with_weights(where.in)};
  }

  sharded_graph<float, int, std::int64_t> shards(rank_context& ctx) const {
    sharded_graph<float, int, std::int64_t> result{share_rows(ctx, graph.out, weights), {}};
    if (!graph.view().is_undirected()) result.in = share_rows(ctx, graph.in, weights);
    return result;
  }
};

TEST(distributed_graph, bfs) {
  for (const bool undirected : {false, true}) {
    whole_graph whole(undirected);
    for (const std::vector<int>& sources : {std::vector<int>{7}, {12, 310, 12}, {}}) {
      const auto expected = bfs(whole.one, whole.graph.view(), sources, {.parents = true});
      for (const int ranks : rank_counts) {
        on_ranks<default_context>(ranks, [&](rank_context& ctx) {
          const auto got = bfs(ctx, whole.shards(ctx), sources, true);
          EXPECT_EQ(gathered_on_host(ctx, got.levels), to_host(whole.one, expected.levels));
          EXPECT_EQ(gathered_on_host(ctx, got.parents), to_host(whole.one, expected.parents));
          EXPECT_EQ(got.reached, expected.reached) << ranks << " ranks";
          EXPECT_EQ(got.depth, expected.depth);
        });
      }
    }
  }
}

TEST(distributed_graph, sssp_and_components) {
  whole_graph whole(true);
  const auto expected = sssp(whole.one, whole.view(), {7, 40});
  std::vector<int> labels(static_cast<std::size_t>(num_vertices));
  connected_components(whole.one, whole.view(), labels.data());
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const auto shards = whole.shards(ctx);
      const auto got = sssp(ctx, shards, {7, 40});
      EXPECT_EQ(gathered_on_host(ctx, got.distances), to_host(whole.one, expected.distances));
      EXPECT_EQ(got.reached, expected.reached) << ranks << " ranks";
      EXPECT_EQ(got.max_distance, expected.max_distance);
      // What is chosen depends on the backend, so that one context of the same kind chooses it,
      // too.
      const array<float> weights = to_context(ctx.local(), whole.weights);
      auto edges = whole.view().out;
      edges.values = weights.data();
      EXPECT_EQ(detail::sssp_delta<float>(ctx, shards, 0.),
                detail::sssp_delta<float>(ctx.local(), edges, 0.));
      for (const double delta : {0.01, 1e30}) {
        const auto again = sssp(ctx, shards, {7, 40}, {.delta = delta});
        EXPECT_EQ(gathered_on_host(ctx, again.distances), to_host(whole.one, expected.distances));
      }
      EXPECT_EQ(gathered_on_host(ctx, connected_components(ctx, shards)), labels);
    });
  }
}

TEST(distributed_graph, pagerank) {
  whole_graph whole(false);
  const pagerank_options<double> options{.max_iterations = 20};
  const auto expected = pagerank<double>(whole.one, whole.view(), options);
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const auto got = pagerank<double>(ctx, whole.shards(ctx), options);
      EXPECT_EQ(gathered_on_host(ctx, got.ranks), to_host(whole.one, expected.ranks));
      EXPECT_EQ(got.iterations, expected.iterations) << ranks << " ranks";
      EXPECT_EQ(got.residual, expected.residual);
      EXPECT_EQ(got.converged, expected.converged);
    });
  }
}

}  // namespace
}  // namespace evenfold::testing
