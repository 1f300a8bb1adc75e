#pragma once
// bfs of a graph whose edges are distributed over ranks.
//
// Each rank has whole rows, and the levels of their vertices. A step goes top down, or bottom up,
// whichever has fewer edges. Top down, a rank follows the edges from its frontier and sends the
// vertices that it has found, each once, to the ranks that have them. Bottom up, all ranks gather
// the frontier as a bitmap, and follow the edges into their vertices without a level.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/frontier.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/graph/bfs_parents.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"

namespace evenfold {

/// The result of `bfs`, as bfs_result. Both arrays have the same shards; the parents are empty
/// unless asked for.
template <class Index>
struct sharded_bfs_result {
  sharded<Index> levels;
  sharded<Index> parents;
  std::int64_t reached = 0;
  std::int64_t depth = 0;
};

namespace detail {

/// Whether the vertex of a row has one level.
template <class Index>
struct has_level {
  const Index* levels;
  Index level;
  EF_HD constexpr bool operator()(Index row) const { return levels[row] == level; }
};

/// Whether this is the first edge of the rank that leads to v.
template <class Index>
struct find_once {
  vertex_bitmap<Index> found;

  template <class Offset>
  EF_HD bool operator()(Offset, Index, Index v) const {
    return found.set(v);
  }
};

/// Gives vertices of this rank a level, unless they have one.
template <class Index>
struct give_level {
  const Index* vertices;
  Index begin, level;
  Index* levels;

  EF_HD void operator()(std::uint64_t i) const {
    const atomic_ref<Index> slot(levels[vertices[i] - begin]);
    if (slot.load(memory_order_relaxed) < 0) slot.store(level, memory_order_relaxed);
  }
};

/// Gives the vertex of a row a level if an edge comes from the frontier.
template <class Index>
struct meet_frontier {
  vertex_bitmap<Index> frontier;
  Index level;
  Index* levels;

  template <class Offset>
  EF_HD bool operator()(Offset, Index row, Index u) const {
    if (frontier.test(u)) atomic_ref<Index>(levels[row]).store(level, memory_order_relaxed);
    return false;
  }
};

/// Writes the parents of sources and of vertices that are not reached.
template <class Index>
struct parent_without_edge_of_row {
  const Index* levels;
  Index begin;
  Index* parents;

  EF_HD void operator()(Index row) const {
    if (levels[row] <= 0) parents[row] = levels[row] == 0 ? begin + row : Index{-1};
  }
};

/// One search. All ranks take the same steps.
template <class Context, class Value, class Index, class Offset>
class bfs_search {
 public:
  bfs_search(Context& ctx, const sharded_graph<Value, Index, Offset>& g)
      : ctx_(ctx),
        num_vertices_(static_cast<Index>(g.num_vertices())),
        map_(vertex_shards(g)),
        begin_(static_cast<Index>(map_.begin(ctx.rank()))),
        rows_(static_cast<Index>(map_.size(ctx.rank()))),
        out_(ctx, g.out, map_),
        levels_(ctx, map_),
        frontier_(ctx.local(), rows_, num_vertices_),
        owners_(ctx, map_),
        found_(empty_bitmap(ctx.local(), num_vertices_)),
        unvisited_edges_(g.num_edges()) {
    if (g.in) in_.emplace(ctx, *g.in, map_);
  }

  sharded_bfs_result<Index> run(const std::vector<Index>& sources, bool with_parents) {
    auto& local = ctx_.local();
    fill(local, levels_.data(), rows_, Index{-1});
    const array<Index> begin = to_context(local, own_part(sources));
    give_levels(begin, 0);
    sharded_bfs_result<Index> result;
    for (Index level = 0;; ++level) {
      frontier_.select(local, rows_, has_level<Index>{levels_.data(), level});
      const counts all = count_frontier();
      if (all.vertices == 0) break;
      result.reached += static_cast<std::int64_t>(all.vertices);
      result.depth = level;
      unvisited_edges_ -= std::min(unvisited_edges_, all.in_edges);
      if (all.out_edges > unvisited_edges_) {
        step_bottom_up(level + 1);
      } else {
        step_top_down(level + 1);
      }
    }
    if (with_parents) result.parents = find_parents();
    local.synchronize();
    result.levels = std::move(levels_);
    return result;
  }

 private:
  using matrix = csr_view<const Value, Index, Offset>;

  struct counts {
    std::uint64_t vertices = 0, out_edges = 0, in_edges = 0;
  };

  matrix out() const { return out_.view(); }
  matrix in() const { return in_ ? in_->view() : out_.view(); }

  std::vector<Index> own_part(const std::vector<Index>& sources) const {
    std::vector<Index> own;
    for (const Index s : sources) {
      if (s >= begin_ && s < begin_ + rows_) own.push_back(s);
    }
    return own;
  }

