#pragma once
// The parts of triangle_count: the row in which the ends of wedges are looked up, and the tiles of
// wedges that the workers share.
//
// Edges lead from the vertex of lower to that of higher rank. A wedge of the edge from u to v is an
// edge from v to some w. The three vertices are a triangle if an edge leads from u to w.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/csr_view.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::detail {

/// The edges of a graph without repetitions; a value is the number of directions of an edge, 1 or
/// 2.
template <std::integral Index, std::integral Offset>
using direction_rows = csr_view<const unsigned char, Index, Offset>;

/// One row of a matrix. find() calls visit(k, directions) for each entry k of [begin, end), in
/// which the columns ascend; `directions` is the value of the entry of the row in the same column,
/// or 0 if there is none at `after` or later.
///
/// This class searches for each entry. It suits threads that have little memory of their own.
template <std::integral Index, std::integral Offset>
class searched_row {
 public:
  static constexpr std::uint64_t tile = 64;

  EF_HD explicit searched_row(const direction_rows<Index, Offset>& edges) : edges_(edges) {}

  EF_HD void select(Index u) { end_ = edges_.row_offsets[u + 1]; }

  template <class Visit>
  EF_HD void find(Offset after, Offset begin, Offset end, Visit visit) const {
    for (Offset at = after, k = begin; k < end; ++k) {
      at = find_bound<bounds::lower>(edges_.columns, at, end_, edges_.columns[k], less{});
      const bool found = at < end_ && edges_.columns[at] == edges_.columns[k];
      visit(k, found ? edges_.values[at] : 0);
    }
  }

 private:
  direction_rows<Index, Offset> edges_;
  Offset end_ = 0;
};

/// The same with a table of two bits per column for the last columns, which hold the vertices of
/// the highest degrees, and a merge for the others. It suits threads that have a cache of their
/// own.
template <std::integral Index, std::integral Offset>
class marked_row {
 public:
  static constexpr std::uint64_t tile = 1 << 16;

  EF_HD explicit marked_row(const direction_rows<Index, Offset>& edges)
      : edges_(edges), hub_(edges.num_rows > hubs ? edges.num_rows - hubs : 0) {
    for (std::uint64_t& word : table_) word = 0;
  }

  EF_HD void select(Index u) {
    for (Offset k = end_; k-- > begin_ && edges_.columns[k] >= hub_;) table_[hub(k) / 32] = 0;
    begin_ = edges_.row_offsets[u];
    end_ = edges_.row_offsets[u + 1];
    for (Offset k = end_; k-- > begin_ && edges_.columns[k] >= hub_;) {
      table_[hub(k) / 32] |= std::uint64_t{edges_.values[k]} << 2 * (hub(k) % 32);
    }
  }

  template <class Visit>
  EF_HD void find(Offset after, Offset begin, Offset end, Visit visit) const {
    Offset k = begin;
    for (Offset at = after; k < end && edges_.columns[k] < hub_; ++k) {
      while (at < end_ && edges_.columns[at] < edges_.columns[k]) ++at;
      const bool found = at < end_ && edges_.columns[at] == edges_.columns[k];
      visit(k, found ? edges_.values[at] : 0);
    }
    for (; k < end; ++k) visit(k, static_cast<int>(table_[hub(k) / 32] >> 2 * (hub(k) % 32) & 3));
  }

 private:
  static constexpr std::int32_t hubs = 1 << 16;  // 16 KiB, half of a usual L1 cache

  EF_HD std::uint32_t hub(Offset k) const {
    return static_cast<std::uint32_t>(edges_.columns[k] - hub_);
  }

  direction_rows<Index, Offset> edges_;
  Index hub_;
  Offset begin_ = 0, end_ = 0;
  std::uint64_t table_[hubs / 32];
};

/// The row for the threads of a context.
template <work_shape Shape, std::integral Index, std::integral Offset>
using wedge_row = std::conditional_t<Shape == work_shape::runs, marked_row<Index, Offset>,
                                     searched_row<Index, Offset>>;

/// Counts no triangles per vertex, only the total.
struct no_tally {};

/// Adds to counts[x] for each triangle at x: one, or the directions of the edge between the other
/// two vertices.
struct vertex_tally {
  std::int64_t* counts;
  bool by_direction;

  EF_HD std::int64_t of(int directions) const { return by_direction ? directions : 1; }

  template <std::integral Index>
  EF_HD void add(Index vertex, std::int64_t count) const {
    if (count != 0) {
      atomic_ref<std::int64_t>(counts[vertex]).fetch_add(count, memory_order_relaxed);
    }
  }
};

