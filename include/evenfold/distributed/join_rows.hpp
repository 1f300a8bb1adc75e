#pragma once
// The steps of the joins of distributed/join.hpp.
//
// Each rank gets a share of the merge of both tables, in which left rows precede equivalent right
// rows. The right rows of smaller keys than a left row are then on the rank of that row or on
// earlier ones, so that a search within the rank finds the first partner. The partners of the last
// key of a rank may continue on later ranks, which count them. So every rank knows the first
// partner and the number of partners of its left rows, and no other rows are sent. The results of
// the left rows are segments. Where some ranks would have far more than others, they are cut into
// equal shares of rows and results: the results of a frequent key are made by several ranks.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"
#include "evenfold/distributed/transform_lbs.hpp"
#include "evenfold/table/join.hpp"

namespace evenfold {

/// The rows of a join, as joined_rows, with global row numbers. Both have the same shards.
struct sharded_joined_rows {
  static constexpr std::int64_t none = -1;

  sharded<std::int64_t> left;
  sharded<std::int64_t> right;

  std::uint64_t size() const { return left.size(); }
};

namespace detail {

/// The key at `position` of each shard that is not empty, by rank, in host memory. Each rank passes
/// the position in its own shard.
template <class Context, class Key>
array<Key> gather_border_keys(Context& ctx, const sharded<Key>& keys, std::uint64_t position) {
  const bool has_keys = keys.local_size() > 0;
  const auto own = to_host(ctx.local(), keys.data() + (has_keys ? position : 0), has_keys);
  std::vector<std::uint64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(ctx.size()));
  for (int r = 0; r < ctx.size(); ++r) sizes.push_back(keys.map().size(r) > 0 ? 1 : 0);
  return gather_shards(ctx, ctx.host(), own.data(), shard_map::of_sizes(sizes));
}
template <class Context, class Key>
array<Key> gather_last_keys(Context& ctx, const sharded<Key>& keys) {
  return gather_border_keys(ctx, keys, keys.local_size() - 1);
}

/// How many of the shards before a rank are not empty.
inline std::size_t count_shards_before(const shard_map& map, int rank) {
  std::size_t count = 0;
  for (int r = 0; r < rank; ++r) count += map.size(r) > 0 ? 1 : 0;
  return count;
}

/// An output iterator that adds a number to what is written.
struct write_sum {
  using value_type = std::int64_t;
  struct reference {
    std::int64_t& to;
    std::int64_t more;
    EF_HD void operator=(std::int64_t value) const { to = value + more; }
  };
  std::int64_t* to;
  std::int64_t more;

  template <std::integral Size>
  EF_HD constexpr reference operator[](Size i) const {
    return {to[i], more};
  }
};

/// Left rows that need more than the bounds within the rank: those whose partners continue on later
/// ranks, null rows, and rows without partners that are kept.
template <class Key, class Less, class IsNull>
struct finish_matches {
  const Key* left;
  Key last;  ///< the last left key of the rank
  std::int64_t more_of_last;
  bool keeps_unmatched;
  Less less;
  IsNull is_null;
  std::int64_t* first;
  std::int64_t* counts;

  EF_HD void operator()(std::uint64_t i) const {
    const std::int64_t more = less(left[i], last) ? 0 : more_of_last;
    const std::int64_t count = is_null(left[i]) ? 0 : counts[i] + more;
    if (count == 0) first[i] = sharded_joined_rows::none;
    counts[i] = count == 0 && keeps_unmatched ? 1 : count;
  }
};

/// The first partner of each left row that has results, or none, and the number of its results.
struct sharded_matches {
  sharded<std::int64_t> first;
  sharded<std::int64_t> counts;
};

template <class Context, class Key, class Less, class IsNull>
sharded_matches match_rows(Context& ctx, const sharded<Key>& left, const sharded<Key>& right,
                           bool keeps_unmatched, Less less, IsNull is_null) {
  auto& local = ctx.local();
  const auto own_left = static_cast<std::int64_t>(left.local_size());
  const auto own_right = static_cast<std::int64_t>(right.local_size());
  sharded_matches result{sharded<std::int64_t>(ctx, left.map()),
                         sharded<std::int64_t>(ctx, left.map())};
  const auto right_begin = static_cast<std::int64_t>(right.local_begin());
  sorted_equal_range(local, left.data(), own_left, right.data(), own_right,
                     write_sum{result.first.data(), right_begin}, result.counts.data(), less);

  // How many right rows of each rank are not greater than the last left keys.
  const array<Key> lasts = gather_last_keys(ctx, left);
  const array<Key> needles = to_context(local, lasts.data(), lasts.size());
  array<std::int64_t> bound(local, lasts.size());
  search<bounds::upper>(local, needles.data(), lasts.size(), right.data(), own_right, bound.data(),
                        less);
  const std::vector<std::int64_t> own_bounds = to_host(local, bound);
  const auto bounds_of_ranks = gather_values(ctx, own_bounds.data(), own_bounds.size());
  if (own_left == 0) return result;
  const std::size_t mine = count_shards_before(left.map(), ctx.rank());
  std::int64_t more = 0;
  for (auto r = static_cast<std::size_t>(ctx.rank()) + 1; r < static_cast<std::size_t>(ctx.size());
       ++r) {
    more += bounds_of_ranks[r * lasts.size() + mine];
  }
  if (more > 0 || keeps_unmatched || !std::is_same_v<IsNull, never_null>) {
    transform(
        local, left.local_size(),
        finish_matches<Key, Less, IsNull>{left.data(), lasts[mine], more, keeps_unmatched, less,
                                          is_null, result.first.data(), result.counts.data()});
  }
  return result;
}

/// Writes the rank-th result of a left row of this rank, the first of which has the number
/// `first_row`. `first` is the cached first partner of the row.
struct write_own_match {
  std::int64_t first_row;
  std::int64_t* left;
  std::int64_t* right;

