#pragma once
// Ranks that are processes, by MPI: plain C calls, and no type of MPI but MPI_Comm in the
// interface.
//
// MPI itself waits forever for a process that does not make its call. Here every call of MPI
// returns at once, and the rank polls for its end, for a failure that another rank reports, and for
// the time limit. Before data move, the ranks compare their calls in a small all_gather, so that
// MPI never sees collective operations that do not fit each other.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <list>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/core/context.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/failures.hpp"

namespace evenfold {

namespace detail {

/// Throws communication_error, with the text of MPI, unless a call has succeeded.
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw communication_error(std::string(call) + ": " + text);
}

/// Whether a communicator of this process has failed.
inline bool mpi_has_failed = false;

}  // namespace detail

/// Initialises MPI, and finalises it at the end of its lifetime: one object, in main(). After a
/// failure MPI is not finalised, because other ranks may never do so; when the process ends, mpirun
/// ends the others.
class mpi_session {
 public:
  mpi_session(int& argc, char**& argv) {
    int provided = 0;
    detail::check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided),
                      "MPI_Init_thread");
  }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
  ~mpi_session() {
    if (std::uncaught_exceptions() == 0 && !detail::mpi_has_failed) MPI_Finalize();
  }
};

/// The processes of an MPI communicator. Data lie in memory that MPI can read: host memory, and
/// device memory where the MPI was built for it. Elsewhere, a staged_communicator
/// (distributed/staged.hpp) takes device memory.
///
/// If the object is destroyed by an exception, the other ranks get a communication_error. A process
/// that is killed is noticed by mpirun, which ends all others, or else by the time limit.
///
/// Example: tests/mpi/mpi_program.cpp.
class mpi_communicator {
 public:
  /// Called by all processes of `parent`.
  explicit mpi_communicator(MPI_Comm parent = MPI_COMM_WORLD,
                            std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : time_limit_(time_limit) {
    detail::check_mpi(MPI_Comm_dup(parent, &data_), "MPI_Comm_dup");
    detail::check_mpi(MPI_Comm_dup(parent, &failures_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(failures_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(data_, &rank_);
    MPI_Comm_size(data_, &size_);
  }
  mpi_communicator(const mpi_communicator&) = delete;
  mpi_communicator& operator=(const mpi_communicator&) = delete;

  ~mpi_communicator() {
    if (exceptions_.is_unwinding()) {
      fail(detail::failure_reason({"an exception has left its last call"}));
    }
    if (failed_) return;
    try {
      begin_call("return", 0, 0);
      MPI_Comm_free(&data_);
      MPI_Comm_free(&failures_);
    } catch (const communication_error&) {
      // The other ranks have the error.
    }
  }

  int rank() const { return rank_; }
  int size() const { return size_; }

  template <context Context>
  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
    std::vector<std::uint64_t> expected(sizes.size());
    for (const outgoing_message& to : sends) sizes[static_cast<std::size_t>(to.rank)] = to.bytes;
    for (const incoming_message& from : receives) {
      expected[static_cast<std::size_t>(from.rank)] = from.bytes;
    }
    begin_call("exchange", 0, 0);
    check_sizes("exchange", sizes, expected);
    local.synchronize();
    transfer("exchange", sends, receives);
  }

  template <context Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to, byte_offsets offsets) {
    const auto mine = static_cast<std::size_t>(rank_);
    begin_call("all_gather_v", offsets.back(), offsets[mine + 1] - offsets[mine]);
    for (int r = 0; r < size_; ++r) {
      const auto k = static_cast<std::size_t>(r);
      check_bytes("all_gather_v", r, calls_[k].bytes, offsets[k + 1] - offsets[k]);
    }
    const std::size_t own = offsets[mine + 1] - offsets[mine];
    if (offsets.back() > most_bytes) {
      std::vector<outgoing_message> sends;
      std::vector<incoming_message> receives;
      for (int r = 0; r < size_; ++r) {
        const auto k = static_cast<std::size_t>(r);
        sends.push_back({r, from, own});
        receives.push_back({r, to + offsets[k], offsets[k + 1] - offsets[k]});
      }
      return exchange(local, sends, receives);
    }
    std::vector<int> counts;
    std::vector<int> starts;
    for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r) {
      counts.push_back(static_cast<int>(offsets[r + 1] - offsets[r]));
      starts.push_back(static_cast<int>(offsets[r]));
    }
    local.synchronize();
    MPI_Request request = MPI_REQUEST_NULL;
    detail::check_mpi(MPI_Iallgatherv(from, static_cast<int>(own), MPI_BYTE, to, counts.data(),
                                      starts.data(), MPI_BYTE, data_, &request),
                      "MPI_Iallgatherv");
    wait("all_gather_v", {&request, 1});
  }

  template <context Context>
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) {
    std::vector<outgoing_message> sends;
    std::vector<incoming_message> receives;
    for (int r = 0; r < size_; ++r) {
      const auto k = static_cast<std::size_t>(r);
      sends.push_back({r, from + from_offsets[k], from_offsets[k + 1] - from_offsets[k]});
      receives.push_back({r, to + to_offsets[k], to_offsets[k + 1] - to_offsets[k]});
    }
    exchange(local, sends, receives);
  }

