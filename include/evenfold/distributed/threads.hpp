#pragma once
// Ranks that are threads of one process: the model of a communicator that needs nothing installed,
// and the one that the others are compared with.
//
// Every operation is a meeting: each rank posts the addresses of its data and waits until all ranks
// have arrived; then each rank checks the posted calls and copies the data that it receives from
// the memory of the others; then all wait until every rank has copied. A rank that has failed, or
// returned, ends the meetings of all others.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/failures.hpp"

namespace evenfold {

namespace detail {

/// The call that a rank posts in a meeting. Other ranks read it until the meeting has ended.
struct posted_call {
  const char* operation = nullptr;
  const std::byte* data = nullptr;
  byte_offsets offsets;
  std::span<const outgoing_message> sends;
  std::size_t number = 0;  ///< the root, or another number that is the same on all ranks
};

/// The state that the threads of a group share.
class thread_group {
 public:
  thread_group(int size, std::chrono::milliseconds time_limit)
      : time_limit_(time_limit),
        polls_(static_cast<unsigned>(size) <= std::thread::hardware_concurrency()),
        calls_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(calls_.size()); }

  /// Posts the call of a rank, waits for the calls of all ranks, and then runs copy(calls), which
  /// returns an error text, or an empty one. Throws the first error of any rank on all ranks.
  template <class Copy>
  void meet(int rank, const posted_call& call, Copy copy) {
    calls_[static_cast<std::size_t>(rank)] = call;
    wait_for_all(rank, call.operation);
    std::exception_ptr thrown;
    try {
      std::string wrong = first_other_call(
          size(), [&](int r) -> const posted_call& { return calls_[static_cast<std::size_t>(r)]; });
      if (wrong.empty()) wrong = copy(std::span<const posted_call>(calls_));
      if (!wrong.empty()) fail(std::move(wrong));
    } catch (const std::exception& e) {
      thrown = std::current_exception();
      fail(failure_reason({"rank ", std::to_string(rank), ": ", e.what()}));
    } catch (...) {
      thrown = std::current_exception();
      fail(failure_reason({"rank ", std::to_string(rank), ": an exception of an unknown type"}));
    }
    // All ranks have arrived, so that no rank waits for one that may not arrive. Memory of a rank
    // that fails stays valid until all others have ended their copies.
    end_meeting();
    if (thrown) std::rethrow_exception(thrown);
    if (failed_) throw communication_error(failure_);
  }

  /// Ends all meetings; the first failure is the one that ranks are told.
  void fail(std::string reason) noexcept {
    const std::lock_guard lock(mutex_);
    fail_locked(std::move(reason));
  }

  /// Called after all ranks have ended.
  void check() const {
    if (failed_) throw communication_error(failure_);
  }

  /// A rank that makes no more calls.
  void leave(int rank) noexcept {
    const std::lock_guard lock(mutex_);
    if (left_ < 0) left_ = rank;
    check_departures();
  }

 private:
  void wait_for_all(int rank, const char* operation) {
    std::unique_lock lock(mutex_);
    if (failed_) throw communication_error(failure_);
    waits_in_ = operation;
    const std::uint64_t meeting = begun_;
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++begun_;
      changed_.notify_all();
    } else {
      check_departures();
      const auto has_begun = [&] { return begun_ != meeting || failed_; };
      poll(lock, has_begun);
      if (!changed_.wait_for(lock, time_limit_, has_begun)) {
        fail_locked(std::string(operation) + ": rank " + std::to_string(rank) + " has waited " +
                    std::to_string(time_limit_.count()) + " ms, and only " +
                    std::to_string(arrived_) + " of " + std::to_string(size()) +
                    " ranks have come");
      }
    }
    if (begun_ == meeting) throw communication_error(failure_);
  }

  void end_meeting() {
    std::unique_lock lock(mutex_);
    const std::uint64_t meeting = ended_;
    if (++copied_ == size()) {
      copied_ = 0;
      ++ended_;
      changed_.notify_all();
    } else {
      const auto has_ended = [&] { return ended_ != meeting; };
      poll(lock, has_ended);
      changed_.wait(lock, has_ended);
    }
  }

