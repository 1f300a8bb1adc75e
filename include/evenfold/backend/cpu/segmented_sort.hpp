#pragma once
// segmented_sort and segmented_sort_indices on CPU threads: a merge sort, each level of which all
// threads share equally.
//
// A segment is cut into blocks of one length. Threads take tiles of the merge path of items and
// segment ends and sort the blocks that begin there. Segments of a single block, as most are, are
// then sorted. The blocks of all others are merged level by level, those of all segments at the
// same time; each thread computes an equal share of the output of a level (merge_shares.hpp). Each
// level moves keys from the array to scratch or back. A segment of few levels takes part in the
// last ones only, so that all segments end in the array. Every merge, of a share or of a run, moves
// each of its elements once and reads no other, whatever `less` returns.
//
// Source: Odeh, Green, Mwassi, Shmueli, Birk, "Merge Path", IPDPSW 2012.

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/merge_shares.hpp"
#include "evenfold/backend/cpu/merge_sort.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// A segment of more than one block, in a sequence of keys.
struct long_segment {
  std::size_t begin;
  std::size_t length;
  int levels;  ///< how often its blocks are merged pairwise until one is left
};

/// The number of levels of pairwise merges from blocks of `block` elements to one of `length`.
inline int merge_levels(std::size_t length, std::size_t block) {
  return length <= block ? 0 : static_cast<int>(std::bit_width((length - 1) / block));
}

/// The length of blocks: a tuning's tile, or else as long as fits a cache and gives every thread
/// several.
template <class Tuning>
std::size_t sort_block(const cpu_context& ctx, std::size_t count) {
  using tuning = detail::tuning_or<Tuning, default_tuning>;
  if constexpr (std::is_same_v<tuning, default_tuning>) {
    constexpr std::size_t least = 1 << 10;
    constexpr std::size_t most = 1 << 16;
    const auto workers = static_cast<std::size_t>(ctx.threads());
    return std::bit_floor(std::clamp(count / (8 * workers), least, most));
  } else {
    return tuning::tile;
  }
}

/// The sorted runs [begin, middle) and [middle, end) of `width` elements of a segment that are
/// merged around its element `at`.
struct run_pair {
  std::size_t begin;
  std::size_t middle;
  std::size_t end;

  run_pair(const long_segment& seg, std::size_t width, std::size_t at)
      : begin(at - at % (2 * width)),
        middle(std::min(seg.length, begin + width)),
        end(std::min(seg.length, middle + width)) {}
};

/// Merges runs of `width` elements of a segment as far as results [first, last). A share of the
/// merges that begins or ends inside a pair has taken `taken_first` and `taken_last` elements of
/// its first run there.
template <class T, class Less>
void merge_level_part(const T* from, T* to, const long_segment& seg, std::size_t width,
                      std::size_t first, std::size_t last, std::size_t taken_first,
                      std::size_t taken_last, const Less& less) {
  from += seg.begin;
  to += seg.begin;
  for (std::size_t at = first; at < last;) {
    const run_pair pair(seg, width, at);
    const std::size_t end = std::min(last, pair.end);
    const T* const a = from + pair.begin + (at > pair.begin ? taken_first : 0);
    const T* const a_end = end < pair.end ? from + pair.begin + taken_last : from + pair.middle;
    const T* const b = from + pair.middle + (at - static_cast<std::size_t>(a - from));
    merge_runs(a, a_end - a, b, static_cast<std::ptrdiff_t>(end - at) - (a_end - a), to + at, less);
    at = end;
  }
}

