#pragma once
// Folds of integers that lie in memory, by operators whose order makes no difference to the bits:
// one loop, compiled twice on x86-64 as those of steps are, since vectors of AVX2 compare and widen
// integers that older ones do not.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::runtime {

/// Whether items are folded so.
template <class Op, class T>
inline constexpr bool folds_in_one_loop =
    std::integral<T> && !std::same_as<T, bool> && detail::is_exact_fold<Op, T>;

/// Operators that add half of an integer of 64 bits, counted from the least one on.
template <std::uint64_t Least>
struct add_high_half {
  std::uint64_t operator()(std::uint64_t sum, std::uint64_t item) const {
    return sum + ((item ^ Least) >> 32);
  }
};
struct add_low_half {
  std::uint64_t operator()(std::uint64_t sum, std::uint64_t item) const {
    return sum + (item & 0xffffffff);
  }
};

/// fold (+) items[0] (+) ... (+) items[count - 1], for at least one item.
template <class T, class From, class Op>
[[gnu::always_inline]] inline T fold_in_one_loop(const From* items, std::int64_t count, Op op,
                                                 T fold) {
  if constexpr (std::same_as<Op, minimum> || std::same_as<Op, maximum>) {
    // In the type of the items, of which a vector has more.
    From extreme = items[0];
    for (std::int64_t k = 1; k < count; ++k) extreme = op(extreme, items[k]);
    return op(fold, static_cast<T>(extreme));
  } else if constexpr (std::same_as<Op, plus> && sizeof(From) <= 2 && sizeof(T) > 4) {
    // In 32 bits, which hold the sum of so many items.
    constexpr std::int64_t most = 1 << 15;
    for (std::int64_t k = 0; k < count;) {
      const std::int64_t end = std::min(count, k + most);
      std::int32_t sum = 0;
      for (; k < end; ++k) sum += items[k];
      fold = op(fold, static_cast<T>(sum));
    }
    return fold;
  } else {
    for (std::int64_t k = 0; k < count; ++k) fold = op(fold, static_cast<T>(items[k]));
    return fold;
  }
}

#if defined(__x86_64__)

template <class T, class From, class Op>
[[gnu::target("avx2")]] T fold_by_avx2(const From* items, std::int64_t count, Op op, T fold) {
  return fold_in_one_loop(items, count, op, fold);
}

#endif

/// The same by the vectors that the processor has.
template <class T, class From, class Op>
[[gnu::noinline]] T fold_integers(const From* items, std::int64_t count, Op op, T fold) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return fold_by_avx2(items, count, op, fold);
#endif
  return fold_in_one_loop(items, count, op, fold);
}

}  // namespace evenfold::runtime
