#pragma once
// transform_lbs of segments whose items are distributed over ranks. Nothing is sent.

#include <cstdint>

#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/segments.hpp"

namespace evenfold {

namespace detail {

/// The segments that have items of a shard, as offsets that begin at 0: those that the rank closes,
/// and the one that is open at its end.
template <class Offset>
struct shard_offsets {
  using value_type = std::uint64_t;
  const Offset* offsets;
  std::uint64_t num_closed, next, first_item;

  /// Where a segment begins in the global sequence.
  EF_HD constexpr std::uint64_t global(std::uint64_t s) const {
    return s < num_closed ? static_cast<std::uint64_t>(offsets[s]) : next;
  }
  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    return s == 0 ? 0 : global(static_cast<std::uint64_t>(s)) - first_item;
  }
};

/// f of global indices as a function of those of a shard.
template <class F, class Offset>
struct call_with_global_indices {
  F f;
  shard_offsets<Offset> offsets;
  std::uint64_t first_segment;

  EF_HD constexpr void operator()(std::uint64_t i, std::uint64_t s, std::uint64_t) const {
    const std::uint64_t index = offsets.first_item + i;
    f(index, first_segment + s, index - offsets.global(s));
  }
};

}  // namespace detail

/// Calls f(index, seg, rank) for each item, where all three are global numbers of type
/// std::uint64_t: the item, its segment, and its position in the segment. Each call is made on the
/// rank that has the item, segments.items(); f may write to the shard of that rank, at
/// index - segments.items().begin(rank). Otherwise as `transform_lbs` on one context.
template <context Local, class Communicator, class Offset, class F>
void transform_lbs(distributed_context<Local, Communicator>& ctx,
                   const sharded_segments<Offset>& segments, F f) {
  const shard_map& items = segments.items();
  detail::run_on_all_ranks(ctx, "transform_lbs", {{"items", items.size()}}, [&] {
    const int rank = ctx.rank();
    const std::uint64_t closed = segments.segments().size(rank);
    const detail::shard_offsets<Offset> offsets{segments.offsets().data(), closed,
                                                segments.next_offset(rank), items.begin(rank)};
    const bool has_open = segments.next_offset(rank) < items.end(rank);
    transform_lbs(
        ctx.local(), items.size(rank),
        detail::call_with_global_indices<F, Offset>{f, offsets, segments.segments().begin(rank)},
        offsets, closed + (has_open ? 1 : 0));
  });
}

}  // namespace evenfold
