#pragma once
// `sharded_segments`: segments whose items are distributed over ranks in equal shares of the walk
// along items and segment ends (balance/merge_path.hpp); a large share may be a thousandth longer.
//
// A rank takes the items of its share and closes the segments whose ends are in it. The first
// segment that it closes may begin on other ranks, and the items after the last one belong to a
// segment that a later rank closes, so that a segment may span any number of ranks.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// Where the segments of one shard end: `offsets` are those of the first `count` segments, and the
/// next one begins at `end`.
template <class Offset>
struct segment_ends {
  using value_type = std::uint64_t;
  const Offset* offsets;
  std::uint64_t count, end;

  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    const auto next = static_cast<std::uint64_t>(s) + 1;
    return next < count ? static_cast<std::uint64_t>(offsets[next]) : end;
  }
};

/// [s] = end of segment s + its index, where `first` is that of segment 0: the number of steps of
/// the walk before the one that closes it.
template <class Offset>
struct steps_before_end {
  using value_type = std::uint64_t;
  segment_ends<Offset> ends;
  std::uint64_t first;

  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    return ends[s] + first + static_cast<std::uint64_t>(s);
  }
};

/// [k] = the sum of values[k] of all ranks, which have equally many. Many ranks sum up a share
/// each, since the values of all would take the square of the number of ranks.
template <class Context>
std::vector<std::uint64_t> sum_over_ranks(Context& ctx, const std::vector<std::uint64_t>& values) {
  constexpr std::size_t few = 1 << 12;
  const auto ranks = static_cast<std::size_t>(ctx.size());
  const auto add_up = [](const std::vector<std::uint64_t>& all, std::size_t count) {
    std::vector<std::uint64_t> sums(count);
    for (std::size_t k = 0; k < all.size(); ++k) sums[k % count] += all[k];
    return sums;
  };
  if (ranks * values.size() <= few) {
    return add_up(gather_values(ctx, values.data(), values.size()), values.size());
  }
  const equal_shares<std::size_t> share(values.size(), ranks);
  const auto rank = static_cast<std::size_t>(ctx.rank());
  const std::size_t own = share.begin(rank + 1) - share.begin(rank);
  std::vector<std::size_t> shares, equal;
  for (std::size_t r = 0; r <= ranks; ++r) {
    shares.push_back(share.begin(r) * sizeof(std::uint64_t));
    equal.push_back(r * own * sizeof(std::uint64_t));
  }
  std::vector<std::uint64_t> of_share(own * ranks), sums(values.size());
  ctx.communicator().all_to_all_v(ctx.host(), reinterpret_cast<const std::byte*>(values.data()),
                                  shares, reinterpret_cast<std::byte*>(of_share.data()), equal);
  const std::vector<std::uint64_t> mine = add_up(of_share, own);
  ctx.communicator().all_gather_v(ctx.host(), reinterpret_cast<const std::byte*>(mine.data()),
                                  reinterpret_cast<std::byte*>(sums.data()), shares);
  return sums;
}

/// How many elements of an ascending sequence on all ranks, of which `own` are the `count` elements
/// of this rank, are less than each needle, or not greater with bounds::upper.
template <bounds Bounds, class Context, class Sequence>
std::vector<std::uint64_t> count_below(Context& ctx, const std::vector<std::uint64_t>& needles,
                                       Sequence own, std::uint64_t count) {
  const auto on_context = to_context(ctx.local(), needles);
  array<std::uint64_t> bound(ctx.local(), needles.size());
  search<Bounds>(ctx.local(), on_context.data(), needles.size(), own, count, bound.data(), less{});
  return sum_over_ranks(ctx, to_host(ctx.local(), bound));
}

/// The offset of a segment behind `padding` items and those from `begin` on.
template <class Offset>
struct offset_behind_padding {
  const Offset* offsets;
  std::uint64_t padding, begin;

  EF_HD constexpr Offset operator()(std::uint64_t s) const {
    if (s == 0) return 0;
    return static_cast<Offset>(static_cast<std::uint64_t>(offsets[s]) - begin + padding);
  }
};

/// The length of segment s + 1 of a shard.
template <class Offset>
struct length_of_next {
  segment_ends<Offset> ends;
  EF_HD constexpr std::uint64_t operator()(std::uint64_t s) const { return ends[s + 1] - ends[s]; }
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
  /// are gathered and added. Where a share has 2^k steps, k > 10, a cut is moved back by at most
  /// 2^(k - 9) steps to a multiple of 2^(k - 10) items, so that the folds of segments on a rank
  /// have the brackets of the global sequence. O(ranks log(size)) work, at most four all_gather and
  /// one all_to_all_v, or four of each for many ranks; nothing of it for one rank.
  template <class Context>
  sharded_segments(Context& ctx, std::uint64_t count, const sharded<Offset>& offsets) {
    place(ctx, count, offsets);
  }

  /// The same for offsets that are not needed afterwards.
  template <class Context>
  sharded_segments(Context& ctx, std::uint64_t count, sharded<Offset>&& offsets) {
    place(ctx, count, std::move(offsets));
  }

  /// Which items, and which segments, each rank has. A rank has the segments that it closes.
  const shard_map& items() const { return items_; }
  const shard_map& segments() const { return offsets_.map(); }

  /// The offsets of the segments that this rank closes, in the memory of its local context.
  const sharded<Offset>& offsets() const { return offsets_; }

