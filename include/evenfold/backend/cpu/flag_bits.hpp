#pragma once
// Bits instead of bytes: a loop that stores a flag per item becomes vectors, and a word of bits
// tells where the next flag is set.

#include <cstdint>
#include <cstring>

namespace evenfold::cpu {

/// Bit k is flag k of eight, each of which is 0 or 1.
[[gnu::always_inline]] inline std::uint64_t flag_bits(const unsigned char* flags) {
  std::uint64_t bytes;
  std::memcpy(&bytes, flags, sizeof(bytes));
  // The product moves bit 8 k to bit 56 + k.
  return bytes * 0x0102040810204080 >> 56;
}

}  // namespace evenfold::cpu
