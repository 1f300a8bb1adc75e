#pragma once
// segreduce of segments whose items are distributed over ranks.
//
// A rank folds the segments that it closes by `segreduce` of the local context. If the first one
// begins on another rank, it is folded once more: the ranks have partial folds of the segments that
// are open at the ends of their shards, which are gathered, and the rank that closes a segment
// joins them in the order of the ranks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/partial_reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// The items of a shard behind `padding` items, so that all have indices that are as far from the
/// borders of blocks as their global indices, and a fold of a segment the brackets of the global
/// sequence.
template <class F, class T>
struct padded_items {
  using heavy = void;
  F f;
  T init;
  std::uint64_t padding;

  EF_HD constexpr T operator()(std::uint64_t i) const {
    return i < padding ? init : static_cast<T>(f(i - padding));
  }
};

/// f from an item on.
template <class F>
struct items_after {
  F f;
  std::uint64_t skipped;

  EF_HD constexpr decltype(auto) operator()(std::uint64_t i) const { return f(i + skipped); }
};
// A rank has one such segment, and most of the loops for its items would be for those that are
// looked up.
template <class F>
inline constexpr bool is_heavy<items_after<F>> = !is_light<F>;

/// What the ranks have of segments that later ranks close: the range of the open segment at the end
/// of each shard.
template <class Offset>
std::vector<item_range> open_ranges(const sharded_segments<Offset>& segments) {
  std::vector<item_range> open;
  for (int r = 0; r < segments.items().num_shards(); ++r) {
    const bool closes = segments.segments().size(r) > 0;
    open.push_back(
        {closes ? segments.next_offset(r) : segments.items().begin(r), segments.items().end(r)});
  }
  return open;
}

/// Writes the folds of the segments that this rank closes to `out`, where f(i) is the value of the
/// i-th item of the shard. fold_closed() submits those that it has all items of; the first one is
/// folded again if other ranks, or the padding, have a part of it.
template <class Context, class Offset, class F, class Op, class T, class FoldClosed>
void fold_segments_into(Context& ctx, const sharded_segments<Offset>& segments, F f, Op op, T init,
                        T* out, FoldClosed fold_closed) {
  auto& local = ctx.local();
  const int rank = ctx.rank();
  const std::uint64_t closed = segments.segments().size(rank);
  const std::uint64_t begin = segments.items().begin(rank);
  const auto fold_range = [&](std::uint64_t from, std::uint64_t to) {
    return start_partial_reduce<T>(local, to - from, items_after<F>{f, from - begin}, op, from);
  };

  const std::vector<item_range> open = open_ranges(segments);
  const item_range own_open = open[static_cast<std::size_t>(rank)];
  const partial_fold<T> tail = fold_range(own_open.begin, own_open.end);

  // The segments that this rank closes, in time with the exchange of the partial folds.
  int first = rank;
  while (first > 0 && segments.segments().size(first - 1) == 0) --first;
  if (first > 0) --first;
  const std::uint64_t first_begin =
      first < rank ? open[static_cast<std::size_t>(first)].begin : begin;
  const bool folds_first_again = closed > 0 && (first_begin < begin || segments.padding(ctx) > 0);
  const auto head = fold_range(begin, folds_first_again ? segments.first_end() : begin);
  fold_closed();
  const auto tails = gather_partial_folds(ctx, tail, open);
  if (folds_first_again) {
    partial_fold<T> fold(first_begin);
    for (int r = first; r < rank; ++r) fold.join(tails[static_cast<std::size_t>(r)], op);
    fold.join(head, op);
    fill(local, out, 1, fold.fold(op, init));
  }
}

/// The folds of all segments, where f(i) is the value of the i-th item of the shard.
template <class Context, class Offset, class F, class Op, class T>
sharded<T> fold_segments_of_shards(Context& ctx, const sharded_segments<Offset>& segments, F f,
                                   Op op, T init) {
  auto& local = ctx.local();
  sharded<T> out(ctx, segments.segments());
  const std::uint64_t closed = out.local_size();
  const std::uint64_t padding = segments.padding(ctx);
  const Offset* const offsets = segments.local_offsets(ctx);
  fold_segments_into(ctx, segments, f, op, init, out.data(), [&] {
    const std::uint64_t count =
        segments.next_offset(ctx.rank()) - segments.items().begin(ctx.rank());
    if (padding == 0) {
      transform_segreduce(local, closed > 0 ? count : 0, f, offsets, closed, out.data(), op, init);
    } else if (closed > 0) {
      transform_segreduce(local, count + padding, padded_items<F, T>{f, init, padding}, offsets,
                          closed, out.data(), op, init);
    }
  });
  return out;
}

}  // namespace detail

/// The fold of each segment, as `segreduce` on one context computes it, in shards of the segments
/// that each rank closes. Values that are not distributed as segments.items() are sent there first.
///
/// Every rank gets the same number of items + segments. Besides the local `segreduce`, each rank
/// reduces at most two ranges to partial folds, and all ranks gather those of the segments that are
/// open at the ends of the shards, O(log size) values each. The folds have the canonical order
/// (balance/fold_order.hpp), and the bits of one context. Waits for the partial folds.
///
/// Errors: argument_error if the numbers of values and items differ, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Element, class Offset, class Op, class T>
sharded<T> segreduce(distributed_context<Local, Communicator>& ctx, const sharded<Element>& values,
                     const sharded_segments<Offset>& segments, Op op, T init) {
  if (values.size() != segments.items().size()) {
    detail::refuse_argument("segreduce", "values", values.size(),
                            "the segments have another number of items", "pass one value per item");
  }
  const auto run = [&] {
    const auto fold = [&](const Element* own) {
      return detail::fold_segments_of_shards(ctx, segments, element_of<T, const Element*>{own}, op,
                                             init);
    };
    const detail::in_shards<Element> own(ctx, values, segments.items());
    return fold(own->data());
  };
  return detail::run_on_all_ranks(
      ctx, "segreduce", {{"values", values.size()}, {"init", detail::fingerprint(init)}}, run);
}

}  // namespace evenfold
