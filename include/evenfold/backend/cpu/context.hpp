#pragma once
// The CPU context: OpenMP threads behind one function.

#include "evenfold/core/config.hpp"

#if !defined(_OPENMP)
#error "Evenfold's CPU backend needs OpenMP: compile and link with -fopenmp"
#endif

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/context.hpp"

namespace evenfold {

/// Tuning of an algorithm on the CPU: how many steps (items, or items + segments) make a tile.
template <std::size_t Tile>
struct cpu_tuning {
  static constexpr std::size_t tile = Tile;
};

namespace detail {

/// The only parallel region of the CPU backend. It is no template, so that a compiler outlines and
/// optimises it once per translation unit and not once per algorithm, type and operator. One chunk
/// is called here too: if `parallel` called it, a compiler would inline `f` twice.
inline void run_chunks(int threads, std::size_t count, const void* f,
                       void (*call)(const void*, std::size_t, std::size_t)) {
  const auto workers = static_cast<int>(std::min(static_cast<std::size_t>(threads), count));
  if (workers <= 1) {
    if (workers == 1) call(f, 0, count);
    return;
  }
  std::exception_ptr failure;
  int failed = workers;
#pragma omp parallel num_threads(workers)
  {
    // OpenMP may give fewer threads than asked for; every chunk must run all the same.
    for (int worker = omp_get_thread_num(); worker < workers; worker += omp_get_num_threads()) {
      try {
        call(f, detail::share_begin(count, workers, worker),
             detail::share_begin(count, workers, worker + 1));
      } catch (...) {
#pragma omp critical(evenfold_cpu_context_failure)
        if (worker < failed) {
          failed = worker;
          failure = std::current_exception();
        }
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

/// A team of OpenMP threads. Algorithms cut their work at fixed tiles and give each thread an equal
/// run of them, so results do not depend on the number of threads.
class cpu_context : public host_context {
 public:
  /// `threads` = 0 takes as many as OpenMP would.
  explicit cpu_context(int threads = 0,
                       std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
      : host_context(memory), threads_(threads > 0 ? threads : omp_get_max_threads()) {
    if (threads < 0) {
      detail::refuse_argument("cpu_context", "threads", threads, "a team has at least one thread",
                              "pass 0 for as many as there are cores");
    }
  }

  int threads() const { return threads_; }

  /// A context of as many threads with the memory of a resource that outlives it, such as a
  /// workspace.
  cpu_context with_memory(std::pmr::memory_resource& memory) const {
    cpu_context other(threads_, &memory);
    other.check_arguments = check_arguments;
    return other;
  }

  /// The number of threads that share `steps` steps if each takes at least `tile` of them; 0 for 0
  /// steps.
  std::size_t shares(std::size_t steps, std::size_t tile) const {
    return std::min(static_cast<std::size_t>(threads_), detail::ceil_div(steps, tile));
  }

  /// Cuts [0, count) into equal chunks, one per thread, and calls f(begin, end) on each at the same
  /// time. The first exception (by chunk order) is rethrown on the calling thread once all have
  /// ended. One chunk runs on the calling thread without starting a team.
  template <class F>
  void parallel(std::size_t count, F&& f) {
    using function = std::remove_reference_t<F>;
    detail::run_chunks(threads_, count, std::addressof(f),
                       [](const void* call, std::size_t begin, std::size_t end) {
                         (*const_cast<function*>(static_cast<const function*>(call)))(begin, end);
                       });
  }

 private:
  int threads_;
};

}  // namespace evenfold
