#pragma once
// Stable radix sort of arithmetic keys on a GPU: CUB's, which is told the total order of
// floating-point keys.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// A floating-point key in its total order (core/radix_key.hpp), as CUB sorts it in ascending
/// order.
template <class Less, class Key>
struct totally_ordered {
  Key key;
};

/// The type as which CUB sorts keys in the order of `Less`.
template <class Less, class Key>
using sorted_key = std::conditional_t<std::floating_point<Key>, totally_ordered<Less, Key>, Key>;

}  // namespace evenfold::device