  /// Polls done() for a while before the caller sleeps: most ranks arrive within microseconds, and
  /// a sleeping thread takes longer than that to wake. done() reads atomic numbers. Ranks that
  /// share a core sleep at once: one that polls would keep another from arriving.
  template <class Done>
  void poll(std::unique_lock<std::mutex>& lock, Done done) const {
    if (!polls_) return;
    lock.unlock();
    const auto begun = std::chrono::steady_clock::now();
    while (!done() && std::chrono::steady_clock::now() - begun < std::chrono::microseconds(200)) {
      std::this_thread::yield();
    }
    lock.lock();
  }

  /// Called with the lock held: a meeting fails if a rank has left.
  void check_departures() noexcept {
    if (left_ < 0 || arrived_ == 0) return;
    fail_locked(failure_reason({waits_in_, ": rank ", std::to_string(left_),
                                " has returned, and another rank waits for it"}));
  }

  void fail_locked(std::string reason) noexcept {
    if (failed_) return;
    failure_ = std::move(reason);
    failed_ = true;
    changed_.notify_all();
  }

  const std::chrono::milliseconds time_limit_;
  const bool polls_;
  std::vector<posted_call> calls_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0, copied_ = 0, left_ = -1;
  std::atomic<std::uint64_t> begun_ = 0, ended_ = 0;
  const char* waits_in_ = "";
  std::atomic<bool> failed_ = false;
  std::string failure_;
};

}  // namespace detail

/// One of the ranks that run_ranks() starts.
class thread_communicator {
 public:
  thread_communicator(detail::thread_group& group, int rank) : group_(&group), rank_(rank) {}

  int rank() const { return rank_; }
  int size() const { return group_->size(); }

  template <context Context>
  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    local.synchronize();
    group_->meet(rank_, {"exchange", nullptr, {}, sends, 0}, [&](auto calls) -> std::string {
      for (const incoming_message& to : receives) {
        const auto& from = calls[static_cast<std::size_t>(to.rank)].sends;
        const auto sent = std::find_if(from.begin(), from.end(),
                                       [&](const auto& one) { return one.rank == rank_; });
        const std::size_t bytes = sent == from.end() ? 0 : sent->bytes;
        std::string wrong = detail::check_bytes("exchange", to.rank, bytes, rank_, to.bytes);
        if (!wrong.empty()) return wrong;
        copy(local, sent == from.end() ? nullptr : sent->data, bytes, to.data);
      }
      local.synchronize();
      return "";
    });
  }

  template <context Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to, byte_offsets offsets) {
    local.synchronize();
    group_->meet(
        rank_, {"all_gather_v", from, offsets, {}, offsets.back()}, [&](auto calls) -> std::string {
          for (int r = 0; r < size(); ++r) {
            const auto& call = calls[static_cast<std::size_t>(r)];
            std::string wrong =
                copy_part(local, "all_gather_v", r, call.data, call.offsets, r, to, offsets);
            if (!wrong.empty()) return wrong;
          }
          local.synchronize();
          return "";
        });
  }

  template <context Context>
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) {
    local.synchronize();
    group_->meet(
        rank_, {"all_to_all_v", from, from_offsets, {}, 0}, [&](auto calls) -> std::string {
          for (int r = 0; r < size(); ++r) {
            const auto& call = calls[static_cast<std::size_t>(r)];
            const std::size_t begin = call.offsets[static_cast<std::size_t>(rank_)];
            std::string wrong = copy_part(local, "all_to_all_v", r, advance(call.data, begin),
                                          call.offsets, rank_, to, to_offsets);
            if (!wrong.empty()) return wrong;
          }
          local.synchronize();
          return "";
        });
  }

  template <context Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    local.synchronize();
    const std::size_t offsets[] = {0, bytes};
    group_->meet(rank_, {"broadcast", data, offsets, {}, static_cast<std::size_t>(root)},
                 [&](auto calls) -> std::string {
                   const auto& call = calls[static_cast<std::size_t>(root)];
                   std::string wrong =
                       detail::check_bytes("broadcast", root, call.offsets[1], rank_, bytes);
                   if (!wrong.empty() || rank_ == root) return wrong;
                   copy(local, call.data, bytes, data);
                   local.synchronize();
                   return "";
                 });
  }

  /// GPUs read the arrays of each other if their contexts allow it (cuda_context::allow_peers).
  template <context Context>
  bool can_lend(Context& local, bool own) {
    if constexpr (requires { local.shows_arrays_to_peers(); }) {
      own = own && local.shows_arrays_to_peers();
    } else if constexpr (Context::side != memory_side::host) {
      own = false;
    }
    const std::byte mine{own};
    bool all = true;
    group_->meet(rank_, {"can_lend", &mine, {}, {}, 0}, [&](auto calls) {
      for (const detail::posted_call& call : calls) all = all && *call.data != std::byte{0};
      return std::string();
    });
    return all;
  }

  template <context Context, class T, class Use>
  void lend(Context& local, const T& mine, Use use) {
    local.synchronize();
    const auto* const posted = reinterpret_cast<const std::byte*>(&mine);
    group_->meet(rank_, {"lend", posted, {}, {}, sizeof(T)}, [&](auto calls) {
      std::vector<const T*> all;
      for (const detail::posted_call& call : calls) {
        all.push_back(reinterpret_cast<const T*>(call.data));
      }
      // The work that has been submitted may read what others free after the meeting.
      try {
        use(std::span<const T* const>(all));
      } catch (...) {
        local.synchronize();
        throw;
      }
      local.synchronize();
      return std::string();
    });
  }

  void barrier() {
    group_->meet(rank_, {"barrier", nullptr, {}, {}, 0}, [](auto) { return std::string(); });
  }

  /// Throws communication_error if a rank has failed. For ranks that wait for something else than
  /// an operation of this communicator.
  void check() const { group_->check(); }

  void fail(const std::string& reason) noexcept {
    group_->fail(detail::failure_of_rank(rank_, reason));
  }

 private:
  static const std::byte* advance(const std::byte* data, std::size_t bytes) {
    return data == nullptr ? data : data + bytes;
  }

  /// Copies part `part` of what rank `from` has posted, which begins at `data`, to part `from` of
  /// `to`.
  template <context Context>
  std::string copy_part(Context& local, const char* operation, int from, const std::byte* data,
                        byte_offsets offsets, int part, std::byte* to, byte_offsets to_offsets) {
    const auto bytes_of = [](byte_offsets of, int p) {
      return of[static_cast<std::size_t>(p) + 1] - of[static_cast<std::size_t>(p)];
    };
    const std::size_t bytes = bytes_of(to_offsets, from);
    std::string wrong = detail::check_bytes(operation, from, bytes_of(offsets, part), rank_, bytes);
    if (wrong.empty() && bytes > 0) {
      copy(local, data, bytes, to + to_offsets[static_cast<std::size_t>(from)]);
    }
    return wrong;
  }

  detail::thread_group* group_;
  int rank_;
};

