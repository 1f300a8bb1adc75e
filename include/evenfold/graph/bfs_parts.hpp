#pragma once
// The parts that bfs_scan, bfs_frontier and bfs_bitmap share.

#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/graph/advance.hpp"

namespace evenfold {

namespace detail {

/// The edges that leave vertices.
template <std::integral Index, std::integral Offset>
struct frontier_edges {
  const Offset* rows;
  const Index* columns;

  /// The vertex that the edge of this rank among the edges of `from` leads to.
  EF_HD Index end(Index from, Offset rank) const { return columns[rows[from] + rank]; }
};

/// to[indices[k]] = value
template <std::integral Index, class T>
struct set_at {
  using light = void;
  const Index* indices;
  T* to;
  T value;

  template <std::integral Size>
  EF_HD void operator()(Size k) const {
    to[indices[k]] = value;
  }
};

/// Collects the numbers that a search reports, level by level.
class bfs_log {
 public:
  explicit bfs_log(bool with_table) : with_table_(with_table) {}

  void begin_level(std::int64_t vertices) {
    vertices_ = vertices;
    begun_ = clock::now();
  }

  /// Ends the level, from whose vertices `edges` lead.
  void end_level(std::int64_t edges, traversal direction = traversal::top_down) {
    result_.reached += vertices_;
    result_.depth = next_level_++;
    if (!with_table_) return;
    const std::chrono::duration<double, std::milli> took = clock::now() - begun_;
    result_.table.push_back({vertices_, edges, direction, took.count()});
  }

  bfs_summary summary() { return std::move(result_); }

 private:
  using clock = std::chrono::steady_clock;

  bool with_table_;
  bfs_summary result_;
  std::int64_t vertices_ = 0, next_level_ = 0;
  clock::time_point begun_;
};

/// Writes level 0 for the sources and -1 for all other vertices.
template <context Context, std::integral Index>
void begin_levels(Context& ctx, Index num_vertices, const Index* sources, Index num_sources,
                  Index* levels) {
  fill(ctx, levels, num_vertices, Index{-1});
  transform(ctx, num_sources, set_at<Index, Index>{sources, levels, 0});
}

}  // namespace detail

}  // namespace evenfold
