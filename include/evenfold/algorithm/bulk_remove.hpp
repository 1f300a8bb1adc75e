#pragma once
// bulk_remove: removes the elements at many positions of a sequence at once.

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The offsets of segments of the output: segment g has the elements between removals g - 1 and g,
/// before which g elements are removed.
template <class Positions, class Size>
struct gap_offsets {
  Positions positions;

  template <std::integral Gap>
  EF_HD constexpr Size operator[](Gap gap) const {
    return gap == 0 ? Size{0}
                    : static_cast<Size>(static_cast<Size>(positions[gap - 1]) -
                                        static_cast<Size>(gap - 1));
  }
};

/// (index, gap) -> input[index + gap]
template <class Input>
struct element_after_gaps {
  Input input;

  template <class Size, class Gap>
  EF_HD constexpr decltype(auto) operator()(Size index, Gap gap, Size) const {
    return values_of(input)[index + static_cast<Size>(gap)];
  }
};

}  // namespace detail

/// out = input without input[positions[0]], input[positions[1]], ...; the order is kept.
///
/// - `positions`: iterator to `num_positions` strictly ascending numbers in [0, count), of any
///   integral type; only a reference_context checks their order.
/// - `out`: iterator to count - num_positions elements; it does not overlap `input`.
///
/// The gaps between removals are segments, which are cut into equal shares. Work O(count), span
/// O(count / workers + log num_positions); reads each remaining element and each position once and
/// writes each remaining element once. No scratch. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, for more positions than elements, for an argument
/// on the wrong side and, on a host context, for a last position outside of [0, count).
///
/// Example: examples/bulk_insert.cpp.
/// Names elsewhere: mgpu::bulk_remove, numpy.delete.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Positions, std::integral PositionCount, class Output>
void bulk_remove(Context& ctx, Input input, Size count, Positions positions,
                 PositionCount num_positions, Output out) {
  detail::check_count("bulk_remove", "count", count);
  detail::check_count("bulk_remove", "num_positions", num_positions);
  if (static_cast<std::uint64_t>(num_positions) > static_cast<std::uint64_t>(count)) {
    detail::refuse_argument("bulk_remove", "num_positions", num_positions,
                            "there are only " + std::to_string(count) + " elements",
                            "pass each position once");
  }
  const Size left = static_cast<Size>(count - static_cast<Size>(num_positions));
  detail::check_pointer(ctx, "bulk_remove", "input", input, count);
  detail::check_pointer(ctx, "bulk_remove", "positions", positions, num_positions);
  detail::check_pointer(ctx, "bulk_remove", "out", out, left);
  detail::check_last_position(ctx, "bulk_remove", positions, num_positions, count - 1);
  if (left == 0) return;
  const detail::segment_view<Size, detail::gap_offsets<Positions, Size>, Size> gaps{
      left, {positions}, static_cast<Size>(static_cast<Size>(num_positions) + 1)};
  backend::transform_lbs<Tuning>(
      ctx, gaps,
      scatter_result<detail::element_after_gaps<Input>, own_index, Output>{{input}, {}, out},
      tuple<>());
}

/// The same for ranges: `out` has room for the elements that stay.
template <class Tuning = default_tuning, context Context, sized_range Input, sized_range Positions,
          sequence Output>
void bulk_remove(Context& ctx, const Input& input, const Positions& positions, Output&& out) {
  const std::size_t count = detail::size_of(input), fewer = detail::size_of(positions);
  evenfold::bulk_remove<Tuning>(
      ctx, detail::begin_of(input), count, detail::begin_of(positions), fewer,
      detail::output_of("bulk_remove", "out", out, fewer < count ? count - fewer : 0));
}

}  // namespace evenfold
