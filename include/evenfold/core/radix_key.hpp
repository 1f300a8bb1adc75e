#pragma once
// Radix keys: unsigned integers for a radix sort of arithmetic keys. And the total order of sorts.
//
// With NaN among the keys, `<` is no strict weak order of floating-point numbers. The total order
// completes it: NaN come last in ascending and in descending order, and NaN with different bits are
// different keys. +0 and -0 are equal, as they are for `<`.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

#if !defined(__CUDACC_RTC__)
#include <functional>
#endif
#if defined(__CUDACC__)
#include <cuda/std/functional>
#endif

namespace evenfold::detail {

/// The order of `Less`; for floating-point keys in natural order, ascending or descending, the
/// total order above.
template <class Less>
struct total_order;

/// An order that is not known to be ascending or descending natural order.
struct other_order {};

/// Whether an order of keys is `less`, `greater` or another. The function objects of this library,
/// of std and of cuda::std, which are also those of Thrust, are recognised; std::less<T> only for
/// keys of type T, because it converts others before it compares them.
template <class Less, class Key>
struct natural_order {
  using type = other_order;
};
template <class Less, class Key>
struct natural_order<total_order<Less>, Key> : natural_order<Less, Key> {};

template <class Key>
struct natural_order<less, Key> {
  using type = less;
};
template <class Key>
struct natural_order<greater, Key> {
  using type = greater;
};

#if !defined(__CUDACC_RTC__)  // where std is cuda::std
template <class Key>
struct natural_order<std::less<>, Key> : natural_order<less, Key> {};
template <class Key>
struct natural_order<std::less<Key>, Key> : natural_order<less, Key> {};
template <class Key>
struct natural_order<std::greater<>, Key> : natural_order<greater, Key> {};
template <class Key>
struct natural_order<std::greater<Key>, Key> : natural_order<greater, Key> {};
#endif

#if defined(__CUDACC__)
template <class Key>
struct natural_order<::cuda::std::less<>, Key> : natural_order<less, Key> {};
template <class Key>
struct natural_order<::cuda::std::less<Key>, Key> : natural_order<less, Key> {};
template <class Key>
struct natural_order<::cuda::std::greater<>, Key> : natural_order<greater, Key> {};
template <class Key>
struct natural_order<::cuda::std::greater<Key>, Key> : natural_order<greater, Key> {};
#endif

template <class Less, class Key>
using natural_order_t = typename natural_order<Less, Key>::type;

/// Whether keys in the order of `Less` can be sorted by a radix sort.
template <class Less, class Key>
concept radix_order = !std::same_as<natural_order_t<Less, Key>, other_order> &&
                      std::is_arithmetic_v<Key> && sizeof(Key) <= sizeof(std::uint64_t);

/// Whether the order is known to be a strict weak order of all keys, NaN among them.
template <class Less, class Key>
inline constexpr bool is_strict_order = std::integral<Key> && radix_order<Less, Key>;
template <class Less, class Key>
inline constexpr bool is_strict_order<total_order<Less>, Key> = radix_order<Less, Key>;

/// An order of keys as a function object that a GPU can call, which those of std are not: `less` or
/// `greater` where `less` is one of them for arithmetic keys, else `less` itself.
template <class Key, class Less>
EF_HD constexpr auto callable_order(Less less) {
  if constexpr (radix_order<Less, Key>) {
    return natural_order_t<Less, Key>{};
  } else {
    return less;
  }
}
/// The total order of floating-point keys is another order than `less` and `greater`.
template <class Key, class Less>
EF_HD constexpr auto callable_order(total_order<Less> order) {
  return order;
}

/// The unsigned integer as wide as a key.
template <class Key>
using radix_bits_t = std::conditional_t<
    sizeof(Key) == 1, std::uint8_t,
    std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                       std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;

/// The bits of a key as a number that ascends with the key. NaN with a sign bit come first.
template <class Key>
EF_HD constexpr radix_bits_t<Key> ascending_bits(Key key) {
  using bits_type = radix_bits_t<Key>;
  constexpr bits_type sign = bits_type(bits_type{1} << (8 * sizeof(Key) - 1));
  if constexpr (std::floating_point<Key>) {
    // No branch depends on the sign, which cannot be predicted where keys have both.
    const auto own = bit_cast<bits_type>(key);
    const auto bits = bits_type(own == sign ? bits_type{0} : own);
    return bits_type(bits ^ (bits_type(-(bits >> (8 * sizeof(Key) - 1))) | sign));
  } else if constexpr (std::is_signed_v<Key>) {
    return bits_type(static_cast<bits_type>(key) ^ sign);
  } else {
    return static_cast<bits_type>(key);
  }
}

/// The key with these ascending bits; +0 for both zeros.
template <class Key>
EF_HD constexpr Key key_of_ascending_bits(radix_bits_t<Key> bits) {
  using bits_type = radix_bits_t<Key>;
  constexpr bits_type sign = bits_type(bits_type{1} << (8 * sizeof(Key) - 1));
  if constexpr (std::floating_point<Key>) {
    return bit_cast<Key>(bits & sign ? bits_type(bits ^ sign) : bits_type(~bits));
  } else if constexpr (std::is_signed_v<Key>) {
    return static_cast<Key>(bits_type(bits ^ sign));
  } else {
    return static_cast<Key>(bits);
  }
}

/// Whether `Less` is descending order.
template <class Less, class Key>
inline constexpr bool is_descending = std::same_as<natural_order_t<Less, Key>, greater>;

/// The smallest bits of a key that is not NaN, in the order of `Less`.
template <class Less, class Key>
EF_HD constexpr radix_bits_t<Key> first_number() {
  if constexpr (!std::floating_point<Key>) {
    return 0;
  } else {
    constexpr Key infinity = infinity_of<Key>;
    return is_descending<Less, Key> ? radix_bits_t<Key>(~ascending_bits(infinity))
                                    : ascending_bits(-infinity);
  }
}

/// The radix key: an unsigned integer in the order of `Less`. For floating-point keys, the first
/// key that is not NaN becomes 0, so that the NaN before it wrap around to the end.
template <class Less, class Key>
  requires radix_order<Less, Key>
EF_HD constexpr radix_bits_t<Key> radix_key(Key key) {
  using bits_type = radix_bits_t<Key>;
  const bits_type bits = ascending_bits(key);
  return bits_type((is_descending<Less, Key> ? bits_type(~bits) : bits) -
                   first_number<Less, Key>());
}

/// The key with this radix key; +0 for both zeros.
template <class Less, class Key>
  requires radix_order<Less, Key>
EF_HD constexpr Key key_of_radix(radix_bits_t<Key> number) {
  using bits_type = radix_bits_t<Key>;
  const auto bits = bits_type(number + first_number<Less, Key>());
  return key_of_ascending_bits<Key>(is_descending<Less, Key> ? bits_type(~bits) : bits);
}

/// The bits of a floating-point key as a number. Numbers are in the total order, except that those
/// of the two zeros follow each other.
template <class Less, class Key>
struct numbered_key {
  radix_bits_t<Key> number;

