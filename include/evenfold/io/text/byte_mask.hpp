#pragma once
// byte_mask: where a byte occurs among 64 bytes of a text.

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace evenfold::detail {

/// Bit i is set if text[i] == byte, 0 <= i < 64.
inline std::uint64_t byte_mask(const char* text, char byte) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(byte);
  for (int part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
    mask |= std::uint64_t{bits} << (16 * part);
  }
#else
  for (int i = 0; i < 64; ++i) mask |= std::uint64_t{text[i] == byte} << i;
#endif
  return mask;
}

}  // namespace evenfold::detail