/// The number of wedges of an edge.
template <std::integral Index, std::integral Offset>
struct wedges_of_edge {
  direction_rows<Index, Offset> edges;
  EF_HD std::int64_t operator()(Offset k) const {
    const Index v = edges.columns[k];
    return edges.row_offsets[v + 1] - edges.row_offsets[v];
  }
};

/// The number of triangles among the wedges of a tile, which has Row::tile wedges and edges.
template <class Row, std::integral Index, std::integral Offset, class Tally>
struct triangles_of_tile {
  using heavy = void;

  static constexpr std::size_t steps_per_call = Row::tile;

  direction_rows<Index, Offset> edges;
  const Index* begins;  ///< the row of each entry
  segment_view<std::int64_t, const std::int64_t*, Offset> wedges;
  Tally tally;

  EF_HD std::int64_t operator()(std::uint64_t t) const {
    const std::uint64_t first = t * Row::tile;
    const std::uint64_t rest = wedges.steps() - first;
    Row row(edges);
    Index selected = -1;
    std::int64_t total = 0;
    const auto count = [&](Offset k, std::int64_t from, std::int64_t to) {
      if (from == to) return;
      if (begins[k] != selected) row.select(selected = begins[k]);
      const Index v = edges.columns[k];
      const auto offset = static_cast<std::int64_t>(edges.row_offsets[v]) - wedges.begin(k);
      [[maybe_unused]] std::int64_t at_u = 0, at_v = 0;
      row.find(static_cast<Offset>(k + 1), static_cast<Offset>(offset + from),
               static_cast<Offset>(offset + to), [&](Offset wedge, int directions) {
                 total += directions != 0;
                 if constexpr (!std::is_same_v<Tally, no_tally>) {
                   if (directions == 0) return;
                   at_u += tally.of(edges.values[wedge]);
                   at_v += tally.of(directions);
                   tally.add(edges.columns[wedge], tally.of(edges.values[k]));
                 }
               });
      if constexpr (!std::is_same_v<Tally, no_tally>) {
        tally.add(selected, at_u);
        tally.add(v, at_v);
      }
    };
    for_each_piece(wedges, wedges.position(first),
                   wedges.position(first + (rest < Row::tile ? rest : Row::tile)), count);
    return total;
  }
};

/// Twice the number of edges between neighbours, divided by the number of their ordered pairs.
template <class Size, std::integral Offset>
struct clustering_coefficient {
  const Offset* offsets;       ///< of the rows of neighbours
  const std::int64_t* counts;  ///< of edges between neighbours
  double weight;               ///< of each of them

  EF_HD double operator()(Size v) const {
    const auto degree = static_cast<double>(offsets[v + 1] - offsets[v]);
    return degree < 2 ? 0. : weight * static_cast<double>(counts[v]) / (degree * (degree - 1));
  }
};

/// k -> 1 if entry k + 1 is not above entry k, else 0.
template <std::integral Index, std::integral Offset>
struct does_not_ascend {
  using light = void;
  const Index* columns;

  EF_HD Offset operator()(Offset k) const { return columns[k + 1] <= columns[k]; }
};

/// u -> 1 if the first entry of row u is not above the entry before it, else 0; -1 if the row is
/// longer than `most`. The sum is that of `does_not_ascend` only if no row is longer and all rows
/// ascend.
template <std::integral Index, std::integral Offset>
struct begins_short_row {
  static constexpr int most = 32;
  csr_view<const pattern, Index, Offset> g;

  EF_HD Offset operator()(Index u) const {
    const Offset begin = g.row_offsets[u];
    const Offset end = g.row_offsets[u + 1];
    if (end - begin > most) return -1;
    return 0 < begin && begin < end && g.columns[begin] <= g.columns[begin - 1] ? 1 : 0;
  }
};

/// u -> the number of triangles whose last vertex is u. Rows ascend.
template <std::integral Index, std::integral Offset>
struct triangles_below {
  using heavy = void;
  csr_view<const pattern, Index, Offset> g;

  EF_HD std::int64_t operator()(Index u) const {
    const Offset begin = g.row_offsets[u];
    const Offset end = g.row_offsets[u + 1];
    std::int64_t found = 0;
    // No neighbour is below the first one.
    for (Offset k = begin + 1; k < end && g.columns[k] < u; ++k) {
      const Index v = g.columns[k];
      const Offset end_v = g.row_offsets[v + 1];
      for (Offset of_u = begin, of_v = g.row_offsets[v]; of_u < k && of_v < end_v;) {
        const Index a = g.columns[of_u], b = g.columns[of_v];
        found += a == b;
        of_u += a <= b;
        of_v += b <= a;
      }
    }
    return found;
  }
};

}  // namespace evenfold::detail
