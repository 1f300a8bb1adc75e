#pragma once
// The canonical folds (balance/fold_order.hpp) of many segments of a few dozen items on one CPU
// thread, without a branch that depends on where a segment ends.
//
// Idea: a processor that guesses the end of a segment wrongly loses the time of dozens of
// additions. Therefore a group of 512 items is folded wherever its segments end, as a segmented
// scan. The lanes of a vector are neighbouring runs. Step k folds item k of each, and stores for
// each the fold of the last segment up to that item; a mask starts it anew where a segment begins.
// A run without a border inside is folded from the same items in its own order. Then the tree over
// the 32 runs gives, for each border between two runs, the fold of the segment on both of its
// sides. With these, a segment is
//
//     (init (+) an element of the tree) (+) an element of the scan,
//
// and two tables give the indices of both from its first and its last item. A segment that a
// multiple of 512 cuts has an element of two trees.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/padded_folds.hpp"
#include "evenfold/backend/cpu/prefetch.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Whether a function may be called for any item, and more than once, at the cost of a few loads.
template <class F>
inline constexpr bool can_be_repeated = reads_numbers<F>;
template <class F, class Element, class Index, class... Values>
inline constexpr bool can_be_repeated<gathered<F, Element*, Index*, Values*...>> =
    detail::is_light<F> && std::is_arithmetic_v<Element> && (std::is_arithmetic_v<Values> && ...);

/// The folds of one group after another.
template <class T, class Op>
class fold_groups {
 public:
  static constexpr int group = detail::fold_group;

  /// `prefetches`: whether to ask for looked-up elements before they are read.
  fold_groups(const Op& op, bool prefetches) : op_(op), prefetches_(prefetches) {
    scan_[group] = detail::unchanging<Op, T>;
    tree_[0] = detail::unchanging<Op, T>;
  }

  /// Whether folds may begin with `init`. A sum that begins with -0 would lose its sign.
  static bool may_begin_with(T init) {
    return !std::same_as<Op, plus> || init != T{0} || !std::signbit(init);
  }

  /// Writes init (+) f(b) (+) ... (+) f(e - 1) for the segments [b, e) from `seg` on, which begins
  /// at `begin`, up to `last` or to one that ends in a group that ends after item `count`. Moves
  /// `seg` and `begin` to the first one not written. There is a segment after the last one, and
  /// may_begin_with(init).
  template <class Segments, class SegmentSize, class Size, class F, class Output>
  [[gnu::noinline]] void operator()(const Segments segments, SegmentSize& seg,
                                    const SegmentSize last, Size& begin, const Size count,
                                    const F f, const Output out, const T init) {
    constexpr auto length = static_cast<std::uint64_t>(group);
    const std::uint64_t items = static_cast<std::uint64_t>(count) / length * length;
    const ends_of<Segments, SegmentSize> end_of{segments};
    position<SegmentSize> at{seg, static_cast<std::uint64_t>(begin), init};
    std::uint64_t next = at.begin / length * length;
    while (at.segment < last && (at.is_cut || end_of(at.segment) <= items) && next < items) {
      fold_group(end_of, at, last, static_cast<Size>(next), count, f, out, init);
      next += length;
      at.is_cut = at.is_cut && end_of(at.segment) <= items;
      if (at.is_cut) {
        const std::uint64_t whole = end_of(at.segment) / length * length;
        if (next < whole) {
          const auto end = static_cast<Size>(whole);
          at.before = with_elements_ahead<cache_level::first>(
              f, prefetches_, end, count, [&](const auto& in_groups) {
                return fold_whole(static_cast<Size>(next), end, in_groups, at.before);
              });
          next = whole;
        }
      }
    }
    seg = at.segment;
    begin = static_cast<Size>(at.begin);
  }

  /// The ends of segments that are not the last one.
  template <class Segments, class SegmentSize>
  struct ends_of {
    Segments segments;
    std::uint64_t operator()(SegmentSize s) const {
      return static_cast<std::uint64_t>(segments.begin(static_cast<SegmentSize>(s + 1)));
    }
  };

  /// The first segment that is not written, and its first item. If a border between groups cuts it,
  /// `before` is init (+) its items before that border, else init.
  template <class SegmentSize>
  struct position {
    SegmentSize segment;
    std::uint64_t begin;
    T before;
    bool is_cut = false;
  };