  using bits_type = radix_bits_t<Key>;
  static constexpr auto sign = bits_type(bits_type{1} << (8 * sizeof(Key) - 1));

  EF_HD explicit constexpr numbered_key(Key key) {
    const auto own = bit_cast<bits_type>(key);
    const auto bits = bits_type(own ^ (bits_type(-(own >> (8 * sizeof(Key) - 1))) | sign));
    number =
        bits_type((is_descending<Less, Key> ? bits_type(~bits) : bits) - first_number<Less, Key>());
  }
  EF_HD explicit constexpr operator Key() const { return key_of_radix<Less, Key>(number); }
};

/// The total order of numbered keys, in which the zeros are equal.
struct numbered_order {
  template <class Less, class Key>
  EF_HD constexpr bool operator()(const numbered_key<Less, Key>& a,
                                  const numbered_key<Less, Key>& b) const {
    using bits_type = radix_bits_t<Key>;
    constexpr auto first_zero =
        bits_type(numbered_key<Less, Key>::sign - 1 - first_number<Less, Key>());
    return bits_type(a.number + (a.number == first_zero)) < b.number;
  }
};
template <class Less, class Key>
inline constexpr bool is_strict_order<numbered_order, numbered_key<Less, Key>> = true;

template <class Less>
struct total_order {
  Less less;

  template <class Key>
  EF_HD constexpr bool operator()(const Key& a, const Key& b) const {
    if constexpr (std::floating_point<Key> && radix_order<Less, Key>) {
      // Numbers, which are not NaN, need only one comparison.
      if (a != a || b != b) return radix_key<Less>(a) < radix_key<Less>(b);
      return natural_order_t<Less, Key>{}(a, b);
    } else if constexpr (radix_order<Less, Key>) {
      return natural_order_t<Less, Key>{}(a, b);
    } else {
      return less(a, b);
    }
  }
};

}  // namespace evenfold::detail
