#pragma once
// `sharded_segments`: segments whose items are distributed over ranks in equal shares of the walk
// along items and segment ends (balance/merge_path.hpp).
//
// A rank takes the items of its share and closes the segments whose ends are in it. The first
// segment that it closes may begin on other ranks, and the items after the last one belong to a
// segment that a later rank closes, so that a segment may span any number of ranks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/search.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// The segments of one shard as one of the local context sees them: `offsets` are those of the
/// first `count` segments, and the next one begins at `end`. [s] = end of segment s + its index:
/// the number of steps of the walk before the one that closes it.
template <class Offset>
struct steps_before_end {
  using value_type = std::uint64_t;
  const Offset* offsets;
  std::uint64_t count, first, end;

  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    const auto next = static_cast<std::uint64_t>(s) + 1;
    return (next < count ? static_cast<std::uint64_t>(offsets[next]) : end) + first + next - 1;
  }
};

/// For each rank: where the segment after its last one begins, which is the first offset of a later
/// rank, or `count`.
template <class Context, class Offset>
std::vector<std::uint64_t> next_offsets(Context& ctx, const sharded<Offset>& offsets,
                                        std::uint64_t count) {
  std::uint64_t first = count;
  if (offsets.local_size() > 0) {
    first = static_cast<std::uint64_t>(to_host(ctx.local(), offsets.data(), 1)[0]);
  }
  const std::vector<std::uint64_t> firsts = gather_value(ctx, first);
  std::vector<std::uint64_t> next(firsts.size(), count);
  for (std::size_t r = firsts.size() - 1; r > 0; --r) {
    const bool is_empty = offsets.map().size(static_cast<int>(r)) == 0;
    next[r - 1] = is_empty ? next[r] : firsts[r];
  }
  return next;
}

}  // namespace detail

template <class Offset>
class sharded_segments {
 public:
  /// Cuts the segments into equal shares. `offsets[s]` is the first of the `count` items of segment
  /// s, as for all algorithms over segments; they may be distributed in any way, and are sent to
  /// the ranks that close their segments. Called by all ranks.
  ///
  /// Each rank counts the segments of its shard that end before each cut; the counts of all ranks
  /// are gathered and added. O(ranks log(size)) work, three all_gather and one all_to_all_v.
  template <class Context>
  sharded_segments(Context& ctx, std::uint64_t count, const sharded<Offset>& offsets) {
    detail::run_on_all_ranks(
        ctx, "sharded_segments", {{"count", count}, {"offsets", offsets.size()}}, [&] {
          if (count > 0 && offsets.size() == 0) {
            detail::refuse_argument("sharded_segments", "offsets", "empty",
                                    "there are items, which need a segment",
                                    "pass one segment with offsets[0] = 0, or a count of 0");
          }
          const shard_map closed = cut(ctx, count, offsets);
          offsets_ = redistribute(ctx, offsets, closed);
          next_ = detail::next_offsets(ctx, offsets_, count);
        });
  }

  /// Which items, and which segments, each rank has. A rank has the segments that it closes.
  const shard_map& items() const { return items_; }
  const shard_map& segments() const { return offsets_.map(); }

  /// The offsets of the segments that this rank closes, in the memory of its local context.
  const sharded<Offset>& offsets() const { return offsets_; }

  /// Where the segment after the last one that a rank closes begins.
  std::uint64_t next_offset(int rank) const { return next_[static_cast<std::size_t>(rank)]; }

 private:
  template <class Context>
  shard_map cut(Context& ctx, std::uint64_t count, const sharded<Offset>& offsets) {
    const auto ranks = static_cast<std::size_t>(ctx.size());
    const std::uint64_t steps = count + offsets.size();
    std::vector<std::uint64_t> diagonals(ranks + 1);
    for (std::size_t r = 0; r <= ranks; ++r) diagonals[r] = detail::share_begin(steps, ranks, r);
    const auto next = detail::next_offsets(ctx, offsets, count);
    const detail::steps_before_end<Offset> ends{offsets.data(), offsets.local_size(),
                                                offsets.local_begin(),
                                                next[static_cast<std::size_t>(ctx.rank())]};
    const auto needles = to_context(ctx.local(), diagonals);
    array<std::uint64_t> bound(ctx.local(), ranks + 1);
    search<bounds::lower>(ctx.local(), needles.data(), ranks + 1, ends, offsets.local_size(),
                          bound.data(), less{});
    const std::vector<std::uint64_t> own = to_host(ctx.local(), bound);
    const auto all = detail::gather_values(ctx, own.data(), own.size());
    std::vector<std::uint64_t> closed(ranks + 1);
    std::vector<std::uint64_t> items(ranks + 1);
    for (std::size_t k = 0; k <= ranks; ++k) {
      for (std::size_t r = 0; r < ranks; ++r) closed[k] += all[r * (ranks + 1) + k];
      items[k] = diagonals[k] - closed[k];
    }
    items_ = shard_map(std::move(items));
    return shard_map(std::move(closed));
  }

  shard_map items_;
  sharded<Offset> offsets_;
  std::vector<std::uint64_t> next_;
};

}  // namespace evenfold
