#pragma once
// bfs_direction on CPU threads.
//
// Random accesses read one bit per vertex, which stays in a near cache. Top down, threads take
// equal pieces of the merge path of the edges and vertices of the frontier; bottom up, each takes
// words of 64 vertices, which no other thread writes. One thread alone processes a small frontier,
// so that the thousands of levels of a road network need no barrier.
//
// A vertex without a level has no neighbour in a level before the frontier. A bottom-up step
// therefore searches for a visited neighbour, and the frontier needs no bitmap.
//
// Scratch: three bits, one Index and one Offset per vertex, and up to 16384 Index.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/scan.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The vertices of a level, and the edges that leave them.
struct bfs_frontier {
  std::int64_t vertices = 0, edges = 0;
};

template <std::size_t Tile, class Value, class Index, class Offset>
class direction_optimizing_bfs {
 public:
  direction_optimizing_bfs(cpu_context& ctx, graph_view<Value, Index, Offset> g, Index* levels)
      : ctx_(ctx),
        g_(g),
        levels_(levels),
        num_vertices_(static_cast<std::size_t>(g.num_vertices())),
        num_words_(detail::ceil_div(num_vertices_, word_bits)),
        visited_(ctx, num_words_),
        next_(ctx, num_words_),
        in_degree_zero_(ctx, num_words_),
        queue_(ctx, num_vertices_ + 1),
        offsets_(ctx, num_vertices_),
        found_(ctx, max_alone() + 1) {}

  bfs_summary run(const Index* sources, Index num_sources, bool with_table) {
    using clock = std::chrono::steady_clock;
    bfs_summary result;
    bfs_frontier now = begin(sources, num_sources);
    bfs_frontier before;
    std::int64_t unexplored = g_.num_edges();
    traversal direction = traversal::top_down;
    for (Index level = 0; now.vertices > 0; ++level) {
      const auto begun = with_table ? clock::now() : clock::time_point{};
      const traversal last = std::exchange(direction, choose(direction, before, now, unexplored));
      if (last == traversal::bottom_up && direction == traversal::top_down) fill_queue();
      before = now;
      unexplored -= now.edges;
      if (direction == traversal::top_down && now.vertices + now.edges <= max_alone()) {
        now = top_down_alone(level + 1);
      } else {
        mark_visited();
        now = direction == traversal::bottom_up ? bottom_up(level + 1) : top_down(now, level + 1);
        marked_ = queue_end_;
      }
      result.reached += before.vertices;
      result.depth = level;
      if (with_table) {
        const std::chrono::duration<double, std::milli> took = clock::now() - begun;
        result.table.push_back({before.vertices, before.edges, direction, took.count()});
      }
    }
    return result;
  }

 private:
  using word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;
  /// Words that a thread takes at once.
  static constexpr std::size_t tile_words = 16;
  /// Words that a thread fills, with the levels of their vertices, in the time that another thread
  /// takes to start.
  static constexpr std::size_t fill_words = 1 << 10;

  static std::size_t word_of(Index v) { return static_cast<std::size_t>(v) / word_bits; }
  static word bit_of(Index v) { return word{1} << (static_cast<std::size_t>(v) % word_bits); }

