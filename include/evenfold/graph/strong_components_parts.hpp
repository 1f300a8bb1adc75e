#pragma once
// The steps of `strongly_connected_components`.

#include <concepts>
#include <cstdint>

#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/components.hpp"

namespace evenfold::detail {

/// The state of each vertex. A strongly connected component lies in one region; the vertices of a
/// region that were found in the same searches may be in one component.
template <std::integral Index>
struct strong_search {
  const Index* regions;
  vertex_bitmap<Index> done, forward, backward;

  EF_HD bool may_be_together(Index u, Index v) const {
    return !done.test(u) && !done.test(v) && regions[u] == regions[v] &&
           forward.test(u) == forward.test(v) && backward.test(u) == backward.test(v);
  }
};

/// Links the ends of an edge that may be in one strongly connected component, and notes that the
/// edge leaves and reaches them.
template <std::integral Index>
struct link_together {
  strong_search<Index> search;
  component_forest<Index> forest;
  const Index* columns;
  vertex_bitmap<Index> has_out, has_in;

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset) const {
    const Index v = columns[edge];
    if (u == v || !search.may_be_together(u, v)) return;
    has_out.set(u);
    has_in.set(v);
    forest.link(u, v);
  }
};

/// Trims a vertex: without edges in both directions it is a component of its own.
template <std::integral Index>
struct trim_vertex {
  vertex_bitmap<Index> has_out, has_in, done;
  Index* labels;

  EF_HD void operator()(Index v) const {
    if (done.test(v) || (has_out.test(v) && has_in.test(v))) return;
    labels[v] = v;
    done.set(v);
  }
};

/// A number that looks random, for the order in which vertices become pivots.
template <std::integral Index>
EF_HD std::uint64_t scattered(Index v) {
  std::uint64_t x = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// Makes a vertex the pivot of its region, unless another one comes before it.
template <std::integral Index>
struct elect_pivot {
  const Index* regions;
  vertex_bitmap<Index> done;
  Index* pivots;

  EF_HD void operator()(Index v) const {
    if (done.test(v)) return;
    const atomic_ref<Index> pivot(pivots[regions[v]]);
    Index other = pivot.load(memory_order_relaxed);
    while (other < 0 || scattered(v) < scattered(other)) {
      if (pivot.compare_exchange_weak(other, v, memory_order_relaxed)) return;
    }
  }
};

/// Whether a vertex is the pivot of its region.
template <std::integral Index>
struct is_pivot {
  const Index* regions;
  vertex_bitmap<Index> done;
  const Index* pivots;

  EF_HD bool operator()(Index v) const { return !done.test(v) && pivots[regions[v]] == v; }
};

/// Whether an edge leads to a vertex of the same region that was not found before.
template <std::integral Index>
struct find_in_region {
  const Index* regions;
  vertex_bitmap<Index> found;

  EF_HD bool operator()(Index u, Index v) const { return regions[u] == regions[v] && found.set(v); }
};

/// Whether a vertex is in no component so far, and was not found.
template <std::integral Index>
struct may_be_found {
  vertex_bitmap<Index> done, found;

  EF_HD bool operator()(Index v) const { return !done.test(v) && !found.test(v); }
};

/// Finds the lowest vertex of a component: the vertices of a region that are found from the pivot
/// in both directions.
template <std::integral Index>
struct lower_label {
  strong_search<Index> search;
  Index* lowest;

  EF_HD void operator()(Index v) const {
    if (!search.done.test(v) && search.forward.test(v) && search.backward.test(v)) {
      atomic_lower(lowest[search.regions[v]], v);
    }
  }
};

/// Labels the vertices of these components.
template <std::integral Index>
struct label_with_lowest {
  strong_search<Index> search;
  const Index* lowest;
  Index* labels;

  EF_HD void operator()(Index v) const {
    if (search.done.test(v) || !search.forward.test(v) || !search.backward.test(v)) return;
    labels[v] = lowest[search.regions[v]];
    search.done.set(v);
  }
};

}  // namespace evenfold::detail
