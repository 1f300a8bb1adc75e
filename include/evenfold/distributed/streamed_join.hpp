#pragma once
// inner_join of tables in host memory that are larger than the memory of a context: they are
// streamed through it in pieces.
//
// For a piece of left rows, the pieces of the right table that have their keys are searched one
// after the other. The lower bounds in all pieces add up to the one in the table, and so do the
// numbers of equivalent keys. So the first partner and the number of partners of each left row are
// known, and the results are written in pieces of equal size, however many of them a key has.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/host_memory.hpp"
#include "evenfold/distributed/stream_pieces.hpp"
#include "evenfold/distributed/streamed.hpp"

namespace evenfold {

/// The rows of a join, as joined_rows, in host memory.
struct streamed_joined_rows {
  std::vector<std::int64_t> left;
  std::vector<std::int64_t> right;
};

namespace detail {

/// Adds the bounds in one piece of the right table to those in the pieces before.
struct add_bounds {
  const std::int64_t* piece_first;
  const std::int64_t* piece_counts;
  std::int64_t* first;
  std::int64_t* counts;

  EF_HD void operator()(std::int64_t i) const {
    first[i] += piece_first[i];
    counts[i] += piece_counts[i];
  }
};

/// The offsets of segments within the items [begin, end).
struct offsets_within {
  using value_type = std::int64_t;
  const std::int64_t* offsets;
  std::int64_t begin, end;

  EF_HD constexpr std::int64_t operator[](std::int64_t s) const {
    const std::int64_t offset = offsets[s];
    return (offset < begin ? begin : offset < end ? offset : end) - begin;
  }
};

/// Writes a result of left row `row` of a piece.
struct write_streamed_row {
  std::int64_t begin, first_row;
  const std::int64_t* first;
  const std::int64_t* offsets;
  std::int64_t* left;
  std::int64_t* right;

  EF_HD void operator()(std::int64_t index, std::int64_t row, std::int64_t) const {
    left[index] = first_row + row;
    right[index] = first[row] + (begin + index - offsets[row]);
  }
};

/// Appends elements, whose memory the system is to take from huge pages.
inline void append_elements(std::vector<std::int64_t>& to, std::int64_t count) {
  const std::size_t old = to.size();
  const std::size_t size = old + static_cast<std::size_t>(count);
  if (size > to.capacity()) {
    to.reserve(std::max(size, 2 * to.capacity()));
    prefer_huge_pages(to.data() + old, (to.capacity() - old) * sizeof(std::int64_t));
  }
  to.resize(size);
}

/// The two places of pieces that follow each other.
template <class T>
struct two_places {
  array<T> places[2];

  template <class Context>
  two_places(Context& ctx, std::uint64_t size) {
    for (array<T>& place : places) place = array<T>(ctx, size);
  }
  T* of(std::size_t piece) { return places[piece % 2].data(); }
  const T* read(std::size_t piece) const { return places[piece % 2].data(); }
};

/// The first partner and the number of partners of each row of a piece of left rows, by the pieces
/// of the right table that may have partners.
template <class Context, class Key>
struct streamed_matches {
  array<Key> left_keys;
  two_places<Key> right_keys;
  array<std::int64_t> first, counts, piece_first, piece_counts;

  streamed_matches(Context& ctx, std::uint64_t left_piece, std::uint64_t right_piece)
      : left_keys(ctx, left_piece),
        right_keys(ctx, right_piece),
        first(ctx, left_piece),
        counts(ctx, left_piece),
        piece_first(ctx, left_piece),
        piece_counts(ctx, left_piece) {}

