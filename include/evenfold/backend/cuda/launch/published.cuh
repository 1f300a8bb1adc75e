#pragma once
// Launches the kernels of backend/cuda/device/published.cuh.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// The memory of `count` published values, none of which is present yet. Scratch: 8 bytes per
/// value, 16 for values of 5 to 8 bytes, and 8 + sizeof(T) for larger ones.
template <class T>
class published_row {
 public:
  published_row(cuda_context& ctx, std::size_t count)
      : flags_(ctx, count), values_(ctx, published<T>::packed ? 0 : count) {
    if (count > 0) {
      ctx.fill_bytes(flags_.data(), 0, count * sizeof(typename published<T>::word_type));
    }
  }
  published<T> view() { return {flags_.data(), values_.data()}; }

 private:
  array<typename published<T>::word_type> flags_;
  array<uninitialized<T>> values_;
};

}  // namespace evenfold::device
