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

#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
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

}  // namespace detail

/// The rows of `inner_join` of two tables in host memory whose keys are sorted by `less`. The
/// arrays in the memory of the context take at most `limit_bytes`, besides the scratch of searches
/// and scans.
///
/// Each left key is copied to the context once, each right key once for every piece of left rows in
/// whose range of keys it is, and each result to host memory once. A third of the limit is for left
/// rows, with 40 bytes besides the key, one for right keys, and one for results, of 16 bytes.
/// `less` is called on the host, too. Waits for each piece.
///
/// Errors: argument_error for a null pointer, or a limit of less than one left row, right key and
/// result; allocation_error; std::bad_alloc if the results do not fit in host memory.
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
  const auto piece_of = [&]<class T>(std::type_identity<T>, std::int64_t most) {
    const auto fitting = detail::streamed_piece<T>(name, limit_bytes, 3);
    return static_cast<std::int64_t>(std::min(fitting, static_cast<std::uint64_t>(most)));
  };
  constexpr auto any_number = std::int64_t{1} << 62;
  const auto num_left = static_cast<std::int64_t>(left_count);
  const std::int64_t left_piece = piece_of(std::type_identity<left_row>{}, num_left);
  const std::int64_t right_piece =
      piece_of(std::type_identity<Key>{}, static_cast<std::int64_t>(right_count));
  const std::int64_t result_piece = piece_of(std::type_identity<result_row>{}, any_number);
  streamed_joined_rows result;
  array<Key> left_keys(ctx, left_piece);
  array<Key> right_keys(ctx, right_piece);
  array<std::int64_t> first(ctx, left_piece), counts(ctx, left_piece), offsets(ctx, left_piece);
  array<std::int64_t> piece_first(ctx, left_piece), piece_counts(ctx, left_piece);
  array<std::int64_t> num_results(ctx, 1);

  const auto write_results = [&](std::int64_t first_row, std::int64_t rows, std::int64_t total) {
    const std::int64_t most = std::min(total, result_piece);
    array<std::int64_t> left_rows(ctx, most);
    array<std::int64_t> right_rows(ctx, most);
    for (std::int64_t begin = 0; begin < total; begin += most) {
      const std::int64_t length = std::min(most, total - begin);
      transform_lbs(ctx, length,
                    detail::write_streamed_row{begin, first_row, first.data(), offsets.data(),
                                               left_rows.data(), right_rows.data()},
                    detail::offsets_within{offsets.data(), begin, begin + length}, rows);
      const std::size_t old = result.left.size();
      result.left.resize(old + static_cast<std::size_t>(length));
      result.right.resize(old + static_cast<std::size_t>(length));
      copy(ctx, std::as_const(left_rows).data(), length, result.left.data() + old);
      copy(ctx, std::as_const(right_rows).data(), length, result.right.data() + old);
      ctx.synchronize();
    }
  };
  for (std::int64_t row = 0; row < num_left; row += left_piece) {
    const std::int64_t rows = std::min(left_piece, num_left - row);
    copy(ctx, left + row, rows, left_keys.data());
    // The right rows from the first key of the piece to the last one.
    const Key* const end = right + right_count;
    const std::int64_t right_begin = std::lower_bound(right, end, left[row], less) - right;
    const std::int64_t right_end = std::upper_bound(right, end, left[row + rows - 1], less) - right;
    transform(ctx, rows, write_result{constant<std::int64_t>{right_begin}, first.data()});
    transform(ctx, rows, write_result{constant<std::int64_t>{0}, counts.data()});
    for (std::int64_t at = right_begin; at < right_end; at += right_piece) {
      const std::int64_t length = std::min(right_piece, right_end - at);
      copy(ctx, right + at, length, right_keys.data());
      sorted_equal_range(ctx, std::as_const(left_keys).data(), rows,
                         std::as_const(right_keys).data(), length, piece_first.data(),
                         piece_counts.data(), less);
      transform(
          ctx, rows,
          detail::add_bounds{piece_first.data(), piece_counts.data(), first.data(), counts.data()});
      ctx.synchronize();
    }
    exclusive_scan(ctx, std::as_const(counts).data(), rows, offsets.data(), plus{}, std::int64_t{0},
                   num_results.data());
    write_results(row, rows, to_host(ctx, num_results)[0]);
  }
  return result;
}

}  // namespace evenfold
