#pragma once
// Ranks for the tests of distributed algorithms: threads of this process, each with a context of
// its own. On a machine with several GPUs, the contexts are on all of them in turn. With
// EVENFOLD_TEST_NCCL, NCCL moves device memory.
//
// The tests of a program share the ranks: the context of a GPU takes half a second to open, and a
// communicator of NCCL takes seconds.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "evenfold/contexts.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/threads.hpp"
#include "support/contexts.hpp"
#include "support/shards.hpp"
#if defined(EVENFOLD_TEST_NCCL)
#include "evenfold/distributed/nccl.cuh"
#endif

namespace evenfold::testing {

inline constexpr int rank_counts[] = {1, 2, 3, 5, 8};

/// The context of a rank: CPU contexts have two threads.
template <class Context>
Context open_rank_context(int /*rank*/) {
  if constexpr (takes_threads<Context>) {
    return Context(2);
  } else {
    return Context();
  }
}

#if defined(__CUDACC__)
inline int count_gpus() {
  int gpus = 0;
  device::check_cuda(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
  return gpus;
}

template <>
inline cuda_context open_rank_context<cuda_context>(int rank) {
  cuda_context gpu(rank % count_gpus());
  gpu.allow_peers();
  return gpu;
}
#endif

#if defined(EVENFOLD_TEST_NCCL)
using rank_communicator = nccl_communicator<thread_communicator>;
inline rank_communicator connect(thread_communicator& threads, cuda_context& gpu) {
  return {threads, gpu, std::chrono::seconds(60)};
}
/// NCCL has at most one rank per GPU.
inline int most_ranks() { return count_gpus(); }
#else
using rank_communicator = thread_communicator;
template <class Context>
rank_communicator& connect(thread_communicator& threads, Context&) {
  return threads;
}
inline int most_ranks() { return 8; }
#endif

template <class Context>
using ranked = distributed_context<Context, rank_communicator>;

/// Threads that are the ranks of a group, and wait for work.
template <class Context>
class rank_team {
 public:
  using work = std::function<void(ranked<Context>&)>;

  explicit rank_team(int ranks) : size_(ranks), runner_([this] { run_all(); }) {}
  rank_team(const rank_team&) = delete;
  rank_team& operator=(const rank_team&) = delete;
  ~rank_team() {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    changed_.notify_all();
  }

  /// Calls f(ctx) on all ranks, and returns when all have returned. After an exception, which is
  /// rethrown here, the team has ended.
  void run(const work& f) {
    std::unique_lock lock(mutex_);
    work_ = &f;
    ++begun_;
    running_ = size_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_ == 0 || has_ended_; });
    if (thrown_) std::rethrow_exception(thrown_);
  }

  bool has_ended() {
    const std::lock_guard lock(mutex_);
    return has_ended_;
  }

 private:
  void run_all() {
    std::exception_ptr thrown;
    try {
      run_ranks(
          size_, [this](thread_communicator& threads) { run_rank(threads); },
          std::chrono::seconds(60));
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    thrown_ = thrown;
    has_ended_ = true;
    changed_.notify_all();
  }

  void run_rank(thread_communicator& threads) {
    try {
      Context local = open_rank_context<Context>(threads.rank());
      decltype(auto) communicator = connect(threads, local);
      ranked<Context> ctx(local, communicator);
      for (std::uint64_t call = 1; const work* f = next_work(call); ++call) {
        (*f)(ctx);
        const std::lock_guard lock(mutex_);
        if (--running_ == 0) changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
      changed_.notify_all();
      throw;
    }
  }

  /// Waits; nullptr when there is no more work.
  const work* next_work(std::uint64_t call) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ == call || is_closing_; });
    return begun_ == call ? work_ : nullptr;
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const work* work_ = nullptr;
  std::uint64_t begun_ = 0;
  int running_ = 0;
  bool is_closing_ = false, has_ended_ = false;
  std::exception_ptr thrown_;
  std::jthread runner_;  // destroyed first
};

/// The teams of this program, by their numbers of ranks.
template <class Context>
inline std::map<int, std::unique_ptr<rank_team<Context>>> rank_teams;

/// Ends the teams after all tests.
struct rank_environment : ::testing::Environment {
  void TearDown() override {
    rank_teams<default_context>.clear();
    rank_teams<reference_context>.clear();
  }
};
inline ::testing::Environment* const ends_rank_teams =
    ::testing::AddGlobalTestEnvironment(new rank_environment);

/// Calls f(ctx) with the distributed context of each of some ranks. More ranks than there can be
/// are left out.
template <class Context, class F>
void on_ranks(int ranks, F f) {
  if (ranks > most_ranks()) return;
  auto& team = rank_teams<Context>[ranks];
  if (!team || team->has_ended()) team = std::make_unique<rank_team<Context>>(ranks);
  team->run(f);
}

}  // namespace evenfold::testing
