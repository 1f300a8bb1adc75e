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

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/frontier.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/sssp_parts.hpp"
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

/// One search. All ranks take the same steps.
template <class Distance, class Context, class Value, class Index, class Offset>
class sssp_search {
 public:
  sssp_search(Context& ctx, const sharded_graph<Value, Index, Offset>& g, double delta)
      : ctx_(ctx),
        map_(vertex_shards(g)),
        begin_(static_cast<Index>(map_.begin(ctx.rank()))),
        rows_(static_cast<Index>(map_.size(ctx.rank()))),
        out_(ctx, g.out, map_),
        distances_(ctx, map_),
        shortest_(ctx.local(), static_cast<Index>(g.num_vertices())),
        found_(empty_bitmap(ctx.local(), static_cast<Index>(g.num_vertices()))),
        lowered_(empty_bitmap(ctx.local(), rows_)),
        frontier_(ctx.local(), rows_, static_cast<Index>(g.num_vertices())),
        owners_(ctx, map_) {
    check_weights<Distance>(ctx.local(), "sssp", out_.view());
    delta_ = limit_ = sssp_delta<Distance>(ctx, g, delta);
  }

  sharded_sssp_result<Distance> run(const std::vector<Index>& sources) {
    begin(sources);
    for (;;) {
      const Distance nearest = nearest_if_all_far();
      if (nearest == no_path<Distance>) break;
      if (nearest >= 0) {
        limit_ = add_up_to_most(nearest, delta_);
        take_near();
      }
      step();
    }
    return result();
  }

 private:
  void begin(const std::vector<Index>& sources) {
    auto& local = ctx_.local();
    fill(local, distances_.data(), rows_, no_path<Distance>);
    fill(local, shortest_.data(), static_cast<Index>(shortest_.size()), no_path<Distance>);
    std::vector<Index> own;
    for (const Index s : sources) {
      if (s >= begin_ && s < begin_ + rows_) own.push_back(s);
    }
    lower(to_context(local, own),
          to_context(local, std::vector<Distance>(own.size(), Distance{0})));
  }

  /// Lowers the distances of vertices of this rank.
  void lower(const array<Index>& vertices, const array<Distance>& lengths) {
    transform(ctx_.local(), std::uint64_t{vertices.size()},
              lower_distance<Distance, Index>{
                  vertices.data(), lengths.data(), begin_, distances_.data(), {lowered_.data()}});
    take_near();
  }

  /// Makes the near vertices whose distances have become lower the frontier. The others remain in
  /// the bitmap.
  void take_near() {
    auto& local = ctx_.local();
    frontier_.select(local, rows_,
                     is_near<Distance, Index>{{lowered_.data()}, distances_.data(), limit_});
    transform(local, frontier_.size(), leave_bitmap<Index>{{lowered_.data()}, frontier_.rows()});
  }

  /// The distance of the nearest vertex of all ranks whose edges have to be followed, or no_path;
  /// -1 if a frontier has vertices.
  Distance nearest_if_all_far() {
    struct rank_state {
      std::uint64_t near;
      Distance nearest;
    } own{static_cast<std::uint64_t>(frontier_.size()), Distance{0}};
    if (own.near == 0) {
      own.nearest =
          transform_reduce(ctx_.local(), rows_,
                           lowered_distance<Distance, Index>{{lowered_.data()}, distances_.data()},
                           minimum{}, no_path<Distance>);
    }
    Distance nearest = no_path<Distance>;
    for (const rank_state& of : gather_value(ctx_, own)) {
      if (of.near > 0) return Distance{-1};
      nearest = std::min(nearest, of.nearest);
    }
    return nearest;
  }

  /// Follows the edges from the frontiers, and sends the shorter paths to the ranks of their ends.
  void step() {
    auto& local = ctx_.local();
    frontier_.find_edges(local, out_.view());
    const Index count = frontier_.follow(
        local, out_.view(),
        shorten_path_to<const Value, Distance, Index>{
            out_.view().values, distances_.data(), shortest_.data(), {found_.data()}});
    transform(local, count, leave_bitmap<Index>{{found_.data()}, frontier_.found()});
    const auto parts = owners_.find(ctx_, frontier_.found(), count);
    array<Distance> lengths(local, count);
    transform(local, count,
              write_result{value_of_vertex<Distance, Index>{shortest_.data(), frontier_.found()},
                           lengths.data()});
    const array<Index> vertices = parts.exchange(ctx_, frontier_.found());
    lower(vertices, parts.exchange(ctx_, lengths.data()));
  }

  sharded_sssp_result<Distance> result() {
    sharded_sssp_result<Distance> all{std::move(distances_)};
    const auto [reached, farthest] = distance_totals(ctx_.local(), all.distances.data(), rows_);
    for (const std::int64_t of_rank : gather_value(ctx_, reached)) all.reached += of_rank;
    for (const Distance of_rank : gather_value(ctx_, farthest)) {
      all.max_distance = std::max(all.max_distance, of_rank);
    }
    ctx_.local().synchronize();
    return all;
  }

  Context& ctx_;
  shard_map map_;
  Index begin_, rows_;
  whole_rows<Value, Index, Offset> out_;
  Distance delta_{}, limit_{};
  sharded<Distance> distances_;
  /// The lengths of the shortest paths that this rank has found, to all vertices.
  array<Distance> shortest_;
  /// The vertices found in a step, and the rows whose distances have become lower, as bitmaps.
  array<std::uint32_t> found_, lowered_;
  local_frontier<Index, Offset> frontier_;
  owner_search<Index> owners_;
};

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
  return detail::run_on_all_ranks(
      ctx, "sssp",
      {{"vertices", g.num_vertices()},
       {"edges", g.num_edges()},
       {"sources", sources.size()},
       {"delta", detail::fingerprint(options.delta)}},
      [&] {
        using search =
            detail::sssp_search<T, distributed_context<Local, Communicator>, Value, Index, Offset>;
        return search(ctx, g, options.delta).run(distinct);
      });
}

}  // namespace evenfold
