#pragma once
// The canonical fold of one segment among many (balance/fold_order.hpp) on one CPU thread.
//
// Of a segment of a few dozen items, the items before the first run and those after the last one
// are folded in loops of a length that no processor predicts, and a processor that guesses the end
// of a loop wrongly loses the time of dozens of additions. Where items can be read freely and an
// operand changes nothing, these two loops therefore have 15 steps always: `padded_run` has such
// operands before and after its items. This pays unless most segments are so short that they have a
// few items and no run. These are folded eight items after eight, so that there are two branches:
// whether a multiple of 16 lies inside the segment, and whether more than eight items are left.
// Where eight segments in a row have at most four or eight items, the second branch is made once
// for all of them.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "evenfold/backend/cpu/fold_groups.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/padded_folds.hpp"
#include "evenfold/backend/cpu/prefetch.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::cpu {

/// The folds of `num_segments` segments, which have `count` items, by one of `threads` threads.
template <class T, class Size, class F, class Op>
class segment_fold {
 public:
  segment_fold(Size count, std::size_t num_segments, int threads, F f, Op op)
      : count_(count),
        is_many_(num_segments / static_cast<std::size_t>(threads) >= few_segments),
        is_large_(!pads_items && static_cast<std::int64_t>(count) >= large),
        few_(static_cast<std::size_t>(count) / 16 < num_segments ? Size{run}
             : pads_runs                                         ? Size{4}
                                                                 : Size{0}),
        f_(f),
        op_(op) {}

  /// Writes init (+) f(b) (+) ... (+) f(e - 1) for the segments [b, e) from `seg` to `last`, the
  /// first of which begins at `begin`. Returns the end of the last one.
  template <class Segments, class SegmentSize, class Output>
  Size operator()(Segments segments, SegmentSize seg, SegmentSize last, Size begin, Output out,
                  T init) {
    if constexpr (has_groups) {
      if (fold_groups<T, Op>::may_begin_with(init) && profits_from_groups(segments, seg, last)) {
        return fold_in_groups(segments, seg, last, begin, out, init);
      }
    }
    return fold_in_turn(segments, seg, last, begin, out, init);
  }

 private:
  /// Whether segments have random lengths, and neither so few items that each of them takes most of
  /// the time nor so many that it hardly counts where they end. Of lengths that are not random,
  /// most are equal to one of the four before. Where elements are looked up in no cache of a core,
  /// groups are faster for equal lengths, too, unless a segment has about a run of items or most
  /// segments end with a run.
  template <class Segments, class SegmentSize>
  bool profits_from_groups(const Segments& segments, SegmentSize seg, SegmentSize last) const {
    constexpr int sample = 32, past = 4, gap = 1024;
    if (!is_many_ || last - seg < gap) return false;
    const auto begin = [&](std::int64_t s) {
      return static_cast<std::int64_t>(segments.begin(static_cast<SegmentSize>(s)));
    };
    const auto first = static_cast<std::int64_t>(seg), end = static_cast<std::int64_t>(last) - 1;
    const std::int64_t num = end - first, all = begin(end) - begin(first);
    const bool looks_far = looks_up<F> && is_large_;
    const std::int64_t most_mean = is_large_ ? 128 : most_mean_in_cache;
    if (2 * all < least_mean_doubled * num || all > most_mean * num) return false;
    std::int64_t samples = 0, others = 0, items = 0, change = 0, cuts = 0;
    for (std::int64_t from = first; from + past + sample <= end; from += gap) {
      std::int64_t length[past] = {};
      for (int k = 0; k < past + sample; ++k) {
        const std::int64_t until = begin(from + k + 1), now = until - begin(from + k);
        std::int64_t least = std::abs(now - length[0]);
        for (const std::int64_t before : length) least = std::min(least, std::abs(now - before));
        length[k % past] = now;
        if (k < past) continue;
        items += now;
        change += least;
        others += least > 0 ? 1 : 0;
        cuts += until % static_cast<std::int64_t>(run) != 0 ? 1 : 0;
      }
      samples += sample;
    }
    if (looks_far && all > static_cast<std::int64_t>(run + 1) * num && 3 * cuts > samples) {
      return true;
    }
    return 3 * others > samples && (!pads_items || 3 * change < items);
  }

