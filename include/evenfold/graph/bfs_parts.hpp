#pragma once
// The parts that bfs_scan, bfs_frontier and bfs_bitmap share.

#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"

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
  const Index* indices;
  T* to;
  T value;

  template <std::integral Size>
  EF_HD void operator()(Size k) const {
    to[indices[k]] = value;
  }
};

/// The out-degree of vertex s of the frontier.
template <std::integral Index, std::integral Offset>
struct degree_at {
  const Offset* rows;
  const Index* frontier;

  EF_HD Offset operator()(Index s) const { return rows[frontier[s] + 1] - rows[frontier[s]]; }
};

/// Collects the numbers that a search reports, level by level.
class bfs_log {
 public:
  explicit bfs_log(bool with_table) : with_table_(with_table) {}

  /// Begins the next level, with the number of its vertices and of the edges that leave them.
  void add_level(std::int64_t vertices, std::int64_t edges) {
    end_level();
    result_.reached += vertices;
    result_.depth = next_level_++;
    if (with_table_) result_.table.push_back({vertices, edges, traversal::top_down, 0});
    begun_ = clock::now();
  }

  /// Ends the last level.
  bfs_summary end() {
    end_level();
    return std::move(result_);
  }

 private:
  using clock = std::chrono::steady_clock;

  void end_level() {
    if (result_.table.empty()) return;
    const std::chrono::duration<double, std::milli> took = clock::now() - begun_;
    result_.table.back().ms = took.count();
  }

  bool with_table_;
  bfs_summary result_;
  std::int64_t next_level_ = 0;
  clock::time_point begun_;
};

/// Writes level 0 for the sources and -1 for all other vertices.
template <context Context, std::integral Index>
void begin_levels(Context& ctx, Index num_vertices, const Index* sources, Index num_sources,
                  Index* levels) {
  transform(ctx, num_vertices, write_result{constant<Index>{-1}, levels});
  transform(ctx, num_sources, set_at<Index, Index>{sources, levels, 0});
}

/// Makes the frontier segments of edges: offsets[s] = the number of edges that leave frontier[0],
/// ..., frontier[s - 1]. Returns the number of all edges. Waits.
template <context Context, class Value, std::integral Index, std::integral Offset>
Offset segments_of_edges(Context& ctx, const csr_view<Value, Index, Offset>& out,
                         const Index* frontier, Index size, Offset* offsets) {
  array<Offset> all(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, size,
                                       degree_at<Index, Offset>{out.row_offsets, frontier}, offsets,
                                       plus{}, Offset{0}, all.data());
  return to_host(ctx, all)[0];
}

}  // namespace detail

}  // namespace evenfold
