#pragma once
// sssp of a graph whose edges are distributed over ranks.
//
// Each rank has whole rows, and the distances of their vertices. In a step it follows the edges
// from its vertices whose distances have become lower and are at most the limit of near-far
// delta-stepping, and keeps the shortest path that it has found to each vertex of the graph. It
// sends the vertices whose paths have become shorter, with their distances, to the ranks that have
// them. Where no rank has such a vertex, the limit is raised above the nearest vertex of all ranks.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/frontier.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/sssp.hpp"

namespace evenfold {

/// The result of `sssp`, as sssp_result without parents.
template <class Distance>
struct sharded_sssp_result {
  sharded<Distance> distances;
  std::int64_t reached = 0;
  Distance max_distance = 0;
};

namespace detail {

/// Whether an edge is the first of this step by which the shortest path to v becomes shorter.
template <class Value, class Distance, class Index>
struct shorten_path_to {
  const Value* weights;
  const Distance* distances;  ///< of the rows of this rank
  Distance* shortest;         ///< of all vertices
  vertex_bitmap<Index> found;

  template <class Offset>
  EF_HD bool operator()(Offset edge, Index row, Index v) const {
    const auto weight = static_cast<Distance>(value_at(weights, edge));
    return atomic_lower(shortest[v], add_up_to_most(distances[row], weight)) && found.set(v);
  }
};

/// Lowers the distance of a vertex of this rank.
template <class Distance, class Index>
struct lower_distance {
  const Index* vertices;
  const Distance* lengths;
  Index begin;
  Distance* distances;
  vertex_bitmap<Index> lowered;

  EF_HD void operator()(std::uint64_t i) const {
    const Index row = vertices[i] - begin;
    if (atomic_lower(distances[row], lengths[i])) lowered.set(row);
  }
};

/// Whether the distance of a row has become lower, and is at most the limit.
template <class Distance, class Index>
struct is_near {
  vertex_bitmap<Index> lowered;
  const Distance* distances;
  Distance limit;

  EF_HD bool operator()(Index row) const { return lowered.test(row) && distances[row] <= limit; }
};

/// The distance of a row that has become lower, else no_path.
template <class Distance, class Index>
struct lowered_distance {
  vertex_bitmap<Index> lowered;
  const Distance* distances;

  EF_HD Distance operator()(Index row) const {
    return lowered.test(row) ? distances[row] : no_path<Distance>;
  }
};

/// Weights at equal intervals from the first one on.
template <class Value>
struct strided_weight {
  const Value* weights;
  std::uint64_t first, stride;