  /// Calls f(v) for each vertex whose bit is set in this word.
  template <class F>
  static void for_each_bit(std::size_t w, word bits, F f) {
    for (; bits != 0; bits &= bits - 1) {
      f(static_cast<Index>(w * word_bits + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }

  /// Runs work(take) on every thread; take() gives the next of the tiles [0, tiles), or `tiles`
  /// when all are taken.
  template <class Work>
  void share(std::size_t tiles, Work work) {
    std::atomic<std::size_t> taken = 0;
    const auto workers = std::min(tiles, static_cast<std::size_t>(ctx_.threads()));
    ctx_.parallel(workers, [&](std::size_t, std::size_t) {
      work([&] { return std::min(taken.fetch_add(1, std::memory_order_relaxed), tiles); });
    });
  }

  /// Edges to follow top down per edge out of the vertices not reached so far, and vertices found
  /// bottom up per vertex, at which the other direction is faster: those of the GAP benchmarks.
  /// Bottom up looks at every word, too.
  traversal choose(traversal last, bfs_frontier before, bfs_frontier now, std::int64_t unexplored) {
    const auto num_words = static_cast<std::int64_t>(num_words_);
    const bool up = last == traversal::top_down
                        ? now.edges > std::max(unexplored / 15, num_words)
                        : now.vertices >= before.vertices || now.vertices > g_.num_vertices() / 18;
    return up ? traversal::bottom_up : traversal::top_down;
  }

  bfs_frontier begin(const Index* sources, Index num_sources) {
    const std::size_t shares = ctx_.shares(num_words_, fill_words);
    ctx_.parallel(shares, [&](std::size_t first_share, std::size_t last_share) {
      const std::size_t first = detail::share_begin(num_words_, shares, first_share);
      const std::size_t last = detail::share_begin(num_words_, shares, last_share);
      std::fill(visited_.begin() + first, visited_.begin() + last, word{0});
      std::fill(in_degree_zero_.begin() + first, in_degree_zero_.begin() + last, word{0});
      std::fill(levels_ + first * word_bits, levels_ + std::min(num_vertices_, last * word_bits),
                Index{-1});
    });
    // The bits of the last word that stand for no vertex.
    if (num_vertices_ % word_bits != 0) {
      in_degree_zero_[num_words_ - 1] = ~word{0} << (num_vertices_ % word_bits);
    }
    candidates found;
    for (Index s = 0; s < num_sources; ++s) add(found, sources[s], Index{0});
    claim(found, Index{0});
    return {static_cast<std::int64_t>(queue_end_), found.edges};
  }

  // Top down ------------------------------------------------------------------------------------

  /// Vertices that looked new to one thread. They are claimed together and then given their level:
  /// an atomic operation waits for all stores before it, and those miss the caches.
  struct candidates {
    std::array<Index, 1024> vertices;
    std::size_t size = 0;
    /// The number of edges that leave the claimed vertices.
    std::int64_t edges = 0;
  };

  void add(candidates& some, Index v, Index level) {
    const word seen = atomic_ref<word>(visited_[word_of(v)]).load(memory_order_relaxed);
    some.vertices[some.size] = v;
    some.size += (seen & bit_of(v)) == 0;
    if (some.size == some.vertices.size()) claim(some, level);
  }

  void claim(candidates& some, Index level) {
    std::size_t claimed = 0;
    for (std::size_t i = 0; i < some.size; ++i) {
      const Index v = some.vertices[i];
      const word seen =
          atomic_ref<word>(visited_[word_of(v)]).fetch_or(bit_of(v), memory_order_relaxed);
      some.vertices[claimed] = v;
      claimed += (seen & bit_of(v)) == 0;
    }
    for (std::size_t i = 0; i < claimed; ++i) {
      levels_[some.vertices[i]] = level;
      some.edges += g_.out_degree(some.vertices[i]);
    }
    append(some.vertices.data(), claimed);
    some.size = 0;
  }

  void append(const Index* vertices, std::size_t count) {
    const std::size_t at =
        atomic_ref<std::size_t>(queue_end_).fetch_add(count, memory_order_relaxed);
    std::copy_n(vertices, count, queue_.data() + at);
  }

  bfs_frontier top_down(bfs_frontier now, Index level) {
    const Index* const frontier = queue_.data() + queue_begin_;
    queue_begin_ = queue_end_;
    const Offset* const rows = g_.out.row_offsets;
    Offset* const offsets = offsets_.data();
    const auto size = static_cast<Index>(now.vertices);
    backend::transform_scan<scan_kind::exclusive, default_tuning>(
        ctx_, size,
        [=](Index s) { return static_cast<Offset>(rows[frontier[s] + 1] - rows[frontier[s]]); },
        offsets, plus{}, Offset{0}, static_cast<Offset*>(nullptr));
    const detail::segment_view segments{static_cast<Offset>(now.edges), offsets, size};
    const std::size_t steps = segments.steps();
    std::atomic<std::int64_t> edges = 0;
    share(detail::ceil_div(steps, Tile), [&](auto take) {
      candidates found;
      for (std::size_t begin; (begin = take() * Tile) < steps;) {
        detail::for_each_piece(
            segments, segments.position(begin), segments.position(std::min(steps, begin + Tile)),
            [&](Index s, Offset first, Offset last) {
              const Index* const row = g_.out.columns + (rows[frontier[s]] - offsets[s]);
              for (Offset k = first; k < last; ++k) add(found, row[k], level);
            });
      }
      claim(found, level);
      edges += found.edges;
    });
    return {static_cast<std::int64_t>(queue_end_ - queue_begin_), edges};
  }

  /// The most vertices and edges of a frontier that one thread processes alone. It takes half the
  /// time per edge, as it claims nothing by atomic operations, so that few threads hardly gain.
  std::int64_t max_alone() const { return std::int64_t{Tile} * (ctx_.threads() < 4 ? 4 : 1); }

  /// The same by one thread, which need not claim vertices nor wait for others. mark_visited sets
  /// the bits later. No branch depends on which vertices are new, since no processor predicts it
  /// where a third or half of them are.
  bfs_frontier top_down_alone(Index level) {
    const Offset* const rows = g_.out.row_offsets;
    const Index* const columns = g_.out.columns;
    Index* const levels = levels_;
    Index* const queue = queue_.data();
    Index* const found = found_.data();
    const std::size_t end = queue_end_;
    // Counters that no store can change stay in registers.
    std::size_t size = 0, last = end;
    for (std::size_t k = queue_begin_; k < end; ++k) {
      const Index u = queue[k];
      const Offset row_end = rows[u + 1];
      for (Offset edge = rows[u]; edge < row_end; ++edge) {
        const Index v = columns[edge];
        found[size] = v;
        size += levels[v] < 0 ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      const Index v = found[k];
      queue[last] = v;
      last += levels[v] < 0 ? 1 : 0;
      levels[v] = level;
    }
    std::int64_t edges = 0;
    for (std::size_t k = end; k < last; ++k) edges += g_.out_degree(queue[k]);
    queue_begin_ = end;
    queue_end_ = last;
    return {static_cast<std::int64_t>(last - end), edges};
  }

  /// Sets the bits of the vertices that one thread alone has found.
  void mark_visited() {
    for (; marked_ < queue_end_; ++marked_) {
      const Index v = queue_[marked_];
      visited_[word_of(v)] |= bit_of(v);
    }
  }

  // Bottom up -----------------------------------------------------------------------------------

  bfs_frontier bottom_up(Index level) {
    std::atomic<std::int64_t> vertices = 0, edges = 0;
    const std::size_t tiles = detail::ceil_div(num_words_, tile_words);
    share(tiles, [&](auto take) {
      bfs_frontier found;
      for (std::size_t t; (t = take()) < tiles;) {
        const std::size_t end = std::min(num_words_, (t + 1) * tile_words);
        look_ahead(t * tile_words);
        for (std::size_t w = t * tile_words; w < end; ++w) {
          if (w + 1 < end) look_ahead(w + 1);
          next_[w] = visited_[w];
          for_each_bit(w, open(w), [&](Index v) {
            if (!is_reached(v)) return;
            next_[w] |= bit_of(v);
            levels_[v] = level;
            found.vertices += 1;
            found.edges += g_.out_degree(v);
          });
        }
      }
      vertices += found.vertices;
      edges += found.edges;
    });
    queue_begin_ = queue_end_;
    visited_.swap(next_);
    return {vertices, edges};
  }

  /// The vertices of a word that may still get a level.
  word open(std::size_t w) const { return ~(visited_[w] | in_degree_zero_[w]); }

  bool is_reached(Index v) const {
    const Index* const columns = g_.in.columns;
    return std::any_of(columns + g_.in.row_offsets[v], columns + g_.in.row_offsets[v + 1],
                       [&](Index u) { return (visited_[word_of(u)] & bit_of(u)) != 0; });
  }

  /// Fetches the first edges into the vertices of a word, and finds those that have none.
  void look_ahead(std::size_t w) {
    for_each_bit(w, open(w), [&](Index v) {
      const Offset row = g_.in.row_offsets[v];
      __builtin_prefetch(g_.in.columns + row);
      if (row == g_.in.row_offsets[v + 1]) in_degree_zero_[w] |= bit_of(v);
    });
  }

  /// Queues the vertices that the last bottom-up step found, for the next step top down.
  void fill_queue() {
    ctx_.parallel(num_words_, [&](std::size_t first, std::size_t last) {
      for (std::size_t w = first; w < last; ++w) {
        std::array<Index, word_bits> vertices;
        std::size_t size = 0;
        for_each_bit(w, visited_[w] & ~next_[w], [&](Index v) { vertices[size++] = v; });
        if (size > 0) append(vertices.data(), size);
      }
    });
  }

  cpu_context& ctx_;
  graph_view<Value, Index, Offset> g_;
  Index* levels_;
  std::size_t num_vertices_, num_words_;
  /// One bit per vertex each: whether it has a level; the same after (or before) a bottom-up step;
  /// whether its in-degree is zero.
  array<word> visited_, next_, in_degree_zero_;
  /// Each vertex is queued at most once; top down, the frontier is [queue_begin_, queue_end_). One
  /// thread alone also writes to the element behind it.
  array<Index> queue_;
  std::size_t queue_begin_ = 0, queue_end_ = 0;
  /// The first element of the queue whose bit in visited_ may not be set.
  std::size_t marked_ = 0;
  array<Offset> offsets_;
  /// The vertices without a level that one thread alone has come to, possibly several times.
  array<Index> found_;
};

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_direction(cpu_context& ctx, graph_view<Value, Index, Offset> g,
                          const Index* sources, Index num_sources, Index* levels, bool with_table) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 12>>::tile;
  cpu::direction_optimizing_bfs<tile, Value, Index, Offset> search(ctx, g, levels);
  return search.run(sources, num_sources, with_table);
}

}  // namespace evenfold::backend
