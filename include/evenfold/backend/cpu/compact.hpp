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

/// Which items are kept: a bit for each, found by all threads, and the number of kept ones before
/// each tile.
template <class Size>
class kept_items {
 public:
  template <class Item, class Keep>
  kept_items(cpu_context& ctx, Size count, std::size_t tile, const Item& item, const Keep& keep)
      : count_(static_cast<std::size_t>(count)),
        words_of_tile_(detail::ceil_div(tile, items_in_word)),
        bits_(ctx, detail::ceil_div(count_, items_in_word)),
        before_(ctx, detail::ceil_div(bits_.size(), words_of_tile_)) {
    for_each_tile(ctx, [&](std::size_t t, std::size_t first, std::size_t last) {
      int kept = 0;
      for (std::size_t w = first; w < last; ++w) {
        bits_[w] = kept_bits(begin_of(w), items_of(w), item, keep);
        kept += std::popcount(bits_[w]);
      }
      before_[t] = static_cast<Size>(kept);
    });
    for (Size& b : before_) kept_ = static_cast<Size>(kept_ + std::exchange(b, kept_));
  }

  /// The number of kept items.
  Size kept() const { return kept_; }

  /// Calls write(begin, items, bits, before) for the bits of 64 items after the other, the last of
  /// which may be fewer: item `begin` + k has bit k, and `before` items before it are kept.
  template <class Write>
  void for_each_word(cpu_context& ctx, const Write& write) const {
    for_each_tile(ctx, [&](std::size_t t, std::size_t first, std::size_t last) {
      Size before = before_[t];
      for (std::size_t w = first; w < last; ++w) {
        write(begin_of(w), items_of(w), bits_[w], before);
        before = static_cast<Size>(before + static_cast<Size>(std::popcount(bits_[w])));
      }
    });
  }

 private:
  Size begin_of(std::size_t word) const { return static_cast<Size>(word * items_in_word); }
  std::size_t items_of(std::size_t word) const {
    return std::min(items_in_word, count_ - word * items_in_word);
  }

  template <class F>
  void for_each_tile(cpu_context& ctx, const F& f) const {
    ctx.parallel(before_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        f(t, t * words_of_tile_, std::min((t + 1) * words_of_tile_, bits_.size()));
      }
    });
  }

  std::size_t count_, words_of_tile_;
  array<std::uint64_t> bits_;
  array<Size> before_;
  Size kept_ = 0;
};

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cpu_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const auto items = static_cast<std::size_t>(count);
  Size kept = 0;
  if (ctx.shares(items, tile) <= 1) {
    for (std::size_t at = 0; at < items; at += cpu::items_in_word) {
      const auto begin = static_cast<Size>(at);
      const std::size_t here = std::min(cpu::items_in_word, items - at);
      kept = cpu::write_kept(cpu::kept_bits(begin, here, item, keep), begin, item, emit, kept);
    }
  } else {
    const cpu::kept_items<Size> found(ctx, count, tile, item, keep);
    found.for_each_word(ctx, [=](Size begin, std::size_t, std::uint64_t bits, Size before) {
      cpu::write_kept(bits, begin, item, emit, before);
    });
    kept = found.kept();
  }
  if (num_kept != nullptr) *num_kept = kept;
}

template <class Tuning, std::integral Size, class Item, class Keep, class Output>
void partition(cpu_context& ctx, Size count, Item item, Keep keep, Output out, Size* num_kept) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const cpu::kept_items<Size> found(ctx, count, tile, item, detail::keep_value<Keep>{keep});
  const Size kept = *num_kept = found.kept();
  found.for_each_word(ctx, [=](Size begin, std::size_t items, std::uint64_t bits, Size before) {
    const detail::write_to<Output> emit{out};
    const std::uint64_t all = ~std::uint64_t{0} >> (cpu::items_in_word - items);
    cpu::write_kept(bits, begin, item, emit, before);
    cpu::write_kept(~bits & all, begin, item, emit, static_cast<Size>(kept + (begin - before)));
  });
}

}  // namespace evenfold::backend
