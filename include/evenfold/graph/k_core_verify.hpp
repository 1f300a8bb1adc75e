#pragma once
// k_core_verify: whether numbers can be the core numbers of a graph.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/neighbours.hpp"

namespace evenfold {

namespace detail {

/// Whether a neighbour has a core number that is at least `more` higher.
template <std::integral Index>
struct has_higher_core {
  using heavy = void;
  const Index* ends;
  const Index* cores;
  Index more;

  template <std::integral Offset>
  EF_HD Offset operator()(Offset k, Index, Offset, const tuple<Index>& core) const {
    return cores[ends[k]] - get<0>(core) >= more ? 1 : 0;
  }
};

/// Whether fewer neighbours than the core number of a vertex have such a number, or more have a
/// higher one.
template <std::integral Index, std::integral Offset>
struct is_wrong_core {
  using heavy = void;
  const Index* cores;
  const Offset* as_high;
  const Offset* higher;

  EF_HD std::int64_t operator()(Index v) const {
    return cores[v] < 0 || as_high[v] < cores[v] || higher[v] > cores[v] ? 1 : 0;
  }
};

}  // namespace detail

/// The number of vertices v at which a law of core numbers is broken: at least cores[v] neighbours
/// have a core number of cores[v] or more, and at most cores[v] neighbours have a higher one.
///
/// The first law shows that no number is too high. The second one holds if no number of a single
/// vertex is too low; numbers of several vertices that are too low together may satisfy it.
///
/// - `cores`: one number per vertex, in the context's memory; any numbers.
///
/// Work O(vertices + edges). Scratch: two Offset per vertex, and that of lbs_segreduce. Waits.
///
/// Errors: those of `k_core`. Example: examples/k_core.cpp.
template <context Context, class Value, std::integral Index, std::integral Offset>
std::int64_t k_core_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                           const Index* cores) {
  detail::check_graph(ctx, "k_core_verify", g);
  const Index n = g.num_vertices();
  detail::check_pointer(ctx, "k_core_verify", "cores", cores, n);
  const auto neighbours = detail::neighbours_of(ctx, g);
  const auto count = [&](Index more, Offset* counts) {
    lbs_segreduce(ctx, neighbours.rows.num_nonzeros,
                  detail::has_higher_core<Index>{neighbours.rows.columns, cores, more},
                  neighbours.rows.row_offsets, n, make_tuple(cores), counts, plus{}, Offset{0});
  };
  array<Offset> as_high(ctx, n);
  array<Offset> higher(ctx, n);
  count(0, as_high.data());
  count(1, higher.data());
  const detail::is_wrong_core<Index, Offset> wrong{cores, as_high.data(), higher.data()};
  return transform_reduce(ctx, n, wrong, plus{}, std::int64_t{0});
}

}  // namespace evenfold
