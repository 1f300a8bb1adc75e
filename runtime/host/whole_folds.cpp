// Folds of all integers of a run of memory: equal shares for the threads, blocks in vectors.

#include "runtime/whole_folds.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <vector>

#include "evenfold/backend/cpu/context.hpp"
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
  using sum = std::conditional_t<(sizeof(E) <= 2), std::int32_t, std::int64_t>;
  return fold_integers(items, count, plus{}, sum{0});
}

/// Calls visit(begin, end) for the blocks of a range. The sum of a block of short integers fits 32
/// bits.
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
template <class Op, class E>
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
      return fold_shares(
          ctx, count, [=](std::int64_t b, std::int64_t e) { return sum_of(items, b, e); },
          [](parts a, parts b) {
            return whole_fold{a.value + b.value, 0};
          });
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

std::optional<whole_fold> fold_of_integers(cpu_context& ctx, element_type type, const void* data,
                                           std::int64_t count, aggregate_operator op) {
  std::optional<whole_fold> result;
  if (count == 0) return result;
  visit_element_type(type, [&]<class E>(std::type_identity<E>) {
    if constexpr (std::integral<E> && !std::same_as<E, bool>) {
      result = folded(ctx, static_cast<const E*>(data), count, op);
    }
  });
  return result;
}

}  // namespace evenfold::runtime
