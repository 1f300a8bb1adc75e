#pragma once
// Transposing a small square in registers.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace evenfold::cpu {

inline constexpr std::size_t register_bytes = 16;

/// The unsigned integer of `Bytes` bytes; void if there is none.
template <std::size_t Bytes>
using word_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t,
                                          std::conditional_t<Bytes == 8, std::uint64_t, void>>>>;

/// The side of a square of T whose rows are one register each; 1 if there is no such square.
template <class T>
inline constexpr int square_side =
    std::is_void_v<word_of<sizeof(T)>> ? 1 : static_cast<int>(register_bytes / sizeof(T));

/// The lower (`First` = 0) or upper (`First` = Side / 2) halves of two registers, interleaved.
template <int Side, int First, class Register, int... Lane>
Register interleave(Register a, Register b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, b, (First + Lane / 2 + Lane % 2 * Side)...);
}

/// to[i * to_stride + j] = from[j * from_stride + i] for 0 <= i, j < square_side<T>. Interleaving
/// register k with register k + side / 2 rotates the bits of the index of each element by one;
/// after log2(side) rounds, rows and columns are exchanged. Always inlined, so that distances that
/// the caller knows are constants.
template <class T>
[[gnu::always_inline]] inline void transpose_square(const T* from, std::int64_t from_stride, T* to,
                                                    std::int64_t to_stride) {
  constexpr int side = square_side<T>;
  using word = word_of<sizeof(T)>;
  typedef word register_type __attribute__((vector_size(register_bytes)));
  constexpr auto lanes = std::make_integer_sequence<int, side>{};
  register_type row[side];
  // At -O2, g++ does not unroll loops by itself, and keeps the registers in memory then.
#pragma GCC unroll 16
  for (int j = 0; j < side; ++j) std::memcpy(&row[j], from + j * from_stride, register_bytes);
#pragma GCC unroll 4
  for (int round = 1; round < side; round *= 2) {
    register_type next[side];
#pragma GCC unroll 8
    for (int k = 0; k < side / 2; ++k) {
      next[2 * k] = interleave<side, 0>(row[k], row[k + side / 2], lanes);
      next[2 * k + 1] = interleave<side, side / 2>(row[k], row[k + side / 2], lanes);
    }
    // One by one: a copy of all of them by wider registers would wait for the narrower stores.
#pragma GCC unroll 16
    for (int k = 0; k < side; ++k) row[k] = next[k];
  }
#pragma GCC unroll 16
  for (int i = 0; i < side; ++i) {
    std::memcpy(static_cast<void*>(to + i * to_stride), &row[i], register_bytes);
  }
}

}  // namespace evenfold::cpu