  template <class Less>
  void find(Context& ctx, host_copies<Context>& copies, const Key* left, std::int64_t rows,
            const Key* right, const equal_pieces& right_pieces, std::int64_t right_begin,
            Less less) {
    const byte_copy keys = copy_of(left, static_cast<std::uint64_t>(rows), left_keys.data());
    ctx.synchronize();  // the places exist, and nobody reads the keys before
    copies.move({&keys, 1}, {});
    fill(ctx, first.data(), rows, right_begin);
    fill(ctx, counts.data(), rows, 0);
    stream_pieces(
        ctx, copies, right_pieces.number(),
        [&](std::size_t k) {
          return byte_copies{
              copy_of(right + right_pieces.begin(k), right_pieces.length(k), right_keys.of(k))};
        },
        [&](std::size_t k) {
          sorted_equal_range(ctx, std::as_const(left_keys).data(), rows, right_keys.read(k),
                             static_cast<std::int64_t>(right_pieces.length(k)), piece_first.data(),
                             piece_counts.data(), less);
          transform(
              ctx, rows,
              add_bounds{piece_first.data(), piece_counts.data(), first.data(), counts.data()});
        },
        [](std::size_t) {}, [](std::size_t) { return byte_copies(); });
  }
};

}  // namespace detail

/// The rows of `inner_join` of two tables in host memory whose keys are sorted by `less`. The
/// arrays in the memory of the context take at most `limit_bytes`, besides the scratch of searches
/// and scans.
///
/// Each left key is copied to the context once, each right key once for every piece of left rows in
/// whose range of keys it is, and each result to host memory once, on a GPU through pinned buffers,
/// as those of reduce_streamed; a piece of right keys is copied while the one before is searched,
/// and a piece of results while the next one is written. A third of the limit is for left rows,
/// with 40 bytes besides the key, one for two pieces of right keys, and one for two of results, of
/// 16 bytes. `less` is called on the host, too. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit of less than one left row, two right keys
/// and two results; allocation_error; std::bad_alloc if the results do not fit in host memory.
template <context Context, class Key, std::integral LeftSize, std::integral RightSize, class Less>
streamed_joined_rows inner_join_streamed(Context& ctx, const Key* left, LeftSize left_count,
                                         const Key* right, RightSize right_count, Less less,
                                         std::size_t limit_bytes) {
  constexpr const char* name = "inner_join_streamed";
  struct left_row {
    Key key;
    std::int64_t bounds[5];
  };
  struct result_row {
    std::int64_t left, right;
  };
  detail::check_count(name, "left_count", left_count);
  detail::check_count(name, "right_count", right_count);
  detail::check_not_null(name, "left", left, left_count);
  detail::check_not_null(name, "right", right, right_count);
  const auto piece_of = [&]<class T>(std::type_identity<T>, std::size_t copies, std::int64_t most) {
    const auto fitting = detail::streamed_piece<T>(name, limit_bytes, copies);
    return static_cast<std::int64_t>(std::min(fitting, static_cast<std::uint64_t>(most)));
  };
  constexpr auto any_number = std::int64_t{1} << 62;
  const auto num_left = static_cast<std::int64_t>(left_count);
  const std::int64_t left_piece = piece_of(std::type_identity<left_row>{}, 3, num_left);
  const std::int64_t right_piece =
      piece_of(std::type_identity<Key>{}, 6, static_cast<std::int64_t>(right_count));
  const std::int64_t result_piece = piece_of(std::type_identity<result_row>{}, 6, any_number);
  streamed_joined_rows result;
  detail::streamed_matches<Context, Key> matches(ctx, left_piece, right_piece);
  array<std::int64_t> offsets(ctx, left_piece);
  array<std::int64_t> num_results(ctx, 1);
  detail::host_copies<Context> copies(ctx, limit_bytes / 6);

  const auto write_results = [&](std::int64_t first_row, std::int64_t rows, std::int64_t total) {
    const detail::equal_pieces pieces{static_cast<std::uint64_t>(total),
                                      static_cast<std::uint64_t>(std::min(total, result_piece))};
    if (total == 0) return;
    detail::two_places<std::int64_t> left_rows(ctx, pieces.piece);
    detail::two_places<std::int64_t> right_rows(ctx, pieces.piece);
    const std::size_t old = result.left.size();
    detail::append_elements(result.left, total);
    detail::append_elements(result.right, total);
    detail::stream_pieces(
        ctx, copies, pieces.number(), [](std::size_t) { return detail::byte_copies(); },
        [&](std::size_t k) {
          const auto begin = static_cast<std::int64_t>(pieces.begin(k));
          const auto length = static_cast<std::int64_t>(pieces.length(k));
          transform_lbs(
              ctx, length,
              detail::write_streamed_row{begin, first_row, matches.first.data(), offsets.data(),
                                         left_rows.of(k), right_rows.of(k)},
              detail::offsets_within{offsets.data(), begin, begin + length}, rows);
        },
        [](std::size_t) {},
        [&](std::size_t k) {
          const std::size_t at = old + pieces.begin(k);
          return detail::byte_copies{
              detail::copy_of(left_rows.read(k), pieces.length(k), result.left.data() + at),
              detail::copy_of(right_rows.read(k), pieces.length(k), result.right.data() + at)};
        });
  };
  for (std::int64_t row = 0; row < num_left; row += left_piece) {
    const std::int64_t rows = std::min(left_piece, num_left - row);
    // The right rows from the first key of the piece to the last one.
    const Key* const end = right + right_count;
    const Key* const first = std::lower_bound(right, end, left[row], less);
    const Key* const last = std::upper_bound(right, end, left[row + rows - 1], less);
    const detail::equal_pieces right_pieces{
        static_cast<std::uint64_t>(last - first),
        static_cast<std::uint64_t>(std::max(right_piece, std::int64_t{1}))};
    matches.find(ctx, copies, left + row, rows, first, right_pieces, first - right, less);
    exclusive_scan(ctx, std::as_const(matches.counts).data(), rows, offsets.data(), plus{},
                   std::int64_t{0}, num_results.data());
    write_results(row, rows, to_host(ctx, num_results)[0]);
  }
  return result;
}

}  // namespace evenfold
