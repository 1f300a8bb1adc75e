#pragma once
// segmented_scan on CPU threads, of segments that are given by offsets.
//
// Threads take equal shares of the items in turn, which begin at multiples of a group of the
// canonical order (balance/fold_order.hpp), and scan them segment after segment. If a segment
// crosses the end of a share, its items in the share are folded before that, so that the next
// shares know what comes before theirs.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/in_turn.hpp"
#include "evenfold/backend/cpu/scan_groups.hpp"
#include "evenfold/backend/cpu/scan_range.hpp"
#include "evenfold/backend/cpu/segment_prefixes.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {
namespace cpu {

/// Whether groups are scanned in vectors, and not one segment after the other: always in four
/// lanes, in two only if segments are so short that their ends are often guessed wrongly.
template <class T>
bool scans_groups(std::size_t items, std::size_t num_segments) {
  constexpr std::size_t least_mean = 16;
  return vector_lanes<T> > 2 || items / least_mean < num_segments;
}

/// The items of an inclusive scan of a segment but for the first one. An exclusive scan is one of
/// the initial value and then the items but for the last one.
template <scan_kind Kind, class T, class Input>
struct later_items {
  Input input;

  template <class Size>
  T operator()(Size i) const {
    return static_cast<T>(input[static_cast<Size>(Kind == scan_kind::exclusive ? i - 1 : i)]);
  }
};

/// All of its items: item `first` has the initial value before it.
template <scan_kind Kind, class T, class Size, class Input, class Op, class Init>
struct items_of_scan {
  later_items<Kind, T, Input> later;
  Size first;
  Op op;
  Init init;

  T operator()(Size i) const {
    if (i != first) return later(i);
    if constexpr (Kind == scan_kind::exclusive) {
      return static_cast<T>(init);
    } else if constexpr (std::same_as<Init, no_init>) {
      return later(i);
    } else {
      return static_cast<T>(op(static_cast<T>(init), later(i)));
    }
  }
};

/// Scans the items [i, end) of a segment, which lie in one run. Writes with_before(fold) for the
/// fold of those up to each, and returns the fold of all.
template <class T, class Size, class Items, class Output, class Op, class With>
[[gnu::always_inline]] inline T scan_items(Size i, Size end, const Items& items, Output out,
                                           const Op& op, const With& with_before) {
  T fold = items(i);
#pragma GCC unroll 16
  for (++i; i < end; ++i) {
    out[static_cast<Size>(i - 1)] = with_before(fold);
    fold = op(fold, items.later(i));
  }
  out[static_cast<Size>(end - 1)] = with_before(fold);
  return fold;
}

/// What a thread does with the segments of a share: it folds those items that a later share has to
/// know, and scans all. This one keeps the canonical order.
template <scan_kind Kind, class T, class Size, class Input, class Output, class Op, class Init>
struct ordered_segment_scan {
  using partial = partial_fold<T>;
  Input input;
  Output out;
  Op op;
  Init init;
  segment_prefixes<T, ordered<Op>> prefixes{ordered<Op>{op}};

  ordered<Op> order() const { return {op}; }
  items_of_scan<Kind, T, Size, Input, Op, Init> items_from(Size first) const {
    return {{input}, first, op, init};
  }
  /// Appends the items [begin, end) of the segment that begins at `first`.
  void fold(partial& part, Size first, Size begin, Size end) const {
    const auto items = items_from(first);
    if (begin == first && begin < end) part.append(items(begin++), order());
    append_range(part, begin, end, items.later, order());
  }
  /// Scans the items [begin, end) of that segment. Where `before` is not null, it has those before.
  void scan(const partial* before, Size first, Size begin, Size end) {
    const auto items = items_from(first);
    const auto scan_with = [&](Size i, Size last, const T& fold) __attribute__((always_inline)) {
      return scan_items<T>(i, last, items, out, order(),
                           [&](const T& x) { return order()(fold, x); });
    };
    constexpr Size run = detail::fold_run;
    if (before != nullptr) {
      prefixes.begin(*before);
    } else {
      // A short segment lies in one run, or has a few items in a second one.
      const Size left = static_cast<Size>(run - begin % run);
      const bool is_one_run = end - begin <= left;
      const Size border = is_one_run ? end : static_cast<Size>(begin + left);
      const T head =
          scan_items<T>(begin, border, items, out, order(), [](const T& x) { return x; });
      if (is_one_run) return;
      if (end - border < run) {
        if (border < end) scan_with(border, end, head);
        return;
      }
      const auto first_run = static_cast<std::uint64_t>(begin / run);
      prefixes.begin(first_run);
      prefixes.append(first_run, head);
      begin = border;
    }
    for (; end - begin >= run; begin = static_cast<Size>(begin + run)) {
      const T fold = scan_with(begin, static_cast<Size>(begin + run), T(prefixes.fold()));
      prefixes.append(static_cast<std::uint64_t>(begin / run), fold);
      out[static_cast<Size>(begin + run - 1)] = prefixes.fold();
    }
    if (begin < end) scan_with(begin, end, T(prefixes.fold()));
  }
};

/// The same where the order makes no difference.
template <scan_kind Kind, class T, class Size, class Input, class Output, class Op, class Init>
struct unordered_segment_scan {
  using partial = unordered_fold<T>;
  Input input;
  Output out;
  Op op;
  Init init;

