#pragma once
// Keeps large blocks of device memory that a context has freed, whole, for arrays of the same size.
//
// A pool of the driver cuts the blocks that it gets back, and joins parts of several for a large
// one: in each join of 2^27 rows, 537 MB that had been freed took half a millisecond of the host's
// time (docs/scaling.md).

#include <cuda_runtime.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "evenfold/backend/cuda/launch/memory.cuh"
#include "evenfold/backend/cuda/launch/stream.cuh"

namespace evenfold::device {

/// Large blocks of one stream, from another resource. The blocks in use and those kept take no more
/// together than blocks in use have taken at once: before they would, and when memory is exhausted,
/// the other resource gets all kept blocks back. Thread-safe if the other resource is.
class block_cache final : public stream_memory_resource {
 public:
  /// The driver has smaller blocks in about a microsecond.
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;

  /// All calls name `stream`, which outlives the cache.
  block_cache(std::unique_ptr<stream_memory_resource> from, cudaStream_t stream)
      : from_(std::move(from)), stream_(stream) {}
  block_cache(const block_cache&) = delete;
  block_cache& operator=(const block_cache&) = delete;
  ~block_cache() override { give_back(); }

  void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t stream) override {
    // A graph owns what it allocates.
    if (bytes < least_bytes || is_capturing(stream_))
      return from_->allocate(bytes, alignment, stream);
    const std::lock_guard lock(mutex_);
    const auto added = in_use_.insert(take(bytes, alignment));
    used_ += bytes;
    most_ = std::max(most_, used_);
    return added.position->memory;
  }

  void deallocate(void* memory, std::size_t bytes, std::size_t alignment,
                  cudaStream_t stream) noexcept override {
    const std::lock_guard lock(mutex_);
    const auto known = in_use_.find({bytes, alignment, memory});
    if (known == in_use_.end()) {
      from_->deallocate(memory, bytes, alignment, stream);
      return;
    }
    kept_.insert(in_use_.extract(known));
    used_ -= bytes;
    idle_ += bytes;
  }

  std::size_t idle_bytes() const override {
    const std::lock_guard lock(mutex_);
    return idle_ + from_->idle_bytes();
  }

  void allow_access(int device) override { from_->allow_access(device); }

 private:
  struct block {
    std::size_t bytes, alignment;
    void* memory;
    friend auto operator<=>(const block&, const block&) = default;
  };
  using blocks = std::set<block>;

  /// A kept block, or a new one. It is a node of a set, so that deallocate() allocates nothing.
  blocks::node_type take(std::size_t bytes, std::size_t alignment) {
    const block any{bytes, alignment, nullptr};
    const auto same = kept_.lower_bound(any);
    if (same != kept_.end() && same->bytes == bytes && same->alignment == alignment) {
      idle_ -= bytes;
      return kept_.extract(same);
    }
    blocks one{any};
    auto node = one.extract(one.begin());
    node.value().memory = allocate_new(bytes, alignment);
    return node;
  }

  void* allocate_new(std::size_t bytes, std::size_t alignment) {
    if (used_ + idle_ + bytes > most_) give_back();
    try {
      return from_->allocate(bytes, alignment, stream_);
    } catch (const std::bad_alloc&) {
      if (kept_.empty()) throw;
    }
    give_back();
    return from_->allocate(bytes, alignment, stream_);
  }

  void give_back() noexcept {
    for (const block& one : kept_) {
      from_->deallocate(one.memory, one.bytes, one.alignment, stream_);
    }
    kept_.clear();
    idle_ = 0;
  }

  std::unique_ptr<stream_memory_resource> from_;
  cudaStream_t stream_;
  mutable std::mutex mutex_;
  blocks in_use_, kept_;
  std::size_t used_ = 0, idle_ = 0, most_ = 0;  ///< bytes of blocks in use and kept
};

}  // namespace evenfold::device
