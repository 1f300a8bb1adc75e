#pragma once
// `staged_communicator`: data in device memory, over a communicator of host memory.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/distributed/communicator.hpp"

namespace evenfold {

/// The ranks of `Host`, which must outlive the object. Data in device memory pass through buffers
/// in host memory, as many bytes as a rank sends and receives in one operation; data in host memory
/// go to `Host` as they are.
///
/// For an mpi_communicator on GPUs whose MPI does not read device memory.
template <communicator Host>
class staged_communicator {
 public:
  explicit staged_communicator(Host& host) : host_(&host) {}

  int rank() const { return host_->rank(); }
  int size() const { return host_->size(); }

  template <context Context>
  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    if constexpr (Context::side == memory_side::host) {
      local.synchronize();
      host_->exchange(memory_, sends, receives);
    } else {
      // One message after the other.
      std::size_t sent = 0;
      std::size_t received = 0;
      for (const outgoing_message& to : sends) sent += to.bytes;
      for (const incoming_message& from : receives) received += from.bytes;
      std::vector<std::byte> outgoing(sent);
      std::vector<std::byte> incoming(received);
      std::vector<outgoing_message> host_sends(sends.begin(), sends.end());
      std::vector<incoming_message> host_receives(receives.begin(), receives.end());
      std::byte* at = outgoing.data();
      for (outgoing_message& to : host_sends) {
        copy(local, to.data, to.bytes, at);
        to.data = std::exchange(at, at + to.bytes);
      }
      at = incoming.data();
      for (incoming_message& from : host_receives) from.data = std::exchange(at, at + from.bytes);
      local.synchronize();
      host_->exchange(memory_, host_sends, host_receives);
      for (std::size_t k = 0; k < receives.size(); ++k) {
        copy(local, host_receives[k].data, receives[k].bytes, receives[k].data);
      }
      local.synchronize();
    }
  }

  template <context Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to, byte_offsets offsets) {
    const auto mine = static_cast<std::size_t>(rank());
    stage(local, from, offsets[mine + 1] - offsets[mine], to, offsets.back(),
          [&](const std::byte* sent, std::byte* received) {
            host_->all_gather_v(memory_, sent, received, offsets);
          });
  }

  template <context Context>
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) {
    stage(local, from, from_offsets.back(), to, to_offsets.back(),
          [&](const std::byte* sent, std::byte* received) {
            host_->all_to_all_v(memory_, sent, from_offsets, received, to_offsets);
          });
  }

  template <context Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    if constexpr (Context::side == memory_side::host) {
      local.synchronize();
      host_->broadcast(memory_, data, bytes, root);
    } else {
      std::vector<std::byte> buffer(bytes);
      if (rank() == root) copy(local, data, bytes, buffer.data());
      local.synchronize();
      host_->broadcast(memory_, buffer.data(), bytes, root);
      if (rank() != root) copy(local, buffer.data(), bytes, data);
      local.synchronize();
    }
  }

  void barrier() { host_->barrier(); }
  void fail(std::string reason) noexcept { host_->fail(std::move(reason)); }

 private:
  /// Calls move(from, to) with the data in host memory.
  template <context Context, class Move>
  void stage(Context& local, const std::byte* from, std::size_t sent, std::byte* to,
             std::size_t received, Move move) {
    if constexpr (Context::side == memory_side::host) {
      local.synchronize();
      move(from, to);
    } else {
      std::vector<std::byte> outgoing(sent);
      std::vector<std::byte> incoming(received);
      copy(local, from, sent, outgoing.data());
      local.synchronize();
      move(outgoing.data(), incoming.data());
      copy(local, incoming.data(), received, to);
      local.synchronize();
    }
  }

  Host* host_;
  reference_context memory_;
};

}  // namespace evenfold
