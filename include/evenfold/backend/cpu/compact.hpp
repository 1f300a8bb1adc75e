#pragma once
// compact on CPU threads: tiles of fixed length are counted in parallel, their counts summed in
// order, then every tile is written in parallel. One thread needs the last step only.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// Calls emit(to++, item(i)) for the items i of [begin, end) that are kept, and returns `to`. The
/// kept ones of a block are listed first, without a branch: a processor that guesses wrongly
/// whether an item is kept loses the time of a dozen items. After a block of which all or none are
/// kept, it guesses rightly.
template <class Size, class Item, class Keep, class Emit>
Size write_kept(Size begin, Size end, Item item, Keep keep, Emit emit, Size to) {
  constexpr std::size_t block = 256;
  std::uint8_t kept[block];
  bool alike = false;
  while (begin < end) {
    const std::size_t items = std::min(block, static_cast<std::size_t>(end - begin));
    const Size before = to;
    const auto index = [&](std::size_t k) {
      return static_cast<Size>(begin + static_cast<Size>(k));
    };
    if (alike) {
      for (std::size_t k = 0; k < items; ++k) {
        const auto value = item(index(k));
        if (keep(index(k), value)) emit(to++, value);
      }
    } else {
      std::size_t num_kept = 0;
      for (std::size_t k = 0; k < items; ++k) {
        kept[num_kept] = static_cast<std::uint8_t>(k);
        num_kept += keep(index(k), item(index(k))) ? 1 : 0;
      }
      for (std::size_t k = 0; k < num_kept; ++k) emit(to++, item(index(kept[k])));
    }
    alike = to == before || static_cast<std::size_t>(to - before) == items;
    begin = index(items);
  }
  return to;
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cpu_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t tiles = detail::ceil_div(items, tile);
  const auto walk = [&](std::size_t t, auto visit) {
    const Size end = static_cast<Size>(std::min(items, (t + 1) * tile));
    for (Size i = static_cast<Size>(t * tile); i < end; ++i) {
      const auto value = item(i);
      visit(keep(i, value), value);
    }
  };
  const auto write = [&](std::size_t t, Size to) {
    return cpu::write_kept(static_cast<Size>(t * tile),
                           static_cast<Size>(std::min(items, (t + 1) * tile)), item, keep, emit,
                           to);
  };

  Size kept = 0;
  if (ctx.threads() == 1 || tiles < 2) {
    for (std::size_t t = 0; t < tiles; ++t) kept = write(t, kept);
  } else {
    array<Size> before(ctx, tiles);
    ctx.parallel(tiles, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        Size in_tile = 0;
        walk(t, [&](bool keeps, const auto&) { in_tile = static_cast<Size>(in_tile + keeps); });
        before[t] = in_tile;
      }
    });
    for (Size& b : before) kept = static_cast<Size>(kept + std::exchange(b, kept));
    ctx.parallel(tiles, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) write(t, before[t]);
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
