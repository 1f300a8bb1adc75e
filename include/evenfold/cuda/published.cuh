#pragma once
// A row of values that blocks of one kernel publish to each other: written once, waited for by any
// number of readers. Forward progress rests on blocks starting in the order of their index.

#include <cstddef>
#include <cstdint>

#include "evenfold/core/array.hpp"
#include "evenfold/cuda/block.cuh"
#include "evenfold/cuda/context.cuh"

namespace evenfold::device {

/// Values of up to 4 bytes travel in one 64-bit word with their flag; larger ones lie beside a flag
/// that is released after them.
template <class T>
class published {
 public:
  static constexpr bool packed = sizeof(T) <= 4;

  EF_HD published(std::uint64_t* flags, maybe<T>* values) : flags_(flags), values_(values) {}

  __device__ void publish(std::size_t place, const T& value) const {
    std::uint64_t word = present;
    if constexpr (packed) {
      std::uint32_t bits = 0;
      memcpy(&bits, &value, sizeof(T));
      word |= bits;
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(flags_ + place), "l"(word)
                   : "memory");
    } else {
      values_[place] = maybe<T>(value);
      asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(flags_ + place), "l"(word)
                   : "memory");
    }
  }

  /// The values of places place(0) .. place(count - 1), at most Most of them, once all are there.
  /// All flags are asked for before the first answer is looked at, so the wait is one trip to
  /// memory, not `count`.
  template <int Most, class Place>
  __device__ void wait(int count, Place place, maybe<T> (&values)[Most]) const {
    std::uint64_t word[Most];
#pragma unroll
    for (int k = 0; k < Most; ++k) word[k] = k < count ? load_flag(place(k)) : present;
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      while (word[k] == 0) word[k] = load_flag(place(k));
    }
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      if constexpr (packed) {
        const auto bits = static_cast<std::uint32_t>(word[k]);
        if (k < count) memcpy(static_cast<void*>(&values[k]), &bits, sizeof(T));
      } else {
        if (k < count) values[k] = values_[place(k)];
      }
    }
  }

 private:
  static constexpr std::uint64_t present = std::uint64_t{1} << 32;

  __device__ std::uint64_t load_flag(std::size_t place) const {
    std::uint64_t word;
    if constexpr (packed) {
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                   : "=l"(word)
                   : "l"(flags_ + place)
                   : "memory");
    } else {
      asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                   : "=l"(word)
                   : "l"(flags_ + place)
                   : "memory");
    }
    return word;
  }

  std::uint64_t* flags_;
  maybe<T>* values_;
};

/// The memory of `places` published values, none of them present yet. Scratch: 8 bytes a place, and
/// a T where it is larger than 4 bytes.
template <class T>
class published_row {
 public:
  published_row(cuda_context& ctx, std::size_t places)
      : flags_(ctx, places), values_(ctx, published<T>::packed ? 0 : places) {
    if (places > 0) ctx.fill_bytes(flags_.data(), 0, places * sizeof(std::uint64_t));
  }
  published<T> view() { return {flags_.data(), values_.data()}; }

 private:
  array<std::uint64_t> flags_;
  array<maybe<T>> values_;
};

}  // namespace evenfold::device
