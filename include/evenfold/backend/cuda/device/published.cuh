#pragma once
// A row of values that the blocks of a kernel publish to each other. Each is written once, and any
// number of readers wait for it. Forward progress requires that blocks start in the order of their
// indices.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

using word128 = __uint128_t;

/// Where a value of 16 bytes has 4 bytes that are not used, 4 or 12; 0 where it has none.
template <class T>
inline constexpr int gap_at = 0;

/// A value of up to 8 bytes is stored in one word with its flag, the upper half of the word; one of
/// 16 bytes with a gap, too, and its flag is the upper quarter. A reader that waits for a larger
/// one waits twice: it is stored beside its flag, which is released after it. The flag is the
/// generation of the row, a number that is not 0 and that no earlier kernel has stored in the same
/// words: so they are not cleared between kernels.
template <class T>
class published {
 public:
  static constexpr bool has_gap = gap_at<T> != 0;
  static constexpr bool packed = sizeof(T) <= 8 || has_gap;
  using word_type = std::conditional_t<packed && (sizeof(T) > 4), word128, std::uint64_t>;

  EF_HD published(word_type* flags, uninitialized<T>* values, std::uint32_t generation)
      : flags_(flags), values_(values), generation_(generation) {}

  __device__ void publish(std::size_t slot, const T& value) const {
    word_type word = present();
    if constexpr (has_gap) {
      std::uint64_t half[2];
      memcpy(half, &value, sizeof(T));
      word |= word_type{half[whole]} | word_type{static_cast<std::uint32_t>(half[1 - whole])} << 64;
    } else if constexpr (packed) {
      half_type bits = 0;
      memcpy(&bits, &value, sizeof(T));
      word |= bits;
    } else {
      values_[slot] = uninitialized<T>(value);
    }
    store_flag(flags_ + slot, word);
  }

  /// Waits for the values in slots slot(0) .. slot(count - 1), at most Most of them. All flags are
  /// loaded before the first is used, so that the wait takes one access to memory instead of
  /// `count`.
  template <int Most, class Slot>
  __device__ void wait(int count, Slot slot, uninitialized<T> (&values)[Most]) const {
    word_type word[Most];
#pragma unroll
    for (int k = 0; k < Most; ++k) word[k] = k < count ? load_flag(flags_ + slot(k)) : present();
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      while (!is_present(word[k])) word[k] = load_flag(flags_ + slot(k));
    }
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      if constexpr (has_gap) {
        std::uint64_t half[2];
        half[whole] = static_cast<std::uint64_t>(word[k]);
        half[1 - whole] = static_cast<std::uint32_t>(word[k] >> 64);
        if (k < count) memcpy(static_cast<void*>(&values[k]), half, sizeof(T));
      } else if constexpr (packed) {
        const auto bits = static_cast<half_type>(word[k]);
        if (k < count) memcpy(static_cast<void*>(&values[k]), &bits, sizeof(T));
      } else {
        if (k < count) values[k] = values_[slot(k)];
      }
    }
  }

 private:
  using half_type =
      std::conditional_t<sizeof(word_type) == sizeof(word128), std::uint64_t, std::uint32_t>;

  // Rows of both kinds use the same words one after the other. The upper quarter is 0 where the
  // flag is the upper half, and else it is not: so neither takes the flag of the other for its own.
  static constexpr int flag_from = (has_gap ? 6 : 4) * sizeof(word_type);
  static constexpr int whole = gap_at<T> == 4 ? 1 : 0;  // the half without the gap
  __device__ word_type present() const { return word_type{generation_} << flag_from; }
  __device__ bool is_present(word_type word) const {
    return static_cast<half_type>(word >> flag_from) == generation_;
  }

  __device__ static void store_flag(word128* to, word128 word) {
    asm volatile("st.relaxed.gpu.global.b128 [%0], %1;" ::"l"(to), "q"(word) : "memory");
  }
  __device__ static void store_flag(std::uint64_t* to, std::uint64_t word) {
    if constexpr (packed) {
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
    } else {
      asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
    }
  }
  __device__ static word128 load_flag(const word128* from) {
    word128 word;
    asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];" : "=q"(word) : "l"(from) : "memory");
    return word;
  }
  __device__ static std::uint64_t load_flag(const std::uint64_t* from) {
    std::uint64_t word;
    if constexpr (packed) {
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    } else {
      asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    }
    return word;
  }

  word_type* flags_;
  uninitialized<T>* values_;
  std::uint32_t generation_;
};

}  // namespace evenfold::device
