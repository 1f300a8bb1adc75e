#pragma once
// Ranks that are processes which meet at an address or by a file, without MPI. They exchange the
// few bytes that bootstrap NCCL and that its ranks compare before each call.
//
// Every rank is connected with rank 0, which receives the calls of all ranks, compares them, and
// sends each rank its data. Data in host memory thus pass through rank 0; large data should be in
// device memory, which NCCL moves, or use MPI. When a process ends, its connection is closed, which
// rank 0 notices and reports to all others.

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/core/context.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/failures.hpp"
#include "evenfold/distributed/meeting.hpp"
#include "evenfold/distributed/sockets.hpp"

namespace evenfold {

/// The ranks of processes that meet at a place. Data lie in host memory; an nccl_communicator or a
/// staged_communicator over it takes device memory.
///
/// If the object is destroyed by an exception, or its process ends, the other ranks get a
/// communication_error. Nothing is encrypted: the network must be one whose users are trusted.
///
/// Example: tests/tcp_test.cpp.
class tcp_communicator {
 public:
  /// Called by `size` processes with ranks from 0 on. Returns when all have connected.
  ///
  /// - `place`: `HOST:PORT`, an address of rank 0, which listens there; or `file:PATH`, a file that
  ///   all can read, which rank 0 writes when it listens at a free port, and removes when all have
  ///   connected. A file of an earlier launch is ignored. Rank 0 can pass `socket:NUMBER` instead,
  ///   a socket of its own that listens already: the caller tells the others its address.
  /// - `meeting_limit`: how long a rank waits for the others to connect.
  /// - `time_limit`: how long a rank waits for the others in one operation.
  ///
  /// Errors: argument_error for a rank that is not in [0, size), or a place that is neither;
  /// communication_error if a rank does not come in time, comes twice, or expects another size.
  tcp_communicator(const std::string& place, int rank, int size,
                   std::chrono::milliseconds meeting_limit = std::chrono::minutes(1),
                   std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : rank_(rank), size_(size), time_limit_(time_limit) {
    if (rank < 0 || rank >= size) {
      detail::refuse_argument("tcp_communicator", "rank", rank,
                              "there are " + std::to_string(size) + " ranks",
                              "pass a number from 0 to size - 1 that no other process has");
    }
    if (detail::is_socket(place)) {
      if (rank != 0) {
        detail::refuse_argument("tcp_communicator", "place", place, "rank 0 alone has its socket",
                                "pass its address, HOST:PORT");
      }
    } else if (!place.starts_with("file:")) {
      detail::parse_address(place);
    }
    others_ = detail::meet({place, rank, size, meeting_limit});
  }
  tcp_communicator(const tcp_communicator&) = delete;
  tcp_communicator& operator=(const tcp_communicator&) = delete;

  ~tcp_communicator() {
    if (exceptions_.is_unwinding()) {
      fail(detail::failure_reason({"an exception has left its last call"}));
    }
    // The other ranks read why before the connections are closed.
    if (failed_) static_cast<void>(all_have_ended(std::chrono::seconds(1)));
    if (failed_) return;
    try {
      move("return", 0, {}, {});
    } catch (const communication_error&) {
      // The other ranks have the error.
    }
  }

  int rank() const { return rank_; }
  int size() const { return size_; }

  template <context Context>
  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    local.synchronize();
    std::vector<part> sent(ranks());
    std::vector<place_of_part> received(ranks());
    for (const outgoing_message& to : sends) sent[index(to.rank)] = {to.data, to.bytes};
    for (const incoming_message& from : receives)
      received[index(from.rank)] = {from.data, from.bytes};
    move("exchange", 0, sent, received);
  }

  template <context Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to, byte_offsets offsets) {
    local.synchronize();
    const std::size_t own = offsets[index(rank_) + 1] - offsets[index(rank_)];
    move("all_gather_v", offsets.back(), std::vector<part>(ranks(), {from, own}),
         places(to, offsets));
  }

