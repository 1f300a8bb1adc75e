// Folds of all numbers of a run of memory: equal shares for the threads, blocks in vectors.

#include "runtime/whole_folds.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/core/radix_key.hpp"
#include "runtime/host/item_folds.hpp"

namespace evenfold::runtime {

namespace {

/// The sum of integers of 64 bits, as sums of their halves. Numbers with a sign are counted from
/// the least one on.
template <class E>
wide_integer sum_of_block(const E* items, std::int64_t count) {
  using bits = std::uint64_t;
  constexpr bits least = std::is_signed_v<E> ? bits{1} << 63 : 0;
  const bits high = fold_integers(items, count, add_high_half<least>{}, bits{0});
  const bits low = fold_integers(items, count, add_low_half{}, bits{0});
  return (wide_integer{high} << 32) + low - wide_integer{count} * wide_integer{least};
}

/// The same for shorter ones, whose sum fits 64 bits.
template <class E>
  requires(sizeof(E) < 8)
wide_integer sum_of_block(const E* items, std::int64_t count) {
  return fold_integers(items, count, plus{}, std::int64_t{0});
}

/// Calls visit(begin, end) for the blocks of a range.
template <class Visit>
void for_each_block(std::int64_t begin, std::int64_t end, const Visit& visit) {
  constexpr std::int64_t block = std::int64_t{1} << 15;
  for (; begin < end; begin += block) visit(begin, std::min(end, begin + block));
}

template <class E>
whole_fold sum_of(const E* items, std::int64_t begin, std::int64_t end) {
  whole_fold all{0, 0};
  for_each_block(begin, end, [&](std::int64_t first, std::int64_t last) {
    all.value += sum_of_block(items + first, last - first);
  });
  return all;
}

/// The extreme of each block, and then its first place in the first block that has it.
template <class Op, std::integral E>
whole_fold extreme_of(const E* items, std::int64_t begin, std::int64_t end) {
  E extreme = items[begin];
  std::int64_t block_begin = begin, block_end = begin + 1;
  for_each_block(begin, end, [&](std::int64_t first, std::int64_t last) {
    const E found = fold_integers(items + first, last - first, Op{}, extreme);
    if (found == extreme) return;
    extreme = found;
    block_begin = first;
    block_end = last;
  });
  const E* const place = std::find(items + block_begin, items + block_end, extreme);
  return {extreme, place - items};
}

/// Replaces `extreme` by x if that is larger for the maximum, else if it is smaller; or each lane
/// of a vector.
template <class Op, class X>
[[gnu::always_inline]] inline void take_extreme(const X& x, X& extreme) {
  if constexpr (std::same_as<Op, maximum>) {
    extreme = x > extreme ? x : extreme;
  } else {
    extreme = x < extreme ? x : extreme;
  }
}

/// Replaces `extreme` by the extreme of a block of floating-point numbers if that comes before it.
/// Returns whether there is NaN, which is passed over. Vectors have the size of those of AVX2; with
/// four of them the processor does not wait for one comparison before it begins the next.
template <class Op, class E>
[[gnu::always_inline]] inline bool find_extreme(const E* items, std::int64_t count, E& extreme) {
  using vector [[gnu::vector_size(32)]] = E;
  constexpr std::int64_t lanes = 32 / sizeof(E), rows = 4;
  vector found[rows];
  auto unordered = vector{} != vector{};  // false
  for (vector& row : found) row = extreme - vector{};
  std::int64_t k = 0;
  for (; k + rows * lanes <= count; k += rows * lanes) {
#pragma GCC unroll 4
    for (std::int64_t row = 0; row < rows; ++row) {
      vector x;
      __builtin_memcpy(&x, items + k + row * lanes, sizeof(x));
      take_extreme<Op>(x, found[row]);
      unordered |= x != x;
    }
  }
  bool has_nan = false;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    has_nan |= unordered[lane] != 0;
    for (const vector& row : found) {
      const E x = row[lane];
      take_extreme<Op>(x, extreme);
    }
  }
  for (; k < count; ++k) {
    has_nan |= items[k] != items[k];
    take_extreme<Op>(items[k], extreme);
  }
  return has_nan;
}

#if defined(__x86_64__)

template <class Op, class E>
[[gnu::target("avx2")]] bool find_extreme_by_avx2(const E* items, std::int64_t count, E& extreme) {
  return find_extreme<Op>(items, count, extreme);
}

#endif

template <class Op, class E>
[[gnu::noinline]] bool find_in_vectors(const E* items, std::int64_t count, E& extreme) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return find_extreme_by_avx2<Op>(items, count, extreme);
#endif
  return find_extreme<Op>(items, count, extreme);
}

