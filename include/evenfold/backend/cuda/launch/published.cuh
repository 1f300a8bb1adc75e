#pragma once
// Launches the kernels of backend/cuda/device/published.cuh.

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/scratch.cuh"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// Words for `count` flags, whose upper half has a generation that none of them holds yet; the next
/// kernel may overwrite them. Scratch: nothing for up to 2^16 of them, which the context keeps, or
/// the words, where there are more or the work is captured into a graph.
template <class Word>
class flag_row {
 public:
  flag_row(cuda_context& ctx, std::size_t count) {
    if (count <= ctx.flags_capacity && !ctx.is_capturing()) {
      flags_ = ctx.next_flags<Word>();
    } else {
      own_ = array<Word>(ctx, count);
      ctx.fill_bytes(own_.data(), 0, count * sizeof(Word));
      flags_ = {own_.data(), 1};
    }
  }
  Word* words() const { return flags_.words; }
  /// Words of 8 bytes that a kernel adds to by atomic operations.
  unsigned long long* counters() const
    requires(sizeof(Word) == sizeof(unsigned long long))
  {
    return reinterpret_cast<unsigned long long*>(flags_.words);
  }
  std::uint32_t generation() const { return flags_.generation; }

 private:
  flag_words<Word> flags_;
  array<Word> own_;
};

/// The memory of `count` published values, none of which is present yet; the next kernel may
/// overwrite it. Scratch: that of the flags, of 8 bytes, or of 16 for values of 5 to 8 bytes or
/// with a gap (gap_at); larger values, which do not share a word with their flag, take sizeof(T)
/// more each.
template <class T>
class published_row {
 public:
  published_row(cuda_context& ctx, std::size_t count)
      : flags_(ctx, count), values_(ctx, published<T>::packed ? 0 : count) {}
  published<T> view() { return {flags_.words(), values_.data(), flags_.generation()}; }

 private:
  flag_row<typename published<T>::word_type> flags_;
  kernel_scratch<uninitialized<T>> values_;
};

}  // namespace evenfold::device
