#pragma once
// Launches the kernels of backend/cuda/device/published.cuh.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/scratch.cuh"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// The memory of `count` published values, none of which is present yet; the next kernel may
/// overwrite it. Scratch: nothing for the flags of up to 2^16 values of up to 8 bytes, which the
/// context keeps; otherwise 8 bytes per value, 16 for values of 5 to 8 bytes, and 8 + sizeof(T) for
/// larger ones.
template <class T>
class published_row {
 public:
  published_row(cuda_context& ctx, std::size_t count)
      : values_(ctx, published<T>::packed ? 0 : count) {
    if (count <= ctx.flags_capacity && !ctx.is_capturing()) {
      flags_ = ctx.next_flags<word_type>();
    } else {
      own_flags_ = array<word_type>(ctx, count);
      ctx.fill_bytes(own_flags_.data(), 0, count * sizeof(word_type));
      flags_ = {own_flags_.data(), 1};
    }
  }
  published<T> view() { return {flags_.words, values_.data(), flags_.generation}; }

 private:
  using word_type = typename published<T>::word_type;

  flag_words<word_type> flags_;
  array<word_type> own_flags_;
  kernel_scratch<uninitialized<T>> values_;
};

}  // namespace evenfold::device
