#pragma once
// The beginnings of sorted segments, for segmented_top_k.
//
// Idea: deal the items of a long segment out to k groups in turn. The first keys of the groups are
// k keys of the segment, so none of its first k keys is after the last of these. That one is the
// threshold of the segment. One pass keeps the keys up to it, about k (ln k + 1) of a segment in
// random order, and these are sorted. Keys are compared together with their indices, so no two are
// equal, and many equal keys are no special case.
//
// A GPU finds a few more than k keys of pieces of the segments in registers instead, where k and
// the pieces allow it; see segment_candidates.hpp.

#include <bit>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/argmin.hpp"
#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/indexed.hpp"
#include "evenfold/algorithm/detail/segment_candidates.hpp"
#include "evenfold/algorithm/detail/sorted_beginning.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::detail {

/// s -> the first item of segment s
template <class Segments>
struct segment_begins {
  Segments segments;

  template <std::integral Index>
  EF_HD constexpr auto operator[](Index s) const {
    return segments.begin(static_cast<decltype(segments.num_segments)>(s));
  }
};

/// Whether segment s is so long that a threshold saves work: it has at least k `times` items.
template <class Segments, class Size>
struct is_long_segment {
  Segments segments;
  Size k;
  std::int64_t times;

  template <std::integral Index>
  EF_HD constexpr bool operator()(Index s) const {
    return static_cast<std::int64_t>((segments.end(s) - segments.begin(s)) / k) >= times;
  }
};

/// The groups of the long segments, k per segment. Group g has every k-th item from its first.
template <class Segments, class Index, class Size>
struct dealt_groups {
  Segments segments;
  const Index* long_segments;
  Size k;

  EF_HD constexpr Size operator[](Size g) const {
    return static_cast<Size>(segments.begin(long_segments[g / k]) + g % k);
  }
  /// The number of items of group g.
  EF_HD constexpr Size operator()(Size g) const {
    const Size end = segments.end(long_segments[g / k]);
    return static_cast<Size>((end - (*this)[g] - 1) / k + 1);
  }
};

/// The items of a group as candidates for its first key.
template <class Keys, class Size>
struct dealt_item {
  using candidate = optional<indexed<element_t<Keys>, Size>>;
  Keys keys;
  Size k;

  EF_HD constexpr candidate operator()(Size, Size, Size rank, const tuple<Size>& first) const {
    return indexed_element<element_t<Keys>, Size, Keys>{keys}(
        static_cast<Size>(get<0>(first) + rank * k));
  }
};

/// l -> l * step
template <class Size>
struct multiples_of {
  Size step;

  EF_HD constexpr Size operator[](Size l) const { return l * step; }
};

/// l -> to[positions[l]]
template <class T, class Index>
struct scattered_output {
  using value_type = T;
  T* to;
  const Index* positions;

  template <std::integral Size>
  EF_HD constexpr T& operator[](Size l) const {
    return to[positions[l]];
  }
};

/// The index of an item that is not after the threshold of its segment. Where `less` may be no
/// order, the first k items are kept, too, so that no segment has fewer than k left.
template <class Keys, class Size, class Less>
struct keep_beginning {
  using Key = element_t<Keys>;
  Keys keys;
  Size k;
  before_by_index<Less> before;

  template <class Index, class Threshold>
  EF_HD constexpr optional<Size> operator()(Size i, Index, Size rank,
                                            const tuple<Threshold>& threshold) const {
    const Threshold& last = get<0>(threshold);
    if (!last || (!radix_order<Less, Key> && rank < k)) return i;
    if (before(*last, indexed<Key, Size>{static_cast<Key>(keys[i]), i})) return nullopt;
    return i;
  }
};

/// At least the first k of the sorted keys of every segment, in order.
template <class Key, class Size>
struct segment_beginnings : numbered_keys<Key, Size> {
  /// Where each segment begins.
  array<Size> begins;
};

/// How keys are held while they are sorted. A GPU sorts floating-point keys as numbers, whose
/// comparison has no branch for NaN.
template <class Context, class Key, class Less>
struct sorted_as {
  using type = Key;
  static auto order(Less less) { return total_order<Less>{less}; }
};
template <class Context, std::floating_point Key, class Less>
  requires(Context::traits.shape == work_shape::lanes && radix_order<Less, Key>)
struct sorted_as<Context, Key, Less> {
  using type = numbered_key<natural_order_t<Less, Key>, Key>;
  static numbered_order order(Less) { return {}; }
};
/// i -> keys[indices[i]], as it is held while it is sorted
template <class Held, class Keys, class Size>
struct held_element {
  Keys keys;
  const Size* indices;

  EF_HD constexpr Held operator()(Size i) const {
    return static_cast<Held>(static_cast<element_t<Keys>>(keys[indices[i]]));
  }
};

/// The thresholds of all segments; short segments have none.
template <context Context, class Keys, class Segments, std::integral Size, std::integral Index,
          class Less>
