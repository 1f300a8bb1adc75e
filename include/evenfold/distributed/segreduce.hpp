#pragma once
// segreduce of segments whose items are distributed over ranks.
//
// A rank folds the segments that lie within its shard by `segreduce` of the local context. Of the
// first segment that it closes, and of the one that is open at the end of its shard, it has partial
// folds; those of the open segments are gathered, and the rank that closes a segment joins them in
// the order of the ranks.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/partial_reduce.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// Segments [1, count) of a shard behind a segment of `padding` items. With them, the items have
/// indices that are as far from the borders of blocks as their global indices, so that a fold of a
/// segment has the brackets of the global sequence.
template <class Offset>
struct padded_offsets {
  using value_type = std::uint64_t;
  const Offset* offsets;
  std::uint64_t padding, first_item;  ///< where segment 1 begins

  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    return s == 0 ? 0 : static_cast<std::uint64_t>(offsets[s]) - first_item + padding;
  }
};

template <class F, class T>
struct padded_items {
  F f;
  T init;
  std::uint64_t padding, skipped;

  EF_HD constexpr T operator()(std::uint64_t i) const {
    return i < padding ? init : static_cast<T>(f(i - padding + skipped));
  }
};

/// The length of segment s + 1 of a shard of `count` segments, the last of which ends at `next`.
template <class Offset>
struct segment_length {
  const Offset* offsets;
  std::uint64_t count, next;

  EF_HD constexpr std::uint64_t operator()(std::uint64_t s) const {
    const auto end = s + 2 < count ? static_cast<std::uint64_t>(offsets[s + 2]) : next;
    return end - static_cast<std::uint64_t>(offsets[s + 1]);
  }
};

/// f from an item on.
template <class F>
struct items_after {
  F f;
  std::uint64_t skipped;

  EF_HD constexpr decltype(auto) operator()(std::uint64_t i) const { return f(i + skipped); }
};

/// The folds of all segments, where f(i) is the value of the i-th item of the shard.
template <class Context, class Offset, class F, class Op, class T>
sharded<T> fold_segments_of_shards(Context& ctx, const sharded_segments<Offset>& segments, F f,
                                   Op op, T init) {
  auto& local = ctx.local();
  const int rank = ctx.rank();
  const Offset* const offsets = segments.offsets().data();
  const std::uint64_t closed = segments.segments().size(rank);
  const item_range items{segments.items().begin(rank), segments.items().end(rank)};
  const std::uint64_t next = segments.next_offset(rank);
  sharded<T> out(ctx, segments.segments());

  // The range of the open segment at the end of each shard.
  std::vector<item_range> open;
  for (int r = 0; r < ctx.size(); ++r) {
    const bool closes = segments.segments().size(r) > 0;
    open.push_back(
        {closes ? segments.next_offset(r) : segments.items().begin(r), segments.items().end(r)});
  }
  const auto fold_range = [&](item_range range) {
    return partial_reduce<T>(local, range.end - range.begin,
                             items_after<F>{f, range.begin - items.begin}, op, range.begin);
  };
  const auto tails =
      gather_partial_folds(ctx, fold_range(open[static_cast<std::size_t>(rank)]), open);
  if (closed == 0) return out;

  // The first segment: what earlier ranks have of it, and the head of this shard.
  const std::uint64_t head_end =
      closed > 1 ? static_cast<std::uint64_t>(to_host(local, offsets + 1, 1)[0]) : next;
  const partial_fold<T> head = fold_range({items.begin, head_end});
  int first = rank;
  while (first > 0 && segments.segments().size(first - 1) == 0) --first;
  partial_fold<T> before(items.begin);
  if (first > 0) --first;
  if (first < rank) before = tails[static_cast<std::size_t>(first)];
  for (int r = first + 1; r < rank; ++r) before.join(tails[static_cast<std::size_t>(r)], op);
  before.join(head, op);
  const T fold = before.fold(op, init);
  copy(local, &fold, 1, out.data());
  local.synchronize();
  if (closed == 1) return out;

  // The segments within the shard. No block of a fold is longer than the longest of them, or a
  // group.
  const std::uint64_t longest =
      transform_reduce(local, closed - 1, segment_length<Offset>{offsets, closed, next}, maximum{},
                       std::uint64_t{0});
  const std::uint64_t padding =
      head_end % std::max(std::uint64_t{fold_group}, std::bit_floor(longest));
  array<T> folds(local, closed);
  transform_segreduce(local, next - head_end + padding,
                      padded_items<F, T>{f, init, padding, head_end - items.begin},
                      padded_offsets<Offset>{offsets, padding, head_end}, closed, folds.data(), op,
                      init);
  copy(local, folds.data() + 1, closed - 1, out.data() + 1);
  local.synchronize();
  return out;
}

}  // namespace detail

/// The fold of each segment, as `segreduce` on one context computes it, in shards of the segments
/// that each rank closes. Values that are not distributed as segments.items() are sent there first.
///
/// Every rank gets the same number of items + segments. Besides the local `segreduce`, each rank
/// reduces at most two ranges to partial folds, and all ranks gather those of the segments that are
/// open at the ends of the shards, O(log size) values each. On the CPU the folds have the canonical
/// order (balance/fold_order.hpp), and the bits of one context. Waits.
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
    if (values.map() == segments.items()) return fold(values.data());
    const sharded<Element> moved = redistribute(ctx, values, segments.items());
    return fold(moved.data());
  };
  return detail::run_on_all_ranks(
      ctx, "segreduce", {{"values", values.size()}, {"init", detail::fingerprint(init)}}, run);
}

}  // namespace evenfold
