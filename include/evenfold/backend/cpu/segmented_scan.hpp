#pragma once
// segmented_scan on CPU threads, of segments that are given by offsets.
//
// Each thread scans an equal share of the items, which begins at a multiple of a group of the
// canonical order (balance/fold_order.hpp), segment after segment. If a segment crosses the end of
// a share, its items in the share are folded before that, so that the next shares know what comes
// before theirs.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
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
/// fold of those up to each but the last, and returns the fold of all.
template <class T, class Size, class Items, class Output, class Op, class With>
[[gnu::always_inline]] inline T scan_items(Size i, Size end, const Items& items, Output out,
                                           const Op& op, const With& with_before) {
  T fold = items(i);
#pragma GCC unroll 16
  for (++i; i < end; ++i) {
    out[static_cast<Size>(i - 1)] = with_before(fold);
    fold = op(fold, items.later(i));
  }
  return fold;
}

/// Scans the items [i, end) of a segment that has items in several runs. Those before i are in
/// `prefixes`.
template <class T, class Size, class Items, class Output, class Op>
void scan_runs(Size i, Size end, const Items& items, Output out, const Op& op,
               segment_prefixes<T, Op>& prefixes) {
  while (i < end) {
    const std::uint64_t run = static_cast<std::uint64_t>(i) / detail::fold_run;
    const std::uint64_t run_end = (run + 1) * detail::fold_run;
    const bool is_whole = run_end <= static_cast<std::uint64_t>(end);
    const Size last = is_whole ? static_cast<Size>(run_end) : end;
    const auto scan = [&](const auto& with_before) __attribute__((always_inline)) {
      const T fold = scan_items<T>(i, last, items, out, op, with_before);
      if (is_whole) {
        prefixes.append(run, fold);
        out[static_cast<Size>(last - 1)] = *prefixes.fold();
      } else {
        out[static_cast<Size>(last - 1)] = with_before(fold);
      }
    };
    if (prefixes.fold() == nullptr) {
      scan([](const T& x) { return x; });
    } else {
      const T before = *prefixes.fold();
      scan([&](const T& x) { return op(before, x); });
    }
    i = last;
  }
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
    const std::uint64_t run = static_cast<std::uint64_t>(begin) / detail::fold_run;
    if (before != nullptr) {
      prefixes.begin(*before);
    } else if (static_cast<std::uint64_t>(end) <= (run + 1) * detail::fold_run) {
      out[static_cast<Size>(end - 1)] =
          scan_items<T>(begin, end, items_from(first), out, order(), [](const T& x) { return x; });
      return;
    } else {
      prefixes.begin(run);
    }
    scan_runs(begin, end, items_from(first), out, order(), prefixes);
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
  const std::size_t shares = ctx.shares(items, tile);
  const auto begin_of = [=](std::size_t share) {
    const std::size_t begin = detail::share_begin(items, shares, share);
    return static_cast<Size>(share < shares ? begin - begin % detail::fold_group : begin);
  };
  // What is open at the end of each share but the last: the items of a segment that goes on.
  array<partial> open(ctx, shares);
  const auto fold_open = [&](std::size_t first, std::size_t last) {
    const worker own{input, out, op, init};
    for (std::size_t s = first; s < last; ++s) {
      const Size end = begin_of(s + 1);
      const Size segment_begin = segments.begin(segments.segment_of(end));
      const Size begin = std::max(segment_begin, begin_of(s));
      own.fold(*std::construct_at(&open[s], begin), segment_begin, begin, end);
    }
  };
  const auto scan_share = [&](std::size_t first, std::size_t last) {
    worker own{input, out, op, init};
    for (std::size_t s = first; s < last; ++s) {
      const Size share_end = begin_of(s + 1);
      Size i = begin_of(s);
      if constexpr (cpu::folds_in_vectors<Op, T> && std::same_as<Output, T*>) {
        cpu::scan_groups<Kind, T>(segments, s == 0 ? partial() : open[s - 1], i, share_end, input,
                                  out, op, init);
      } else {
        SegmentSize seg = segments.segment_of(i);
        for (Size segment_begin = segments.begin(seg); i < share_end; ++seg) {
          const Size segment_end = segments.end(seg), end = std::min(segment_end, share_end);
          if (i < end) own.scan(segment_begin < i ? &open[s - 1] : nullptr, segment_begin, i, end);
          i = std::max(i, end);
          segment_begin = segment_end;
        }
      }
    }
  };
  if (shares > 1) ctx.parallel(shares - 1, fold_open);
  for (std::size_t s = 1; s + 1 < shares; ++s) {
    if (segments.begin(segments.segment_of(begin_of(s + 1))) >= begin_of(s)) continue;
    partial joined = open[s - 1];
    joined.join(open[s], worker{input, out, op, init}.order());
    open[s] = joined;
  }
  ctx.parallel(shares, scan_share);
}

}  // namespace backend
}  // namespace evenfold
