#pragma once
// Segmented scans of floating-point sums and products of segments that are given by offsets, in
// vector registers (vector_segment_scan.hpp): a plain scan of pairs (core/segment_fold.hpp), whose
// flags are marked for a group of 512 items at a time, a bit for each. So no branch depends on
// where short segments begin.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/cpu/scan_range.hpp"
#include "evenfold/backend/cpu/vector_segment_scan.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

namespace evenfold::cpu {

/// Whether a segment begins at an item of the group that is scanned: a bit for each of its items.
struct group_begins {
  const std::uint32_t* runs;

  template <std::integral Size>
  bool operator()(Size i) const {
    return (begins_of_run(i, *this) >> static_cast<std::uint64_t>(i) % detail::fold_run & 1) != 0;
  }
};
template <class Size>
std::uint32_t begins_of_run(Size i, const group_begins& begins) {
  return begins.runs[static_cast<std::uint64_t>(i) % detail::fold_group / detail::fold_run];
}

/// The partial fold of a plain scan of pairs up to the end of `open`, which has the last items of
/// a segment: the items before them are replaced by the beginning of a segment.
template <class T, class Op>
partial_fold<detail::segment_fold<T>> pairs_before(const partial_fold<T>& open, const Op& op) {
  using pairs = partial_fold<detail::segment_fold<T>>;
  detail::segment_fold<T> blocks[pairs::capacity];
  int num_blocks = 0;
  const T* next = open.blocks();
  for (std::uint64_t at = 0, end = open.end(); at < end; ++num_blocks) {
    const auto block_end = [=](std::uint64_t begin) {
      return begin + detail::fold_block_length(detail::first_fold_level(begin, end));
    };
    const std::uint64_t stop = block_end(at);
    const bool begins = at < open.begin();
    T fold{};
    if (open.begin() < stop) {
      at = std::max(at, open.begin());
      fold = *next++;
      while ((at = block_end(at)) < stop) fold = op(fold, *next++);
    }
    blocks[num_blocks] = {fold, begins ? 1u : 0u};
    at = stop;
  }
  return pairs(0, open.end(), blocks);
}

/// Scans the segments of [i, end), which begins with a group. `open` has the items before it in its
/// segment.
template <scan_kind Kind, class T, class Size, class Segments, class Input, class Op, class Init>
[[gnu::noinline]] void scan_groups(const Segments& segments, const partial_fold<T>& open, Size i,
                                   Size end, Input input, T* out, Op op, Init init) {
  using pair = detail::segment_fold<T>;
  using pair_op = detail::append_segment_fold<Op>;
  using item = detail::segment_item<Kind, T, Input, group_begins, Op, Init>;
  using output = detail::value_output<T, T*>;
  constexpr int runs = detail::fold_group / detail::fold_run;
  std::uint32_t begins[runs];
  range_scan<scan_kind::inclusive, segments_in::vectors, pair, Size, item, output, pair_op, no_init>
      scan(pairs_before(open, op), item{input, {begins}, op, init}, {out}, {op}, no_init{});
  auto seg = segments.segment_of(i);
  if (segments.begin(seg) < i) ++seg;
  while (i < end) {
    const Size group_end = static_cast<Size>(std::min(
        static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(i) + detail::fold_group));
    std::fill_n(begins, runs, 0u);
    for (; seg < segments.num_segments && segments.begin(seg) < group_end; ++seg) {
      const auto at = static_cast<std::uint64_t>(segments.begin(seg) - i);
      begins[at / detail::fold_run] |= 1u << (at % detail::fold_run);
    }
    scan(i, group_end);
    i = group_end;
  }
}

}  // namespace evenfold::cpu
