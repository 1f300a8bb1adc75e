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

/// The number of shares: one per thread, and for many steps up to 16, which the threads take in
/// turn, since rows of some lengths take longer than others, and one thread is slower than another.
inline std::size_t segment_shares(const cpu_context& ctx, std::size_t steps, std::size_t tile) {
  constexpr std::size_t tiles = 4, most = 16;
  const auto threads = static_cast<std::size_t>(ctx.threads());
  const std::size_t shares = ctx.shares(steps, tile);
  if (shares < threads || threads == 1) return shares;
  return threads * std::clamp(steps / tile / tiles / threads, std::size_t{1}, most);
}

/// The pieces of one run that nobody has taken yet, in a cache line of its own.
struct alignas(128) untaken_pieces {
  std::size_t next;
  std::size_t end;
};

/// Gives a thread its pieces. No template, as what runs the threads is none, so that both are
/// compiled once per translation unit.
class pieces_in_turn {
 public:
  pieces_in_turn(untaken_pieces* runs, std::size_t workers, std::size_t run, std::size_t most_runs)
      : runs_(runs), workers_(workers), run_(run), left_(most_runs) {}

  /// The next piece, or false when all are taken.
  [[gnu::noinline]] bool operator()(std::size_t& piece) {
    for (; left_ > 0; --left_, run_ = run_ + 1 < workers_ ? run_ + 1 : 0) {
      const std::atomic_ref<std::size_t> next(runs_[run_].next);
      // A load leaves the cache line to the threads that look at it, too.
      if (next.load(std::memory_order_relaxed) >= runs_[run_].end) continue;
      piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece < runs_[run_].end) return true;
    }
    return false;
  }

 private:
  untaken_pieces* runs_;
  std::size_t workers_, run_, left_;
};

/// Calls call(work, take) on every thread.
inline void run_in_turn(cpu_context& ctx, std::size_t pieces, const void* work,
                        void (*call)(const void*, pieces_in_turn)) {
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
      call(work, pieces_in_turn(runs.data(), workers, worker, most_runs));
    }
  });
}

/// Runs work(take) on every thread, while pieces are left. take(piece) gives the next piece of
/// [0, pieces), or returns false when all are taken.
template <class Work>
void take_in_turn(cpu_context& ctx, std::size_t pieces, const Work& work) {
  run_in_turn(ctx, pieces, &work,
              [](const void* f, pieces_in_turn take) { (*static_cast<const Work*>(f))(take); });
}

}  // namespace evenfold::cpu
