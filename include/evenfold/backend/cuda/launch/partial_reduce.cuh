#pragma once
// partial_reduce on a GPU: the blocks that a range is cut into grow from left to right and then
// shrink. The kernel of reduce folds all shrinking blocks, which begin at a multiple of their
// lengths, in one launch, and each growing block in a launch of its own. It delivers their folds to
// the host, which may launch other work before it waits for them.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/backend/cuda/device/partial_reduce.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/reduce.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::backend {

/// A partial fold that the device computes: the conversion to a partial_fold waits for it. Nothing
/// else may be delivered to the mailbox of the context before that.
template <class T>
class pending_partial_fold {
  using value = device::uninitialized<T>;
  static constexpr bool to_mailbox = device::mailbox::takes<value>(partial_fold<T>::capacity);

 public:
  template <class Tuning, class Size, class F, class Op>
  pending_partial_fold(cuda_context& ctx, Tuning, Size count, F f, Op op, std::uint64_t begin)
      : ctx_(&ctx), begin_(begin), end_(begin + static_cast<std::uint64_t>(count)) {
    if (count == 0) return;
    if constexpr (to_mailbox) {
      sent_ = ctx.to_mailbox<value>();
    } else {
      folds_ = array<value>(ctx, partial_fold<T>::capacity);
      sent_.out = folds_.data();
    }
    for (std::uint64_t at = begin_; at < end_;) {
      const std::uint64_t length = std::min(longest_launch(at), end_ - at);
      deliver_blocks<Tuning>(ctx, static_cast<Size>(length),
                             device::items_from(f, static_cast<Size>(at - begin_)), op,
                             sent_.at(num_blocks_));
      num_blocks_ += detail::num_fold_blocks(at, at + length);
      at += length;
    }
  }

  operator partial_fold<T>() const {
    if (num_blocks_ == 0) return partial_fold<T>(begin_);
    std::vector<value> folds;
    if constexpr (to_mailbox) {
      folds.reserve(static_cast<std::size_t>(num_blocks_));
      for (int k = 0; k < num_blocks_; ++k) folds.push_back(ctx_->from_mailbox(sent_.at(k)));
    } else {
      folds = to_host(*ctx_, folds_.data(), static_cast<std::size_t>(num_blocks_));
    }
    return {begin_, end_, &folds.data()->value};
  }

 private:
  /// The items before a run, or the block that begins at a run; any number of items from 0 on.
  static std::uint64_t longest_launch(std::uint64_t at) {
    if (at == 0) return ~at;
    const std::uint64_t after_run = at % detail::fold_run;
    return after_run > 0 ? detail::fold_run - after_run : at & (~at + 1);
  }

  cuda_context* ctx_;
  std::uint64_t begin_, end_;
  int num_blocks_ = 0;
  device::delivery<value> sent_;
  array<value> folds_;
};

template <class Tuning, class T, std::integral Size, class F, class Op>
pending_partial_fold<T> partial_reduce(cuda_context& ctx, Size count, F f, Op op,
                                       std::uint64_t begin) {
  return {ctx, Tuning{}, count, f, op, begin};
}

}  // namespace evenfold::backend
