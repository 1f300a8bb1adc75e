#pragma once
// The steps of `sssp`, in parallel and by one thread.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

/// The distance of a vertex to which no path leads: infinity, or the largest number of an integral
/// type.
template <class Distance>
inline constexpr Distance no_path = identity_of<minimum, Distance>::value;

namespace detail {

/// The type of distances unless the caller names one: that of weights in floating point, 64 bits
/// for integers.
template <class Weight>
using distance_for = std::conditional_t<std::is_floating_point_v<std::remove_const_t<Weight>>,
                                        std::remove_const_t<Weight>, std::int64_t>;

/// The state of sssp in the memory of the context. A vertex is near if its distance is at most
/// `limit`, else far.
template <std::integral Index, class Distance>
struct sssp_state {
  Index near_size, far_size;
  Distance limit;
};

/// a + b, or the largest number if there is no such number.
template <class Distance>
EF_HD Distance add_up_to_most(Distance a, Distance b) {
  if constexpr (std::integral<Distance>) {
    return a > largest_number<Distance> - b ? largest_number<Distance> : a + b;
  } else {
    return a + b;
  }
}

/// The distances and lists that the steps of sssp read and write.
template <class Value, class Distance, std::integral Index>
struct sssp_relaxation {
  const Value* weights;
  Distance* distances;
  /// The vertices of the next frontier, and those that are or were in the list `far`.
  vertex_bitmap<Index> is_next, was_far;
  Index* far;
  sssp_state<Index, Distance>* state;

  template <std::integral Offset>
  EF_HD Distance weight(Offset edge) const {
    return static_cast<Distance>(value_at(weights, edge));
  }
};

/// Relaxes an edge. Returns whether the vertex that it leads to joins the frontier; puts this
/// vertex into the list `far` if it is not near.
template <class Value, class Distance, std::integral Index>
struct relax_edge {
  sssp_relaxation<Value, Distance, Index> all;
  Distance limit;

  template <std::integral Offset>
  EF_HD bool operator()(Offset edge, Index, Index v, const tuple<Distance>& from) const {
    const Distance distance = get<0>(from) + all.weight(edge);
    if (!atomic_lower(all.distances[v], distance)) return false;
    if (distance <= limit) return all.is_next.set(v);
    if (all.was_far.set(v)) {
      const atomic_ref<Index> size(all.state->far_size);
      all.far[size.fetch_add(1, memory_order_relaxed)] = v;
    }
    return false;
  }
};

/// One thread, or block, looks for the nearest of at most this many far vertices per edge that it
/// may follow.
inline constexpr int far_per_edge = 4;

/// The threads of the block that takes small steps on a GPU, and the most near vertices and edges
/// of such a step.
inline constexpr int sssp_block_threads = 512;
inline constexpr int sssp_block_vertices = 1024;
inline constexpr int sssp_block_edges = 8192;

/// The same steps for few threads, until the edges from the frontier are more than `most_edges`, no
/// vertex is near and too many are far, or no vertex is left. The near vertices are in `near`,
/// before and after.
template <class Value, class Distance, std::integral Index, std::integral Offset>
struct sssp_small_steps {
  sssp_relaxation<Value, Distance, Index> all;
  const Offset* rows;
  const Index* columns;
  Index* near;
  Index* spare;
  Distance delta;
  Offset most_edges;
};

/// Small steps by one thread.
template <class Value, class Distance, std::integral Index, std::integral Offset>
struct sssp_alone {
  sssp_small_steps<Value, Distance, Index, Offset> in;

  EF_HD void operator()(int) const {
    auto state = *in.all.state;
    Index* vertices = in.near;
    Index* next = in.spare;
    while (true) {
      if (state.near_size == 0 &&
          static_cast<Offset>(state.far_size / far_per_edge) <= in.most_edges) {
        take_nearest(state, vertices);
      }
      if (state.near_size == 0 || edges_from(vertices, state.near_size) > in.most_edges) break;
      Index size = 0;
      for (Index s = 0; s < state.near_size; ++s) {
        const Index u = vertices[s];
        in.all.is_next.clear_alone(u);
        const Distance distance = in.all.distances[u];
        for (Offset k = in.rows[u]; k < in.rows[u + 1]; ++k) {
          const Index v = in.columns[k];
          const Distance through_u = distance + in.all.weight(k);
          if (!(through_u < in.all.distances[v])) continue;
          in.all.distances[v] = through_u;
          if (through_u <= state.limit) {
            if (in.all.is_next.set_alone(v)) next[size++] = v;
          } else if (in.all.was_far.set_alone(v)) {
            in.all.far[state.far_size++] = v;
          }
        }
      }
      state.near_size = size;
      Index* const last = vertices;
      vertices = next;
      next = last;
    }
    for (Index s = 0; vertices != in.near && s < state.near_size; ++s) in.near[s] = vertices[s];
    *in.all.state = state;
  }

 private:
  EF_HD Offset edges_from(const Index* vertices, Index size) const {
    Offset edges = 0;
    for (Index s = 0; s < size; ++s) edges += in.rows[vertices[s] + 1] - in.rows[vertices[s]];
    return edges;
  }

