#pragma once
// Launches the kernels of backend/cuda/device/bfs_direction.cuh.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/cuda/device/bfs_direction.cuh"
#include "evenfold/backend/cuda/device/bfs_plan.cuh"
#include "evenfold/backend/cuda/device/bfs_steps.cuh"
#include "evenfold/backend/cuda/device/grid_barrier.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_direction(cuda_context& ctx, graph_view<Value, Index, Offset> g,
                          const Index* sources, Index num_sources, Index* levels, bool with_table) {
  static_assert(sizeof(Index) <= sizeof(Offset), "sources are counted as edges");
  using tuning = detail::tuning_or<Tuning, bfs_direction_tuning<>>;
  using device::tally_format;
  // The largest number of levels per launch; then the host reads their rows of the table.
  constexpr int table_capacity = 1 << 15;
  const Index vertices = g.num_vertices();
  if (vertices == 0) return {};

  // A queue counts its vertices and edges in one word. The sources are the edges of its first row.
  const auto most_edges = std::max<std::uint64_t>({static_cast<std::uint64_t>(g.out.num_nonzeros),
                                                   static_cast<std::uint64_t>(g.in.num_nonzeros),
                                                   static_cast<std::uint64_t>(num_sources)});
  const tally_format format{static_cast<int>(std::bit_width(most_edges))};
  if (std::bit_width(static_cast<std::uint64_t>(vertices)) + format.entry_bits > 64) {
    detail::refuse_argument(
        "bfs_direction", "g", most_edges,
        "the bits of the numbers of edges and of vertices are at most 64 on a GPU",
        "split the graph");
  }

  // One allocation, the widest elements first: a queue of the vertices and the row of sources, and
  // two bitmaps.
  using row = device::queued_row<Offset>;
  const std::size_t slots = static_cast<std::size_t>(vertices) + 1;
  const std::size_t words = detail::ceil_div(static_cast<std::size_t>(vertices), 32);
  array<unsigned char> scratch(
      ctx, slots * (sizeof(row) + sizeof(Index)) + 2 * words * sizeof(std::uint32_t));
  auto* const rows = reinterpret_cast<row*>(scratch.data());
  auto* const numbers = reinterpret_cast<Index*>(rows + slots);
  auto* const visited = reinterpret_cast<std::uint32_t*>(numbers + slots);
  array<device::bfs_row> table(ctx, with_table ? table_capacity : 0);
  auto* state = ctx.scratch<device::bfs_state>();
  const device::bfs_task<Index, Offset> task{{g.out.structure(), g.in.structure()},
                                             sources,
                                             num_sources,
                                             levels,
                                             {{visited}, {visited + words}},
                                             {rows, numbers, &state->queued, format},
                                             &state->found,
                                             &state->plan,
                                             table.data(),
                                             table_capacity};

  const auto kernel = device::bfs_direction_kernel<tuning, Index, Offset>;
  constexpr std::size_t shared_bytes = sizeof(device::bfs_shared<tuning, Offset>);
  const std::size_t grid = ctx.resident_blocks(kernel, tuning::threads, shared_bytes);
  bfs_summary result;
  for (bool resumes = false, finished = false; !finished; resumes = true) {
    const auto sent = ctx.to_mailbox<device::bfs_progress>();
    ctx.launch_together("bfs_direction", kernel, grid, tuning::threads, shared_bytes, task, resumes,
                        device::grid_barrier(ctx.counters(), ctx.counters() + 1), sent);
    const device::bfs_progress progress = ctx.from_mailbox(sent);
    result.reached = progress.reached;
    result.depth = progress.depth;
    finished = progress.finished;
    const auto rows_of_levels =
        to_host(ctx, table.data(), static_cast<std::size_t>(progress.table_rows));
    for (const device::bfs_row& each : rows_of_levels) result.table.push_back(each.level());
  }
  return result;
}

}  // namespace evenfold::backend
