#pragma once
// Direction-optimizing BFS on a GPU: one cooperative kernel that computes all levels.
//
// The visited vertices are a bitmap. A vertex without a level has no neighbour in a level before
// the frontier; a bottom-up step therefore searches for a visited neighbour and needs no bitmap of
// the frontier. It writes a second bitmap: each word is the old word and the vertices found. A
// top-down step updates the bitmap in place; the thread that sets a bit stores the level of the
// vertex and appends the vertex to a queue.
//
// At the barrier between two steps the block that arrives last decides which step is next. While
// the frontier has few edges, that block computes level after level alone, with its queue in shared
// memory, so that a level of a road network costs neither a launch, nor a copy to the host, nor a
// barrier of the grid.

#include <cstdint>

#include "evenfold/backend/cuda/device/bfs_plan.cuh"
#include "evenfold/backend/cuda/device/bfs_steps.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/grid_barrier.cuh"
#include "evenfold/core/traversal.hpp"

namespace evenfold {

/// Launch tuning of bfs_direction: threads per block and blocks per multiprocessor; how many edges
/// a lane follows at once; the largest number of edges of a frontier that one block processes
/// alone; how many edges a lane searches before the rest of a row is queued; and Alpha: a level is
/// computed bottom up if the edges of the frontier are more than 1 / Alpha of the edges of vertices
/// without a level, or never with 0.
template <int Threads = 512, int Blocks = 2, int Items = 4, int SingleBlockEdges = 1024,
          int LaneEdges = 64, int Alpha = 15>
struct bfs_direction_tuning {
  static constexpr int threads = Threads;
  static constexpr int blocks = Blocks;
  static constexpr int items = Items;
  static constexpr int single_block_edges = SingleBlockEdges;
  static constexpr int lane_edges = LaneEdges;
  static constexpr int alpha = Alpha;
};

namespace device {

/// Clears the levels and the bitmap, and queues one row whose edges are the sources.
template <class Index, class Offset>
__device__ void begin_search(const bfs_task<Index, Offset>& task) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto vertices = static_cast<std::size_t>(task.g.num_vertices());
  for (std::size_t v = thread; v < vertices; v += threads) task.levels[v] = -1;
  for (std::size_t word = thread; word * 32 < vertices; word += threads) {
    // The bits after the last vertex are set: they need no level.
    const std::size_t bits = vertices - word * 32;
    task.visited[0].words[word] = bits < 32 ? ~0u << bits : 0;
  }
  if (thread == 0) {
    task.queue.rows[0] = {0, 0};
    *task.queue.tally = 0;
    *task.found = 0;
  }
}

/// Computes levels by this block alone, as long as the frontier has few edges.
template <class Tuning, class Index, class Offset>
__device__ void run_levels_in_one_block(const bfs_task<Index, Offset>& task,
                                        bfs_shared<Tuning, Offset>& shared) {
  const tally_format format = task.queue.format;
  bfs_plan plan = shared.plan;
  for (unsigned i = threadIdx.x; i < plan.num_rows; i += Tuning::threads) {
    shared.rows[0][i] = task.queue.rows[plan.first_row + i];
  }
  if (threadIdx.x < 3) shared.queued[threadIdx.x] = shared.sinks[threadIdx.x] = 0;
  __syncthreads();

  int side = 0;
  for (int turn = 0; plan.num_entries <= Tuning::single_block_edges && !plan.ends(task);
       turn = (turn + 1) % 3) {
    const row_queue<Index, Offset> next{shared.rows[1 - side], nullptr, &shared.queued[turn],
                                        format};
    tally_format::word sinks = 0;
    follow_edges<Tuning, true>(task, plan, shared.rows[side], next, warp_id(),
                               Tuning::threads / warp_threads, sinks);
    if (sinks != 0) atomicAdd(&shared.sinks[turn], sinks);
    __syncthreads();
    // Three counters are used in turn. All threads have read the previous one, so that it can be
    // reset: it is used again two turns from now.
    const tally_format::word queued = shared.queued[turn];
    const tally_format::word found = queued + shared.sinks[turn];
    const int before = (turn + 2) % 3;
    if (threadIdx.x == 0) shared.queued[before] = shared.sinks[before] = 0;
    plan.end_level(task, found, traversal::top_down);
    plan.use_rows(queued, format);
    side = 1 - side;
  }
  for (unsigned i = threadIdx.x; i < plan.num_rows; i += Tuning::threads) {
    task.queue.rows[plan.first_row + i] = shared.rows[side][i];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    plan.keep_rows();
    shared.plan = plan;
  }
}

/// Decides the next step, in the block that arrived last, and computes levels with few edges alone.
template <class Tuning, class Index, class Offset>
__device__ void plan_next_step(const bfs_task<Index, Offset>& task,
                               bfs_shared<Tuning, Offset>& shared,
                               const delivery<bfs_progress>& deliver) {
  if (threadIdx.x == 0 && shared.plan.finish_step(task)) {
    shared.plan.template choose<Tuning>(task);
  }
  __syncthreads();
  if (shared.plan.step == bfs_step::top_down &&
      shared.plan.num_entries <= Tuning::single_block_edges) {
    run_levels_in_one_block(task, shared);
    if (threadIdx.x == 0) shared.plan.template choose<Tuning>(task);
  }
  if (threadIdx.x == 0) {
    *task.plan = shared.plan;
    if (shared.plan.step == bfs_step::stop) deliver(shared.plan.progress());
  }
}

template <class Tuning, class Index, class Offset>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    bfs_direction_kernel(bfs_task<Index, Offset> task, bool resumes, grid_barrier barrier,
                         delivery<bfs_progress> deliver) {
  using shared_type = bfs_shared<Tuning, Offset>;
  shared_type& shared = shared_as<shared_type>();
  if (threadIdx.x == 0) {
    shared.plan = resumes ? task.plan->resumed() : bfs_plan::first(task.num_sources);
  }
  if (!resumes) begin_search(task);
  while (true) {
    barrier([&] { plan_next_step(task, shared, deliver); });
    if (threadIdx.x == 0) shared.plan = *task.plan;
    __syncthreads();
    const bfs_plan& plan = shared.plan;
    if (plan.step == bfs_step::stop) break;
    const row_queue<Index, Offset> queue = task.queue.from(plan.first_row);
    const row_queue<Index, Offset> free = task.queue.from(plan.free_row);
    std::uint32_t* results = shared.results[warp_id()];
    tally_format::word found = 0;
    switch (plan.step) {
      case bfs_step::top_down:
        follow_edges<Tuning, false>(task, plan, queue.rows, free, warp_of_grid(), warps_of_grid(),
                                    found);
        break;
      case bfs_step::bottom_up:
        search_bottom_up<Tuning>(task, plan, free, results, found);
        break;
      case bfs_step::long_rows:
        search_long_rows<Tuning>(task, plan, queue, found);
        break;
      default:
        queue_frontier(task, plan, free, results);
    }
    found = block_fold<Tuning::threads>(found, Tuning::threads, shared.warp_found, plus{});
    if (threadIdx.x == 0 && found != 0) atomicAdd(task.found, found);
  }
  barrier.leave();
}

}  // namespace device

}  // namespace evenfold
