#pragma once
// inner_join, left_join, right_join, full_join, semi_join, anti_join and join_count of tables that
// are distributed over ranks. The steps are in distributed/join_rows.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/join_rows.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"
#include "evenfold/distributed/transform.hpp"
#include "evenfold/distributed/unique.hpp"
#include "evenfold/table/join.hpp"

namespace evenfold {

namespace detail {

/// Whether a left row has partners, if `wanted` is true; else whether it has none.
struct has_matches {
  const std::int64_t* counts;
  bool wanted;
  EF_HD constexpr bool operator()(std::int64_t i) const { return (counts[i] > 0) == wanted; }
};

/// Local row numbers as global ones. The rows are in the order of the ranks.
template <class Context>
sharded<std::int64_t> number_rows(Context& ctx, array<std::int64_t> rows, std::uint64_t begin) {
  transform(ctx.local(), rows.data(), rows.size(), rows.data(), add_begin{begin});
  ctx.local().synchronize();
  return sharded<std::int64_t>(ctx, std::move(rows));
}

/// The left rows with partners, or those without.
template <class Context>
sharded<std::int64_t> left_rows_by_partner(Context& ctx, const sharded_matches& matches,
                                           bool wanted) {
  auto& local = ctx.local();
  const auto count = static_cast<std::int64_t>(matches.counts.local_size());
  const compact_plan<std::remove_reference_t<decltype(local)>, std::int64_t> plan(
      local, count, has_matches{matches.counts.data(), wanted});
  array<std::int64_t> rows(local, plan.num_kept());
  plan.write(write_to<std::int64_t*>{rows.data()});
  return number_rows(ctx, std::move(rows), matches.counts.local_begin());
}

/// The right rows without partners. The left rows that are equivalent to one are on its rank, or
/// the last left row of the ranks before is one of them.
template <class Context, class Key, class Less, class IsNull>
sharded<std::int64_t> unmatched_right_rows(Context& ctx, const sharded<Key>& left,
                                           const sharded<Key>& right, Less less, IsNull is_null) {
  auto& local = ctx.local();
  const array<Key> lasts = gather_last_keys(ctx, left);
  const std::size_t before = count_shards_before(left.map(), ctx.rank());
  const std::size_t num_before = before > 0 ? 1 : 0;
  array<Key> candidates(local, num_before + left.local_size());
  if (num_before > 0) copy(local, lasts.data() + (before - 1), 1, candidates.data());
  copy(local, left.data(), left.local_size(), candidates.data() + num_before);
  array<std::int64_t> rows =
      anti_join(local, right.data(), static_cast<std::int64_t>(right.local_size()),
                candidates.data(), static_cast<std::int64_t>(candidates.size()), less, is_null);
  return number_rows(ctx, std::move(rows), right.local_begin());
}

/// The shards of the right rows that follow the left rows where these are: each rank gets the right
/// rows between its first left row and that of the next rank, in the order of the merge of both
/// tables. One search, where equal shares of the merge need several rounds of one.
template <class Context, class Key, class Less>
shard_map right_rows_of_left_shards(Context& ctx, const sharded<Key>& left,
                                    const sharded<Key>& right, Less less) {
  auto& local = ctx.local();
  const array<Key> firsts = gather_border_keys(ctx, left, 0);
  const array<Key> needles = to_context(local, firsts.data(), firsts.size());
  array<std::uint64_t> before(local, firsts.size());
  search<bounds::lower>(local, needles.data(), firsts.size(), right.data(), right.local_size(),
                        before.data(), total_order<Less>{less});
  const std::vector<std::uint64_t> own = to_host(local, before);
  const auto of_ranks = gather_values(ctx, own.data(), own.size());
  // Rank 0 gets what precedes all left rows, and other ranks without left rows get nothing. If
  // `less` is no strict weak order, the shards still follow each other.
  std::vector<std::uint64_t> begins{0};
  std::size_t first = left.map().size(0) > 0 ? 1 : 0;
  for (int r = 1; r < ctx.size(); ++r) {
    std::uint64_t begin = first < own.size() ? 0 : right.size();
    for (std::size_t at = first; at < of_ranks.size(); at += own.size()) begin += of_ranks[at];
    begins.push_back(std::max(begin, begins.back()));
    if (left.map().size(r) > 0) ++first;
  }
  begins.push_back(right.size());
  return shard_map(std::move(begins));
}

/// Whether no rank has more than 9/8 of its share of the bytes of both tables, where a left row has
/// a key, its first partner and the number of its partners, and a right row a key.
template <class Key>
bool are_shared(const shard_map& left, const shard_map& right) {
  const auto bytes = [](std::uint64_t num_left, std::uint64_t num_right) {
    return num_left * (sizeof(Key) + 2 * sizeof(std::int64_t)) + num_right * sizeof(Key);
  };
  const auto ranks = static_cast<std::uint64_t>(left.num_shards());
  const std::uint64_t share = ceil_div(bytes(left.size(), right.size()), ranks);
  for (int r = 0; r < left.num_shards(); ++r) {
    if (bytes(left.size(r), right.size(r)) > share + share / 8) return false;
  }
  return true;
}

/// Both tables, cut at the same places of their merge: the left rows where they are, if the ranks
/// then have about equal shares, else in equal shares.
template <class Context, class Key, class Less>
std::pair<in_shards<Key>, in_shards<Key>> join_shares(Context& ctx, const sharded<Key>& left,
                                                      const sharded<Key>& right, Less less) {
  if (left.size() > 0 && are_shared<Key>(left.map(), shard_map::equal(right.size(), ctx.size()))) {
    const shard_map of_right = right_rows_of_left_shards(ctx, left, right, less);
    if (are_shared<Key>(left.map(), of_right)) {
      return {in_shards<Key>(ctx, left, left.map()), in_shards<Key>(ctx, right, of_right)};
    }
  }
  const std::vector<sorted_run<Key>> runs{{left.data(), left.local_size()},
                                          {right.data(), right.local_size()}};
  const auto cuts = find_equal_cuts(ctx, runs, left.size() + right.size(), less);
  in_shards<Key> own_left(ctx, left, shares_of_run(cuts, 0));
  in_shards<Key> own_right(ctx, right, shares_of_run(cuts, 1));
  return {std::move(own_left), std::move(own_right)};
}

}  // namespace detail

/// What `inner_join(ctx, left, right, less [, is_null])` and the other joins of table/join.hpp do
/// with a distributed_context: the same rows in the same order as on one context, with global row
/// numbers of 64 bits. `left` and `right` are keys that `less` has sorted along their global
/// indices, as after `sort`. The result is a sharded_joined_rows, of semi and anti joins a
/// sharded<std::int64_t>.
///
/// The left rows stay where they are if each rank then has at most 9/8 of its share of the keys and
/// of 16 bytes for each left row; else exact splitters give each rank an equal number of rows. Each
/// row is sent at most once. The results are where their left rows are; if a rank would have more
/// than 6/5 of its share, they are cut by equal results + left rows, however many of them a key
/// has. Those of right and full joins have equal shares; those of semi and anti joins stay where
/// the left rows are. Waits.
///
/// Errors: argument_error if the ranks pass different arguments; communication_error if another
/// rank fails; allocation_error.
template <join_kind Kind, context Local, class Communicator, class Key, class Less, class IsNull>
auto join_shards(distributed_context<Local, Communicator>& ctx, const sharded<Key>& left,
                 const sharded<Key>& right, Less less, IsNull is_null) {
  using join = detail::join<Kind>;
  const auto run = [&] {
    const auto [own_left, own_right] = detail::join_shares(ctx, left, right, less);
    auto matches = detail::match_rows(ctx, *own_left, *own_right, join::keeps_left, less, is_null);
    if constexpr (Kind == join_kind::semi || Kind == join_kind::anti) {
      return detail::left_rows_by_partner(ctx, matches, Kind == join_kind::semi);
    } else {
      sharded_joined_rows rows = detail::write_matched_rows(ctx, std::move(matches));
      if constexpr (join::keeps_right) {
        const auto more = detail::unmatched_right_rows(ctx, *own_left, *own_right, less, is_null);
        sharded<std::int64_t> none(ctx, more.map());
        transform(ctx, none, constant<std::int64_t>{sharded_joined_rows::none});
        rows = {detail::concatenate(ctx, rows.left, none),
                detail::concatenate(ctx, rows.right, more)};
      }
      return rows;
    }
  };
  return detail::run_on_all_ranks(ctx, join::name(),
                                  {{"left", left.size()}, {"right", right.size()}}, run);
}

/// The number of rows of a join, without making them. All ranks return the same number.
template <context Local, class Communicator, class Key, class Less, class IsNull = never_null>
std::int64_t join_count(distributed_context<Local, Communicator>& ctx, join_kind how,
                        const sharded<Key>& left, const sharded<Key>& right, Less less,
                        IsNull is_null = {}) {
  const auto run = [&]() -> std::int64_t {
    const auto [own_left, own_right] = detail::join_shares(ctx, left, right, less);
    const bool keeps_left = how == join_kind::left || how == join_kind::full;
    const auto matches = detail::match_rows(ctx, *own_left, *own_right, keeps_left, less, is_null);
    if (how == join_kind::semi || how == join_kind::anti) {
      return static_cast<std::int64_t>(
          detail::left_rows_by_partner(ctx, matches, how == join_kind::semi).size());
    }
    const std::int64_t matched = reduce(ctx, matches.counts, plus{}, std::int64_t{0});
    if (how != join_kind::right && how != join_kind::full) return matched;
    return matched +
           static_cast<std::int64_t>(
               detail::unmatched_right_rows(ctx, *own_left, *own_right, less, is_null).size());
  };
  return detail::run_on_all_ranks(
      ctx, "join_count",
      {{"left", left.size()}, {"right", right.size()}, {"how", static_cast<std::uint64_t>(how)}},
      run);
}

}  // namespace evenfold
