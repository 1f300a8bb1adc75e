#pragma once
// workspace, workspace_bytes: memory that the caller brings for the arrays and the scratch of
// calls, and how much of it a call takes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory_resource>
#include <mutex>
#include <new>

#include "evenfold/core/context.hpp"

namespace evenfold {

namespace detail {

/// Which parts of a block of memory are taken. A part is the first free one that is large enough.
class taken_parts {
 public:
  explicit taken_parts(std::size_t bytes) {
    if (bytes > 0) free_.emplace(0, bytes);
  }

  /// The offset of a part. Throws std::bad_alloc if there is none.
  std::size_t take(std::size_t bytes, std::size_t alignment) {
    for (auto part = free_.begin(); part != free_.end(); ++part) {
      const auto [begin, end] = *part;
      const std::size_t at = (begin + alignment - 1) / alignment * alignment;
      if (at < begin || at > end || end - at < bytes) continue;
      free_.erase(part);
      if (begin < at) free_.emplace(begin, at);
      if (at + bytes < end) free_.emplace(at + bytes, end);
      most_ = std::max(most_, at + bytes);
      return at;
    }
    throw std::bad_alloc();
  }

  void give_back(std::size_t at, std::size_t bytes) {
    std::size_t end = at + bytes;
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == end) {
      end = next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->second == at) {
      std::prev(next)->second = end;
    } else {
      free_.emplace(at, end);
    }
  }

  /// The end of the last part that has ever been taken.
  std::size_t most() const { return most_; }

 private:
  std::map<std::size_t, std::size_t> free_;  // the ends of the free parts, by their beginnings
  std::size_t most_ = 0;
};

/// Takes memory from another resource, and keeps account of the bytes that a workspace would need.
class memory_meter final : public std::pmr::memory_resource {
 public:
  explicit memory_meter(std::pmr::memory_resource* from) : from_(from) {}

  std::size_t bytes() const { return parts_.most(); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    void* const memory = from_->allocate(bytes, alignment);
    offsets_.emplace(memory, parts_.take(bytes, alignment));
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    const auto known = offsets_.find(memory);
    parts_.give_back(known->second, bytes);
    offsets_.erase(known);
    from_->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource* from_;
  std::mutex mutex_;
  taken_parts parts_{std::numeric_limits<std::size_t>::max()};
  std::map<const void*, std::size_t> offsets_;
};

/// The alignment of arrays, to which a workspace rounds the address that it is given.
inline constexpr std::size_t workspace_alignment = 256;

}  // namespace detail

/// Memory of the caller's for the arrays and the scratch of the calls of one context, which takes
/// nothing else from its memory resource then:
///
///     auto own = ctx.with_memory(workspace);
///     ef::sort(own, keys, ef::less{});
///
/// The memory is on the side of the context, and outlives the workspace, which outlives the
/// context. Where it does not suffice, a call throws allocation_error as usual. On a GPU parts are
/// used again in the order of the context's stream: one workspace serves one stream. Thread-safe.
///
/// Example: examples/workspace.cpp.
class workspace final : public std::pmr::memory_resource {
 public:
  workspace(void* memory, std::size_t bytes)
      : begin_(aligned(memory, bytes)), parts_(bytes - (begin_ - static_cast<char*>(memory))) {}
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

 private:
  /// The first aligned address, or the end of the memory if that comes before.
  static char* aligned(void* memory, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::size_t past = address % detail::workspace_alignment;
    const std::size_t skipped = past == 0 ? 0 : detail::workspace_alignment - past;
    return static_cast<char*>(memory) + std::min(skipped, bytes);
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    return begin_ + parts_.take(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override {
    const std::lock_guard lock(mutex_);
    parts_.give_back(static_cast<std::size_t>(static_cast<char*>(memory) - begin_), bytes);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  char* begin_;
  std::mutex mutex_;
  detail::taken_parts parts_;
};

/// The size of a workspace that suffices for `call`: runs call(c), where c is a context like `ctx`,
/// and returns the bytes that it needs at most at a time for its arrays and its scratch, with room
/// to align them. Calls on inputs of the same sizes need as much, except where the documentation
/// says that scratch or results depend on the data.
///
///     const std::size_t bytes = ef::workspace_bytes(
///         ctx, [&](ef::cuda_context& c) { ef::sort(c, keys, ef::less{}); });
///
/// Takes the memory from `ctx`. Waits. Errors: those of `call`. Example: examples/workspace.cpp.
/// Names elsewhere: the first one of the two calls of CUB's functions, which does not run.
template <context Context, class Call>
std::size_t workspace_bytes(Context& ctx, Call call) {
  detail::memory_meter meter(ctx.memory());
  {
    Context like = ctx.with_memory(meter);
    call(like);
    like.synchronize();
  }
  return meter.bytes() == 0 ? 0 : meter.bytes() + detail::workspace_alignment;
}

}  // namespace evenfold
