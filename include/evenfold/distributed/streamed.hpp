#pragma once
// reduce and sort of arrays in host memory that are larger than the memory of a context: they are
// streamed through it in pieces.
//
// The pieces are the shards of one rank, one after the other: partial folds of pieces are joined in
// their order, and sorted pieces are cut by exact splitters, so that the results are those of
// arrays in the memory of the context.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/algorithm/multiway_merge.hpp"
#include "evenfold/algorithm/partial_reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/splitters.hpp"
#include "evenfold/distributed/threads.hpp"

namespace evenfold {

namespace detail {

/// How many elements a piece has, of which `copies` copies fit the limit.
template <class T>
std::uint64_t streamed_piece(const char* algorithm, std::size_t limit_bytes, std::size_t copies) {
  const std::uint64_t piece = limit_bytes / (copies * sizeof(T));
  if (piece == 0) {
    refuse_argument(
        algorithm, "limit_bytes", limit_bytes,
        std::to_string(copies) + " elements of " + std::to_string(sizeof(T)) + " bytes do not fit",
        "allow more memory");
  }
  return piece;
}

}  // namespace detail

/// init (+) x_0 (+) x_1 (+) ... over `count` elements in host memory, with the bits of `reduce` in
/// the memory of the context. The arrays in that memory take at most `limit_bytes`, besides the
/// scratch of `reduce`.
///
/// Copies each piece to the context, and reduces it to a partial fold. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit below one element; allocation_error.
template <context Context, class Element, std::integral Size, class Op, class T>
T reduce_streamed(Context& ctx, const Element* host, Size count, Op op, T init,
                  std::size_t limit_bytes) {
  detail::check_count("reduce_streamed", "count", count);
  detail::check_not_null("reduce_streamed", "host", host, count);
  const auto size = static_cast<std::uint64_t>(count);
  const std::uint64_t piece =
      std::min(size, detail::streamed_piece<Element>("reduce_streamed", limit_bytes, 1));
  array<Element> own(ctx, piece);
  partial_fold<T> all;
  for (std::uint64_t begin = 0; begin < size; begin += piece) {
    const std::uint64_t length = std::min(piece, size - begin);
    copy(ctx, host + begin, length, own.data());
    all.join(partial_reduce<T>(ctx, length, element_of<T, const Element*>{own.data()}, op, begin),
             op);
  }
  return all.fold(op, init);
}

/// Sorts `count` keys in host memory stably. The arrays in the memory of the context take at most
/// `limit_bytes`, besides the scratch of `sort`.
///
/// Sorts pieces of half the limit, and writes them back. Exact splitters cut the sorted pieces, so
/// that equal parts of the result, each of which fits, are merged one after the other.
/// Each key is copied to the context twice, and back twice. Scratch: one more copy of the keys in
/// host memory. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit below two keys; allocation_error, with
/// unspecified keys.
template <context Context, class Key, std::integral Size, class Less>
void sort_streamed(Context& ctx, Key* host, Size count, Less less, std::size_t limit_bytes) {
  detail::check_order<Key, Less>();
  detail::check_count("sort_streamed", "count", count);
  detail::check_not_null("sort_streamed", "host", host, count);
  const auto size = static_cast<std::uint64_t>(count);
  const std::uint64_t piece = detail::streamed_piece<Key>("sort_streamed", limit_bytes, 2);
  std::vector<detail::sorted_run<Key>> runs;
  std::vector<std::uint64_t> targets{0};
  for (std::uint64_t begin = 0; begin < size; begin += piece) {
    const std::uint64_t length = std::min(piece, size - begin);
    array<Key> own = to_context(ctx, host + begin, length);
    sort(ctx, own.data(), length, less);
    copy(ctx, own.data(), length, host + begin);
    ctx.synchronize();
    runs.push_back({host + begin, length});
    targets.push_back(begin + length);
  }
  if (runs.size() < 2) return;

  detail::run_cuts cuts;
  run_ranks(1, [&](thread_communicator& alone) {
    reference_context memory;
    distributed_context one(memory, alone);
    cuts = detail::cut_search<decltype(one), Key, Less>(one, runs, less).find(targets);
  });
  reference_context memory;
  array<Key> merged(memory, size);
  Key* out = merged.data();
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    std::vector<std::uint64_t> begins;
    std::uint64_t length = 0;
    for (std::size_t v = 0; v < runs.size(); ++v) {
      begins.push_back(length);
      length += cuts[k + 1][v] - cuts[k][v];
    }
    array<Key> parts(ctx, length);
    for (std::size_t v = 0; v < runs.size(); ++v) {
      copy(ctx, runs[v].keys + cuts[k][v], cuts[k + 1][v] - cuts[k][v], parts.data() + begins[v]);
    }
    array<Key> together(ctx, length);
    multiway_merge(ctx, std::as_const(parts).data(), length, begins, together.data(),
                   detail::total_order<Less>{less});
    copy(ctx, together.data(), length, out);
    ctx.synchronize();
    out += length;
  }
  copy(memory, merged.data(), size, host);
}

}  // namespace evenfold
