#pragma once
// Stable radix sort of arithmetic keys on a GPU: CUB's, with NaN moved to the end.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The bytes of a value: CUB requires a default constructor.
template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) value_words {
  using word = std::conditional_t<
      Alignment % 8 == 0, std::uint64_t,
      std::conditional_t<Alignment == 4, std::uint32_t,
                         std::conditional_t<Alignment == 2, std::uint16_t, std::uint8_t>>>;
  word words[Size / sizeof(word)];
};

/// Counts the NaN whose sign bit sorts them before the first number.
template <class Less, class Key, class Size>
struct count_leading_nan {
  const Key* keys;
  Size count;
  Size* found;

  EF_HD void operator()(int) const {
    constexpr Key infinity = detail::infinity_of<Key>;
    *found = detail::partition_point(Size{0}, count, [&](Size i) {
      return detail::is_descending<Less, Key>
                 ? detail::ascending_bits(keys[i]) > detail::ascending_bits(infinity)
                 : detail::ascending_bits(keys[i]) < detail::ascending_bits(-infinity);
    });
  }
};

/// to[i] = from[i + by], cyclically, unless *by is 0.
template <class T, class Size>
struct rotate_left {
  const T* from;
  T* to;
  Size count;
  const Size* by;

  EF_HD void operator()(Size i) const {
    const Size before_end = count - *by;
    if (*by > 0) to[i] = from[i < before_end ? i + *by : i - before_end];
  }
};

/// to[i] = from[i], under the same condition.
template <class T, class Size>
struct copy_rotated {
  const T* from;
  T* to;
  const Size* by;

  EF_HD void operator()(Size i) const {
    if (*by > 0) to[i] = from[i];
  }
};

}  // namespace evenfold::device