  /// Counts the edges of the frontier, and finds those that a step top down follows.
  counts count_frontier() {
    auto& local = ctx_.local();
    counts mine;
    mine.vertices = static_cast<std::uint64_t>(frontier_.size());
    if (in_) mine.in_edges = static_cast<std::uint64_t>(frontier_.find_edges(local, in()));
    mine.out_edges = static_cast<std::uint64_t>(frontier_.find_edges(local, out()));
    if (!in_) mine.in_edges = mine.out_edges;
    counts sum;
    for (const counts& of : gather_value(ctx_, mine)) {
      sum.vertices += of.vertices;
      sum.out_edges += of.out_edges;
      sum.in_edges += of.in_edges;
    }
    return sum;
  }

  void give_levels(const array<Index>& vertices, Index level) {
    transform(ctx_.local(), std::uint64_t{vertices.size()},
              give_level<Index>{vertices.data(), begin_, level, levels_.data()});
  }

  void step_top_down(Index level) {
    auto& local = ctx_.local();
    const Index count = frontier_.follow(local, out(), find_once<Index>{{found_.data()}});
    const exchanged_parts parts = owners_.find(ctx_, frontier_.found(), count);
    give_levels(parts.exchange(ctx_, frontier_.found()), level);
  }

  void step_bottom_up(Index level) {
    auto& local = ctx_.local();
    array<std::uint32_t> own = empty_bitmap(local, rows_);
    transform(local, frontier_.size(), join_bitmap<Index>{{own.data()}, frontier_.rows()});
    std::vector<std::uint64_t> words(static_cast<std::size_t>(ctx_.size()));
    for (int r = 0; r < ctx_.size(); ++r) {
      words[static_cast<std::size_t>(r)] = ceil_div(map_.size(r), 32);
    }
    array<std::uint32_t> all = gather_shards(ctx_, local, own.data(), shard_map::of_sizes(words));
    frontier_.select(local, rows_, has_level<Index>{levels_.data(), -1});
    frontier_.find_edges(local, in());
    frontier_.follow(local, in(), meet_frontier<Index>{{all.data()}, level, levels_.data()});
  }

  sharded<Index> find_parents() {
    auto& local = ctx_.local();
    sharded<Index> parents(ctx_, map_);
    const array<Index> all = gather_shards(ctx_, local, levels_.data(), map_);
    const Index* const own = all.data() + begin_;
    const matrix edges = in();
    lbs_segreduce(local, edges.num_nonzeros, parent_of_edge<Index>{edges.columns, all.data()},
                  edges.row_offsets, rows_, make_tuple(own), parents.data(), minimum{},
                  largest_number<Index>);
    transform(local, rows_, parent_without_edge_of_row<Index>{own, begin_, parents.data()});
    local.synchronize();
    return parents;
  }

  Context& ctx_;
  Index num_vertices_;
  shard_map map_;
  Index begin_, rows_;
  whole_rows<Value, Index, Offset> out_;
  std::optional<whole_rows<Value, Index, Offset>> in_;
  sharded<Index> levels_;
  local_frontier<Index, Offset> frontier_;
  owner_search<Index> owners_;
  array<std::uint32_t> found_;
  std::uint64_t unvisited_edges_;
};

}  // namespace detail

/// The hop distance of every vertex from the nearest of `sources`, as `bfs` on one context computes
/// it; with `parents`, the smallest vertex before each. All ranks pass the same sources.
///
/// A rank has whole rows, about equal edges + vertices unless a vertex has very many edges, and a
/// copy of their edges, unless the rows of the graph are whole. Per level it looks at each of its
/// vertices once, at the edges of the frontier or at those of the vertices without a level, and
/// sends the vertices that it has found, or receives one bit per vertex. Parents need the levels of
/// all vertices on each rank. Waits.
///
/// Errors: argument_error for a source that is not a vertex, for a graph that is not square, or if
/// the ranks pass different arguments; communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Value, std::integral Index, std::integral Offset>
sharded_bfs_result<Index> bfs(distributed_context<Local, Communicator>& ctx,
                              const sharded_graph<Value, Index, Offset>& g,
                              const std::vector<std::type_identity_t<Index>>& sources,
                              bool parents = false) {
  detail::check_graph("bfs", g);
  const std::vector<Index> begin =
      detail::distinct_sources("bfs", sources, static_cast<Index>(g.num_vertices()));
  return detail::run_on_all_ranks(
      ctx, "bfs",
      {{"vertices", g.num_vertices()},
       {"edges", g.num_edges()},
       {"sources", sources.size()},
       {"parents", parents}},
      [&] {
        using search =
            detail::bfs_search<distributed_context<Local, Communicator>, Value, Index, Offset>;
        return search(ctx, g).run(begin, parents);
      });
}

}  // namespace evenfold
