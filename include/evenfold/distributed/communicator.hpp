#pragma once
// The concept of a communicator: what ranks need to exchange data.
//
// A rank is one of several contexts that run the same program, each on its own part of the data: a
// thread, a process, or a GPU. The models of the concept move bytes and know nothing of element
// types: thread_communicator (distributed/threads.hpp), mpi_communicator (distributed/mpi.hpp),
// tcp_communicator (distributed/tcp.hpp) and nccl_communicator (distributed/nccl.cuh).
//
// Laws, for every model:
// - All ranks call the same operations in the same order. An operation returns when the data of
//   this rank have arrived, and its own may be changed.
// - Operations that differ between ranks, and sizes that do not fit, are a communication_error on
//   all ranks.
// - When a rank fails, by fail() or by its end, every operation that another rank waits in, and
//   every later one, throws a communication_error that names the rank. No rank waits forever: an
//   operation fails when a rank has not come after the time limit of the communicator.

#include <concepts>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/core/context.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

/// The ranks do not make the same calls, or one of them has failed. The communicator cannot be used
/// any more.
class communication_error : public error {
 public:
  using error::error;
};

/// Bytes for another rank, or from it.
struct outgoing_message {
  int rank;
  const std::byte* data;
  std::size_t bytes;
};
struct incoming_message {
  int rank;
  std::byte* data;
  std::size_t bytes;
};

/// The data of all ranks in one buffer: those of rank r are the bytes [offsets[r], offsets[r + 1]).
using byte_offsets = std::span<const std::size_t>;

/// `local` is the context in whose memory the data are; a model orders its copies with the work of
/// that context.
///
/// - `exchange(local, sends, receives)`: a group of messages, at most one from a rank to another
///   one in each direction. A rank may send to itself.
/// - `all_gather_v(local, from, to, offsets)`: `from` has the bytes of this rank, `to` gets those
///   of all ranks. The offsets are the same on all ranks.
/// - `all_to_all_v(local, from, from_offsets, to, to_offsets)`: part r of `from` goes to rank r,
///   part r of `to` comes from rank r.
/// - `broadcast(local, data, bytes, root)`: the bytes of rank `root` go to all others.
/// - `barrier()`: returns when all ranks have called it.
/// - `fail(reason)`: tells all ranks that this one cannot go on. Does nothing after the first
///   failure, and never throws, since the rank may have failed for lack of memory.
template <class C, class Context = class reference_context>
concept communicator =
    requires(C& c, const C& constant, Context& local, std::span<const outgoing_message> sends,
             std::span<const incoming_message> receives, const std::byte* from, std::byte* to,
             byte_offsets offsets, std::size_t bytes, std::string reason) {
      { constant.rank() } -> std::same_as<int>;
      { constant.size() } -> std::same_as<int>;
      c.exchange(local, sends, receives);
      c.all_gather_v(local, from, to, offsets);
      c.all_to_all_v(local, from, offsets, to, offsets);
      c.broadcast(local, to, bytes, int{});
      c.barrier();
      { c.fail(std::move(reason)) } noexcept;
    };

/// A communicator whose ranks can read the data of each other where they are.
///
/// - `can_lend(local, own)`: called by all ranks: whether all of them can read the arrays of all
///   others. `own` is whether a rank has arrays that others may read.
/// - `lend(local, mine, use)`: calls use(all), where all[r] points to the object `mine` of rank r,
///   which holds the addresses of its arrays. These stay as they are until the work that any rank
///   has submitted to its context in use() has ended.
template <class C, class Context = class reference_context>
concept lending_communicator =
    communicator<C, Context> &&
    requires(C& c, Context& local, const int& mine, void (*use)(std::span<const int* const>)) {
      { c.can_lend(local, bool{}) } -> std::same_as<bool>;
      c.lend(local, mine, use);
    };

namespace detail {

/// The parts of a reason for fail(), or a text that needs no memory if there is none for them.
inline std::string failure_reason(std::initializer_list<std::string_view> parts) noexcept {
  try {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
  } catch (const std::exception&) {
    return "out of memory";
  }
}

/// The reason that the other ranks are told.
inline std::string failure_of_rank(int rank, std::string_view reason) noexcept {
  return failure_reason({"rank ", std::to_string(rank), " has failed: ", reason});
}

}  // namespace detail

}  // namespace evenfold
