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

/// Scans a shard, where `before` is the partial fold of everything before it.
template <scan_kind Kind, context Local, class Element, class T, class Op, class Init>
void scan_shard(Local& local, const Element* input, std::uint64_t begin, std::uint64_t end, T* out,
                Op op, Init init, partial_fold<T> before) {
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  const auto fold_before = [&] {
    if constexpr (has_init) {
      return before.fold(op, static_cast<T>(init));
    } else {
      return before.fold(op);
    }
  };
  const std::uint64_t groups =
      std::min(ceil_div(begin, std::uint64_t{fold_group}) * fold_group, end);
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
  for (std::uint64_t at = groups; at < end;) {
    const Element* const items = input + (at - begin);
    T* const results = out + (at - begin);
    const std::uint64_t longest = longest_fold_block(at);
    const std::uint64_t length = std::min(end - at, longest);
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
    at += length;
    if (length < longest) return;
    const element_of<T, const Element*> item{items};
    before.join(partial_reduce<T>(local, length, item, op, at - length), op);
    if constexpr (Kind == scan_kind::inclusive) {
      // The piece completes a block, which is folded with the blocks on its left.
      const T fold = fold_before();
      copy(local, &fold, 1, results + (length - 1));
      local.synchronize();
    }
  }
}

/// The scans of a sharded sequence; `algorithm` is the name in errors.
template <scan_kind Kind, class T, class Context, class Element, class Op, class Init>
void scan_shards(Context& ctx, const char* algorithm, const sharded<Element>& input,
                 sharded<T>& out, Op op, Init init) {
  if (input.map() != out.map()) {
    refuse_argument(algorithm, "out", out.size(), "its shards are not those of input",
                    "create it with input.map()");
  }
  const auto run = [&] {
    const auto part =
        partial_reduce<T>(ctx.local(), input.local_size(),
                          element_of<T, const Element*>{input.data()}, op, input.local_begin());
    const auto parts = gather_partial_folds(ctx, part, ranges_of(input.map()));
    partial_fold<T> before;
    for (int r = 0; r < ctx.rank(); ++r) before.join(parts[static_cast<std::size_t>(r)], op);
    scan_shard<Kind>(ctx.local(), input.data(), input.local_begin(), input.local_end(), out.data(),
                     op, init, before);
  };
  run_on_all_ranks(ctx, algorithm, {{"input", input.size()}, {"init", fingerprint(init)}}, run);
}

}  // namespace detail

/// out[i] = x_0 (+) ... (+) x_i over the elements of all ranks, in the type of `out`, which has the
/// shards of `input`.
///
/// Each rank reduces its shard to a partial fold, gathers those of all ranks, O(log size) values
/// each, and scans its shard with what precedes it. Reads each element three times: once for the
/// partial fold of the shard, once for the scan, and once for the folds that the pieces of the
/// shard begin with. Has the bits of the scan on one context. Waits.
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