  template <class Segments, class SegmentSize, class Output>
  [[gnu::noinline]] Size fold_in_groups(Segments segments, SegmentSize seg, SegmentSize last,
                                        Size begin, Output out, T init) {
    const auto end = static_cast<SegmentSize>(last - 1);
    const bool prefetches = is_large_ && prefetching_elements_pays(f_, begin, segments.begin(end));
    fold_groups<T, Op> groups(op_, prefetches);
    groups(segments, seg, end, begin, count_, f_, out, init);
    return fold_one_by_one(segments, seg, last, begin, out, init);
  }

  /// The same, one after the other.
  template <class Segments, class SegmentSize, class Output>
  Size fold_in_turn(Segments segments, SegmentSize seg, SegmentSize last, Size begin, Output out,
                    T init) {
    if constexpr (pads_items) {
      // The longest of eight segments tells how many items of each are folded without a branch.
      constexpr int batch = 8, unpadded = 64;
      while (last - seg > batch) {
        const auto end = [&](int k) {
          return segments.begin(static_cast<SegmentSize>(seg + SegmentSize(k + 1)));
        };
        Size longest = 0;
        Size from = begin;
        for (int k = 0; k < batch; ++k) {
          longest = std::max(longest, static_cast<Size>(end(k) - from));
          from = end(k);
        }
        const auto fold = [&]<int Most>(std::integral_constant<int, Most>) {
          for (int k = 0; k < batch; ++k) {
            const Size to = end(k);
            out[static_cast<SegmentSize>(seg + SegmentSize(k))] =
                padded_vectors<T, Op>::template append<Most>(begin, to, f_, init, op_);
            begin = to;
          }
          seg = static_cast<SegmentSize>(seg + SegmentSize{batch});
        };
        if (longest == 0) {
          // Many empty segments follow each other.
          for (int k = 0; k < batch; ++k)
            out[static_cast<SegmentSize>(seg + SegmentSize(k))] = init;
          seg = static_cast<SegmentSize>(seg + SegmentSize{batch});
        } else if (longest <= 4 && can_pad(end(batch - 1))) {
          fold(std::integral_constant<int, 4>{});
        } else if (longest <= 8 && can_pad(end(batch - 1))) {
          fold(std::integral_constant<int, 8>{});
        } else {
          const SegmentSize next =
              last - seg > unpadded ? static_cast<SegmentSize>(seg + SegmentSize{unpadded}) : last;
          begin = fold_one_by_one(segments, seg, next, begin, out, init);
          seg = next;
        }
      }
    }
    return fold_one_by_one(segments, seg, last, begin, out, init);
  }

  template <class Segments, class SegmentSize, class Output>
  [[gnu::noinline]] Size fold_one_by_one(Segments segments, SegmentSize seg, SegmentSize last,
                                         Size begin, Output out, T init) {
    // Copies that nobody else can see stay in registers, whatever is written.
    const F f = f_;
    const Op op = op_;
    const bool is_large = is_large_;
    const bool asks =
        is_large && seg < last &&
        prefetching_elements_pays(f_, begin, segments.end(static_cast<SegmentSize>(last - 1)));
    for (; seg < last; ++seg) {
      const Size end = segments.end(seg);
      if (is_large) prefetch_sequences(f, begin);
      if (pads_items && end - begin < few_ && can_pad(end)) {
        if constexpr (pads_items)
          out[seg] = padded_vectors<T, Op>::template append<run>(begin, end, f, init, op);
      } else if (adds && end - begin >= Size{vector_lanes<T>} &&
                 static_cast<std::uint64_t>(end - begin) < fewest_rows) {
        if constexpr (adds) out[seg] = padded_vectors<T, Op>::append_sum(begin, end, f, init, op);
      } else if constexpr (pads_runs) {
        out[seg] = fold_longer(begin, end, init);
      } else if (pads_rest && end - begin >= Size{2 * run} && can_pad(end)) {
        if constexpr (pads_rest) out[seg] = fold_rows(begin, end, f, op, init);
      } else {
        const bool asks_here = asks && end - begin >= Size{run};
        out[seg] = with_elements_ahead<cache_level::first>(
            f, asks_here, end, count_,
            [&](const auto& items) { return fold_range(begin, end, items, op, init); });
      }
      begin = end;
    }
    return begin;
  }

