#pragma once
// The distances of `sssp` on CPU threads: delta-stepping with buckets of each thread.
//
// Bucket k has the vertices at a distance of about k times delta. In a step, the threads take the
// vertices of the lowest bucket that has any, in turn, and put the vertices whose distance becomes
// lower into buckets of their own. A thread whose findings for the bucket of the step have few
// edges handles them at once. One thread alone takes a step along few edges, without atomic
// operations, so that the thousands of steps of a road network need no barrier.
//
// A vertex lies in a bucket together with the distance that it had then. It is passed over if it
// has a lower distance meanwhile: its edges are followed once for each distance, no matter how
// often it was put into a bucket. In which bucket a vertex lies is a question of speed, not of the
// result, as long as a larger distance never belongs to a lower bucket.

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/graph/sssp_parts.hpp"

#if !defined(__CUDACC__)

namespace evenfold::detail {

template <class Value, std::integral Index, std::integral Offset, class Distance>
class delta_stepping {
 public:
  /// The distances of all vertices are those where there is no path.
  delta_stepping(cpu_context& ctx, const graph_view<Value, Index, Offset>& g, Distance delta,
                 Offset serial_edges, Distance* distances)
      : ctx_(ctx),
        g_(g),
        per_delta_(std::min(1 / static_cast<double>(delta), std::numeric_limits<double>::max())),
        serial_edges_(serial_edges),
        distances_(distances),
        threads_(static_cast<std::size_t>(ctx.threads())) {}

  void run(const std::vector<Index>& sources) {
    for (const Index source : sources) {
      distances_[source] = 0;
      put(threads_.front(), {source, 0});
    }
    while (find_bucket()) {
      if (is_small_step()) {
        step_alone();
      } else {
        step();
        follow_hubs();
      }
    }
  }

 private:
  /// A vertex that was reached, and its distance at that time.
  struct arrival {
    Index vertex;
    Distance distance;
  };
  using arrivals = std::vector<arrival>;

  static constexpr std::size_t buckets = 64;

  /// What one thread has found.
  struct alignas(128) findings {
    /// The last one has all vertices beyond the others.
    std::array<arrivals, buckets + 1> bucket;
    /// The vertices of the bucket of this step, those handled at once, and those of many edges.
    arrivals now, at_once, hubs;
    /// The arrivals found along the edges of a few vertices, before distances are lowered.
    std::array<arrival, 128> lower;
  };

  /// A thread takes so many vertices of a bucket, or edges of a hub, at a time. A hub has at least
  /// so many edges.
  static constexpr std::size_t vertices_per_piece = 64;
  static constexpr Offset edges_per_piece = 2048, hub_edges = 8192;
  /// How many vertices ahead their rows and their edges are fetched, since neighbours in a bucket
  /// are none in memory.
  static constexpr std::size_t rows_ahead = 16, edges_ahead = 6;

  /// The bucket of a distance. The differences and products of larger distances are not smaller.
  std::size_t bucket_of(Distance distance) const {
    const double place = static_cast<double>(distance - base_) * per_delta_;
    return place < static_cast<double>(buckets) ? static_cast<std::size_t>(place) : buckets;
  }

  void put(findings& own, const arrival& at) const {
    own.bucket[bucket_of(at.distance)].push_back(at);
  }

  /// Looks at the edges [begin, end) from a vertex, and writes the arrivals that lower a distance
  /// to own.lower, from `next` on. No branch depends on whether one does: in a road network about
  /// every other edge lowers a distance, which no processor predicts. Inlined, so that `next` stays
  /// in a register.
  template <bool Alone>
  [[gnu::always_inline]] inline void follow(findings& own, arrival*& next, const arrival& from,
                                            Offset begin, Offset end) const {
    const auto look = [&](Offset stop) {
      for (; begin < stop; ++begin) {
        const Index v = g_.out.columns[begin];
        const auto weight = static_cast<Distance>(value_at(g_.out.values, begin));
        const auto distance = static_cast<Distance>(from.distance + weight);
        *next = {v, distance};
        next += distance < distance_of(v) ? 1 : 0;
      }
    };
    const arrival* const full = own.lower.data() + own.lower.size();
    while (end - begin > static_cast<Offset>(full - next)) {
      look(begin + static_cast<Offset>(full - next));
      next = lower_distances<Alone>(own, next);
    }
    look(end);
  }