  /// Where the segment after the last one that a rank closes begins.
  std::uint64_t next_offset(int rank) const { return next_[static_cast<std::size_t>(rank)]; }

  /// Where the first segment that this rank closes ends.
  std::uint64_t first_end() const { return first_end_; }

  /// The offsets of the segments that this rank closes, as those of a call of the local context, of
  /// which the first segment begins at 0 and has padding() more items. Does not wait.
  template <class Context>
  const Offset* local_offsets(Context& ctx) const {
    const std::uint64_t begin = items_.begin(ctx.rank());
    if (begin == 0) return offsets_.data();
    if (local_offsets_.size() != offsets_.local_size()) {
      local_offsets_ = array<Offset>(ctx.local(), offsets_.local_size());
      transform(
          ctx.local(), offsets_.local_size(),
          write_result{detail::offset_behind_padding<Offset>{offsets_.data(), padding(ctx), begin},
                       local_offsets_.data()});
    }
    return local_offsets_.data();
  }

  /// The length of the longest block that a fold of a segment behind the first one of this rank may
  /// have: a part of the segments whose items begin at a multiple of it has the brackets of the
  /// global sequence. Waits in the first call.
  template <class Context>
  std::uint64_t longest_block(Context& ctx) const {
    if (longest_block_) return *longest_block_;
    const std::uint64_t closed = offsets_.local_size();
    std::uint64_t longest = detail::fold_group;
    if (closed > 1) {
      const detail::length_of_next<Offset> length{
          {offsets_.data(), closed, next_offset(ctx.rank())}};
      longest = transform_reduce(ctx.local(), closed - 1, length, maximum{}, longest);
    }
    longest_block_ = std::bit_floor(longest);
    return *longest_block_;
  }

  /// The remainder that the first item of this rank leaves when it is divided by the length of any
  /// block of a fold of the segments behind the first one. Waits in the first call.
  template <class Context>
  std::uint64_t padding(Context& ctx) const {
    const std::uint64_t begin = items_.begin(ctx.rank());
    return begin == 0 ? 0 : begin % longest_block(ctx);
  }

 private:
  template <class Context, class Offsets>
  void place(Context& ctx, std::uint64_t count, Offsets&& offsets) {
    detail::run_on_all_ranks(
        ctx, "sharded_segments", {{"count", count}, {"offsets", offsets.size()}}, [&] {
          if (count > 0 && offsets.size() == 0) {
            detail::refuse_argument("sharded_segments", "offsets", "empty",
                                    "there are items, which need a segment",
                                    "pass one segment with offsets[0] = 0, or a count of 0");
          }
          const shard_map closed = cut(ctx, count, offsets);
          offsets_ = redistribute(ctx, std::forward<Offsets>(offsets), closed);
          next_ = detail::next_offsets(ctx, offsets_, count);
          first_end_ = next_offset(ctx.rank());
          if (offsets_.local_size() > 1) {
            first_end_ =
                static_cast<std::uint64_t>(to_host(ctx.local(), offsets_.data() + 1, 1)[0]);
          }
        });
  }

  template <class Context>
  shard_map cut(Context& ctx, std::uint64_t count, const sharded<Offset>& offsets) {
    const auto ranks = static_cast<std::size_t>(ctx.size());
    if (ranks == 1) {
      items_ = shard_map::equal(count, 1);
      return shard_map::equal(offsets.size(), 1);
    }
    const std::uint64_t steps = count + offsets.size();
    std::vector<std::uint64_t> diagonals(ranks + 1);
    for (std::size_t r = 0; r <= ranks; ++r) diagonals[r] = detail::share_begin(steps, ranks, r);
    const auto next = detail::next_offsets(ctx, offsets, count);
    const detail::segment_ends<Offset> ends{offsets.data(), offsets.local_size(),
                                            next[static_cast<std::size_t>(ctx.rank())]};
    auto closed = detail::count_below<bounds::lower>(
        ctx, diagonals, detail::steps_before_end<Offset>{ends, offsets.local_begin()}, ends.count);
    std::vector<std::uint64_t> items(ranks + 1);
    for (std::size_t k = 0; k <= ranks; ++k) items[k] = diagonals[k] - closed[k];

    const std::uint64_t block = std::bit_floor(steps / ranks >> 10);
    if (block > 1) {
      std::vector<std::uint64_t> moved = items;
      for (std::size_t k = 1; k < ranks; ++k) moved[k] -= items[k] % block;
      const auto before = detail::count_below<bounds::upper>(ctx, moved, ends, ends.count);
      for (std::size_t k = 1; k < ranks; ++k) {
        // Not over many empty segments, nor beyond the cut before.
        const bool is_near = diagonals[k] - (moved[k] + before[k]) <= 2 * block;
        if (moved[k] == items[k] || !is_near || moved[k] < items[k - 1]) continue;
        items[k] = moved[k];
        closed[k] = before[k];
      }
    }
    items_ = shard_map(std::move(items));
    return shard_map(std::move(closed));
  }

  shard_map items_;
  sharded<Offset> offsets_;
  std::vector<std::uint64_t> next_;
  std::uint64_t first_end_ = 0;
  mutable std::optional<std::uint64_t> longest_block_;
  mutable array<Offset> local_offsets_;
};

}  // namespace evenfold