  template <context Context>
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) {
    local.synchronize();
    std::vector<part> sent;
    for (std::size_t r = 0; r < ranks(); ++r) {
      sent.push_back({from + from_offsets[r], from_offsets[r + 1] - from_offsets[r]});
    }
    move("all_to_all_v", 0, sent, places(to, to_offsets));
  }

  template <context Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    local.synchronize();
    std::vector<part> sent(ranks());
    std::vector<place_of_part> received(ranks());
    if (rank_ == root) sent.assign(ranks(), {data, bytes});
    received[index(root)] = {data, bytes};
    move("broadcast", static_cast<std::uint64_t>(root), sent, received);
  }

  void barrier() { move("barrier", 0, {}, {}); }

  void fail(const std::string& reason) noexcept { report(detail::failure_of_rank(rank_, reason)); }

  /// Throws communication_error if another rank has failed. For ranks that wait for something else
  /// than an operation of this communicator.
  void check() {
    if (failed_) throw communication_error(failure_);
    for (std::size_t k = 0; k < others_.size(); ++k) {
      if (!others_[k]) continue;
      std::uint32_t kind = 0;
      const ssize_t count = recv(others_[k].get(), &kind, sizeof(kind), MSG_PEEK | MSG_DONTWAIT);
      const bool is_waiting = count < 0 && (errno == EAGAIN || errno == EINTR);
      const bool is_call = count > 0 && kind != header::failure;
      if (!is_waiting && !is_call) receive(k, "check", deadline());
    }
  }

  /// After a failure: whether all ranks have called this before the time is over.
  bool all_have_ended(std::chrono::milliseconds time) noexcept {
    const auto end = std::chrono::steady_clock::now() + time;
    bool all = true;
    if (rank_ != 0) shutdown(others_[0].get(), SHUT_WR);
    for (const detail::descriptor& other : others_) {
      if (other) all = drain(other.get(), end) && all;
    }
    if (rank_ != 0) return all && std::memcmp(last_, farewell, sizeof(last_)) == 0;
    for (const detail::descriptor& other : others_) {
      if (!other || !all) continue;
      detail::send_all(other.get(), farewell, sizeof(farewell), end);
      shutdown(other.get(), SHUT_WR);
    }
    return all;
  }

 private:
  static constexpr char farewell[8] = {'a', 'l', 'l', ' ', 'e', 'n', 'd', 's'};

  struct part {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  struct place_of_part {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };

  /// The header of a message.
  struct header {
    enum kind_of : std::uint32_t { call, answer, failure } kind;
    std::uint32_t unused = 0;
    char operation[16] = {};
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
  };

  /// The call of a rank, as rank 0 receives it: the sizes of its parts for all ranks, the sizes
  /// that it expects, and the parts, one after another.
  struct call_of_rank {
    header head{header::call};
    std::vector<std::uint64_t> sent, expected;
    std::vector<std::byte> bytes;
  };

  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  detail::time_point deadline() const { return std::chrono::steady_clock::now() + time_limit_; }

  std::vector<place_of_part> places(std::byte* to, byte_offsets offsets) const {
    std::vector<place_of_part> result;
    for (std::size_t r = 0; r < ranks(); ++r) {
      result.push_back({to + offsets[r], offsets[r + 1] - offsets[r]});
    }
    return result;
  }

  /// The operation that all others are made of: part r of `sent` goes to rank r, and the data from
  /// rank r go to part r of `received`. If both are empty, it is a barrier.
  void move(const char* operation, std::uint64_t number, std::vector<part> sent,
            std::vector<place_of_part> received) {
    if (failed_) throw communication_error(failure_);
    sent.resize(ranks());
    received.resize(ranks());
    call_of_rank mine;
    std::strncpy(mine.head.operation, operation, sizeof(mine.head.operation) - 1);
    mine.head.number = number;
    for (const part& to : sent) mine.sent.push_back(to.bytes);
    for (const place_of_part& from : received) mine.expected.push_back(from.bytes);
    for (std::size_t r = 0; r < ranks(); ++r) {
      if (r == index(rank_)) continue;
      mine.bytes.insert(mine.bytes.end(), sent[r].data, sent[r].data + sent[r].bytes);
    }
    const auto end = deadline();
    const std::vector<std::byte> got =
        rank_ == 0 ? pass_on(operation, std::move(mine), end) : ask(operation, mine, end);
    const std::byte* next = got.data();
    for (std::size_t r = 0; r < ranks(); ++r) {
      const place_of_part& to = received[r];
      if (to.bytes == 0) continue;
      const bool is_own = r == index(rank_);
      if (is_own) {
        std::memmove(to.data, sent[r].data, to.bytes);
      } else {
        std::memcpy(to.data, next, to.bytes);
        next += to.bytes;
      }
    }
  }

  /// Sends the call to rank 0, and returns the parts for this rank.
  std::vector<std::byte> ask(const char* operation, call_of_rank& mine, detail::time_point end) {
    mine.head.bytes = mine.bytes.size();
    send(0, operation, &mine.head, sizeof(header), end);
    send(0, operation, mine.sent.data(), ranks() * sizeof(std::uint64_t), end);
    send(0, operation, mine.expected.data(), ranks() * sizeof(std::uint64_t), end);
    send(0, operation, mine.bytes.data(), mine.bytes.size(), end);
    return receive(0, operation, end).bytes;
  }

  /// Gets the calls of all ranks, and answers them. Returns the parts for rank 0.
  std::vector<std::byte> pass_on(const char* operation, call_of_rank mine, detail::time_point end) {
    std::vector<call_of_rank> calls(ranks());
    calls[0] = std::move(mine);
    std::vector<pollfd> waiting;
    for (std::size_t left = ranks() - 1; left > 0;) {
      waiting.clear();
      for (std::size_t r = 1; r < ranks(); ++r) {
        const bool has_come = !calls[r].sent.empty();
        waiting.push_back({has_come ? -1 : others_[r].get(), POLLIN, 0});
      }
      const int ready = poll(waiting.data(), waiting.size(), detail::milliseconds_until(end));
      if (ready == 0) {
        end_all(detail::waited_in_vain(operation, 0, time_limit_));
      }
      for (std::size_t r = 1; r < ranks(); ++r) {
        if (waiting[r - 1].revents == 0) continue;
        calls[r] = receive(r, operation, end);
        --left;
      }
    }
    compare(calls);
    std::vector<std::byte> own;
    for (std::size_t r = 0; r < ranks(); ++r) {
      std::vector<part> parts;
      header head{header::answer};
      for (std::size_t q = 0; q < ranks(); ++q) {
        if (q == r || calls[q].sent[r] == 0) continue;
        std::size_t begin = 0;
        for (std::size_t k = 0; k < r; ++k) begin += k == q ? 0 : calls[q].sent[k];
        parts.push_back({calls[q].bytes.data() + begin, calls[q].sent[r]});
        head.bytes += parts.back().bytes;
      }
      if (r > 0) send(r, operation, &head, sizeof(head), end);
      for (const part& one : parts) {
        if (r > 0) {
          send(r, operation, one.data, one.bytes, end);
        } else {
          own.insert(own.end(), one.data, one.data + one.bytes);
        }
      }
    }
    return own;
  }

  void compare(const std::vector<call_of_rank>& calls) {
    std::string wrong = detail::first_other_call(
        size_, [&](int r) -> const header& { return calls[index(r)].head; });
    for (int q = 0; q < size_; ++q) {
      for (int r = 0; r < size_ && wrong.empty(); ++r) {
        wrong = detail::check_bytes(calls[0].head.operation, q, calls[index(q)].sent[index(r)], r,
                                    calls[index(r)].expected[index(q)]);
      }
    }
    if (!wrong.empty()) end_all(std::move(wrong));
  }

  void send(std::size_t other, const char* operation, const void* data, std::size_t bytes,
            detail::time_point end) {
    const detail::transfer sent = detail::send_all(others_[other].get(), data, bytes, end);
    // The data that have arrived may contain the reason why the connection was closed.
    if (sent == detail::transfer::closed) receive(other, operation, end);
    if (sent != detail::transfer::done) lose(other, operation, sent);
  }

  /// A call, or an answer, of which only the bytes are set.
  call_of_rank receive(std::size_t other, const char* operation, detail::time_point end) {
    call_of_rank result;
    const auto take = [&](void* data, std::size_t bytes) {
      const auto got = detail::receive_all(others_[other].get(), data, bytes, end);
      if (got != detail::transfer::done) lose(other, operation, got);
    };
    take(&result.head, sizeof(header));
    if (result.head.kind == header::failure) {
      std::string text(std::min<std::uint64_t>(result.head.bytes, 1000), ' ');
      take(text.data(), text.size());
      end_all(std::move(text));
    }
    if (result.head.kind == header::call) {
      result.sent.resize(ranks());
      result.expected.resize(ranks());
      take(result.sent.data(), ranks() * sizeof(std::uint64_t));
      take(result.expected.data(), ranks() * sizeof(std::uint64_t));
    }
    result.bytes.resize(result.head.bytes);
    take(result.bytes.data(), result.bytes.size());
    return result;
  }

  [[noreturn]] void lose(std::size_t other, const char* operation, detail::transfer how) {
    const std::string who = "rank " + std::to_string(other);
    if (how == detail::transfer::late) {
      end_all(detail::waited_in_vain(operation, rank_, time_limit_));
    }
    end_all(who + " has failed: its process has ended");
  }

  [[noreturn]] void end_all(std::string reason) {
    report(std::move(reason));
    throw communication_error(failure_);
  }

  /// Tells the other ranks, through rank 0, of the first failure that this rank knows.
  void report(std::string failure) noexcept {
    if (failed_) return;
    failed_ = true;
    failure.resize(std::min<std::size_t>(failure.size(), 1000));
    failure_ = std::move(failure);
    header head{header::failure};
    head.bytes = failure_.size();
    const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (const detail::descriptor& other : others_) {
      if (!other) continue;
      detail::send_all(other.get(), &head, sizeof(head), soon);
      detail::send_all(other.get(), failure_.data(), failure_.size(), soon);
    }
  }

  /// Reads data until the other side ends, and keeps the last bytes. Returns false if it does not
  /// end in time.
  bool drain(int socket, detail::time_point end) noexcept {
    char bytes[256];
    for (;;) {
      if (!detail::wait_for_socket(socket, POLLIN, end)) return false;
      const ssize_t count = recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT);
      if (count == 0) return true;
      if (count < 0 && errno != EAGAIN && errno != EINTR) return true;
      for (ssize_t k = 0; k < count; ++k) {
        std::memmove(last_, last_ + 1, sizeof(last_) - 1);
        last_[sizeof(last_) - 1] = bytes[k];
      }
    }
  }

  const int rank_, size_;
  const std::chrono::milliseconds time_limit_;
  const detail::exception_watch exceptions_;
  std::vector<detail::descriptor> others_;  ///< rank 0: by rank, others: rank 0
  bool failed_ = false;
  std::string failure_;
  char last_[sizeof(farewell)] = {};
};

}  // namespace evenfold
