#pragma once
// Algorithms on the items of an expression, in which a thread computes tile after tile. The
// reference asks for one item after the other instead.
//
// The functions are static, since one file alone calls them: a compiler then drops the copies of
// functions that it has inlined.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/backend/cpu/fold_segment.hpp"
#include "evenfold/backend/cpu/scan_range.hpp"
#include "evenfold/backend/cpu/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "runtime/host/applied.hpp"
#include "runtime/host/tile_folds.hpp"

namespace evenfold::runtime {

/// Calls visit(registers, begin, count) for every tile, after it was computed.
template <context Context, class Visit>
static void for_each_tile(Context& ctx, const evaluator& items, std::int64_t count,
                          const Visit& visit) {
  transform(ctx, detail::ceil_div(count, expression_tile), [&](std::int64_t tile) {
    register_file& file = registers_of(items, register_use::items);
    const std::int64_t begin = tile * expression_tile;
    const int length = static_cast<int>(std::min(expression_tile, count - begin));
    items.evaluate(file, begin, length);
    visit(file, begin, length);
  });
}

/// The fold of a tile of items as a value of T.
template <class T, class From, class Op>
static T fold_tile(const From* items, Op op) {
  if constexpr (folds_in_one_loop<Op, T>) {
    return fold_integers(items, expression_tile, op, identity_of<Op, T>::value);
  } else {
    return cpu::fold_block<T>(tile_level, std::int64_t{0}, shifted<T, From>{items, 0}, op);
  }
}

/// The fold of all items, of the type From, as values of T. A tile is folded as values of OfTile,
/// which hold any fold of so few items.
template <class T, class From, class OfTile = T, context Context, class Op>
static T fold_items(Context& ctx, const evaluator& items, std::int64_t count, Op op, T init) {
  const std::int64_t tiles = count / expression_tile;
  evenfold::array<T> folds(ctx, tiles);
  for_each_tile(
      ctx, items, tiles * expression_tile, [&](const register_file& file, std::int64_t begin, int) {
        folds[static_cast<std::size_t>(begin / expression_tile)] =
            static_cast<T>(fold_tile<OfTile>(static_cast<const From*>(items.result(file, 0)), op));
      });
  partial_fold<T> all;
  for (const T& fold : folds) all.append_block(tile_level, fold, op);
  cpu::append_range(
      all, tiles * expression_tile, count,
      [f = item_of<From>{{items, count}}](std::int64_t i) { return static_cast<T>(f(i)); }, op);
  return all.fold(op, init);
}

/// As segreduce of the library, of items of the type From.
template <class From, context Context, class T, class Op>
static void fold_segments(Context& ctx, tiled_items items, const std::int64_t* offsets,
                          std::int64_t num_segments, T* out, Op op, T init) {
  if constexpr (std::same_as<Context, reference_context>) {
    const auto f = [item = item_of<From>{items}](std::int64_t i) {
      return static_cast<T>(item(i));
    };
    transform_segreduce(ctx, items.count(), f, offsets, num_segments, out, op, init);
  } else if (num_segments > 0) {
    const auto view =
        detail::checked_segments(ctx, "segreduce", items.count(), offsets, num_segments);
    const fold_of_segments<T, Op, From> fold(items, op);
    const auto append = [&](auto& part, std::int64_t, std::int64_t begin, std::int64_t end) {
      fold_of_segments<T, Op, From>(items, op).append(part, begin, end);
    };
    cpu::fold_segments<segment_steps>(ctx, view, fold, append, out, op, init);
  }
}

/// Element i of the present tile of a thread.
template <class T>
struct present_item {
  const T* const* values;
  T operator()(std::int64_t i) const { return (*values)[i]; }
};

/// Scans the items [begin, end), where `before` is the partial fold of everything before them.
template <scan_kind Kind, class T, class Op>
static void scan_share(const tiled_items& items, std::int64_t begin, std::int64_t end,
                       const partial_fold<T>& before, T* out, Op op, T init) {
  using range_scan =
      cpu::range_scan<Kind, cpu::segments_in::turn, T, std::int64_t, present_item<T>, T*, Op, T>;
  const T* values = nullptr;
  const present_item<T> item{&values};
  // A scan of integers keeps nothing but the fold of everything before.
  T base = before.fold(op, init);
  range_scan scan(before, item, out, op, init);
  while (begin < end) {
    const computed_tile& tile = items.tile_of(begin);
    values = static_cast<const T*>(tile.results[0]) - tile.begin;
    const std::int64_t stop = std::min(end, begin + expression_tile);
    if constexpr (std::integral<T>) {
      base = range_scan(partial_fold<T>(), item, out, op, base)(begin, stop);
    } else {
      scan(begin, stop);
    }
    begin = stop;
  }
}

/// As transform_scan of the library.
template <scan_kind Kind, context Context, class T, class Op>
static void scan_items(Context& ctx, tiled_items items, T* out, Op op, T init) {
  const std::int64_t count = items.count();
  if constexpr (std::same_as<Context, reference_context>) {
    transform_scan<Kind>(ctx, count, item_of<T>{items}, out, op, init);
  } else if (count > 0) {
    const std::size_t tiles = detail::ceil_div(static_cast<std::size_t>(count), expression_tile);
    const std::size_t shares = ctx.shares(tiles, 16);
    const auto begin_of = [=](std::size_t share) {
      const auto tile = static_cast<std::int64_t>(detail::share_begin(tiles, shares, share));
      return std::min(count, tile * expression_tile);
    };
    evenfold::array<partial_fold<T>> before(ctx, shares);
    std::construct_at(&before[0]);
    ctx.parallel(shares - 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) {
        partial_fold<T>* const part =
            std::construct_at(&before[s + 1], static_cast<std::uint64_t>(begin_of(s)));
        fold_of_segments<T, Op>(items, op).append(*part, begin_of(s), begin_of(s + 1));
      }
    });
    for (std::size_t s = 1; s < shares; ++s) {
      partial_fold<T> joined = before[s - 1];
      joined.join(before[s], op);
      before[s] = joined;
    }
    ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) {
        scan_share<Kind>(items, begin_of(s), begin_of(s + 1), before[s], out, op, init);
      }
    });
  }
}

}  // namespace evenfold::runtime