  /// Folds the group that begins at an item: writes the segments that end in it, up to `last`, and
  /// moves the position, which lies in the group.
  template <class End, class SegmentSize, class Size, class F, class Output>
  [[gnu::always_inline]] void fold_group(const End& end_of, position<SegmentSize>& at,
                                         const SegmentSize last, const Size begin, Size count,
                                         const F& f, const Output& out, const T& init) {
    constexpr auto length = static_cast<std::uint64_t>(group);
    const auto items_before = static_cast<std::uint64_t>(begin);
    std::uint64_t first = at.is_cut ? 0 : at.begin - items_before;
    std::fill_n(borders_, runs, bits{0});
    if (!at.is_cut) mark(first);
    for (SegmentSize k = at.segment; k < last; ++k) {
      const std::uint64_t end = end_of(k) - items_before;
      if (end >= length) break;
      mark(end);
    }
    const auto end_of_group = static_cast<Size>(begin + Size{group});
    with_elements_ahead<cache_level::second>(
        f, prefetches_, end_of_group,
        count, [&](const auto& items) __attribute__((always_inline)) { scan(begin, items); });
    join();

    SegmentSize s = at.segment;
    for (; s < last; ++s) {
      const std::uint64_t end = end_of(s) - items_before;
      if (end > length) break;
      const T in_tree = tree_[tree_index[first / run * row + end / run]];
      // Without a branch, which would often be predicted wrongly.
      const std::uint64_t is_empty = end == first ? ~std::uint64_t{0} : 0;
      const std::uint64_t in_scan = (scan_index[end] & ~is_empty) + (length & is_empty);
      out[s] = op_(op_(at.before, in_tree), scan_[in_scan]);
      at.before = init;
      first = end;
    }
    if (s != at.segment) at.begin = items_before + first;
    at.segment = s;
    at.is_cut = s < last && first < length;
    if (at.is_cut) at.before = op_(at.before, tree_[tree_index[first / run * row + runs]]);
  }

 private:
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using vector = vector_of<T>;
  using masks = vector_of<bits>;

  static constexpr int run = detail::fold_run, runs = group / run, lanes = vector_lanes<T>;
  /// The length of a row of tree_index.
  static constexpr int row = 64;

  /// The index in tree_ of the fold of the runs [first, last) of a segment: the border between the
  /// halves of its tree, or, for one run, its number + `runs`. If there are no runs, 0, the index
  /// of the identity.
  static constexpr auto tree_index = [] {
    std::array<std::uint8_t, (runs + 1) * row> result{};
    for (unsigned first = 0; first < runs; ++first) {
      for (unsigned last = first + 1; last <= runs; ++last) {
        const auto height = static_cast<unsigned>(std::bit_width(first ^ (last - 1)));
        result[first * row + last] = static_cast<std::uint8_t>(
            height == 0 ? runs + first : (last - 1) >> (height - 1) << (height - 1));
      }
    }
    return result;
  }();

  /// For a segment that ends at an item: the index in scan_ of the fold of its items after its last
  /// run, that of its last item in the lane of its run. If there are no such items, `group`, the
  /// index of the identity.
  static constexpr auto scan_index = [] {
    std::array<std::uint16_t, group + 1> result{};
    for (int end = 0; end <= group; ++end) {
      const int vector_of_item = (end / run / lanes) * run + (end % run - 1);
      result[end] = static_cast<std::uint16_t>(
          end % run == 0 ? group : vector_of_item * lanes + end / run % lanes);
    }
    return result;
  }();

  /// Marks that a segment begins at an item of the group. For values of 8 bytes, both halves of a
  /// lane have the bit.
  void mark(std::uint64_t item) {
    constexpr auto one = static_cast<bits>(0x100000001);
    borders_[item / run] |= one << (item % run);
  }

  /// fold (+) the parts of the groups [begin, end).
  template <class Size, class F>
  [[gnu::noinline]] T fold_whole(Size begin, Size end, const F& f, T fold) const {
    return fold_runs(begin, end, f, op_, fold);
  }

  /// In each lane: all bits, if no segment begins at any of the items `of` of its run, else none.
  [[gnu::always_inline]] static masks has_none(vector_of<std::int32_t> borders, int of) {
    return detail::bit_cast<masks>((borders & of) == 0);
  }

