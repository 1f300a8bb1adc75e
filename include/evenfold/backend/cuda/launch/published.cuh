#pragma once
// The launch of backend/cuda/device/published.cuh: grid, scratch and order of the kernels.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// The memory of `places` published values, none of them present yet. Scratch: 8 bytes a place, 16
/// for values of 5 to 8 bytes, and a T beside it for larger ones.
template <class T>
class published_row {
 public:
  published_row(cuda_context& ctx, std::size_t places)
      : flags_(ctx, places), values_(ctx, published<T>::packed ? 0 : places) {
    if (places > 0) {
      ctx.fill_bytes(flags_.data(), 0, places * sizeof(typename published<T>::word_type));
    }
  }
  published<T> view() { return {flags_.data(), values_.data()}; }

 private:
  array<typename published<T>::word_type> flags_;
  array<uninitialized<T>> values_;
};

}  // namespace evenfold::device