  template <context Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    begin_call("broadcast", static_cast<std::uint64_t>(root), bytes);
    check_bytes("broadcast", root, calls_[static_cast<std::size_t>(root)].bytes, bytes);
    local.synchronize();
    for (std::size_t at = 0; at < bytes; at += most_bytes) {
      MPI_Request request = MPI_REQUEST_NULL;
      const auto part = static_cast<int>(std::min(bytes - at, most_bytes));
      detail::check_mpi(MPI_Ibcast(data + at, part, MPI_BYTE, root, data_, &request), "MPI_Ibcast");
      wait("broadcast", {&request, 1});
    }
  }

  void barrier() { begin_call("barrier", 0, 0); }

  /// Throws communication_error if a rank has failed. For ranks that wait for something else than
  /// an operation of this communicator.
  void check() {
    hear_failures();
    if (failed_) throw communication_error(failure_);
  }

  void fail(const std::string& reason) noexcept { report(detail::failure_of_rank(rank_, reason)); }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;

  /// The description of its call that each rank sends before data move.
  struct call {
    char operation[16];
    std::uint64_t number;
    std::uint64_t bytes;
  };

  /// Waits for the calls of all ranks, and compares them. This is a barrier, too.
  void begin_call(const char* operation, std::uint64_t number, std::uint64_t bytes) {
    if (failed_) throw communication_error(failure_);
    mine_ = {};
    std::strncpy(mine_.operation, operation, sizeof(mine_.operation) - 1);
    mine_.number = number;
    mine_.bytes = bytes;
    calls_.resize(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    detail::check_mpi(MPI_Iallgather(&mine_, sizeof(call), MPI_BYTE, calls_.data(), sizeof(call),
                                     MPI_BYTE, data_, &request),
                      "MPI_Iallgather");
    wait(operation, {&request, 1});
    std::string wrong = detail::first_other_call(
        size_, [&](int r) -> const call& { return calls_[static_cast<std::size_t>(r)]; });
    if (!wrong.empty()) end_all(std::move(wrong));
  }

  /// All ranks detect a mismatch of the calls at the same time, or are told of it.
  [[noreturn]] void end_all(std::string reason) {
    report(std::move(reason));
    throw communication_error(failure_);
  }

  void check_bytes(const char* operation, int from, std::uint64_t sent, std::uint64_t expected) {
    std::string wrong = detail::check_bytes(operation, from, sent, rank_, expected);
    if (!wrong.empty()) end_all(std::move(wrong));
  }

  void check_sizes(const char* operation, const std::vector<std::uint64_t>& sent,
                   const std::vector<std::uint64_t>& expected) {
    std::vector<std::uint64_t> arriving(sent.size());
    MPI_Request request = MPI_REQUEST_NULL;
    detail::check_mpi(MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, arriving.data(), 1, MPI_UINT64_T,
                                    data_, &request),
                      "MPI_Ialltoall");
    wait(operation, {&request, 1});
    for (int r = 0; r < size_; ++r) {
      const auto k = static_cast<std::size_t>(r);
      check_bytes(operation, r, arriving[k], expected[k]);
    }
    barrier_after_checks(operation);
  }

  /// No data move before all ranks have found their sizes to fit.
  void barrier_after_checks(const char* operation) {
    MPI_Request request = MPI_REQUEST_NULL;
    detail::check_mpi(MPI_Ibarrier(data_, &request), "MPI_Ibarrier");
    wait(operation, {&request, 1});
  }

  /// Messages in parts that MPI can count.
  void transfer(const char* operation, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    std::vector<MPI_Request> requests;
    const auto each_part = [&](std::size_t bytes, auto start) {
      for (std::size_t at = 0; at < bytes; at += most_bytes) {
        requests.push_back(MPI_REQUEST_NULL);
        detail::check_mpi(
            start(at, static_cast<int>(std::min(bytes - at, most_bytes)), &requests.back()),
            operation);
      }
    };
    for (const incoming_message& from : receives) {
      each_part(from.bytes, [&](std::size_t at, int bytes, MPI_Request* request) {
        return MPI_Irecv(from.data + at, bytes, MPI_BYTE, from.rank, 0, data_, request);
      });
    }
    for (const outgoing_message& to : sends) {
      each_part(to.bytes, [&](std::size_t at, int bytes, MPI_Request* request) {
        return MPI_Isend(to.data + at, bytes, MPI_BYTE, to.rank, 0, data_, request);
      });
    }
    wait(operation, requests);
  }

  /// Polls until the requests have ended. Throws when a rank has failed, or after the time limit.
  void wait(const char* operation, std::span<MPI_Request> requests) {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t polls = 1;; ++polls) {
      int done = 0;
      detail::check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                                    MPI_STATUSES_IGNORE),
                        operation);
      if (done != 0) return;
      if (polls % 64 != 0) continue;
      hear_failures();
      if (failed_) throw communication_error(failure_);
      if (std::chrono::steady_clock::now() - start > time_limit_) {
        end_all(detail::waited_in_vain(operation, rank_, time_limit_));
      }
      std::this_thread::yield();
    }
  }

  void hear_failures() {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, failures_, &arrived, &status);
    if (arrived == 0) return;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), ' ');
    MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, 0, failures_, MPI_STATUS_IGNORE);
    note_failure(std::move(text));
  }

  void note_failure(std::string text) noexcept {
    failed_ = true;
    failure_ = std::move(text);
    detail::mpi_has_failed = true;
  }

  /// Tells all other ranks of the first failure that this rank knows.
  void report(std::string failure) noexcept {
    if (failed_) return;
    failure.resize(std::min<std::size_t>(failure.size(), 1000));
    note_failure(std::move(failure));
    // Short messages leave at once, or else after the return: the text stays until the process
    // ends.
    std::string_view text = "out of memory";
    try {
      text = reported_.emplace_back(failure_);
    } catch (const std::bad_alloc&) {
      // The other ranks are told that there is no memory.
    }
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, r, 0, failures_, &request);
      int sent = 0;
      MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
      if (sent == 0) MPI_Request_free(&request);
    }
  }

  inline static std::list<std::string> reported_;

  const std::chrono::milliseconds time_limit_;
  const detail::exception_watch exceptions_;
  MPI_Comm data_ = MPI_COMM_NULL, failures_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  /// Members, because MPI may still read them after an exception.
  call mine_{};
  std::vector<call> calls_;
  bool failed_ = false;
  std::string failure_;
};

}  // namespace evenfold
