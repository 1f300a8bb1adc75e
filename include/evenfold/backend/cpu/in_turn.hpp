#pragma once
// Pieces of work that CPU threads take in turn: for pieces that do not take equally long, or
// threads that are not equally fast.
//
// Each thread takes the pieces of its own equal run first, and then what is left of the runs of
// others. So a piece mostly stays with the thread that had it in the last call, and in its caches.

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cpu {

/// The pieces of one run that nobody has taken yet, in a cache line of its own.
struct alignas(128) untaken_pieces {
  std::size_t next;
  std::size_t end;
};

/// Runs work(take) on every thread, while pieces are left. take(piece) gives the next piece of
/// [0, pieces), or returns false when all are taken.
template <class Work>
void take_in_turn(cpu_context& ctx, std::size_t pieces, const Work& work) {
  const std::size_t workers = std::min(static_cast<std::size_t>(ctx.threads()), pieces);
  // Where a thread has one piece, to look for another takes longer than it could gain.
  const std::size_t most_runs = pieces > workers ? workers : 1;
  array<untaken_pieces> runs(ctx, workers);
  for (std::size_t w = 0; w < workers; ++w) {
    runs[w] = {detail::share_begin(pieces, workers, w),
               detail::share_begin(pieces, workers, w + 1)};
  }
  ctx.parallel(workers, [&](std::size_t first, std::size_t last) {
    for (std::size_t worker = first; worker < last; ++worker) {
      work([&, run = worker, left = most_runs](std::size_t& piece) mutable {
        for (; left > 0; --left, run = run + 1 < workers ? run + 1 : 0) {
          const std::atomic_ref<std::size_t> next(runs[run].next);
          // A load leaves the cache line to the threads that look at it, too.
          if (next.load(std::memory_order_relaxed) >= runs[run].end) continue;
          piece = next.fetch_add(1, std::memory_order_relaxed);
          if (piece < runs[run].end) return true;
        }
        return false;
      });
    }
  });
}

}  // namespace evenfold::cpu