  template <std::integral Offset>
  EF_HD void operator()(Offset at, std::int64_t row, Offset rank,
                        const tuple<std::int64_t>& first) const {
    const std::int64_t partner = get<0>(first);
    left[at] = first_row + row;
    right[at] =
        partner == sharded_joined_rows::none ? partner : partner + static_cast<std::int64_t>(rank);
  }
};

/// Writes one result: the rank-th one of left row `seg`.
struct write_joined_row {
  std::uint64_t first_index, first_row, num_rows;
  const std::int64_t* first;
  std::int64_t first_of_open;  ///< of the row whose results continue on later ranks
  std::int64_t* left;
  std::int64_t* right;

  EF_HD void operator()(std::uint64_t index, std::uint64_t row, std::uint64_t rank) const {
    const std::uint64_t k = row - first_row;
    const std::int64_t partner = k < num_rows ? first[k] : first_of_open;
    left[index - first_index] = static_cast<std::int64_t>(row);
    right[index - first_index] =
        partner == sharded_joined_rows::none ? partner : partner + static_cast<std::int64_t>(rank);
  }
};

/// The results of the left rows, in equal shares of results + left rows. `begin` is the number of
/// results of the ranks before.
template <class Context>
sharded_joined_rows write_shared_rows(Context& ctx, sharded_matches matches, std::uint64_t begin,
                                      std::uint64_t total) {
  sharded<std::uint64_t> offsets(ctx, matches.counts.map());
  exclusive_scan(ctx.local(), matches.counts.data(), matches.counts.local_size(), offsets.data(),
                 plus{}, begin);
  const sharded_segments<std::uint64_t> rows(ctx, total, std::move(offsets));
  const shard_map& map = rows.segments();
  const sharded<std::int64_t> first = redistribute(ctx, std::move(matches.first), map);

  std::int64_t own_first = 0;
  if (first.local_size() > 0) own_first = to_host(ctx.local(), first.data(), 1)[0];
  const auto firsts = gather_value(ctx, own_first);
  std::int64_t first_of_open = 0;
  for (int r = ctx.size() - 1; r > ctx.rank(); --r) {
    if (map.size(r) > 0) first_of_open = firsts[static_cast<std::size_t>(r)];
  }
  sharded_joined_rows result{sharded<std::int64_t>(ctx, rows.items()),
                             sharded<std::int64_t>(ctx, rows.items())};
  transform_lbs(
      ctx, rows,
      write_joined_row{rows.items().begin(ctx.rank()), map.begin(ctx.rank()), map.size(ctx.rank()),
                       first.data(), first_of_open, result.left.data(), result.right.data()});
  ctx.local().synchronize();
  return result;
}

/// The results of all left rows. They stay on the ranks of the left rows unless a rank would have
/// more than 6/5 of its share.
template <class Context>
sharded_joined_rows write_matched_rows(Context& ctx, sharded_matches matches) {
  auto& local = ctx.local();
  using counts_of_rows = element_of<std::int64_t, const std::int64_t*>;
  const result_segments<std::remove_reference_t<decltype(local)>, std::int64_t, counts_of_rows>
      own_rows(local, static_cast<std::int64_t>(matches.counts.local_size()),
               counts_of_rows{std::as_const(matches.counts).data()});
  const auto map =
      shard_map::of_sizes(gather_value(ctx, static_cast<std::uint64_t>(own_rows.total())));
  std::uint64_t most = 0;
  for (int r = 0; r < ctx.size(); ++r) {
    most = std::max(most, map.size(r) + matches.counts.map().size(r));
  }
  const std::uint64_t share =
      ceil_div(map.size() + matches.counts.size(), static_cast<std::uint64_t>(ctx.size()));
  if (most > share + share / 5) {
    return write_shared_rows(ctx, std::move(matches), map.begin(ctx.rank()), map.size());
  }
  sharded_joined_rows result{sharded<std::int64_t>(ctx, map), sharded<std::int64_t>(ctx, map)};
  own_rows.for_each(write_own_match{static_cast<std::int64_t>(matches.counts.local_begin()),
                                    result.left.data(), result.right.data()},
                    matches.first.data());
  return result;
}

/// One sequence after the other, in equal shares.
template <class Context, class T>
sharded<T> concatenate(Context& ctx, const sharded<T>& a, const sharded<T>& b) {
  const shard_map map = shard_map::equal(a.size() + b.size(), ctx.size());
  std::vector<std::uint64_t> of_a;
  std::vector<std::uint64_t> of_b;
  for (int r = 0; r <= ctx.size(); ++r) {
    const std::uint64_t at = r < ctx.size() ? map.begin(r) : map.size();
    of_a.push_back(std::min(at, a.size()));
    of_b.push_back(at - of_a.back());
  }
  const sharded<T> from_a = redistribute(ctx, a, shard_map(std::move(of_a)));
  const sharded<T> from_b = redistribute(ctx, b, shard_map(std::move(of_b)));
  sharded<T> result(ctx, map);
  copy(ctx.local(), from_a.data(), from_a.local_size(), result.data());
  copy(ctx.local(), from_b.data(), from_b.local_size(), result.data() + from_a.local_size());
  ctx.local().synchronize();
  return result;
}

}  // namespace detail

}  // namespace evenfold