/// A floating-point number as an integer in their order; NaN is beyond all others, as the largest
/// or smallest one.
template <class Op, class E>
wide_integer in_order(E x) {
  if (x != x) return std::same_as<Op, maximum> ? wide_integer{1} << 64 : wide_integer{-1};
  return detail::ascending_bits(x);
}

/// The same for floating-point numbers, whose value is that of `in_order`. The first NaN is the
/// extreme if there is one.
template <class Op, std::floating_point E>
whole_fold extreme_of(const E* items, std::int64_t begin, std::int64_t end) {
  constexpr E infinity = std::numeric_limits<E>::infinity();
  E extreme = std::same_as<Op, maximum> ? -infinity : infinity;
  std::int64_t block_begin = begin, block_end = begin, nan = end;
  for_each_block(begin, end, [&](std::int64_t first, std::int64_t last) {
    if (nan < end) return;
    const E before = extreme;
    if (find_in_vectors<Op>(items + first, last - first, extreme)) {
      nan = std::find_if(items + first, items + last, [](E x) { return x != x; }) - items;
    } else if (extreme != before) {
      block_begin = first;
      block_end = last;
    }
  });
  const std::int64_t place =
      nan < end ? nan : std::find(items + block_begin, items + block_end, extreme) - items;
  return {in_order<Op>(items[place]), place};
}

/// fold(begin, end) of equal shares, which are joined in their order.
template <class Fold, class Join>
whole_fold fold_shares(cpu_context& ctx, std::int64_t count, const Fold& fold, const Join& join) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, std::size_t{1} << 16);
  std::vector<whole_fold> parts(shares);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      parts[s] = fold(static_cast<std::int64_t>(detail::share_begin(items, shares, s)),
                      static_cast<std::int64_t>(detail::share_begin(items, shares, s + 1)));
    }
  });
  whole_fold all = parts[0];
  for (std::size_t s = 1; s < shares; ++s) all = join(all, parts[s]);
  return all;
}

template <class E>
std::optional<whole_fold> folded(cpu_context& ctx, const E* items, std::int64_t count,
                                 aggregate_operator op) {
  using parts = const whole_fold&;
  switch (op) {
    case aggregate_operator::sum:
    case aggregate_operator::mean:
      if constexpr (std::integral<E>) {
        return fold_shares(
            ctx, count, [=](std::int64_t b, std::int64_t e) { return sum_of(items, b, e); },
            [](parts a, parts b) {
              return whole_fold{a.value + b.value, 0};
            });
      }
      return std::nullopt;
    case aggregate_operator::max:
    case aggregate_operator::argmax:
      return fold_shares(
          ctx, count,
          [=](std::int64_t b, std::int64_t e) { return extreme_of<maximum>(items, b, e); },
          [](parts a, parts b) { return b.value > a.value ? b : a; });
    case aggregate_operator::min:
    case aggregate_operator::argmin:
      return fold_shares(
          ctx, count,
          [=](std::int64_t b, std::int64_t e) { return extreme_of<minimum>(items, b, e); },
          [](parts a, parts b) { return b.value < a.value ? b : a; });
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<whole_fold> fold_of_numbers(cpu_context& ctx, element_type type, const void* data,
                                          std::int64_t count, aggregate_operator op) {
  std::optional<whole_fold> result;
  if (count == 0) return result;
  visit_element_type(type, [&]<class E>(std::type_identity<E>) {
    if constexpr (!std::same_as<E, bool>) {
      const E* const items = static_cast<const E*>(data);
      result = folded(ctx, items, count, op);
      if constexpr (std::floating_point<E>) {
        const bool is_value = op == aggregate_operator::max || op == aggregate_operator::min;
        // The bits of these depend on other elements.
        if (result && is_value && !(items[result->index] < 0 || items[result->index] > 0)) {
          result.reset();
        }
      }
    }
  });
  return result;
}

}  // namespace evenfold::runtime
