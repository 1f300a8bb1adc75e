#pragma once
// sssp: shortest paths from one or several vertices, along edges with weights.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/one_block.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/sssp_block.hpp"
#include "evenfold/graph/sssp_options.hpp"
#include "evenfold/graph/sssp_parents.hpp"
#include "evenfold/graph/sssp_parts.hpp"
#include "evenfold/graph/sssp_threads.hpp"

namespace evenfold {

/// The result of `sssp`. The arrays lie in the memory of the context.
template <class Distance, class Index>
struct sssp_result {
  /// Per vertex, the length of a shortest path from a source; no_path<Distance> where there is no
  /// path.
  array<Distance> distances;
  /// Per vertex, the vertex before it on such a path. A source is its own parent; the parent of a
  /// vertex that is not reached is -1. Empty unless asked for.
  array<Index> parents;
  /// The number of vertices that are reached, sources included.
  std::int64_t reached = 0;
  /// The largest distance of these; 0 where there is no source.
  Distance max_distance = 0;
};

namespace detail {

/// Whether a distance is that of a path, and not no_path.
template <class Distance>
struct is_distance {
  EF_HD bool operator()(Distance distance) const { return distance < no_path<Distance>; }
};

/// The distance, or 0 if there is no path.
template <class Distance>
struct distance_or_zero {
  EF_HD Distance operator()(Distance distance) const {
    return distance < no_path<Distance> ? distance : Distance{0};
  }
};

/// The number of vertices that are reached, and the largest distance. Waits.
template <context Context, class Distance, std::integral Index>
std::pair<std::int64_t, Distance> distance_totals(Context& ctx, const Distance* distances,
                                                  Index num_vertices) {
  return {transform_reduce(ctx, num_vertices, elementwise(is_distance<Distance>{}, distances),
                           plus{}, std::int64_t{0}),
          transform_reduce(ctx, num_vertices, elementwise(distance_or_zero<Distance>{}, distances),
                           maximum{}, Distance{0})};
}

/// One of `samples` weights at equal intervals.
template <class Value, std::integral Offset>
struct sampled_weight {
  using heavy = void;
  const Value* weights;
  Offset stride;