  const Op& order() const { return op; }
  void fold(partial& part, Size, Size begin, Size end) const {
    append_range(part, begin, end, element_of<T, Input>{input}, op);
  }
  void scan(const partial* before, Size, Size begin, Size end) const {
    const element_of<T, Input> f{input};
    if constexpr (std::same_as<Init, no_init>) {
      scan_in_order<Kind>(before == nullptr ? nullptr : before->value(), begin, end, f, out, op);
    } else {
      const T first = static_cast<T>(init);
      const T all = before == nullptr ? first : before->fold(op, first);
      scan_in_order<Kind>(&all, begin, end, f, out, op);
    }
  }
};

}  // namespace cpu

namespace backend {

template <scan_kind Kind, class Tuning, class T, class Input, class Size, class Offsets,
          class SegmentSize, class Output, class Op, class Init>
void segmented_scan(cpu_context& ctx, Input input, Size count,
                    detail::segment_view<Size, Offsets, SegmentSize> segments, Output out, Op op,
                    Init init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  using worker =
      std::conditional_t<cpu::scans_in_any_order<Op, T>,
                         cpu::unordered_segment_scan<Kind, T, Size, Input, Output, Op, Init>,
                         cpu::ordered_segment_scan<Kind, T, Size, Input, Output, Op, Init>>;
  using partial = typename worker::partial;
  const auto items = static_cast<std::size_t>(count);
  const std::size_t shares = cpu::segment_shares(ctx, items, tile);
  const auto begin_of = [=](std::size_t share) {
    const std::size_t begin = detail::share_begin(items, shares, share);
    return static_cast<Size>(share < shares ? begin - begin % detail::fold_group : begin);
  };
  // What is open at the end of each share but the last: the items of a segment that goes on.
  array<partial> open(ctx, shares);
  const auto fold_open = [&](std::size_t s) {
    const Size end = begin_of(s + 1);
    const Size segment_begin = segments.begin(segments.segment_of(end));
    const Size begin = std::max(segment_begin, begin_of(s));
    worker{input, out, op, init}.fold(*std::construct_at(&open[s], begin), segment_begin, begin,
                                      end);
  };
  const auto scan_share = [&](std::size_t s, worker& own) {
    const Size share_end = begin_of(s + 1);
    Size i = begin_of(s);
    if constexpr (cpu::folds_in_vectors<Op, T> && std::same_as<Output, T*>) {
      if (cpu::scans_groups<T>(items, static_cast<std::size_t>(segments.num_segments))) {
        cpu::scan_groups<Kind, T>(segments, s == 0 ? partial() : open[s - 1], i, share_end, input,
                                  out, op, init);
        return;
      }
    }
    SegmentSize seg = segments.segment_of(i);
    for (Size segment_begin = segments.begin(seg); i < share_end; ++seg) {
      const Size segment_end = segments.end(seg), end = std::min(segment_end, share_end);
      if (i < end) own.scan(segment_begin < i ? &open[s - 1] : nullptr, segment_begin, i, end);
      i = std::max(i, end);
      segment_begin = segment_end;
    }
  };
  if (shares > 1) {
    cpu::take_in_turn(ctx, shares - 1, [&](auto take) {
      for (std::size_t s; take(s);) fold_open(s);
    });
  }
  for (std::size_t s = 1; s + 1 < shares; ++s) {
    if (segments.begin(segments.segment_of(begin_of(s + 1))) >= begin_of(s)) continue;
    partial joined = open[s - 1];
    joined.join(open[s], worker{input, out, op, init}.order());
    open[s] = joined;
  }
  cpu::take_in_turn(ctx, shares, [&](auto take) {
    worker own{input, out, op, init};
    for (std::size_t s; take(s);) scan_share(s, own);
  });
}

}  // namespace backend
}  // namespace evenfold
