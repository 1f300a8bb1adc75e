#pragma once
// compact on CPU threads: in tiles of fixed length it is found out in parallel which items are
// kept, a bit for each, the counts of the tiles are summed in order, then every tile is written in
// parallel. One thread writes 64 items after it has found their bits.
//
// No branch depends on whether an item is kept: a processor that guesses wrongly loses the time of
// a dozen items.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/flag_bits.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The number of items whose bits are in one word.
inline constexpr std::size_t items_in_word = 64;

/// Whether item i, which is not the first one, is kept.
template <class Keep, class Size, class T>
[[gnu::always_inline]] inline bool keeps_later(const Keep& keep, Size i, const T& value) {
  return keep(i, value);
}
template <class Keys, class Equal, class Size, class T>
[[gnu::always_inline]] inline bool keeps_later(const detail::begins_run<Keys, Equal>& begins,
                                               Size i, const T& key) {
  return begins.begins_later(i, key);
}

/// Bit k tells whether item `begin` + k is kept, for at most 64 items.
template <class Size, class Item, class Keep>
std::uint64_t kept_bits(Size begin, std::size_t items, const Item& item, const Keep& keep) {
  unsigned char kept[items_in_word] = {};
  const auto find = [&](std::size_t k) __attribute__((always_inline)) {
    const Size i = static_cast<Size>(begin + static_cast<Size>(k));
    kept[k] = keeps_later(keep, i, item(i)) ? 1 : 0;
  };
  // The compiler makes vectors of a loop whose length it knows.
  if (begin > 0 && items == items_in_word) {
    for (std::size_t k = 0; k < items_in_word; ++k) find(k);
  } else {
    if (begin == 0) kept[0] = keep(begin, item(begin)) ? 1 : 0;
    for (std::size_t k = begin == 0 ? 1 : 0; k < items; ++k) find(k);
  }
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < items_in_word; k += 8) bits |= flag_bits(kept + k) << k;
  return bits;
}

/// Calls emit(to++, item(begin + k)) for each bit k that is set, and returns `to`.
template <class Size, class Item, class Emit>
Size write_kept(std::uint64_t bits, Size begin, const Item& item, const Emit& emit, Size to) {
  if (bits == ~std::uint64_t{0}) {
    for (std::size_t k = 0; k < items_in_word; ++k) {
      const Size at = static_cast<Size>(k);
      emit(static_cast<Size>(to + at), item(static_cast<Size>(begin + at)));
    }
    return static_cast<Size>(to + static_cast<Size>(items_in_word));
  }
  for (; bits != 0; bits &= bits - 1) {
    emit(to++, item(static_cast<Size>(begin + static_cast<Size>(std::countr_zero(bits)))));
  }
  return to;
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cpu_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  constexpr std::size_t of_word = cpu::items_in_word;
  constexpr std::size_t words_of_tile = detail::ceil_div(tile, of_word);
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t words = detail::ceil_div(items, of_word);
  const std::size_t tiles = detail::ceil_div(words, words_of_tile);
  const auto find = [=](std::size_t word) {
    const std::size_t begin = word * of_word;
    return cpu::kept_bits(static_cast<Size>(begin), std::min(of_word, items - begin), item, keep);
  };
  const auto write = [=](std::size_t word, std::uint64_t bits, Size to) {
    return cpu::write_kept(bits, static_cast<Size>(word * of_word), item, emit, to);
  };

  Size kept = 0;
  if (ctx.threads() == 1 || tiles < 2) {
    for (std::size_t word = 0; word < words; ++word) kept = write(word, find(word), kept);
  } else {
    array<std::uint64_t> bits(ctx, words);
    array<Size> before(ctx, tiles);
    const auto for_each_word = [=](std::size_t t, const auto& visit) {
      const std::size_t first = t * words_of_tile;
      for (std::size_t w = first; w < std::min(words, first + words_of_tile); ++w) visit(w);
    };
    ctx.parallel(tiles, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        int in_tile = 0;
        for_each_word(t, [&](std::size_t w) { in_tile += std::popcount(bits[w] = find(w)); });
        before[t] = static_cast<Size>(in_tile);
      }
    });
    for (Size& b : before) kept = static_cast<Size>(kept + std::exchange(b, kept));
    ctx.parallel(tiles, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        Size to = before[t];
        for_each_word(t, [&](std::size_t w) { to = write(w, bits[w], to); });
      }
    });
  }
  if (num_kept != nullptr) *num_kept = kept;
}

/// The second pass writes the other items after the kept ones.
template <class Tuning, std::integral Size, class Item, class Keep, class Output>
void partition(cpu_context& ctx, Size count, Item item, Keep keep, Output out, Size* num_kept) {
  backend::compact<Tuning>(ctx, count, item, detail::keep_value<Keep>{keep},
                           detail::write_to<Output>{out}, num_kept);
  backend::compact<Tuning>(ctx, count, item, detail::keep_others<Keep>{keep},
                           detail::write_after<Output, Size>{out, num_kept},
                           static_cast<Size*>(nullptr));
}

}  // namespace evenfold::backend
