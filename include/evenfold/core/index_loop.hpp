#pragma once
// The innermost loop of host functions that write results, in strips of a constant length.
//
// At -O2, g++ vectorizes only loops whose length it knows, and only if it does not have to compare
// addresses first. In a cache, other loops take three to four times as long.

#include <concepts>
#include <type_traits>

#include "evenfold/core/access.hpp"

namespace evenfold::detail {

/// What a loop calls: a copy of a function, which nobody else can see and which therefore stays in
/// registers, whatever is written. A function that may take long to copy is called where it is.
template <class F>
using own_function =
    std::conditional_t<std::is_trivially_copyable_v<F> && sizeof(F) <= 256, const F, const F&>;

/// Whether a loop may become vectors: its function has few arrays. Others would be compiled twice
/// for nothing.
template <class F>
inline constexpr bool has_strips = !is_heavy<F> && sizeof(F) <= 4 * sizeof(void*);

/// Calls f(begin), ..., f(end - 1), none of which reads what another one writes.
template <bool Strips, std::integral Size, class F>
void for_each_index(Size begin, Size end, const F& f) {
  if constexpr (Strips) {
    constexpr int strip = 64;
    for (; end - begin >= strip; begin = static_cast<Size>(begin + Size{strip})) {
#if !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
      for (int k = 0; k < strip; ++k) f(static_cast<Size>(begin + static_cast<Size>(k)));
    }
  }
  for (; begin < end; ++begin) f(begin);
}

}  // namespace evenfold::detail
