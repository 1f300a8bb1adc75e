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
#include <optional>
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
#include "evenfold/distributed/stream_pieces.hpp"
#include "evenfold/distributed/threads.hpp"

namespace evenfold {

namespace detail {

/// The number of elements of a piece, of which `copies` copies fit the limit.
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

/// `size` elements in pieces of `piece`, of which the last one may have fewer.
struct equal_pieces {
  std::uint64_t size, piece;

  std::size_t number() const { return static_cast<std::size_t>(ceil_div(size, piece)); }
  std::uint64_t begin(std::size_t k) const { return k * piece; }
  std::uint64_t length(std::size_t k) const { return std::min(piece, size - begin(k)); }
};

/// Sorts the pieces of `host`. Returns them, or nothing if there is only one, which is written
/// back.
template <class Context, class Key, class Less>
array<Key> sort_pieces(Context& ctx, host_copies<Context>& copies, reference_context& memory,
                       Key* host, const equal_pieces& pieces, Less less) {
  array<Key> sorted(memory, pieces.number() > 1 ? pieces.size : 0);
  Key* const to = sorted.empty() ? host : sorted.data();
  array<Key> places[3];
  for (array<Key>& place : places) place = array<Key>(ctx, pieces.piece);
  stream_pieces(
      ctx, copies, pieces.number(),
      [&](std::size_t k) {
        const Key* const from = host + pieces.begin(k);
        return byte_copies{copy_of(from, pieces.length(k), places[k % 3].data())};
      },
      [&](std::size_t k) { sort(ctx, places[k % 3].data(), pieces.length(k), less); },
      [](std::size_t) {},
      [&](std::size_t k) {
        const Key* const from = places[k % 3].data();
        return byte_copies{copy_of(from, pieces.length(k), to + pieces.begin(k))};
      });
  return sorted;
}

/// Merges part after part of sorted runs: part k has the elements [cuts[k][v], cuts[k + 1][v]) of
/// run v.
template <class Context, class Key, class Less>
void merge_pieces(Context& ctx, host_copies<Context>& copies,
                  const std::vector<sorted_run<Key>>& runs, const run_cuts& cuts, Key* out,
                  Less less) {
  const std::size_t num_parts = cuts.size() - 1;
  std::vector<std::vector<std::uint64_t>> begins(num_parts);  // of the runs in each part
  std::vector<std::uint64_t> offsets{0};                      // of the parts
  std::uint64_t longest = 0;
  for (std::size_t k = 0; k < num_parts; ++k) {
    std::uint64_t length = 0;
    for (std::size_t v = 0; v < runs.size(); ++v) {
      begins[k].push_back(length);
      length += cuts[k + 1][v] - cuts[k][v];
    }
    offsets.push_back(offsets.back() + length);
    longest = std::max(longest, length);
  }
  array<Key> parts[2];
  array<Key> merged[2];
  for (auto* pair : {&parts, &merged}) {
    for (array<Key>& place : *pair) place = array<Key>(ctx, longest);
  }
  stream_pieces(
      ctx, copies, num_parts,
      [&](std::size_t k) {
        byte_copies all;
        for (std::size_t v = 0; v < runs.size(); ++v) {
          const Key* const from = runs[v].keys + cuts[k][v];
          all.push_back(
              copy_of(from, cuts[k + 1][v] - cuts[k][v], parts[k % 2].data() + begins[k][v]));
        }
        return all;
      },
      [&](std::size_t k) {
        multiway_merge(ctx, std::as_const(parts[k % 2]).data(), offsets[k + 1] - offsets[k],
                       begins[k], merged[k % 2].data(), total_order<Less>{less});
      },
      [](std::size_t) {},
      [&](std::size_t k) {
        const Key* const from = merged[k % 2].data();
        return byte_copies{copy_of(from, offsets[k + 1] - offsets[k], out + offsets[k])};
      });
}

}  // namespace detail

/// init (+) x_0 (+) x_1 (+) ... over `count` elements in host memory, with the bits of `reduce` in
/// the memory of the context. The arrays in that memory take at most `limit_bytes`, besides the
/// scratch of `reduce`.
///
/// Each piece, of half the limit, is copied to the context while the piece before it is reduced to
/// a partial fold. On a GPU the copies go through pinned buffers of 2 MB for each of up to 16
/// threads. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit below two elements; allocation_error.
template <context Context, class Element, std::integral Size, class Op, class T>
T reduce_streamed(Context& ctx, const Element* host, Size count, Op op, T init,
                  std::size_t limit_bytes) {
  detail::check_count("reduce_streamed", "count", count);
  detail::check_not_null("reduce_streamed", "host", host, count);
  const auto size = static_cast<std::uint64_t>(count);
  const std::uint64_t piece =
      std::min(size, detail::streamed_piece<Element>("reduce_streamed", limit_bytes, 2));
  if (size == 0) return init;
  const detail::equal_pieces pieces{size, piece};
  array<Element> brought[2] = {array<Element>(ctx, piece), array<Element>(ctx, piece)};
  detail::host_copies<Context> copies(ctx, piece * sizeof(Element));
  partial_fold<T> all;
  using pending = decltype(detail::start_partial_reduce<T>(
      ctx, piece, element_of<T, const Element*>{}, op, std::uint64_t{0}));
  std::optional<pending> fold;
  detail::stream_pieces(
      ctx, copies, pieces.number(),
      [&](std::size_t k) {
        return detail::byte_copies{
            detail::copy_of(host + pieces.begin(k), pieces.length(k), brought[k % 2].data())};
      },
      [&](std::size_t k) {
        fold.emplace(detail::start_partial_reduce<T>(
            ctx, pieces.length(k), element_of<T, const Element*>{brought[k % 2].data()}, op,
            pieces.begin(k)));
      },
      [&](std::size_t) { all.join(static_cast<partial_fold<T>>(*fold), op); },
      [](std::size_t) { return detail::byte_copies(); });
  return all.fold(op, init);
}

/// Sorts `count` keys in host memory stably. The arrays in the memory of the context take at most
/// `limit_bytes`, besides the scratch of `sort`.
///
/// Sorts pieces of a quarter of the limit. Exact splitters cut the sorted pieces, so that equal
/// parts of the result, each of which fits, are merged one after the other. Each key is copied to
/// the context twice, and back twice, in both directions at once and while the context sorts or
/// merges; on a GPU through pinned buffers, as those of reduce_streamed. Scratch: one more copy of
/// the keys in host memory. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit below four keys; allocation_error, with
/// unspecified keys.
template <context Context, class Key, std::integral Size, class Less>
void sort_streamed(Context& ctx, Key* host, Size count, Less less, std::size_t limit_bytes) {
  detail::check_order<Key, Less>();
  detail::check_count("sort_streamed", "count", count);
  detail::check_not_null("sort_streamed", "host", host, count);
  const auto size = static_cast<std::uint64_t>(count);
  const std::uint64_t piece =
      std::min(size, detail::streamed_piece<Key>("sort_streamed", limit_bytes, 4));
  if (size == 0) return;
  const detail::equal_pieces pieces{size, piece};
  detail::host_copies<Context> copies(ctx, piece * sizeof(Key));
  reference_context memory;
  const array<Key> sorted = detail::sort_pieces(ctx, copies, memory, host, pieces, less);
  if (sorted.empty()) return;

  std::vector<detail::sorted_run<Key>> runs;
  std::vector<std::uint64_t> targets{0};
  for (std::size_t k = 0; k < pieces.number(); ++k) {
    runs.push_back({sorted.data() + pieces.begin(k), pieces.length(k)});
    targets.push_back(pieces.begin(k) + pieces.length(k));
  }
  detail::run_cuts cuts;
  run_ranks(1, [&](thread_communicator& alone) {
    distributed_context one(memory, alone);
    cuts = detail::cut_search<decltype(one), Key, Less>(one, runs, less).find(targets);
  });
  detail::merge_pieces(ctx, copies, runs, cuts, host, less);
}

}  // namespace evenfold
