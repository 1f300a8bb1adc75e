#pragma once
// inclusive_scan and exclusive_scan of sharded sequences.
//
// A piece of the sequence that begins at a multiple of a block of groups of the canonical order
// (balance/fold_order.hpp), and has no more items than the block, completes no block that begins
// before it. Its prefixes are therefore those of a scan of the piece alone, whose initial value is
// the fold of everything before the piece. A shard is cut into as few such pieces as possible: at
// most one per block of its cut. The items before its first group, fewer than 512, are scanned on
// the host.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/partial_reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/partial_folds.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// The length of the longest block that begins at `at`, a multiple of a group.
inline std::uint64_t longest_fold_block(std::uint64_t at) {
  return at == 0 ? std::numeric_limits<std::uint64_t>::max() : at & (~at + 1);
}

/// The first group that begins in [begin, end), or `end`.
inline std::uint64_t first_group_in(std::uint64_t begin, std::uint64_t end) {
  return std::min(ceil_div(begin, std::uint64_t{fold_group}) * fold_group, end);
}

/// Where the pieces of [begin, end) end that are whole blocks.
inline std::uint64_t whole_pieces_end(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t at = first_group_in(begin, end);
  while (at < end && end - at >= longest_fold_block(at)) at += longest_fold_block(at);
  return at;
}

/// Scans a shard, where `before` is the partial fold of everything before it, and `own` that of the
/// shard, or of its pieces that are whole blocks and the items before these.
template <scan_kind Kind, context Local, class Element, class T, class Op, class Init>
void scan_shard(Local& local, const Element* input, std::uint64_t begin, std::uint64_t end, T* out,
                Op op, Init init, partial_fold<T> before, const partial_fold<T>& own) {
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  const auto fold_before = [&] {
    if constexpr (has_init) {
      return before.fold(op, static_cast<T>(init));
    } else {
      return before.fold(op);
    }
  };
  const std::uint64_t groups = first_group_in(begin, end);
  if (begin < groups) {
    std::vector<T> prefixes;
    prefixes.reserve(groups - begin);
    for (const Element& item : to_host(local, input, groups - begin)) {
      if constexpr (Kind == scan_kind::exclusive) prefixes.push_back(fold_before());
      before.append(static_cast<T>(item), op);
      if constexpr (Kind == scan_kind::inclusive) prefixes.push_back(fold_before());
    }
    copy(local, prefixes.data(), prefixes.size(), out);
    local.synchronize();
  }
  const T* fold_of_piece = own.blocks() + num_fold_blocks(begin, groups);
  for (std::uint64_t at = groups; at < end;) {
    const Element* const items = input + (at - begin);
    T* const results = out + (at - begin);
    const std::uint64_t length = std::min(end - at, longest_fold_block(at));
    if constexpr (!has_init) {
      if (before.empty()) {
        inclusive_scan(local, items, length, results, op);
      } else {
        inclusive_scan(local, items, length, results, op, fold_before());
      }
    } else if constexpr (Kind == scan_kind::inclusive) {
      inclusive_scan(local, items, length, results, op, fold_before());
    } else {
      exclusive_scan(local, items, length, results, op, fold_before());
    }
    if (length == longest_fold_block(at)) {
      before.append_block(first_fold_level(at, at + length), *fold_of_piece++, op);
      if constexpr (Kind == scan_kind::inclusive) {
        // The piece completes a block, which is folded with the blocks on its left.
        fill(local, results + (length - 1), 1, fold_before());
      }
    }
    at += length;
  }
}

/// The scans of a sharded sequence; `algorithm` is the name in errors.
template <scan_kind Kind, class T, class Context, class Element, class Op, class Init>
void scan_shards(Context& ctx, const char* algorithm, const sharded<Element>& input,
                 sharded<T>& out, Op op, Init init) {
  const shard_map& map = input.map();
  if (map != out.map()) {
    refuse_argument(algorithm, "out", out.size(), "its shards are not those of input",
                    "create it with input.map()");
  }
  const auto run = [&] {
    // No other rank needs the partial fold of the last shard that has elements.
    std::vector<item_range> ranges = ranges_of(map);
    for (item_range& range : ranges) {
      if (range.end == map.size()) range.end = whole_pieces_end(range.begin, range.end);
    }
    const item_range mine = ranges[static_cast<std::size_t>(ctx.rank())];
    const auto own = partial_reduce<T>(ctx.local(), mine.end - mine.begin,
                                       element_of<T, const Element*>{input.data()}, op, mine.begin);
    const auto parts = gather_partial_folds(ctx, own, ranges);
    partial_fold<T> before;
    for (int r = 0; r < ctx.rank(); ++r) before.join(parts[static_cast<std::size_t>(r)], op);
    scan_shard<Kind>(ctx.local(), input.data(), map.begin(ctx.rank()), map.end(ctx.rank()),
                     out.data(), op, init, before, own);
  };
  run_on_all_ranks(ctx, algorithm, {{"input", input.size()}, {"init", fingerprint(init)}}, run);
}

}  // namespace detail

/// out[i] = x_0 (+) ... (+) x_i over the elements of all ranks, in the type of `out`, which has the
/// shards of `input`.
///
/// Each rank reduces its shard to a partial fold, gathers those of all ranks, O(log size) values
/// each, and scans its shard with the fold of everything before it. Reads each element twice: for
/// the partial fold of the shard, which one rank alone does not need, and for the scan. Has the
/// bits of the scan on one context. Waits for the partial folds.
///
/// Errors: argument_error if the shards differ, or if the ranks pass different arguments;
/// communication_error if another rank fails; allocation_error.
///
/// Names elsewhere: MPI_Scan of local results.
template <context Local, class Communicator, class Element, class T, class Op>
void inclusive_scan(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                    sharded<T>& out, Op op) {
  detail::scan_shards<scan_kind::inclusive, T>(ctx, "inclusive_scan", input, out, op, no_init{});
}

/// out[i] = init (+) x_0 (+) ... (+) x_i, where T is the type of `init`, too.
template <context Local, class Communicator, class Element, class T, class Op>
void inclusive_scan(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                    sharded<T>& out, Op op, std::type_identity_t<T> init) {
  detail::scan_shards<scan_kind::inclusive, T>(ctx, "inclusive_scan", input, out, op, init);
}

/// out[i] = init (+) x_0 (+) ... (+) x_(i - 1).
template <context Local, class Communicator, class Element, class T, class Op>
void exclusive_scan(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                    sharded<T>& out, Op op, std::type_identity_t<T> init) {
  detail::scan_shards<scan_kind::exclusive, T>(ctx, "exclusive_scan", input, out, op, init);
}

}  // namespace evenfold
