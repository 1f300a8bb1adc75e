#pragma once
// What the blocks of a breadth-first search share, and how one of them decides what all do next.

#include <cstdint>

#include "evenfold/algorithm/bfs_traversed.hpp"
#include "evenfold/cuda/row_queue.cuh"
#include "evenfold/graph/graph.hpp"

namespace evenfold::device {

/// Vertices, one bit each.
template <class Index>
struct vertex_set {
  std::uint32_t* words;

  __device__ bool has(Index v) const { return (words[word(v)] & bit(v)) != 0; }
  /// Whether it was not there before, in any of the threads that add it.
  __device__ bool add(Index v) const { return (atomicOr(words + word(v), bit(v)) & bit(v)) == 0; }

  static __device__ auto word(Index v) { return static_cast<std::make_unsigned_t<Index>>(v) / 32; }
  static __device__ std::uint32_t bit(Index v) { return 1u << static_cast<unsigned>(v) % 32; }
};

/// What a launch works on.
struct bfs_plan;
template <class Index, class Offset>
struct bfs_task {
  graph_view<const pattern, Index, Offset> g;
  const Index* sources;
  Index num_sources;
  Index* levels;
  vertex_set<Index> visited[2];
  row_queue<Index, Offset> queue;
  /// Vertices and arcs that a step found without queueing them.
  tally_format::word* found;
  bfs_plan* plan;
  /// nullptr where nobody asks.
  bfs_level* table;
  int table_room;

  __device__ Index num_words() const { return ceil_div(g.num_vertices(), 32); }
};

/// What the host hears at the end of a launch.
struct bfs_news {
  std::int64_t reached, depth;
  int table_rows;
  bool finished;
};

enum class bfs_step { begin, resume, top_down, bottom_up, long_rows, queue_up, stop };

__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/// Where the search stands and what all blocks do next.
struct bfs_plan {
  using number = unsigned long long;

  bfs_step step;
  /// Which of the two sets is that of the visited vertices; the other one is the set before.
  int side;
  /// How the frontier was found, and whether it is in the queue.
  traversal direction;
  bool queued;
  /// Of the frontier. The sources are the arcs of level -1.
  std::int64_t level;
  number vertices, arcs;
  /// The rows of the queue to walk, their entries, and where the free part of the queue begins.
  number first_row, num_rows, num_entries, free_row;
  /// Vertices that have a level, and arcs that leave them.
  number reached, reached_arcs;
  int table_rows;
  std::uint64_t begun;

  static __device__ bfs_plan first(number num_sources) {
    bfs_plan plan{};
    plan.step = bfs_step::begin;
    plan.queued = true;
    plan.level = -1;
    plan.num_rows = 1;
    plan.num_entries = num_sources;
    plan.free_row = 1;
    return plan;
  }

  /// Whether this launch has done what it can.
  template <class Task>
  __device__ bool ends(const Task& task) const {
    return level >= 0 &&
           (vertices == 0 || (task.table != nullptr && table_rows == task.table_room));
  }

  /// Takes down what the step just done has brought.
  template <class Task>
  __device__ void take_stock(const Task& task) {
    const tally_format format = task.queue.format;
    const tally_format::word rows = *task.queue.tally;
    *task.queue.tally = 0;
    if (step == bfs_step::begin) return;
    if (step == bfs_step::resume) {
      table_rows = 0;
      begun = nanoseconds();
      return;
    }
    if (step == bfs_step::bottom_up && rows != 0) {
      step = bfs_step::long_rows;
      use_rows(rows, format);
      return;
    }
    if (step == bfs_step::queue_up) {
      queued = true;
    } else {
      const bool up = step != bfs_step::top_down;
      record(task, up ? traversal::bottom_up : traversal::top_down);
      end_level(rows + *task.found, format, up ? traversal::bottom_up : traversal::top_down);
      *task.found = 0;
      queued = !up;
      if (up) side = 1 - side;
    }
    use_rows(rows, format);
    keep_rows();
    step = bfs_step::resume;
  }

  /// How to find the next level.
  template <class Tuning, class Task>
  __device__ void choose(const Task& task) {
    if (step == bfs_step::long_rows) return;
    const auto all = static_cast<number>(task.g.num_arcs());
    const bool up = direction == traversal::top_down
                        ? arcs > Tuning::few && arcs > (all - reached_arcs) / Tuning::alpha
                        : vertices > static_cast<number>(task.g.num_vertices()) / Tuning::beta;
    step = ends(task) ? bfs_step::stop
           : up       ? bfs_step::bottom_up
           : queued   ? bfs_step::top_down
                      : bfs_step::queue_up;
  }

  __device__ void end_level(tally_format::word found, tally_format format, traversal how) {
    direction = how;
    ++level;
    vertices = format.rows(found);
    arcs = format.entries(found);
    reached += vertices;
    reached_arcs += arcs;
  }

  /// The rows just pushed are the next to be walked.
  __device__ void use_rows(tally_format::word rows, tally_format format) {
    first_row = free_row;
    num_rows = format.rows(rows);
    num_entries = format.entries(rows);
  }
  /// They stay where they are.
  __device__ void keep_rows() {
    first_row = free_row;
    free_row += num_rows;
  }

  /// Writes a row of the table, where there is one: thread 0 does, any others count along.
  template <class Task>
  __device__ void record(const Task& task, traversal how) {
    if (task.table == nullptr) return;
    const std::uint64_t now = nanoseconds();
    if (level >= 0 && threadIdx.x == 0) {
      task.table[table_rows] = {static_cast<std::int64_t>(vertices),
                                static_cast<std::int64_t>(arcs), how,
                                static_cast<double>(now - begun) * 1e-6};
    }
    table_rows += level >= 0;
    begun = now;
  }

  __device__ bfs_news news() const {
    const std::int64_t farthest = vertices > 0 ? level : level - 1;
    return {static_cast<std::int64_t>(reached), farthest < 0 ? 0 : farthest, table_rows,
            vertices == 0};
  }
};

/// What lies in device memory beside the queue. Words that are added to by many and words that are
/// waited for are not in one cache line.
struct bfs_notes {
  alignas(128) tally_format::word queued;
  alignas(128) tally_format::word found;
  alignas(128) bfs_plan plan;
};

template <class Tuning, class Offset>
struct bfs_shared {
  bfs_plan plan;
  maybe<tally_format::word> warp_found[Tuning::threads / warp_threads];
  /// What the block alone has queued and found, turn by turn.
  tally_format::word queued[3], dead_ends[3];
  queued_row<Offset> rows[2][Tuning::few];
};

}  // namespace evenfold::device
