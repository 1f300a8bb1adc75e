#pragma once
// Scratch memory of kernels that need little: the context keeps it, so that nothing is allocated.

#include <cstddef>

#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// Memory for `count` elements, which kernels may use until another call takes scratch memory of
/// the context: memory that the context keeps where they fit, and an array otherwise.
template <class T>
class kernel_scratch {
 public:
  kernel_scratch(cuda_context& ctx, std::size_t count)
      : own_(ctx, count <= ctx.scratch_capacity<T>() ? 0 : count),
        data_(own_.size() > 0 ? own_.data() : ctx.scratch<T>()) {}
  T* data() { return data_; }

 private:
  array<T> own_;
  T* data_;
};

}  // namespace evenfold::device
