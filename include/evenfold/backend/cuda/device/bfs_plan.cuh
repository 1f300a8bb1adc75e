#pragma once
// The shared state of a breadth-first search, and how one block decides the next step of all.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/row_queue.cuh"
#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/traversal.hpp"

namespace evenfold::device {

/// One bit per vertex.
template <class Index>
struct bitmap {
  std::uint32_t* words;

  __device__ bool has(Index v) const { return (words[word(v)] & bit(v)) != 0; }
  /// Sets the bit of a vertex. Returns its word as it was before, so that the caller can issue
  /// several before it waits for the first.
  __device__ std::uint32_t add(Index v) const { return atomicOr(words + word(v), bit(v)); }

  static __device__ auto word(Index v) { return static_cast<std::make_unsigned_t<Index>>(v) / 32; }
  static __device__ std::uint32_t bit(Index v) { return 1u << static_cast<unsigned>(v) % 32; }
};

/// A bfs_level as the device writes it.
struct bfs_row {
  unsigned long long vertices, edges, direction, nanoseconds;

  bfs_level level() const {
    return {static_cast<std::int64_t>(vertices), static_cast<std::int64_t>(edges),
            static_cast<traversal>(direction), static_cast<double>(nanoseconds) * 1e-6};
  }
};

struct bfs_plan;

/// The arguments of the kernel.
template <class Index, class Offset>
struct bfs_task {
  graph_view<const pattern, Index, Offset> g;
  const Index* sources;
  Index num_sources;
  Index* levels;
  bitmap<Index> visited[2];
  row_queue<Index, Offset> queue;
  /// Vertices and edges that a step has found without queueing them.
  tally_format::word* found;
  bfs_plan* plan;
  /// nullptr where no table is asked for.
  bfs_row* table;
  int table_capacity;

  __device__ Index num_words() const { return detail::ceil_div(g.num_vertices(), 32); }
};

/// The result of a launch for the host.
struct bfs_progress {
  std::int64_t reached, depth;
  int table_rows;
  bool finished;
};

/// `long_rows` completes a level that `bottom_up` has begun; `queue_frontier` prepares
/// `top_down`.
enum class bfs_step { begin, top_down, bottom_up, long_rows, queue_frontier, stop };

__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/// Where the search stands and what all blocks do next.
struct bfs_plan {
  using number = unsigned long long;

  bfs_step step;
  /// Which of the two bitmaps has the visited vertices; the other is the previous one.
  int side;
  /// How the frontier was found.
  traversal direction;
  int table_rows;
  /// The level of the frontier. The sources are the edges of level -1.
  std::int64_t level;
  number vertices, edges;
  /// The rows of the queue that the next step walks, their entries, and the first free row.
  number first_row, num_rows, num_entries, free_row;
  /// Vertices that have a level, and edges that leave them.
  number reached, reached_edges;
  std::uint64_t begun;

  static __device__ bfs_plan first(number num_sources) {
    bfs_plan plan{};
    plan.step = bfs_step::begin;
    plan.level = -1;
    plan.num_rows = 1;
    plan.num_entries = num_sources;
    plan.free_row = 1;
    return plan;
  }

  /// This plan, to be continued by another launch.
  __device__ bfs_plan resumed() const {
    bfs_plan plan = *this;
    plan.step = bfs_step::begin;
    plan.table_rows = 0;
    plan.begun = nanoseconds();
    return plan;
  }

  /// Whether this launch ends: the search is complete, or the table is full.
  template <class Task>
  __device__ bool ends(const Task& task) const {
    return level >= 0 &&
           (vertices == 0 || (task.table != nullptr && table_rows == task.table_capacity));
  }

  /// Records what the last step has found. Returns whether its level is complete; if not, `step` is
  /// set to the step that completes it.
  template <class Task>
  __device__ bool finish_step(const Task& task) {
    const tally_format format = task.queue.format;
    const tally_format::word rows = *task.queue.tally;
    const tally_format::word found = *task.found;
    if (step == bfs_step::begin) return true;
    *task.queue.tally = 0;
    if (step == bfs_step::bottom_up && rows != 0) {
      step = bfs_step::long_rows;
      use_rows(rows, format);
      return false;
    }
    if (step != bfs_step::queue_frontier) {
      *task.found = 0;
      const bool up = step != bfs_step::top_down;
      end_level(task, rows + found, up ? traversal::bottom_up : traversal::top_down);
      if (up) side = 1 - side;
    }
    use_rows(rows, format);
    keep_rows();
    return true;
  }

  /// Chooses the next step. Bottom up is faster where the frontier has a large part of the edges
  /// that are left; not for a frontier with few edges, unless it is not in the queue.
  template <class Tuning, class Task>
  __device__ void choose(const Task& task) {
    const number unexplored = static_cast<number>(task.g.num_edges()) - reached_edges;
    const bool up = edges * Tuning::alpha > unexplored &&
                    (direction == traversal::bottom_up || edges > Tuning::single_block_edges);
    const bool queued = direction == traversal::top_down || step == bfs_step::queue_frontier;
    step = ends(task) ? bfs_step::stop
           : up       ? bfs_step::bottom_up
           : queued   ? bfs_step::top_down
                      : bfs_step::queue_frontier;
  }

  /// Advances to the level of the vertices found, and writes the row of the level before to the
  /// table, if there is one. Several threads may keep equal plans; thread 0 writes the row.
  template <class Task>
  __device__ void end_level(const Task& task, tally_format::word found, traversal how) {
    if (task.table != nullptr) {
      const std::uint64_t now = nanoseconds();
      if (level >= 0 && threadIdx.x == 0) {
        task.table[table_rows] = {vertices, edges, static_cast<number>(how), now - begun};
      }
      table_rows += level >= 0;
      begun = now;
    }
    direction = how;
    ++level;
    vertices = task.queue.format.rows(found);
    edges = task.queue.format.entries(found);
    reached += vertices;
    reached_edges += edges;
  }

  /// The next step walks the rows that were appended last.
  __device__ void use_rows(tally_format::word rows, tally_format format) {
    first_row = free_row;
    num_rows = format.rows(rows);
    num_entries = format.entries(rows);
  }
  /// Keeps these rows in the queue; new rows are appended after them.
  __device__ void keep_rows() { free_row = first_row + num_rows; }

  __device__ bfs_progress progress() const {
    const std::int64_t farthest = vertices > 0 ? level : level - 1;
    return {static_cast<std::int64_t>(reached), farthest < 0 ? 0 : farthest, table_rows,
            vertices == 0};
  }
};

/// Counters and plan in device memory. Words that many threads update are in cache lines of their
/// own.
struct bfs_state {
  alignas(128) tally_format::word queued;
  alignas(128) tally_format::word found;
  alignas(128) bfs_plan plan;
};

/// The shared memory of a block.
template <class Tuning, class Offset>
struct bfs_shared {
  bfs_plan plan;
  uninitialized<tally_format::word> warp_found[Tuning::threads / warp_threads];
  /// For a block alone, in three turns: what it has queued, and the vertices with out-degree zero
  /// that it has found.
  tally_format::word queued[3], sinks[3];
  /// Per warp: the bits that it has found in the words of its lanes.
  std::uint32_t results[Tuning::threads / warp_threads][warp_threads];
  /// For a block alone: the frontier and the next one.
  queued_row<Offset> rows[2][Tuning::single_block_edges];
};

}  // namespace evenfold::device