  /// A function of its own, so that its code leaves the registers to that of short segments.
  [[gnu::noinline]] T fold_longer(Size begin, Size end, T fold) {
    const std::uint64_t first = first_run(begin);
    const std::uint64_t last = static_cast<std::uint64_t>(last_run_end(end));
    // Items of one run.
    if (first > last && can_pad(end)) {
      return padded_vectors<T, Op>::template append<run>(begin, end, f_, fold, op_);
    }
    // A longer segment is folded in vectors for the most part. The runs that are read lie within
    // the items.
    if (end - begin < 256 && first <= last && first >= run &&
        last + run <= static_cast<std::uint64_t>(count_)) {
      run_.read(static_cast<Size>(first - run), f_);
      const T before = run_.fold_last(first - static_cast<std::uint64_t>(begin), op_);
      fold = fold_runs_after<T>(before, static_cast<Size>(first), static_cast<Size>(last), f_, op_,
                                fold);
      run_.read(static_cast<Size>(last), f_);
      const T items = run_.fold_first(static_cast<std::uint64_t>(end) - last, op_);
      return op_(fold, items);
    }
    return fold_other(begin, end, fold);
  }

  /// At least 32 numbers whose order makes no difference: whole rows of lanes, and then the rest,
  /// which is padded.
  static T fold_rows(Size begin, Size end, const F& f, const Op& op, T fold) {
    constexpr std::size_t lanes = fold_lanes<T>;
    const Size rows_end = end - (end - begin) % Size{lanes};
    fold = op(fold, fold_by_lanes<T>(begin, rows_end, f, op, std::make_index_sequence<lanes>{}));
    return padded_vectors<T, Op>::template append<run>(rows_end, end, f, fold, op);
  }

  /// As fold_longer.
  [[gnu::noinline]] T fold_other(Size begin, Size end, T fold) const {
    return fold_range(begin, end, f_, op_, fold);
  }

  /// Whether the items of a segment that ends at `end` can be padded.
  bool can_pad(Size end) const {
    return static_cast<std::size_t>(end) + run <= static_cast<std::size_t>(count_);
  }

  static constexpr std::uint64_t run = detail::fold_run;
  static constexpr bool pads_items = pads_lanes<Op, T> && reads_numbers<F>;
  static constexpr bool has_groups = folds_in_vectors<Op, T> && can_be_repeated<F>;
  static constexpr int least_mean_doubled = pads_items ? 12 : 3;
  static constexpr int most_mean_in_cache =
      sizeof(T) == 4 ? (pads_items ? 40 : 64) : (pads_items ? 20 : 24);
  static constexpr bool pads_runs = folds_in_vectors<Op, T> && reads_numbers<F>;
  static constexpr bool adds = pads_items && std::integral<T> && std::same_as<Op, plus>;
  /// From so many items on, integers are added in several vectors at a time.
  static constexpr std::uint64_t fewest_rows = 256;
  static constexpr bool pads_rest = pads_items && std::integral<T> && fold_lanes<T> <= run;

  /// A processor remembers the lengths of fewer segments from one call to the next.
  static constexpr std::size_t few_segments = 3 << 12;
  static constexpr std::int64_t large = 1 << 22;

  Size count_;
  /// Whether a thread has many segments.
  bool is_many_;
  /// Whether looked-up elements are probably in no cache of a core.
  bool is_large_;
  /// Segments of fewer items are folded without runs, and 16 at most.
  Size few_;
  F f_;
  Op op_;
  [[no_unique_address]] std::conditional_t<pads_runs, padded_run<T, Op>, tuple<>> run_;
};

}  // namespace evenfold::cpu