auto segment_thresholds(Context& ctx, Keys keys, Segments segments, Size k,
                        const array<Index>& long_segments, Index num_long, Less less) {
  using candidate = typename dealt_item<Keys, Size>::candidate;
  const Size num_groups = static_cast<Size>(num_long) * k;
  const dealt_groups<Segments, Index, Size> groups{segments, long_segments.data(), k};
  array<Size> offsets(ctx, num_groups);
  array<Size> dealt(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, num_groups, groups, offsets.data(), plus{}, Size{0},
                                       dealt.data());
  array<candidate> first(ctx, num_groups);
  lbs_segreduce(ctx, to_host(ctx, dealt)[0], dealt_item<Keys, Size>{keys, k},
                std::as_const(offsets).data(), num_groups, make_tuple(groups), first.data(),
                end_of_order<Less, true>{{{less}}}, candidate{});
  array<candidate> thresholds(ctx, segments.num_segments);
  fill(ctx, thresholds.data(), segments.num_segments, candidate{});
  segreduce(ctx, std::as_const(first).data(), num_groups, multiples_of<Size>{k},
            static_cast<Size>(num_long),
            scattered_output<candidate, Index>{thresholds.data(), long_segments.data()},
            end_of_order<Less, false>{{{less}}}, candidate{});
  return thresholds;
}

/// A threshold saves work in segments of at least this many times k items. About k ln k items of a
/// long segment are sorted. Short segments are sorted in a cache or in shared memory, which takes
/// less time than two passes.
inline std::int64_t items_per_result(std::uint64_t k) {
  const auto levels = static_cast<int>(std::bit_width(k));
  return (8 + 2 * levels) * 2 * levels;
}

/// Finds at least the first k keys of every segment by a threshold per long segment, in their order
/// in the input. Returns their number.
template <bool WithIndices, context Context, class Keys, class Segments, std::integral Size,
          class Less, class Held>
Size keep_up_to_thresholds(Context& ctx, Keys keys, const Segments& segments, Size k, Less less,
                           segment_beginnings<Held, Size>& found) {
  using Index = decltype(segments.num_segments);
  const Size count = segments.count;
  const Index num_segments = segments.num_segments;
  const segment_begins<Segments> begins{segments};
  array<Index> long_segments(ctx, num_segments);
  const std::int64_t least = items_per_result(static_cast<std::uint64_t>(k));
  const Index num_long = compact_indices(
      ctx, num_segments, is_long_segment<Segments, Size>{segments, k, least}, long_segments.data());
  if (num_long == 0) {
    found.keys = array<Held>(ctx, count);
    if constexpr (WithIndices) {
      found.indices = array<Size>(ctx, count);
      transform(ctx, count,
                copy_and_number<Keys, Held, Size>{keys, found.keys.data(), found.indices.data()});
    } else {
      transform(ctx, count, write_result{element_of<Held, Keys>{keys}, found.keys.data()});
    }
    transform(
        ctx, num_segments,
        write_result{element_of<Size, segment_begins<Segments>>{begins}, found.begins.data()});
    return count;
  }
  const auto thresholds = segment_thresholds(ctx, keys, segments, k, long_segments, num_long, less);
  found.indices = array<Size>(ctx, count);
  const Size num_kept = lbs_workcreate(
      ctx, count, keep_beginning<Keys, Size, Less>{keys, k, {{less}}}, segments.offsets,
      num_segments, make_tuple(thresholds.data()), found.indices.data());
  found.keys = array<Held>(ctx, num_kept);
  transform(
      ctx, num_kept,
      write_result{held_element<Held, Keys, Size>{keys, found.indices.data()}, found.keys.data()});
  sorted_search<bounds::lower>(ctx, begins, num_segments, std::as_const(found.indices).data(),
                               num_kept, found.begins.data(), evenfold::less{});
  return num_kept;
}

/// Without `WithIndices`, the indices are unspecified.
template <bool WithIndices, context Context, class Keys, std::integral Size, class Offsets,
          std::integral Index, class Less>
auto sorted_segment_beginnings(Context& ctx, Keys keys,
                               const segment_view<Size, Offsets, Index>& segments, Size k,
                               Less less) {
  using Key = element_t<Keys>;
  using held = sorted_as<Context, Key, Less>;
  segment_beginnings<typename held::type, Size> found{{}, array<Size>(ctx, segments.num_segments)};
  optional<Size> num_kept;
  if constexpr (Context::traits.shape == work_shape::lanes && radix_order<Less, Key>) {
    num_kept = find_candidates(ctx, keys, segments, k, less, found);
  }
  if (!num_kept) {
    num_kept = keep_up_to_thresholds<WithIndices>(ctx, keys, segments, k, less, found);
  }
  const Size* const offsets = std::as_const(found.begins).data();
  const auto order = held::order(less);
  if constexpr (WithIndices) {
    segmented_sort(ctx, found.keys.data(), found.indices.data(), *num_kept, offsets,
                   segments.num_segments, order);
  } else {
    segmented_sort(ctx, found.keys.data(), *num_kept, offsets, segments.num_segments, order);
  }
  return found;
}

}  // namespace evenfold::detail
