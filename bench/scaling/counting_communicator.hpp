#pragma once
// A communicator that measures what another one does.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "evenfold/distributed/communicator.hpp"

namespace bench {

/// The calls of `Inner`. While `counts` is set, their times are added, and the bytes that other
/// ranks send to this one. The times include waiting for other ranks. The work before a call is
/// waited for first, so that its time is not that of the call.
template <class Inner>
class counting_communicator {
 public:
  explicit counting_communicator(Inner& inner) : inner_(&inner) {}

  bool counts = false;
  double milliseconds = 0;
  std::uint64_t received_bytes = 0;

  int rank() const { return inner_->rank(); }
  int size() const { return inner_->size(); }

  template <class Context>
  void exchange(Context& local, std::span<const evenfold::outgoing_message> sends,
                std::span<const evenfold::incoming_message> receives) {
    std::uint64_t bytes = 0;
    for (const auto& from : receives) bytes += from.rank == rank() ? 0 : from.bytes;
    measure(local, bytes, [&] { inner_->exchange(local, sends, receives); });
  }
  template <class Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to,
                    evenfold::byte_offsets offsets) {
    measure(local, offsets.back() - own_part(offsets),
            [&] { inner_->all_gather_v(local, from, to, offsets); });
  }
  template <class Context>
  void all_to_all_v(Context& local, const std::byte* from, evenfold::byte_offsets from_offsets,
                    std::byte* to, evenfold::byte_offsets to_offsets) {
    measure(local, to_offsets.back() - own_part(to_offsets),
            [&] { inner_->all_to_all_v(local, from, from_offsets, to, to_offsets); });
  }
  template <class Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    measure(local, root == rank() ? 0 : bytes,
            [&] { inner_->broadcast(local, data, bytes, root); });
  }
  /// Data that are read in place count as time, with the work that reads them, and not as bytes.
  template <class Context>
    requires(evenfold::lending_communicator<Inner, Context>)
  bool can_lend(Context& local, bool own) {
    return inner_->can_lend(local, own);
  }
  template <class Context, class T, class Use>
    requires(evenfold::lending_communicator<Inner, Context>)
  void lend(Context& local, const T& mine, Use use) {
    measure(local, 0, [&] { inner_->lend(local, mine, use); });
  }
  void barrier() { inner_->barrier(); }
  void fail(std::string reason) noexcept { inner_->fail(std::move(reason)); }

 private:
  std::uint64_t own_part(evenfold::byte_offsets offsets) const {
    const auto mine = static_cast<std::size_t>(rank());
    return offsets[mine + 1] - offsets[mine];
  }

  template <class Context, class Call>
  void measure(Context& local, std::uint64_t bytes, Call call) {
    if (!counts) return call();
    using clock = std::chrono::steady_clock;
    local.synchronize();
    const auto start = clock::now();
    call();
    milliseconds += std::chrono::duration<double, std::milli>(clock::now() - start).count();
    received_bytes += bytes;
  }

  Inner* inner_;
};

}  // namespace bench
