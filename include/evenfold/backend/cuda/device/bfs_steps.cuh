#pragma once
// The steps of a breadth-first search that all blocks compute together.

#include <type_traits>

#include "evenfold/backend/cuda/device/bfs_plan.cuh"
#include "evenfold/backend/cuda/device/row_queue.cuh"

namespace evenfold::device {

__device__ inline unsigned warps_of_grid() { return gridDim.x * (blockDim.x / warp_threads); }
__device__ inline unsigned warp_of_grid() {
  return blockIdx.x * (blockDim.x / warp_threads) + static_cast<unsigned>(uniform_warp_id());
}

/// A top-down step: follows this worker's share of the edges of `rows`, and stores the level of
/// each vertex that was not visited. The vertex is appended to `next`, or counted in `found` if its
/// out-degree is zero. With `Few` edges latency matters, and the offsets of each vertex are loaded
/// together with its bit; otherwise memory traffic matters, and only those of new vertices are
/// loaded. Each loop handles all items before the next loop begins, so that their loads overlap.
template <class Tuning, bool Few, class Index, class Offset>
__device__ void follow_edges(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                             const queued_row<Offset>* rows, row_queue<Index, Offset> next,
                             unsigned worker, unsigned workers, tally_format::word& found) {
  constexpr int items = Tuning::items;
  const Index* ends = plan.level < 0 ? task.sources : task.g.out.columns;
  const Offset* offsets = task.g.out.row_offsets;
  const bitmap<Index> visited = task.visited[plan.side];
  const auto level = static_cast<Index>(plan.level + 1);
  walk_entries<items>(rows, static_cast<std::make_unsigned_t<Index>>(plan.num_rows),
                      static_cast<std::make_unsigned_t<Offset>>(plan.num_entries), worker, workers,
                      [&](const std::make_unsigned_t<Index>(&)[items], const Offset(&edge)[items],
                          const bool(&valid)[items]) {
                        Index v[items];
                        Offset begin[items], end[items];
                        std::uint32_t seen[items];
                        bool fresh[items];
#pragma unroll
                        for (int i = 0; i < items; ++i) v[i] = valid[i] ? ends[edge[i]] : 0;
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          begin[i] = end[i] = 0;
                          seen[i] = 0;
                          if constexpr (Few) {
                            if (valid[i]) {
                              begin[i] = offsets[v[i]];
                              end[i] = offsets[v[i] + 1];
                            }
                          } else if (valid[i]) {
                            // The word may be stale and lack a bit that another thread has set.
                            seen[i] = visited.words[visited.word(v[i])];
                          }
                        }
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          const bool open = valid[i] && (seen[i] & visited.bit(v[i])) == 0;
                          seen[i] = open ? visited.add(v[i]) : ~0u;
                        }
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          fresh[i] = (seen[i] & visited.bit(v[i])) == 0;
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

/// The index of the set bit with `rank` set bits below it.
__device__ inline int bit_of_rank(std::uint32_t word, int rank) {
  int bit = 0;
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const int below = __popc(word & ((1u << half) - 1));
    if (rank >= below) {
      rank -= below;
      word >>= half;
      bit += half;
    }
  }
  return bit;
}

/// Calls f(v, valid) for the vertices v of a bitmap, for 32 vertices at once in the lanes of a
/// warp, however the bits are spread over the words. `words(w)` is word w of the bitmap; done(w,
/// word, result) gets the bits of the vertices for which f has returned true. `results` has one
/// word per lane of the warp.
template <class Index, class Words, class F, class Done>
__device__ void for_each_in_bitmap(Index num_words, std::uint32_t* results, Words words, F f,
                                   Done done) {
  const auto warps = static_cast<Index>(warps_of_grid());
  // A warp takes each `warps`-th word; each lane reads one of the next 32 of them.
  for (Index base = static_cast<Index>(warp_of_grid()); base < num_words;
       base += warps * warp_threads) {
    const Index own = base + warps * lane_id();
    const std::uint32_t word = own < num_words ? words(own) : 0;
    const int through = warp_inclusive_scan(__popc(word), plus{});
    const int total = __shfl_sync(whole_warp, through, warp_threads - 1);
    results[lane_id()] = 0;
    __syncwarp();
    for (int first = 0; first < total; first += warp_threads) {
      const int rank = first + lane_id();
      int holder = 0;
#pragma unroll
      for (int step = warp_threads / 2; step > 0; step /= 2) {
        if (__shfl_sync(whole_warp, through, holder + step - 1) <= rank) holder += step;
      }
      const std::uint32_t held = __shfl_sync(whole_warp, word, holder);
      const int before = __shfl_sync(whole_warp, through, holder) - __popc(held);
      const int bit = bit_of_rank(held, rank - before);
      if (f((base + warps * holder) * 32 + bit, rank < total)) {
        atomicOr(results + holder, 1u << bit);
      }
    }
    __syncwarp();
    if (own < num_words) done(own, word, results[lane_id()]);
  }
}

/// A bottom-up step: searches the first edges into each vertex that is not visited for a visited
/// vertex. The rest of a long row is queued.
template <class Tuning, class Index, class Offset>
__device__ void search_bottom_up(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                                 row_queue<Index, Offset> rest, std::uint32_t* results,
                                 tally_format::word& found) {
  const bitmap<Index> visited = task.visited[plan.side];
  const bitmap<Index> next = task.visited[1 - plan.side];
  const csr_view<const pattern, Index, Offset> in = task.g.in;
  const bool undirected = task.g.is_undirected();
  const auto level = static_cast<Index>(plan.level + 1);
  for_each_in_bitmap(
      task.num_words(), results, [&](Index w) { return ~visited.words[w]; },
      [&](Index v, bool valid) {
        const Offset begin[1] = {valid ? in.row_offsets[v] : 0};
        const Offset end[1] = {valid ? in.row_offsets[v + 1] : 0};
        const Offset alone =
            end[0] - begin[0] < Tuning::lane_edges ? end[0] : begin[0] + Tuning::lane_edges;
        Offset k[1] = {begin[0]};
        bool hit = false;
        while (!hit && k[0] < alone) {
          // Two edges at once halve the number of waits, and few are read in vain.
          const Offset after = k[0] + 1;
          const Index u = in.columns[k[0]];
          const Index w = in.columns[after < alone ? after : k[0]];
          hit = visited.has(u) | visited.has(w);
          k[0] = after < alone ? after + 1 : alone;
        }
        const bool left[1] = {!hit && k[0] < end[0]};
        const Index number[1] = {v};
        rest.push(left, number, k, end);
        if (hit) {
          task.levels[v] = level;
          found += rest.format.pack(1, undirected ? end[0] - begin[0] : task.g.out_degree(v));
          return true;
        }
        // A vertex without edges is marked as visited, so that it is not searched for again.
        return valid && begin[0] == end[0] && (undirected || task.g.out_degree(v) == 0);
      },
      [&](Index w, std::uint32_t unseen, std::uint32_t settled) {
        next.words[w] = ~unseen | settled;
      });
}

/// Completes a bottom-up step: searches the edges that search_bottom_up has queued, in equal
/// shares.
template <class Tuning, class Index, class Offset>
__device__ void search_long_rows(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                                 row_queue<Index, Offset> queue, tally_format::word& found) {
  constexpr int items = Tuning::items;
  const bitmap<Index> visited = task.visited[plan.side];
  const bitmap<Index> next = task.visited[1 - plan.side];
  walk_entries<items>(queue.rows, static_cast<std::make_unsigned_t<Index>>(plan.num_rows),
                      static_cast<std::make_unsigned_t<Offset>>(plan.num_entries), warp_of_grid(),
                      warps_of_grid(),
                      [&](const std::make_unsigned_t<Index>(&row)[items],
                          const Offset(&edge)[items], const bool(&valid)[items]) {
                        Index v[items], u[items];
                        bool is_found[items];
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          v[i] = valid[i] ? queue.numbers[row[i]] : 0;
                          u[i] = valid[i] ? task.g.in.columns[edge[i]] : 0;
                        }
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          // The word of the next bitmap may be stale; then a vertex is added twice.
                          is_found[i] = !next.has(v[i]) & visited.has(u[i]);
                        }
#pragma unroll
                        for (int i = 0; i < items; ++i) {
                          if (valid[i] && is_found[i] && (next.add(v[i]) & next.bit(v[i])) == 0) {
                            task.levels[v[i]] = static_cast<Index>(plan.level + 1);
                            found += queue.format.pack(1, task.g.out_degree(v[i]));
                          }
                        }
                      });
}

/// Queues the frontier that was found bottom up: the vertices of this bitmap that the previous one
/// lacks.
template <class Index, class Offset>
__device__ void queue_frontier(const bfs_task<Index, Offset>& task, const bfs_plan& plan,
                               row_queue<Index, Offset> queue, std::uint32_t* results) {
  const bitmap<Index> visited = task.visited[plan.side];
  const bitmap<Index> before = task.visited[1 - plan.side];
  const Offset* offsets = task.g.out.row_offsets;
  for_each_in_bitmap(
      task.num_words(), results, [&](Index w) { return visited.words[w] & ~before.words[w]; },
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
