#pragma once
// The steps of a breadth-first search that all blocks do together.

#include <type_traits>

#include "evenfold/cuda/bfs_plan.cuh"
#include "evenfold/cuda/row_queue.cuh"

namespace evenfold::device {

__device__ inline unsigned warps_of_grid() { return gridDim.x * (blockDim.x / warp_threads); }
__device__ inline unsigned warp_of_grid() {
  return blockIdx.x * (blockDim.x / warp_threads) + static_cast<unsigned>(warp_id());
}

/// Follows this worker's share of the arcs of `rows` and puts the vertices that nobody has seen
/// into `next`. Where arcs are few, time is what counts: all that may be needed of a vertex is
/// asked for at once. Else traffic is.
template <class Tuning, bool Few, class Index, class Offset>
__device__ void follow_arcs(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                            const queued_row<Offset>* rows, row_queue<Index, Offset> next,
                            unsigned worker, unsigned workers, tally_format::word& found) {
  constexpr int items = Tuning::items;
  const Index* ends = plan.level < 0 ? task.sources : task.g.out.columns;
  const Offset* offsets = task.g.out.row_offsets;
  const vertex_set<Index> visited = task.visited[plan.side];
  const auto level = static_cast<Index>(plan.level + 1);
  walk_entries<items>(
      rows, static_cast<Index>(plan.num_rows),
      static_cast<std::make_unsigned_t<Offset>>(plan.num_entries), worker, workers,
      [&](const Index(&)[items], const Offset(&arc)[items], const bool(&valid)[items]) {
        Index v[items];
        Offset begin[items], end[items];
        bool fresh[items];
#pragma unroll
        for (int i = 0; i < items; ++i) v[i] = valid[i] ? ends[arc[i]] : 0;
#pragma unroll
        for (int i = 0; i < items; ++i) {
          begin[i] = end[i] = 0;
          if constexpr (Few) {
            fresh[i] = valid[i];
            if (valid[i]) {
              begin[i] = offsets[v[i]];
              end[i] = offsets[v[i] + 1];
            }
          } else {
            // What is read may be old and lack a bit that another thread has set.
            fresh[i] = valid[i] && !visited.has(v[i]);
          }
        }
#pragma unroll
        for (int i = 0; i < items; ++i) fresh[i] = fresh[i] && visited.add(v[i]);
#pragma unroll
        for (int i = 0; i < items; ++i) {
          if (!fresh[i]) continue;
          if constexpr (!Few) {
            begin[i] = offsets[v[i]];
            end[i] = offsets[v[i] + 1];
          }
          task.levels[v[i]] = level;
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
          if (fresh[i] && begin[i] == end[i]) {
            found += next.format.pack(1, 0);
            fresh[i] = false;
          }
        }
        next.push(fresh, v, begin, end);
      });
}

/// Calls f(v, is_in) for the 32 vertices of each word of a set that is not empty, with all lanes of
/// a warp; `words(w)` is word w, and `done(w, word, result)` gets in one lane the lanes for which f
/// has returned true.
template <class Index, class Words, class F, class Done>
__device__ void for_set_words(Index num_words, Words words, F f, Done done) {
  const auto warps = static_cast<Index>(warps_of_grid());
  // A warp takes every `warps`-th word; its lanes first read one of the next 32 of them each.
  for (Index base = static_cast<Index>(warp_of_grid()); base < num_words;
       base += warps * warp_threads) {
    const Index own = base + warps * lane_id();
    const std::uint32_t word = own < num_words ? words(own) : 0;
    std::uint32_t result = 0;
    for (unsigned left = __ballot_sync(whole_warp, word != 0); left != 0; left &= left - 1) {
      const int i = __ffs(static_cast<int>(left)) - 1;
      const bool is_in = (__shfl_sync(whole_warp, word, i) >> lane_id() & 1) != 0;
      const bool taken = f((base + warps * i) * 32 + lane_id(), is_in);
      const unsigned all = __ballot_sync(whole_warp, taken);
      if (lane_id() == i) result = all;
    }
    if (own < num_words) done(own, word, result);
  }
}

/// Looks for a visited vertex among the first arcs into each vertex that is not visited. What is
/// left of a long row is queued.
template <class Tuning, class Index, class Offset>
__device__ void look_back(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                          row_queue<Index, Offset> rest, tally_format::word& found) {
  const vertex_set<Index> visited = task.visited[plan.side];
  const vertex_set<Index> next = task.visited[1 - plan.side];
  const csr_view<const pattern, Index, Offset> in = task.g.in;
  const bool undirected = task.g.is_undirected();
  const auto level = static_cast<Index>(plan.level + 1);
  for_set_words(
      task.num_words(), [&](Index w) { return ~visited.words[w]; },
      [&](Index v, bool looks) {
        const Offset begin[1] = {looks ? in.row_offsets[v] : 0};
        const Offset end[1] = {looks ? in.row_offsets[v + 1] : 0};
        Offset k[1] = {begin[0]};
        const Offset alone = end[0] - k[0] < Tuning::alone ? end[0] : k[0] + Tuning::alone;
        bool hit = false;
        while (!hit && k[0] < alone) {
          constexpr int width = 4;
          Index u[width];
#pragma unroll
          for (int j = 0; j < width; ++j) u[j] = in.columns[j < alone - k[0] ? k[0] + j : k[0]];
#pragma unroll
          for (int j = 0; j < width; ++j) hit |= visited.has(u[j]);
          k[0] = alone - k[0] < width ? alone : k[0] + width;
        }
        const bool left[1] = {!hit && k[0] < end[0]};
        const Index number[1] = {v};
        rest.push(left, number, k, end);
        if (hit) {
          task.levels[v] = level;
          found += rest.format.pack(1, undirected ? end[0] - begin[0] : task.g.out_degree(v));
          return true;
        }
        // A vertex without arcs need not be looked at again, and nobody asks whether it is visited.
        return looks && begin[0] == end[0] && (undirected || task.g.out_degree(v) == 0);
      },
      [&](Index w, std::uint32_t unseen, std::uint32_t settled) {
        next.words[w] = ~unseen | settled;
      });
}

/// Looks for a visited vertex among the arcs that look_back has left.
template <class Tuning, class Index, class Offset>
__device__ void look_on(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                        tally_format::word& found) {
  constexpr int items = Tuning::items;
  const vertex_set<Index> visited = task.visited[plan.side];
  const vertex_set<Index> next = task.visited[1 - plan.side];
  const row_queue<Index, Offset> queue = task.queue.from(plan.first_row);
  walk_entries<items>(
      queue.rows, static_cast<Index>(plan.num_rows),
      static_cast<std::make_unsigned_t<Offset>>(plan.num_entries), warp_of_grid(), warps_of_grid(),
      [&](const Index(&row)[items], const Offset(&arc)[items], const bool(&valid)[items]) {
        Index v[items];
        bool hit[items];
#pragma unroll
        for (int i = 0; i < items; ++i) v[i] = valid[i] ? queue.numbers[row[i]] : 0;
#pragma unroll
        for (int i = 0; i < items; ++i) {
          // What is read may be old; then an arc is followed for nothing.
          hit[i] = valid[i] && !next.has(v[i]) && visited.has(task.g.in.columns[arc[i]]);
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
          if (hit[i] && next.add(v[i])) {
            task.levels[v[i]] = static_cast<Index>(plan.level + 1);
            found += queue.format.pack(1, task.g.out_degree(v[i]));
          }
        }
      });
}

/// Queues the frontier that was found bottom up: what is in this set and not in the one before.
template <class Index, class Offset>
__device__ void queue_up(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                         row_queue<Index, Offset> queue) {
  const vertex_set<Index> visited = task.visited[plan.side];
  const vertex_set<Index> before = task.visited[1 - plan.side];
  const Offset* offsets = task.g.out.row_offsets;
  for_set_words(
      task.num_words(), [&](Index w) { return visited.words[w] & ~before.words[w]; },
      [&](Index v, bool is_new) {
        const Offset begin[1] = {is_new ? offsets[v] : 0};
        const Offset end[1] = {is_new ? offsets[v + 1] : 0};
        const bool take[1] = {begin[0] < end[0]};
        const Index number[1] = {v};
        queue.push(take, number, begin, end);
        return false;
      },
      [](Index, std::uint32_t, std::uint32_t) {});
}

}  // namespace evenfold::device
