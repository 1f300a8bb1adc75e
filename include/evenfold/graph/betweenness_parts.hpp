#pragma once
// The parts of betweenness: vertices in the order of their levels, and folds over their edges.

#include <concepts>
#include <string>
#include <vector>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs.hpp"

namespace evenfold::detail {

/// The level of a vertex; the number of levels if it has none.
template <std::integral Index>
struct level_or_last {
  const Index* levels;
  Index last;
  EF_HD Index operator()(Index v) const { return levels[v] < 0 ? last : levels[v]; }
};

/// The vertices that a source reaches, by level and then by number.
template <std::integral Index>
class vertices_by_level {
 public:
  template <context Context, class Value, std::integral Offset>
  vertices_by_level(Context& ctx, const graph_view<Value, Index, Offset>& g, Index source) {
    const Index n = g.num_vertices();
    const bfs_result<Index> found = bfs(ctx, g, {source});
    const auto levels = static_cast<Index>(found.depth + 1);
    array<Index> offsets(ctx, levels + 2);
    order_ = array<Index>(ctx, n);
    bucket_sort(ctx, n, level_or_last<Index>{found.levels.data(), levels}, own_index{},
                static_cast<Index>(levels + 1), offsets.data(), no_order{},
                write_to<Index*>{order_.data()});
    begins_ = to_host(ctx, offsets);
  }

  /// For each level from 0 to depth(): the number of vertices on earlier levels.
  std::vector<Index> firsts() const { return {begins_.begin(), begins_.end() - 2}; }
  Index depth() const { return static_cast<Index>(begins_.size() - 3); }
  Index reached() const { return begins_[begins_.size() - 2]; }
  Index first(Index level) const { return begins_[static_cast<std::size_t>(level)]; }
  Index size(Index level) const { return first(level + 1) - first(level); }
  const Index* vertices() const { return order_.data(); }
  const Index* vertices(Index level) const { return order_.data() + first(level); }

 private:
  array<Index> order_;
  std::vector<Index> begins_;
};

/// Offsets within a part of all edges.
template <std::integral Offset>
struct part_offsets {
  const Offset* offsets;
  Offset base;

  template <std::integral Size>
  EF_HD Offset operator[](Size s) const {
    return offsets[s] - base;
  }
};

/// The value of the vertex that an edge leads to or comes from.
template <std::integral Index>
struct value_at_end {
  using heavy = void;
  const Index* ends;
  const double* values;

  template <std::integral Offset>
  EF_HD double operator()(Offset, Index, Offset rank, const tuple<Offset>& first_edge) const {
    return values[ends[get<0>(first_edge) + rank]];
  }
};

/// The edges of the vertices of each level, in the rows of a matrix.
template <std::integral Index, std::integral Offset>
class edges_by_level {
 public:
  template <context Context>
  edges_by_level(Context& ctx, const csr_view<const pattern, Index, Offset>& rows,
                 const vertices_by_level<Index>& by_level)
      : rows_(rows), by_level_(by_level), offsets_(ctx, by_level.reached()) {
    array<Offset> all(ctx, 1);
    transform_scan<scan_kind::exclusive>(
        ctx, by_level.reached(), degree_at<Index, Offset>{rows.row_offsets, by_level.vertices()},
        offsets_.data(), plus{}, Offset{0}, all.data());
    array<Offset> begins(ctx, by_level.depth() + 1);
    const array<Index> firsts = to_context(ctx, by_level.firsts());
    gather(ctx, offsets_.data(), firsts.data(), begins.size(), begins.data());
    begins_ = to_host(ctx, begins);
    begins_.push_back(to_host(ctx, all)[0]);
  }

  /// sums[s] = the sum, over the edges of vertex s of a level, of the values at their other ends.
  template <context Context>
  void fold(Context& ctx, Index level, const double* values, double* sums) const {
    const Offset base = begins_[static_cast<std::size_t>(level)];
    const Index* const vertices = by_level_.vertices(level);
    const Offset* const offsets = offsets_.data() + by_level_.first(level);
    lbs_segreduce(ctx, static_cast<Offset>(begins_[static_cast<std::size_t>(level) + 1] - base),
                  value_at_end<Index>{rows_.columns, values}, part_offsets<Offset>{offsets, base},
                  by_level_.size(level),
                  make_tuple(first_edges<Index, Offset>{rows_.row_offsets, vertices}), sums, plus{},
                  0.);
  }

 private:
  csr_view<const pattern, Index, Offset> rows_;
  const vertices_by_level<Index>& by_level_;
  array<Offset> offsets_;
  std::vector<Offset> begins_;
};

/// Refuses a source with more shortest paths to a vertex than a double can count. Waits.
template <context Context, std::integral Index>
void check_path_counts(Context& ctx, const double* paths, Index n, Index source) {
  if (reduce(ctx, paths, n, maximum{}, 0.) < infinity_of<double>) return;
  throw error("betweenness: there are more than 1.8e308 shortest paths from vertex " +
              std::to_string(source) + " to another vertex, which a double cannot count");
}

/// Adds to the score of vertex s of a level the dependency of the source on it, and sets what the
/// vertices before it pull.
template <std::integral Index>
struct add_dependency {
  using light = void;
  const Index* vertices;
  const double* sums;
  const double* paths;
  double* pulls;
  double* scores;

  EF_HD void operator()(Index s) const {
    const Index v = vertices[s];
    const double dependency = paths[v] * sums[s];
    pulls[v] = (1. + dependency) / paths[v];
    scores[v] += dependency;
  }
};

/// x * factor
struct times_factor {
  double factor;
  EF_HD double operator()(double x) const { return x * factor; }
};

}  // namespace evenfold::detail