/// Sorts every segment of keys, or of entries, by `order`.
template <class Tuning, class Key, class Size, class Offsets, class SegmentSize, class Order>
void sort_segments(cpu_context& ctx, Key* keys,
                   detail::segment_view<Size, Offsets, SegmentSize> segments, const Order& order) {
  using position = detail::segment_position<Size, SegmentSize>;
  const std::size_t steps = segments.steps();
  const std::size_t block = sort_block<Tuning>(ctx, static_cast<std::size_t>(segments.count));
  const std::size_t tiles = detail::ceil_div(steps, block);
  array<Key> scratch(ctx, segments.count);
  array<long_segment> longs(ctx, tiles);  // at most one begins in a tile
  array<long_segment> active(ctx, tiles);
  array<std::size_t> active_offsets(ctx, tiles);

  // The result does not depend on which thread sorts a tile. Threads therefore take the next tile
  // when they are free: the time for a tile depends on how its items are cut into segments.
  std::atomic<std::size_t> next_tile = 0;
  ctx.parallel(ctx.shares(steps, block), [&](std::size_t, std::size_t) {
    for (std::size_t t; (t = next_tile.fetch_add(1, std::memory_order_relaxed)) < tiles;) {
      longs[t].length = 0;
      const position from = segments.position(t * block);
      const position to = segments.position(std::min(steps, (t + 1) * block));
      detail::for_each_piece(
          segments, from, to, [&](SegmentSize seg, Size piece_begin, Size piece_end) {
            const std::size_t begin = static_cast<std::size_t>(segments.begin(seg));
            const std::size_t end = static_cast<std::size_t>(segments.end(seg));
            const int levels = merge_levels(end - begin, block);
            const std::size_t before = static_cast<std::size_t>(piece_begin) - begin;
            if (levels > 0 && before == 0) longs[t] = {begin, end - begin, levels};
            std::size_t at = begin + detail::ceil_div(before, block) * block;
            for (; at < static_cast<std::size_t>(piece_end); at += block) {
              sort_run(keys + at, scratch.data() + at,
                       static_cast<std::ptrdiff_t>(std::min(block, end - at)), levels % 2 == 1,
                       order);
            }
          });
    }
  });

  const auto longs_end = std::remove_if(longs.begin(), longs.end(),
                                        [](const long_segment& s) { return s.length == 0; });
  int levels = 0;
  for (const long_segment* s = longs.begin(); s != longs_end; ++s) {
    levels = std::max(levels, s->levels);
  }
  for (int left = levels; left > 0; --left) {
    std::size_t num_active = 0;
    std::size_t num_items = 0;
    for (const long_segment* s = longs.begin(); s != longs_end; ++s) {
      if (s->levels < left) continue;
      active[num_active] = *s;
      active_offsets[num_active++] = num_items;
      num_items += s->length;
    }
    const Key* from = left % 2 == 1 ? scratch.data() : keys;
    Key* to = left % 2 == 1 ? keys : scratch.data();
    const detail::segment_view level(num_items, active_offsets.data(), num_active);
    const auto width = [&](const long_segment& seg) { return block << (seg.levels - left); };
    share_merges(
        ctx, num_items,
        [&](std::size_t result) -> share_cut {
          if (result == num_items) return {num_items, 0};
          const std::size_t s = level.segment_of(result);
          const std::size_t at = result - level.begin(s);
          const run_pair pair(active[s], width(active[s]), at);
          const Key* const a = from + active[s].begin + pair.begin;
          const std::size_t a_count = pair.middle - pair.begin;
          return {level.begin(s) + pair.begin,
                  detail::merge_path(a, a_count, a + a_count, pair.end - pair.middle,
                                     at - pair.begin, order)};
        },
        [&](std::size_t first, std::size_t last, std::size_t taken_first, std::size_t taken_last) {
          using level_position = detail::segment_position<std::size_t, std::size_t>;
          detail::for_each_piece(level, level_position{first, level.segment_of(first)},
                                 level_position{last, level.segment_of(last - 1)},
                                 [&](std::size_t s, std::size_t begin, std::size_t end) {
                                   merge_level_part(from, to, active[s], width(active[s]),
                                                    begin - level.begin(s), end - level.begin(s),
                                                    taken_first, taken_last, order);
                                 });
        });
  }
}

/// Sorts keys and the values value(i) together; the i-th value of the result goes to values[i].
template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less, class Initial>
void sort_segment_pairs(cpu_context& ctx, Key* keys, Value* values,
                        detail::segment_view<Size, Offsets, SegmentSize> segments, const Less& less,
                        const Initial& value) {
  struct entry {
    Key key;
    Value value;
  };
  const std::size_t count = static_cast<std::size_t>(segments.count);
  array<entry> entries(ctx, count);
  ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::construct_at(&entries[i], entry{keys[i], value(i)});
    }
  });
  sort_segments<Tuning>(ctx, entries.data(), segments, entry_order<Less>{{less}});
  ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      keys[i] = entries[i].key;
      values[i] = entries[i].value;
    }
  });
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort(cpu_context& ctx, Key* keys, [[maybe_unused]] Value* values,
                    detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  if constexpr (std::is_same_v<Value, detail::no_value>) {
    cpu::sort_segments<Tuning>(ctx, keys, segments, cpu::key_order<Less>{{less}});
  } else {
    cpu::sort_segment_pairs<Tuning>(ctx, keys, values, segments, less,
                                    [&](std::size_t i) { return values[i]; });
  }
}

template <class Tuning, class Key, class Index, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort_indices(cpu_context& ctx, Key* keys, Index* indices,
                            detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  cpu::sort_segment_pairs<Tuning>(ctx, keys, indices, segments, less,
                                  [](std::size_t i) { return static_cast<Index>(i); });
}

}  // namespace evenfold::backend