/// Calls f(communicator) on `ranks` threads, each with the thread_communicator of one rank, and
/// returns when all have returned. If a rank throws, all others get a communication_error, and the
/// exception of the rank that failed first is rethrown here.
///
/// - `ranks`: at least 1; rank 0 runs on the calling thread.
/// - `time_limit`: how long a rank waits for the others in one operation.
///
/// Errors: argument_error for fewer than one rank; std::system_error or std::bad_alloc if a thread
/// cannot be started.
///
/// Example: examples/distributed.cpp.
template <class F>
void run_ranks(int ranks, F f, std::chrono::milliseconds time_limit = std::chrono::minutes(10)) {
  if (ranks < 1) {
    detail::refuse_argument("run_ranks", "ranks", ranks, "there is at least one rank",
                            "pass the number of threads to start");
  }
  detail::thread_group group(ranks, time_limit);
  std::exception_ptr first;
  std::mutex first_mutex;
  const auto fail = [&](int rank, const char* reason) noexcept {
    const std::lock_guard lock(first_mutex);
    if (!first) first = std::current_exception();
    group.fail(detail::failure_of_rank(rank, reason));
  };
  const auto run = [&](int rank) {
    try {
      thread_communicator communicator(group, rank);
      f(communicator);
    } catch (const communication_error& e) {
      group.fail(detail::failure_reason({e.what()}));  // the failure of another rank
    } catch (const std::exception& e) {
      fail(rank, e.what());
    } catch (...) {
      fail(rank, "an exception of an unknown type");
    }
    group.leave(rank);
  };
  std::vector<std::jthread> others;
  others.reserve(static_cast<std::size_t>(ranks) - 1);
  try {
    for (int rank = 1; rank < ranks; ++rank) others.emplace_back(run, rank);
    run(0);
  } catch (const std::exception& e) {
    fail(static_cast<int>(others.size()) + 1, e.what());
  }
  others.clear();
  if (first) std::rethrow_exception(first);
  group.check();
}

}  // namespace evenfold
