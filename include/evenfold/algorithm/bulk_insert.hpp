#pragma once
// bulk_insert: inserts elements into a sequence, at many positions at once.

#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The offsets of segments of the output: segment 0 has the elements before the first inserted one,
/// segment k the k-th inserted element and the elements up to the next one.
template <class Positions, class Size>
struct insertion_offsets {
  Positions positions;

  template <std::integral Segment>
  EF_HD constexpr Size operator[](Segment s) const {
    return s == 0
               ? Size{0}
               : static_cast<Size>(static_cast<Size>(positions[s - 1]) + static_cast<Size>(s - 1));
  }
};

/// (index, segment, rank) -> the inserted element if it is the first of its segment, else an
/// element of the input.
template <class T, class Input, class Inserted>
struct inserted_or_input {
  Input input;
  Inserted inserted;

  template <class Size, class Segment>
  EF_HD constexpr T operator()(Size index, Segment s, Size rank) const {
    if (s > 0 && rank == 0) return static_cast<T>(inserted[s - 1]);
    return static_cast<T>(input[index - static_cast<Size>(s)]);
  }
};

}  // namespace detail

/// out = input with inserted[k] before input[positions[k]], for every k. Position `count` is the
/// end. Elements that are inserted at the same position keep their order.
///
/// - `input`, `count`: the sequence.
/// - `inserted`: iterator to `num_inserted` new elements.
/// - `positions`: iterator to `num_inserted` ascending numbers in [0, count], of any integral type;
///   only a reference_context checks their order.
/// - `out`: iterator to count + num_inserted elements; it does not overlap the others. Its length
///   fits the type of `count`.
///
/// Work O(count + num_inserted), span O((count + num_inserted) / workers + log num_inserted); reads
/// and writes each element once. No scratch. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, for a result whose length does not fit the type of
/// `count`, for an argument on the wrong side and, on a host context, for a last position outside
/// of [0, count].
///
/// Example: examples/bulk_insert.cpp.
/// Names elsewhere: mgpu::bulk_insert, numpy.insert.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Inserted, class Positions, std::integral InsertedCount, class Output>
void bulk_insert(Context& ctx, Input input, Size count, Inserted inserted, Positions positions,
                 InsertedCount num_inserted, Output out) {
  detail::check_count("bulk_insert", "count", count);
  detail::check_count("bulk_insert", "num_inserted", num_inserted);
  // The number of segments, num_inserted + 1, has this type, too.
  const Size most = static_cast<Size>(std::numeric_limits<Size>::max() - (count == 0 ? 1 : count));
  if (std::cmp_greater(num_inserted, most)) {
    detail::refuse_argument("bulk_insert", "num_inserted", num_inserted,
                            "with a count of " + std::to_string(count) +
                                ", the length of the result does not fit the type of the count",
                            "pass a wider count");
  }
  const Size more = static_cast<Size>(num_inserted);
  const Size total = static_cast<Size>(count + more);
  detail::check_pointer(ctx, "bulk_insert", "input", input, count);
  detail::check_pointer(ctx, "bulk_insert", "inserted", inserted, num_inserted);
  detail::check_pointer(ctx, "bulk_insert", "positions", positions, num_inserted);
  detail::check_pointer(ctx, "bulk_insert", "out", out, total);
  if (total == 0) return;
  detail::check_last_position(ctx, "bulk_insert", positions, num_inserted, count);
  const detail::segment_view<Size, detail::insertion_offsets<Positions, Size>, Size> segments{
      total, {positions}, static_cast<Size>(more + 1)};
  using value = detail::inserted_or_input<element_t<Input>, Input, Inserted>;
  backend::transform_lbs<Tuning>(
      ctx, segments, scatter_result<value, own_index, Output>{{input, inserted}, {}, out},
      tuple<>());
}

/// The same for ranges: `out` has room for the elements of both.
template <class Tuning = default_tuning, context Context, sized_range Input, sized_range Inserted,
          sequence Positions, sequence Output>
void bulk_insert(Context& ctx, const Input& input, const Inserted& inserted,
                 const Positions& positions, Output&& out) {
  const std::size_t count = detail::size_of(input), more = detail::size_of(inserted);
  evenfold::bulk_insert<Tuning>(
      ctx, detail::begin_of(input), count, detail::begin_of(inserted),
      detail::input_of("bulk_insert", "positions", positions, more, "inserted"), more,
      detail::output_of("bulk_insert", "out", out, count + more));
}

}  // namespace evenfold