  static T choose(bits mask, T a, T b) {
    return detail::bit_cast<T>(static_cast<bits>((detail::bit_cast<bits>(a) & mask) |
                                                 (detail::bit_cast<bits>(b) & ~mask)));
  }

  /// The elements of `fold` in the lanes that a mask has, and in the others what a segment begins
  /// with: the operand that changes nothing, or, for sums, +0. That is one operation instead of
  /// three in a chain where each waits for the one before. A sum of -0 alone becomes +0 there,
  /// which no longer shows once `init` is added, since that is not -0.
  static vector keep(vector fold, masks kept) {
    masks result = detail::bit_cast<masks>(fold) & kept;
    if constexpr (!std::same_as<Op, plus>) {
      result |= detail::bit_cast<masks>(in_all_lanes<T>(detail::unchanging<Op, T>)) & ~kept;
    }
    return detail::bit_cast<vector>(result);
  }

  /// Folds the items of each run.
  template <class Size, class F>
  [[gnu::always_inline]] void scan(Size begin, const F& f) {
    for (int first = 0; first < runs; first += lanes) {
      const auto items = [&]<int... Lane>(int k, std::integer_sequence<int, Lane...>) {
        const Size at = static_cast<Size>(begin + static_cast<Size>(first * run + k));
        return vector{static_cast<T>(f(static_cast<Size>(at + Size{Lane * run})))...};
      };
      vector_of<std::int32_t> borders;
      std::memcpy(&borders, borders_ + first, sizeof(borders));
      for (int lane = 0; lane < lanes; ++lane) {
        const Size at = static_cast<Size>(begin + static_cast<Size>((first + lane) * run));
        prefetch_sequences(f, at);
      }
      vector x[run];
      vector fold{};
#pragma GCC unroll 16
      for (int k = 0; k < run; ++k) {
        x[k] = items(k, std::make_integer_sequence<int, lanes>{});
        if (k == 0) {
          fold = x[k];
        } else {
          fold = op_(keep(fold, has_none(borders, 1 << k)), x[k]);
        }
        std::memcpy(scan_ + first * run + k * lanes, &fold, sizeof(fold));
      }
      const masks whole = has_none(borders, 0xfffe);
      const vector of_run = fold_vectors<run, T>(x, op_);
      const masks last =
          (detail::bit_cast<masks>(of_run) & whole) | (detail::bit_cast<masks>(fold) & ~whole);
      std::memcpy(tree_ + runs + first, &last, sizeof(last));
      const masks continues = has_none(borders, 0xffff);
      std::memcpy(continues_ + first, &continues, sizeof(continues));
    }
  }

  /// Folds the tree over the runs. A node has the fold of the segment at its beginning, if that
  /// segment has begun before and has whole runs here, and that of the segment at its end.
  [[gnu::always_inline]] void join() {
    T head[runs / 2], tail[runs / 2];
    bits whole[runs / 2];
    const auto join_pairs = [&](int width, const T* heads, const T* tails, const bits* wholes) {
      for (int k = 0; k < runs / 2 / width; ++k) {
        const int border = (2 * k + 1) * width;
        const T joined = op_(tails[2 * k], heads[2 * k + 1]);
        const bits left = wholes[2 * k], right = wholes[2 * k + 1];
        tree_[border] = joined;
        head[k] = choose(left & continues_[border], joined, heads[2 * k]);
        tail[k] = choose(right, joined, tails[2 * k + 1]);
        whole[k] = left & right;
      }
    };
    join_pairs(1, tree_ + runs, tree_ + runs, continues_);
#pragma GCC unroll 4
    for (int width = 2; width < runs; width *= 2) join_pairs(width, head, tail, whole);
  }

  Op op_;
  bool prefetches_;
  /// The fold from left to right of the last segment up to each item of a run.
  alignas(64) T scan_[group + 1];
  /// The folds over the borders between runs, and then those of the last segment of each run.
  alignas(64) T tree_[2 * runs];
  /// The items of each run with which segments begin, as bits.
  alignas(64) bits borders_[runs];
  /// For each run: all bits, if no segment begins in it, else none.
  alignas(64) bits continues_[runs];
};

}  // namespace evenfold::cpu