  EF_HD double operator()(Offset i) const {
    return static_cast<double>(value_at(weights, i * stride));
  }
};

/// The most weights that sssp_delta() reads.
inline constexpr int most_sampled_weights = 1024;

/// The width of the range of distances whose vertices are handled together: `asked`, or else a
/// number that depends on the mean of the weights and the degree. In a graph of few edges, a wide
/// range repeats little work and saves steps of one thread; in one of many edges, it saves steps of
/// a GPU. Measured: docs/performance.md.
template <class Distance, work_shape Shape, std::integral Size>
Distance sssp_delta(double asked, double mean, Size num_vertices, Size num_edges) {
  if (!(asked >= 0)) {
    refuse_argument("sssp", "delta", asked, "it is a difference of distances",
                    "pass a positive number, or 0 to have it chosen");
  }
  double delta = asked;
  if (asked == 0 && num_edges > 0) {
    const double degree = static_cast<double>(num_edges) / static_cast<double>(num_vertices);
    const double factor = Shape == work_shape::runs    ? 16 / degree
                          : Shape == work_shape::lanes ? degree * degree / 8
                                                       : 2.;
    delta = std::max(2., factor) * mean / degree;
  }
  constexpr auto most = static_cast<double>(largest_number<Distance> / 2);
  return delta < most ? static_cast<Distance>(delta) : largest_number<Distance> / 2;
}
template <class Distance, context Context, class Value, std::integral Index, std::integral Offset>
Distance sssp_delta(Context& ctx, const csr_view<Value, Index, Offset>& out, double asked) {
  double mean = 0;
  if (asked == 0 && out.num_nonzeros > 0) {
    const Offset samples = std::min<Offset>(out.num_nonzeros, most_sampled_weights);
    const sampled_weight<Value, Offset> sample{out.values, out.num_nonzeros / samples};
    mean = transform_reduce(ctx, samples, sample, plus{}, 0.) / static_cast<double>(samples);
  }
  return sssp_delta<Distance, Context::traits.shape, Offset>(asked, mean, out.num_rows,
                                                             out.num_nonzeros);
}

/// Writes the distances from the sources.
template <class Distance, context Context, class Value, std::integral Index, std::integral Offset>
void sssp_distances(Context& ctx, const graph_view<Value, Index, Offset>& g,
                    const std::vector<Index>& sources, Distance delta, Offset serial_edges,
                    Distance* distances) {
  using state_type = sssp_state<Index, Distance>;
  constexpr bool by_block = Context::traits.shape == work_shape::lanes;
  const Index n = g.num_vertices();
  frontier<Index, Offset> near(ctx, g, sources);
  array<Index> far(ctx, n), still_far(ctx, n);
  array<std::uint32_t> is_next = empty_bitmap(ctx, n), was_far = empty_bitmap(ctx, n);
  array<state_type> state_here(ctx, 1);
  const auto read_state = [&] { return to_host(ctx, state_here)[0]; };
  const auto write_state = [&](const state_type& state) { fill(ctx, state_here.data(), 1, state); };
  fill(ctx, distances, n, no_path<Distance>);
  transform(ctx, near.size(), set_at<Index, Distance>{near.vertices(), distances, 0});

  sssp_relaxation<Value, Distance, Index> all{g.out.values,     distances,  {is_next.data()},
                                              {was_far.data()}, far.data(), state_here.data()};
  state_type state{near.size(), 0, delta};
  write_state(state);
  while (!near.empty() || state.far_size > 0) {
    if (near.size() <= serial_edges && (!by_block || near.size() <= sssp_block_vertices)) {
      near.assign([&](Index* vertices, Index* spare) {
        write_state(state);
        const sssp_small_steps<Value, Distance, Index, Offset> steps{
            all, g.out.row_offsets, g.out.columns, vertices, spare, delta, serial_edges};
#if defined(__CUDACC__)
        if constexpr (by_block) {
          by_one_block<sssp_block_threads>(ctx, "sssp",
                                           sssp_by_block<Value, Distance, Index, Offset>{steps});
        } else
#endif
          transform(ctx, 1, sssp_alone<Value, Distance, Index, Offset>{steps});
        state = read_state();
        return state.near_size;
      });
    }
    if (!near.empty()) {
      transform(ctx, near.size(), leave_bitmap<Index>{all.is_next, near.vertices()});
      advance(ctx, g, near, relax_edge<Value, Distance, Index>{all, state.limit},
              make_tuple(atomic_elements<Distance>{distances}));
      state.far_size = read_state().far_size;
      state.near_size = near.size();
    }
    if (!near.empty() || state.far_size == 0) continue;

    // Raise the limit by delta above the distance of the nearest far vertex.
    const Distance before = state.limit;
    const Distance nearest = transform_reduce(
        ctx, state.far_size, far_distance<Distance, Index>{all.far, distances, before}, minimum{},
        no_path<Distance>);
    state.limit = add_up_to_most(nearest, delta);
    near.assign([&](Index* vertices, Index*) {
      return compact(ctx, all.far, state.far_size,
                     is_between<Distance, Index>{distances, before, state.limit}, vertices);
    });
    transform(ctx, near.size(), join_bitmap<Index>{all.is_next, near.vertices()});
    state.far_size = compact(ctx, all.far, state.far_size,
                             is_between<Distance, Index>{distances, state.limit, no_path<Distance>},
                             still_far.data());
    state.near_size = near.size();
    std::swap(far, still_far);
    all.far = far.data();
    write_state(state);
  }
}

}  // namespace detail

/// The length of a shortest path from the nearest of `sources` to every vertex. The length of a
/// path is the sum of the weights of its edges, added in the order of the path.
///
/// - `Distance`: the type of the distances; unless it is named, that of floating-point weights, and
///   std::int64_t for integers.
/// - `g`: a graph in the context's memory; `in` is not read. The values of `out` are the weights:
///   numbers of at least 0. The edges of a `pattern` have the weight 1. Self-loops change nothing,
///   of repeated edges the shortest counts, and an edge of infinite weight is ignored.
/// - `sources`: vertices, numbered from 0, on the host; repetitions are allowed. Without sources no
///   vertex is reached.
///
/// Near-far delta-stepping: the vertices whose distance is at most a limit are a frontier, along
/// whose edges `advance` lowers distances until none of them becomes lower; then the limit is
/// raised. CPU threads have a bucket of vertices for each of the next ranges of delta. One thread,
/// or one block of a GPU, takes the steps while the edges from the frontier are few, as in a road
/// network.
///
/// Work O(vertices + edges) times the number of times that a vertex is handled, which is small for
/// a suitable delta. Scratch: five Index, one Offset and two bits per vertex, one Index per edge of
/// the frontier; on CPU threads, one Index and one Distance each time that the distance of a vertex
/// in a bucket has become lower. Distances and parents are the same, bit for bit, on every context,
/// for every delta and number of threads: rounding is monotone, so that the smallest sum over all
/// paths does not depend on the order of relaxations. Waits a few times per step.
///
/// The parent of a vertex v is the smallest vertex u before it on a shortest path, of those with a
/// smaller distance than v. If all have the distance of v, because edges have the weight 0 or are
/// lost in rounding, it is the smallest of those that are fewest edges away from a vertex with a
/// smaller distance.
///
/// Errors: argument_error for a source that is not a vertex, a weight that is negative or not a
/// number, integral weights so large that the sum of as many as there are vertices could overflow
/// `Distance`, a negative delta, a graph that is not square, and for pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/sssp.cpp.
/// Source: Meyer and Sanders, "Delta-stepping: a parallelizable shortest path algorithm", Journal
/// of Algorithms 49, 2003; Davidson, Baxter, Garland, Owens, "Work-efficient parallel GPU methods
/// for single-source shortest paths", IPDPS 2014 (near-far). Names elsewhere: cugraph.sssp, Gunrock
/// sssp, GAP sssp, scipy.sparse.csgraph.dijkstra, networkx.multi_source_dijkstra.
template <class Distance = void, context Context, class Value, std::integral Index,
          std::integral Offset>
auto sssp(Context& ctx, const graph_view<Value, Index, Offset>& g,
          const std::vector<std::type_identity_t<Index>>& sources,
          const sssp_options& options = {}) {
  using T = std::conditional_t<std::is_void_v<Distance>, detail::distance_for<Value>, Distance>;
  static_assert(std::is_signed_v<T> && std::is_signed_v<Index>);
  static_assert(
      std::is_floating_point_v<T> || !std::is_floating_point_v<std::remove_const_t<Value>>,
      "sums of weights in floating point are floating-point numbers");
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "sssp", g);
  const std::vector<Index> distinct = detail::distinct_sources("sssp", sources, n);
  detail::check_weights<T>(ctx, "sssp", g.out);
  const T delta = detail::sssp_delta<T>(ctx, g.out, options.delta);
  const auto serial_edges = static_cast<Offset>(options.serial_edges >= 0 ? options.serial_edges
                                                : Context::traits.shape == work_shape::lanes
                                                    ? detail::sssp_block_edges
                                                    : Context::traits.serial_items);

  sssp_result<T, Index> result;
  result.distances = array<T>(ctx, n);
  const T* const distances = result.distances.data();
  detail::sssp_distances(ctx, g, distinct, delta, serial_edges, result.distances.data());
  if (options.parents) {
    result.parents = array<Index>(ctx, n);
    detail::sssp_parents(ctx, g, distinct, distances, result.parents.data());
  }
  std::tie(result.reached, result.max_distance) = detail::distance_totals(ctx, distances, n);
  return result;
}

}  // namespace evenfold
