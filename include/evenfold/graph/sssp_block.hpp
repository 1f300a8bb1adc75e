#pragma once
// The steps of `sssp` by one thread block of a GPU.

#if defined(__CUDACC__)

#include <concepts>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/sssp_parts.hpp"

namespace evenfold::detail {

/// Small steps by all threads of a block. Each thread takes the same number of the edges from the
/// frontier. They also end where more than `most_vertices` are near.
template <class Value, class Distance, std::integral Index, std::integral Offset>
struct sssp_by_block {
  static constexpr int most_vertices = sssp_block_vertices;

  /// Of the near vertices: the number of edges from those before them, where their own edges begin,
  /// and their distances.
  struct shared_type {
    Offset first[most_vertices];
    Offset row[most_vertices];
    Distance distance[most_vertices];
    sssp_state<Index, Distance> state;
    Index next_size;
  };

  sssp_small_steps<Value, Distance, Index, Offset> in;

  template <class Team>
  __device__ void operator()(const Team& team, shared_type& shared) const {
    if (team.thread() == 0) shared.state = *in.all.state;
    team.synchronise();
    Index* vertices = in.near;
    Index* next = in.spare;
    while (true) {
      const bool may_take =
          shared.state.near_size == 0 &&
          static_cast<Offset>(shared.state.far_size / far_per_edge) <= in.most_edges;
      team.synchronise();
      if (may_take) take_nearest(team, shared, vertices);
      const Index size = shared.state.near_size;
      if (size == 0 || size > most_vertices) break;
      const Offset edges = count_edges(team, shared, vertices, size);
      if (edges > in.most_edges) break;
      relax(team, shared, size, edges, next);
      Index* const last = vertices;
      vertices = next;
      next = last;
    }
    const Index size = shared.state.near_size;
    for (auto s = static_cast<Index>(team.thread()); vertices != in.near && s < size;
         s += Team::threads) {
      in.near[s] = vertices[s];
    }
    if (team.thread() == 0) *in.all.state = shared.state;
  }

 private:
  __device__ Distance distance_of(Index v) const {
    return atomic_elements<Distance>{in.all.distances}[v];
  }
  __device__ static Index add_one(Index& size) {
    return atomic_ref<Index>(size).fetch_add(1, memory_order_relaxed);
  }

  /// The number of edges from the near vertices, which leave the bitmap.
  template <class Team>
  __device__ Offset count_edges(const Team& team, shared_type& shared, const Index* vertices,
                                Index size) const {
    Offset edges = 0;
    for (Index from = 0; from < size; from += Team::threads) {
      const auto s = static_cast<Index>(from + team.thread());
      Offset own = 0;
      if (s < size) {
        const Index u = vertices[s];
        in.all.is_next.clear(u);
        shared.row[s] = in.rows[u];
        shared.distance[s] = distance_of(u);
        own = in.rows[u + 1] - in.rows[u];
      }
      const auto sums = team.sum(own);
      if (s < size) shared.first[s] = edges + sums.before;
      edges += sums.total;
    }
    if (team.thread() == 0) shared.next_size = 0;
    team.synchronise();
    return edges;
  }

  template <class Team>
  __device__ void relax(const Team& team, shared_type& shared, Index size, Offset edges,
                        Index* next) const {
    const Distance limit = shared.state.limit;
    for (auto e = static_cast<Offset>(team.thread()); e < edges; e += Team::threads) {
      const Index s =
          partition_point(Index{0}, size, [&](Index i) { return shared.first[i] <= e; }) - 1;
      const Offset k = shared.row[s] + (e - shared.first[s]);
      const Index v = in.columns[k];
      const Distance distance = shared.distance[s] + in.all.weight(k);
      if (!atomic_lower(in.all.distances[v], distance)) continue;
      if (distance <= limit) {
        if (in.all.is_next.set(v)) next[add_one(shared.next_size)] = v;
      } else if (in.all.was_far.set(v)) {
        in.all.far[add_one(shared.state.far_size)] = v;
      }
    }
    team.synchronise();
    if (team.thread() == 0) shared.state.near_size = shared.next_size;
    team.synchronise();
  }

  /// As in sssp_alone.
  template <class Team>
  __device__ void take_nearest(const Team& team, shared_type& shared, Index* vertices) const {
    const Distance before = shared.state.limit;
    const Index size = shared.state.far_size;
    Distance nearest = no_path<Distance>;
    for (auto i = static_cast<Index>(team.thread()); i < size; i += Team::threads) {
      const Distance distance = distance_of(in.all.far[i]);
      if (distance > before && distance < nearest) nearest = distance;
    }
    const Distance limit = add_up_to_most(team.minimum_of_all(nearest), in.delta);
    Index left = 0;
    for (Index from = 0; from < size; from += Team::threads) {
      const auto i = static_cast<Index>(from + team.thread());
      const Index v = i < size ? in.all.far[i] : 0;
      const Distance distance = i < size ? distance_of(v) : before;
      const bool stays = distance > limit;
      if (distance > before && !stays) {
        in.all.is_next.set(v);
        vertices[add_one(shared.state.near_size)] = v;
      }
      // All threads have read their vertices when the sum is known.
      const auto sums = team.sum(Index{stays});
      if (stays) in.all.far[left + sums.before] = v;
      left += sums.total;
    }
    if (team.thread() == 0) {
      shared.state.far_size = left;
      shared.state.limit = limit;
    }
    team.synchronise();
  }
};

}  // namespace evenfold::detail

#endif