  /// Lowers the distances of the arrivals in own.lower up to `end`, and puts them into buckets.
  /// Returns where the next arrival is written.
  template <bool Alone>
  arrival* lower_distances(findings& own, const arrival* end) const {
    for (const arrival& at : std::span<const arrival>(own.lower.data(), end)) {
      if constexpr (Alone) {
        if (!(at.distance < distance_of(at.vertex))) continue;
        distances_[at.vertex] = at.distance;
      } else {
        if (!atomic_lower(distances_[at.vertex], at.distance)) continue;
      }
      put(own, at);
    }
    return own.lower.data();
  }

  /// Fetches the first edges from a vertex. Inlined, since g++ leaves out calls of a function that
  /// only fetches.
  [[gnu::always_inline]] inline void look_ahead(Index vertex) const {
    const Offset row = g_.out.row_offsets[vertex];
    __builtin_prefetch(g_.out.columns + row);
    if constexpr (!is_pattern<Value>) __builtin_prefetch(g_.out.values + row);
  }

  Distance distance_of(Index vertex) const {
    return atomic_ref<Distance>(distances_[vertex]).load(memory_order_relaxed);
  }

  bool is_current(const arrival& at) const { return distance_of(at.vertex) == at.distance; }

  template <bool Alone>
  void handle(findings& own, const arrival* some, std::size_t count) const {
    arrival* next = own.lower.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + rows_ahead < count) {
        __builtin_prefetch(g_.out.row_offsets + some[i + rows_ahead].vertex);
      }
      if (i + edges_ahead < count) look_ahead(some[i + edges_ahead].vertex);
      const arrival from = some[i];
      if (!is_current(from)) continue;
      const Offset begin = g_.out.row_offsets[from.vertex];
      const Offset end = g_.out.row_offsets[from.vertex + 1];
      if (!Alone && end - begin >= hub_edges) {
        own.hubs.push_back(from);
      } else {
        follow<Alone>(own, next, from, begin, end);
      }
    }
    lower_distances<Alone>(own, next);
  }

  /// Adds the number of edges from these vertices to `edges`. Returns whether they still are so few
  /// that one thread follows them.
  bool has_few_edges(const arrivals& some, Offset& edges) const {
    for (const arrival& at : some) {
      if (edges > serial_edges_) return false;
      edges += g_.out_degree(at.vertex);
    }
    return edges <= serial_edges_;
  }

  /// Handles what a thread has found for the bucket of the step, while their edges are few.
  template <bool Alone>
  void handle_at_once(findings& own) const {
    arrivals& bucket = own.bucket[step_];
    for (Offset edges = 0; !bucket.empty() && has_few_edges(bucket, edges); edges = 0) {
      own.at_once.clear();
      own.at_once.swap(bucket);
      handle<Alone>(own, own.at_once.data(), own.at_once.size());
    }
  }

  /// Finds the lowest bucket that has vertices, whose vertices are those of the step.
  bool find_bucket() {
    const auto is_empty = [&](std::size_t k) {
      return std::all_of(threads_.begin(), threads_.end(),
                         [&](const findings& own) { return own.bucket[k].empty(); });
    };
    while (step_ < buckets && is_empty(step_)) ++step_;
    if (step_ == buckets) {
      if (is_empty(buckets)) return false;
      move_buckets();
    }
    for (findings& own : threads_) {
      own.now.clear();
      own.now.swap(own.bucket[step_]);
    }
    return true;
  }

  /// Distributes the vertices beyond all buckets among these.
  void move_buckets() {
    base_ = std::numeric_limits<Distance>::max();
    for (findings& own : threads_) {
      arrivals& beyond = own.bucket[buckets];
      std::erase_if(beyond, [&](const arrival& at) { return !is_current(at); });
      for (const arrival& at : beyond) base_ = std::min(base_, at.distance);
    }
    step_ = 0;
    for (findings& own : threads_) {
      const arrivals beyond = std::exchange(own.bucket[buckets], {});
      for (const arrival& at : beyond) put(own, at);
    }
  }

  bool is_small_step() const {
    Offset edges = 0;
    return threads_.size() == 1 ||
           std::all_of(threads_.begin(), threads_.end(),
                       [&](const findings& own) { return has_few_edges(own.now, edges); });
  }

  void step_alone() {
    findings& own = threads_.front();
    for (const findings& other : threads_) handle<true>(own, other.now.data(), other.now.size());
    handle_at_once<true>(own);
  }

  /// Runs work(own, take) on every thread; take(piece) gives the next of the pieces [0, count), or
  /// returns false when all are taken.
  template <class Work>
  void share(std::size_t count, const Work& work) {
    std::atomic<std::size_t> taken = 0;
    ctx_.parallel(std::min(count, threads_.size()), [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        work(threads_[t], [&](std::size_t& piece) {
          piece = taken.fetch_add(1, std::memory_order_relaxed);
          return piece < count;
        });
      }
    });
  }

  void step() {
    std::vector<std::span<const arrival>> pieces;
    for (const findings& own : threads_) {
      for (std::size_t begin = 0; begin < own.now.size(); begin += vertices_per_piece) {
        pieces.emplace_back(own.now.data() + begin,
                            std::min(vertices_per_piece, own.now.size() - begin));
      }
    }
    // No list of the step is written before all of them are read.
    share(pieces.size(), [&](findings& own, const auto& take) {
      for (std::size_t piece; take(piece);) {
        handle<false>(own, pieces[piece].data(), pieces[piece].size());
      }
      handle_at_once<false>(own);
    });
  }

  /// Follows the edges of the hubs of the step.
  void follow_hubs() {
    struct edges_of_hub {
      arrival from;
      Offset begin, end;
    };
    std::vector<edges_of_hub> pieces;
    for (findings& own : threads_) {
      for (const arrival& hub : own.hubs) {
        const Offset end = g_.out.row_offsets[hub.vertex + 1];
        for (Offset begin = g_.out.row_offsets[hub.vertex]; begin < end;) {
          const Offset rest = begin + std::min<Offset>(edges_per_piece, end - begin);
          pieces.push_back({hub, std::exchange(begin, rest), rest});
        }
      }
      own.hubs.clear();
    }
    share(pieces.size(), [&](findings& own, const auto& take) {
      arrival* next = own.lower.data();
      for (std::size_t piece; take(piece);) {
        follow<false>(own, next, pieces[piece].from, pieces[piece].begin, pieces[piece].end);
      }
      lower_distances<false>(own, next);
    });
  }

  cpu_context& ctx_;
  graph_view<Value, Index, Offset> g_;
  double per_delta_;
  Offset serial_edges_;
  Distance* distances_;
  std::vector<findings> threads_;
  /// The distance at which the buckets begin, and the bucket of the step.
  Distance base_ = 0;
  std::size_t step_ = 0;
};

/// As the general form in graph/sssp.hpp.
template <class Distance, class Value, std::integral Index, std::integral Offset>
void sssp_distances(cpu_context& ctx, const graph_view<Value, Index, Offset>& g,
                    const std::vector<Index>& sources, Distance delta, Offset serial_edges,
                    Distance* distances) {
  fill(ctx, distances, g.num_vertices(), no_path<Distance>);
  try {
    delta_stepping<Value, Index, Offset, Distance>(ctx, g, delta, serial_edges, distances)
        .run(sources);
  } catch (const std::bad_alloc&) {
    throw allocation_error("sssp: no memory for the vertices that were reached; free some");
  }
}

}  // namespace evenfold::detail

#endif
