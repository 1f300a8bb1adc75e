#pragma once
// What the breadth-first searches that are compositions have in common.

#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bfs_traversed.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// What a search tells of itself, level by level.
class bfs_log {
 public:
  explicit bfs_log(bool with_table) : with_table_(with_table) {}

  /// The next level has been found: how many vertices, and how many arcs leave them.
  void add_level(std::int64_t vertices, std::int64_t edges) {
    end_level();
    result_.reached += vertices;
    result_.depth = next_level_++;
    if (with_table_) result_.table.push_back({vertices, edges, traversal::top_down, 0});
    begun_ = clock::now();
  }

  /// There is no further level.
  bfs_traversed end() {
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
  bfs_traversed result_;
  std::int64_t next_level_ = 0;
  clock::time_point begun_;
};

/// Level 0 for the sources, -1 for all others.
template <context Context, std::integral Index>
static void begin_levels(Context& ctx, Index num_vertices, const Index* sources, Index num_sources,
                         Index* levels) {
  transform(
      ctx, num_vertices, EF_LAMBDA(Index v) { levels[v] = -1; });
  transform(
      ctx, num_sources, EF_LAMBDA(Index s) { levels[sources[s]] = 0; });
}

/// offsets[s] = how many arcs leave frontier[0], ..., frontier[s - 1]: the frontier as segments of
/// arcs. Returns how many leave all of it. Waits.
template <context Context, class Value, std::integral Index, std::integral Offset>
static Offset segments_of_arcs(Context& ctx, const csr_view<Value, Index, Offset>& out,
                               const Index* frontier, Index size, Offset* offsets) {
  array<Offset> all(ctx, 1);
  const Offset* const rows = out.row_offsets;
  transform_scan<scan_kind::exclusive>(
      ctx, size, EF_LAMBDA(Index s) { return rows[frontier[s] + 1] - rows[frontier[s]]; }, offsets,
      plus{}, Offset{0}, all.data());
  return to_host(ctx, all)[0];
}

}  // namespace evenfold