  EF_HD double operator()(std::uint64_t i) const {
    return static_cast<double>(value_at(weights, first + i * stride));
  }
};

/// The difference of distances that sssp_delta() chooses on one context: from the same weights,
/// which are gathered from the ranks that have them.
template <class Distance, class Context, class Value, class Index, class Offset>
Distance sssp_delta(Context& ctx, const sharded_graph<Value, Index, Offset>& g, double asked) {
  double mean = 0;
  const std::uint64_t edges = g.num_edges();
  if (asked == 0 && edges > 0) {
    auto& local = ctx.local();
    const std::uint64_t samples = std::min<std::uint64_t>(edges, most_sampled_weights);
    const std::uint64_t stride = edges / samples;
    const std::uint64_t begin = g.out.columns.local_begin(), end = g.out.columns.local_end();
    const std::uint64_t first = ceil_div(begin, stride);
    const std::uint64_t past = std::min(samples, std::max(first, ceil_div(end, stride)));
    const std::uint64_t own = past > first ? past - first : 0;
    array<double> weights(local, own);
    transform(
        local, own,
        write_result{strided_weight<Value>{g.out.values.data(), first * stride - begin, stride},
                     weights.data()});
    const array<double> all = gather(ctx, sharded<double>(ctx, std::move(weights)));
    mean = reduce(local, all.data(), samples, plus{}, 0.) / static_cast<double>(samples);
  }
  return sssp_delta<Distance, std::uint64_t>(asked, mean, g.num_vertices(), edges);
}

}  // namespace detail

/// The length of a shortest path from the nearest of `sources` to every vertex, with the bits of
/// `sssp` on one context. All ranks pass the same sources.
///
/// A rank has whole rows, about equal edges + vertices unless a vertex has very many edges, and a
/// copy of their edges. Near-far delta-stepping as on one context, with the same delta; all steps
/// are made by all ranks, so that `options.serial_edges` changes nothing. Each step reads two bits
/// per vertex of the rank. Scratch: one Distance and one Index per vertex of the graph. Waits.
///
/// Errors: argument_error for a source that is not a vertex, for a graph that is not square, for
/// weights that one context refuses (by their positions on the rank), for `options.parents`, which
/// ranks do not find, or if the ranks pass different arguments; communication_error if another rank
/// fails; allocation_error.
template <class Distance = void, context Local, class Communicator, class Value,
          std::integral Index, std::integral Offset>
auto sssp(distributed_context<Local, Communicator>& ctx,
          const sharded_graph<Value, Index, Offset>& g,
          const std::vector<std::type_identity_t<Index>>& sources,
          const sssp_options& options = {}) {
  using T = std::conditional_t<std::is_void_v<Distance>, detail::distance_for<Value>, Distance>;
  detail::check_graph("sssp", g);
  if (options.parents) {
    detail::refuse_argument("sssp", "options.parents", options.parents, "ranks find no parents",
                            "find parents on one context");
  }
  const std::vector<Index> distinct =
      detail::distinct_sources("sssp", sources, static_cast<Index>(g.num_vertices()));
  const auto run = [&] {
    auto& local = ctx.local();
    const auto n = static_cast<Index>(g.num_vertices());
    const shard_map map = detail::vertex_shards(g);
    const auto begin = static_cast<Index>(map.begin(ctx.rank()));
    const auto rows = static_cast<Index>(map.size(ctx.rank()));
    const detail::whole_rows<Value, Index, Offset> out(ctx, g.out, map);
    detail::check_weights<T>(local, "sssp", out.view());
    const T delta = detail::sssp_delta<T>(ctx, g, options.delta);
    sharded_sssp_result<T> result{sharded<T>(ctx, map)};
    T* const distances = result.distances.data();
    array<T> shortest(local, n);
    array<std::uint32_t> found = detail::empty_bitmap(local, n);
    array<std::uint32_t> lowered = detail::empty_bitmap(local, rows);
    detail::local_frontier<Index, Offset> frontier(local, rows, n);
    transform(local, rows, write_result{constant<T>{no_path<T>}, distances});
    transform(local, n, write_result{constant<T>{no_path<T>}, shortest.data()});

    T limit = delta;
    // Leaves the vertices beyond the limit in the bitmap.
    const auto take_near = [&] {
      frontier.select(local, rows, detail::is_near<T, Index>{{lowered.data()}, distances, limit});
      transform(local, frontier.size(),
                detail::leave_bitmap<Index>{{lowered.data()}, frontier.rows()});
    };
    const auto lower = [&](const array<Index>& vertices, const array<T>& lengths) {
      transform(local, std::uint64_t{vertices.size()},
                detail::lower_distance<T, Index>{
                    vertices.data(), lengths.data(), begin, distances, {lowered.data()}});
      take_near();
    };
    // The distance of the nearest vertex of all ranks that is yet to be handled, if none is near.
    const auto nearest_if_all_far = [&] {
      struct rank_state {
        std::uint64_t near;
        T nearest;
      } own{static_cast<std::uint64_t>(frontier.size()), T{0}};
      if (own.near == 0) {
        own.nearest = transform_reduce(
            local, rows, detail::lowered_distance<T, Index>{{lowered.data()}, distances}, minimum{},
            no_path<T>);
      }
      T nearest = no_path<T>;
      for (const rank_state& of : detail::gather_value(ctx, own)) {
        if (of.near > 0) return T{-1};
        nearest = std::min(nearest, of.nearest);
      }
      return nearest;
    };
    std::vector<Index> own;
    for (const Index s : distinct) {
      if (s >= begin && s < begin + rows) own.push_back(s);
    }
    lower(to_context(local, own), to_context(local, std::vector<T>(own.size(), T{0})));
    for (;;) {
      const T nearest = nearest_if_all_far();
      if (nearest == no_path<T>) break;
      if (nearest >= 0) {
        limit = detail::add_up_to_most(nearest, delta);
        take_near();
      }
      const Index count =
          frontier.follow(local, out.view(),
                          detail::shorten_path_to<const Value, T, Index>{
                              out.view().values, distances, shortest.data(), {found.data()}});
      transform(local, count, detail::leave_bitmap<Index>{{found.data()}, frontier.found()});
      const auto parts = detail::parts_of_owners(ctx, map, frontier.found(), count);
      array<T> lengths(local, count);
      transform(local, count,
                write_result{detail::value_of_vertex<T, Index>{shortest.data(), frontier.found()},
                             lengths.data()});
      const array<Index> vertices = parts.exchange(ctx, frontier.found());
      lower(vertices, parts.exchange(ctx, lengths.data()));
    }
    const auto [reached, farthest] = detail::distance_totals(local, distances, rows);
    for (const std::int64_t of_rank : detail::gather_value(ctx, reached)) result.reached += of_rank;
    for (const T of_rank : detail::gather_value(ctx, farthest)) {
      result.max_distance = std::max(result.max_distance, of_rank);
    }
    local.synchronize();
    return result;
  };
  return detail::run_on_all_ranks(ctx, "sssp",
                                  {{"vertices", g.num_vertices()},
                                   {"edges", g.num_edges()},
                                   {"sources", sources.size()},
                                   {"delta", detail::fingerprint(options.delta)}},
                                  run);
}

}  // namespace evenfold