  /// Raises the limit by delta above the distance of the nearest far vertex. Far vertices that
  /// were near meanwhile are dropped.
  EF_HD void take_nearest(sssp_state<Index, Distance>& state, Index* vertices) const {
    const Distance before = state.limit;
    Distance nearest = no_path<Distance>;
    Index left = 0;
    for (Index i = 0; i < state.far_size; ++i) {
      const Index v = in.all.far[i];
      const Distance distance = in.all.distances[v];
      if (distance <= before) continue;
      nearest = distance < nearest ? distance : nearest;
      in.all.far[left++] = v;
    }
    state.far_size = 0;
    state.limit = add_up_to_most(nearest, in.delta);
    for (Index i = 0; i < left; ++i) {
      const Index v = in.all.far[i];
      if (in.all.distances[v] <= state.limit) {
        in.all.is_next.set_alone(v);
        vertices[state.near_size++] = v;
      } else {
        in.all.far[state.far_size++] = v;
      }
    }
  }
};

/// The distance of a far vertex, or `no_path` if it has become near.
template <class Distance, std::integral Index>
struct far_distance {
  const Index* far;
  const Distance* distances;
  Distance limit;

  EF_HD Distance operator()(Index i) const {
    const Distance distance = distances[far[i]];
    return distance <= limit ? no_path<Distance> : distance;
  }
};

/// Whether the distance of a vertex is above `above` and at most `most`.
template <class Distance, std::integral Index>
struct is_between {
  const Distance* distances;
  Distance above, most;

  EF_HD bool operator()(Index v) const { return distances[v] > above && distances[v] <= most; }
};

/// The index of a weight that is negative or not a number, or `count`.
template <class Value, std::integral Size>
struct bad_weight {
  const Value* weights;
  Size count;

  EF_HD Size operator()(Size k) const { return weights[k] >= 0 ? count : k; }
};

/// k -> 0 for a weight of at least 0, else 1.
template <class Value>
struct is_bad_weight {
  using weight = std::remove_const_t<Value>;
  const Value* weights;

  template <std::integral Size>
  EF_HD weight operator()(Size k) const {
    return weights[k] >= 0 ? weight{0} : weight{1};
  }
};

/// k -> an integral weight without a sign. A negative one becomes larger than any other.
template <std::integral Value>
struct unsigned_weight {
  const Value* weights;

  template <std::integral Size>
  EF_HD auto operator()(Size k) const {
    return static_cast<std::make_unsigned_t<std::remove_const_t<Value>>>(weights[k]);
  }
};

/// Refuses the first weight that is negative or not a number, if there is one.
template <context Context, class Value, std::integral Size>
void refuse_bad_weight(Context& ctx, const char* algorithm, const Value* weights, Size count) {
  using weight = std::remove_const_t<Value>;
  if constexpr (Context::traits.shape == work_shape::runs && std::is_floating_point_v<weight>) {
    // CPU threads take the maximum of numbers in vectors, but not that of places.
    if (transform_reduce(ctx, count, is_bad_weight<Value>{weights}, maximum{}, weight{0}) == 0) {
      return;
    }
  }
  const Size bad =
      transform_reduce(ctx, count, bad_weight<Value, Size>{weights, count}, minimum{}, count);
  if (bad == count) return;
  refuse_argument(algorithm, "graph.out.values[" + std::to_string(bad) + "]",
                  to_host(ctx, weights + bad, 1)[0],
                  "the weight of an edge is a number of at least 0",
                  "pass lengths of edges; for negative ones there is no shortest walk");
}

/// A weight as a distance, or the largest distance if it is larger.
template <std::integral Distance, std::integral Weight>
Distance as_distance(Weight weight) {
  return std::cmp_greater(weight, largest_number<Distance>) ? largest_number<Distance>
                                                            : static_cast<Distance>(weight);
}

/// Refuses weights that are negative or not numbers, and weights whose sums could be too large.
template <class Distance, context Context, class Value, std::integral Index, std::integral Offset>
void check_weights(Context& ctx, const char* algorithm, const csr_view<Value, Index, Offset>& out) {
  auto largest = static_cast<Distance>(1);
  if constexpr (!is_pattern<Value>) {
    using weight = std::remove_const_t<Value>;
    const Offset count = out.num_nonzeros;
    if constexpr (Context::traits.shape == work_shape::runs && std::signed_integral<weight>) {
      // CPU threads read the weights once.
      const auto most = transform_reduce(ctx, count, unsigned_weight<Value>{out.values}, maximum{},
                                         std::make_unsigned_t<weight>{0});
      if (std::cmp_greater(most, largest_number<weight>)) {
        refuse_bad_weight(ctx, algorithm, out.values, count);
      }
      if constexpr (std::integral<Distance>) largest = as_distance<Distance>(most);
    } else {
      refuse_bad_weight(ctx, algorithm, out.values, count);
      if constexpr (std::integral<Distance>) {
        largest = as_distance<Distance>(reduce(ctx, out.values, count, maximum{}, weight{0}));
      }
    }
  }
  if constexpr (std::integral<Distance>) {
    if (largest > (largest_number<Distance> - 1) / std::max<Distance>(1, out.num_rows)) {
      refuse_argument(algorithm, "the largest weight", largest,
                      "the length of a path along all vertices must be a number of the type of the "
                      "distances",
                      "name a wider type, as in sssp<std::int64_t>, or pass smaller weights");
    }
  }
}

}  // namespace detail

}  // namespace evenfold
