#pragma once
// transform_scan on CPU threads: tiles of fixed length are folded in parallel, their folds are
// scanned in order, then every tile is scanned in parallel. One thread needs the last step only,
// and computes the very same sums in it.
//
// Within a tile, four values are folded as a small tree, so that the chain of dependent operations
// is one for four values instead of one for each. Operand order is kept.

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// Whether a walk over a tile writes the scan or only finds the fold.
enum class tile_pass { fold, scan };

/// The pass `fold` returns f(begin) (+) ... (+) f(end - 1), begin < end. The pass `scan` writes
/// out[begin, end), where `carry` is the fold of everything before, and returns carry (+) the fold
/// of the tile. Each value is read before its element of `out` is written.
template <tile_pass Pass, scan_kind Kind, class T, class Size, class F, class Output, class Op>
T walk_tile(Size begin, Size end, F f, Output out, Op op, T carry) {
  std::optional<T> fold;  // of the tile so far
  T before = carry;       // of everything so far
  const auto append = [&](const T& value) {
    fold.emplace(fold ? op(*fold, value) : value);
    if constexpr (Pass == tile_pass::scan) before = op(carry, *fold);
  };
  Size i = begin;
  for (; end - i >= 4; i += 4) {
    const T x0 = static_cast<T>(f(i));
    const T x1 = static_cast<T>(f(static_cast<Size>(i + 1)));
    const T x2 = static_cast<T>(f(static_cast<Size>(i + 2)));
    const T x3 = static_cast<T>(f(static_cast<Size>(i + 3)));
    const T x01 = op(x0, x1);
    const T x0123 = op(x01, op(x2, x3));
    if constexpr (Pass == tile_pass::scan) {
      const T x012 = op(x01, x2);
      if constexpr (Kind == scan_kind::inclusive) {
        out[i] = op(before, x0);
        out[i + 1] = op(before, x01);
        out[i + 2] = op(before, x012);
        out[i + 3] = op(before, x0123);
      } else {
        out[i] = before;
        out[i + 1] = op(before, x0);
        out[i + 2] = op(before, x01);
        out[i + 3] = op(before, x012);
      }
    }
    append(x0123);
  }
  for (; i < end; ++i) {
    const T x = static_cast<T>(f(i));
    if constexpr (Pass == tile_pass::scan) {
      out[i] = Kind == scan_kind::inclusive ? op(before, x) : before;
    }
    append(x);
  }
  return Pass == tile_pass::scan ? before : *fold;
}

/// The same for integers.
template <tile_pass Pass, scan_kind Kind, std::integral T, class Size, class F, class Output,
          class Op>
T walk_tile(Size begin, Size end, F f, Output out, Op op, T carry) {
  if constexpr (Pass == tile_pass::fold) {
    return fold_run<T>(begin, end, f, op);
  } else {
    for (Size i = begin; i < end; ++i) {
      const T next = op(carry, static_cast<T>(f(i)));
      out[i] = Kind == scan_kind::inclusive ? next : carry;
      carry = next;
    }
    return carry;
  }
}

/// Scans values first, first + 1, ..., count - 1 after the fold `init` of all before; returns the
/// fold of all.
template <std::size_t Tile, scan_kind Kind, class T, class Size, class F, class Output, class Op>
T scan_from(cpu_context& ctx, Size first, Size count, F f, Output out, Op op, T init) {
  const std::size_t items = static_cast<std::size_t>(count - first);
  const std::size_t tiles = detail::ceil_div(items, Tile);
  const auto walk = [&]<tile_pass Pass>(std::size_t t, const T& carry) {
    const Size begin = static_cast<Size>(first + static_cast<Size>(t * Tile));
    const Size end = static_cast<Size>(first + static_cast<Size>(std::min(items, (t + 1) * Tile)));
    return walk_tile<Pass, Kind>(begin, end, f, out, op, carry);
  };
  T running = init;
  if (ctx.threads() == 1 || tiles < 2) {
    for (std::size_t t = 0; t < tiles; ++t) {
      running = walk.template operator()<tile_pass::scan>(t, running);
    }
    return running;
  }
  array<T> carries(ctx, tiles);
  ctx.parallel(tiles, [&](std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) {
      std::construct_at(&carries[t], walk.template operator()<tile_pass::fold>(t, init));
    }
  });
  for (T& carry : carries) {
    const T next = op(running, carry);
    carry = running;
    running = next;
  }
  ctx.parallel(tiles, [&](std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) {
      walk.template operator()<tile_pass::scan>(t, carries[t]);
    }
  });
  return running;
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(cpu_context& ctx, Size count, F f, Output out, Op op, Init init, T* total) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  if constexpr (std::is_same_v<Init, no_init>) {
    if (count == 0) return;
    const T head = static_cast<T>(f(Size{0}));
    out[0] = head;
    const T all = cpu::scan_from<tile, Kind, T>(ctx, Size{1}, count, f, out, op, head);
    if (total != nullptr) *total = all;
  } else {
    const T all = cpu::scan_from<tile, Kind, T>(ctx, Size{0}, count, f, out, op, init);
    if (total != nullptr) *total = all;
  }
}

}  // namespace evenfold::backend
