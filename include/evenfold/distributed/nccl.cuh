#pragma once
// Ranks that are GPUs, by NCCL. A host communicator bootstraps NCCL and moves what is in host
// memory: threads, one per GPU, or processes, by MPI or distributed/tcp.hpp, which meet at an
// address or by a file. NCCL moves what is in device memory.
//
// A kernel of NCCL waits on the device for the other GPUs, where no exception reaches it. Before
// data move, the ranks therefore meet in the host communicator and compare their sizes: a rank that
// has failed is found there. Between that meeting and the kernels no code of users runs. While the
// kernels run, the rank polls them, the errors of NCCL, and failures that the host communicator
// hears of; after an error, or the time limit, it aborts its NCCL communicator, which ends the
// kernels.
//
// The call returns when the stream is done, so that the host communicator and NCCL never move data
// on a GPU at the same time.

#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/failures.hpp"

namespace evenfold {

template <communicator Host>
class nccl_communicator {
 public:
  /// Called by all ranks of `host`, each with the context of its own GPU. Both must outlive the
  /// communicator. Ranks in one process call cuda_context::allow_peers() first, since NCCL reads
  /// and writes their arrays directly.
  nccl_communicator(Host& host, cuda_context& gpu,
                    std::chrono::milliseconds time_limit = std::chrono::minutes(10))
      : host_(&host), device_(gpu.device()), time_limit_(time_limit) {
    reference_context memory;
    ncclUniqueId id{};
    if (rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    host.broadcast(memory, reinterpret_cast<std::byte*>(&id), sizeof(id), 0);
    const device::device_scope scope(device_);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&nccl_, size(), id, rank(), &config), "ncclCommInitRankConfig");
    poll("ncclCommInitRankConfig", [] { return true; });
  }
  nccl_communicator(const nccl_communicator&) = delete;
  nccl_communicator& operator=(const nccl_communicator&) = delete;

  /// Waits for the other ranks, whose kernels may still read the buffers of this one; not during an
  /// exception.
  ~nccl_communicator() {
    if (nccl_ == nullptr) return;
    try {
      if (!exceptions_.is_unwinding()) host_->barrier();
    } catch (const communication_error&) {
      // The other ranks have the error.
    }
    ncclCommAbort(nccl_);
  }

  int rank() const { return host_->rank(); }
  int size() const { return host_->size(); }

  template <context Context>
  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) {
    if constexpr (Context::side == memory_side::host) {
      host_->exchange(local, sends, receives);
    } else {
      const auto ranks = static_cast<std::size_t>(size());
      std::vector<std::uint64_t> sizes(ranks);
      for (const outgoing_message& to : sends) sizes[static_cast<std::size_t>(to.rank)] = to.bytes;
      const std::vector<std::uint64_t> all = meet(sizes);
      for (const incoming_message& from : receives) {
        const auto sender = static_cast<std::size_t>(from.rank);
        const std::uint64_t sent = all[sender * ranks + static_cast<std::size_t>(rank())];
        const std::string wrong =
            detail::check_bytes("exchange", from.rank, sent, rank(), from.bytes);
        if (!wrong.empty()) wrong_sizes(wrong);
      }
      host_->barrier();  // all sizes fit, or all ranks have the error
      run(local, "exchange", [&] {
        check(ncclGroupStart(), "ncclGroupStart");
        for (const outgoing_message& to : sends) {
          if (to.bytes == 0) continue;
          check(ncclSend(to.data, to.bytes, ncclInt8, to.rank, nccl_, local.stream()), "ncclSend");
        }
        for (const incoming_message& from : receives) {
          if (from.bytes == 0) continue;
          check(ncclRecv(from.data, from.bytes, ncclInt8, from.rank, nccl_, local.stream()),
                "ncclRecv");
        }
        check(ncclGroupEnd(), "ncclGroupEnd");
      });
    }
  }

  template <context Context>
  void all_gather_v(Context& local, const std::byte* from, std::byte* to, byte_offsets offsets) {
    if constexpr (Context::side == memory_side::host) {
      host_->all_gather_v(local, from, to, offsets);
    } else {
      const auto mine = static_cast<std::size_t>(rank());
      std::vector<outgoing_message> sends;
      std::vector<incoming_message> receives;
      for (int r = 0; r < size(); ++r) {
        const auto k = static_cast<std::size_t>(r);
        sends.push_back({r, from, offsets[mine + 1] - offsets[mine]});
        receives.push_back({r, to + offsets[k], offsets[k + 1] - offsets[k]});
      }
      exchange(local, sends, receives);
    }
  }

  template <context Context>
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) {
    if constexpr (Context::side == memory_side::host) {
      host_->all_to_all_v(local, from, from_offsets, to, to_offsets);
    } else {
      std::vector<outgoing_message> sends;
      std::vector<incoming_message> receives;
      for (int r = 0; r < size(); ++r) {
        const auto k = static_cast<std::size_t>(r);
        sends.push_back({r, from + from_offsets[k], from_offsets[k + 1] - from_offsets[k]});
        receives.push_back({r, to + to_offsets[k], to_offsets[k + 1] - to_offsets[k]});
      }
      exchange(local, sends, receives);
    }
  }

  template <context Context>
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) {
    if constexpr (Context::side == memory_side::host) {
      host_->broadcast(local, data, bytes, root);
    } else {
      const std::vector<std::uint64_t> all = meet({bytes, static_cast<std::uint64_t>(root)});
      for (std::size_t k = 2; k < all.size(); ++k) {
        if (all[k] != all[k % 2]) wrong_sizes("the ranks broadcast other bytes, or from others");
      }
      run(local, "broadcast", [&] {
        check(ncclBroadcast(data, data, bytes, ncclInt8, root, nccl_, local.stream()),
              "ncclBroadcast");
      });
    }
  }

  /// Ranks in one process read the arrays of each other without NCCL, if `Host` says that they can.
  template <context Context>
    requires(lending_communicator<Host, Context>)
  bool can_lend(Context& local, bool own) {
    return host_->can_lend(local, own);
  }
  template <context Context, class T, class Use>
    requires(lending_communicator<Host, Context>)
  void lend(Context& local, const T& mine, Use use) {
    host_->lend(local, mine, use);
  }

  void barrier() { host_->barrier(); }
  void fail(std::string reason) noexcept { host_->fail(std::move(reason)); }

 private:
  /// The numbers of all ranks.
  std::vector<std::uint64_t> meet(const std::vector<std::uint64_t>& numbers) {
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<std::size_t> offsets(ranks + 1);
    for (std::size_t r = 0; r <= ranks; ++r) {
      offsets[r] = r * numbers.size() * sizeof(std::uint64_t);
    }
    std::vector<std::uint64_t> all(ranks * numbers.size());
    reference_context memory;
    host_->all_gather_v(memory, reinterpret_cast<const std::byte*>(numbers.data()),
                        reinterpret_cast<std::byte*>(all.data()), offsets);
    return all;
  }

  [[noreturn]] void wrong_sizes(const std::string& what) {
    host_->fail(what);
    throw communication_error(what);
  }

  template <class Start>
  void run(cuda_context& gpu, const char* operation, Start start) {
    const device::device_scope scope(device_);
    start();
    poll(operation, [&] {
      const cudaError_t state = cudaStreamQuery(gpu.stream());
      if (state != cudaErrorNotReady) device::check_cuda(state, operation);
      return state == cudaSuccess;
    });
  }

  /// Waits until NCCL has no call in progress, and then until done().
  template <class Done>
  void poll(const char* operation, Done done) {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t polls = 1;; ++polls) {
      ncclResult_t state = ncclSuccess;
      check(ncclCommGetAsyncError(nccl_, &state), "ncclCommGetAsyncError");
      check(state, operation);
      if (state == ncclSuccess && done()) return;
      if (std::chrono::steady_clock::now() - start > time_limit_) {
        abort(std::string(operation) + ": NCCL has not ended after " +
              std::to_string(time_limit_.count()) + " ms");
      }
      if (polls % 64 == 0) check_host();
      std::this_thread::yield();
    }
  }

  /// Another rank may have failed, and will never come to the kernels.
  void check_host() {
    if constexpr (requires { host_->check(); }) {
      try {
        host_->check();
      } catch (const communication_error& e) {
        abort(e.what());
      }
    }
  }

  void check(ncclResult_t result, const char* call) {
    if (result == ncclSuccess || result == ncclInProgress) return;
    abort(std::string(call) + ": " + ncclGetErrorString(result));
  }

  [[noreturn]] void abort(const std::string& reason) {
    if (nccl_ != nullptr) ncclCommAbort(nccl_);
    nccl_ = nullptr;
    host_->fail(reason);
    throw communication_error(reason);
  }

  Host* host_;
  int device_;
  std::chrono::milliseconds time_limit_;
  detail::exception_watch exceptions_;
  ncclComm_t nccl_ = nullptr;
};

}  // namespace evenfold
