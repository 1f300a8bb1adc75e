#pragma once
// interval_gather, interval_scatter, interval_move: copies many intervals at once.

#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// s -> positions[s] - offsets[s]: the distance from the index of an item of segment s to its
/// position elsewhere. Cached per segment, so that an item costs one addition.
template <class Index, class Positions, class Offsets>
struct shift_of {
  /// Backends that read `offsets` by an index of another type may read this so, too.
  static constexpr bool index_is_address = std::is_pointer_v<Positions>;
  Positions positions;
  Offsets offsets;

  template <std::integral SegmentSize>
  EF_HD constexpr Index operator[](SegmentSize s) const {
    return static_cast<Index>(positions[s]) - static_cast<Index>(offsets[s]);
  }

  /// The same for a count that fits 31 bits. Where a position does, too, those of the items of its
  /// segment fit 32 bits without a sign.
  EF_HD constexpr auto narrow() const {
    using common = std::common_type_t<element_t<Positions>, std::int32_t>;
    using narrow_index =
        std::conditional_t<std::is_same_v<common, std::int32_t>, std::uint32_t, Index>;
    return shift_of<narrow_index, Positions, Offsets>{positions, offsets};
  }
};

/// An index type for positions and items.
template <class Positions, class Size>
using position_t = std::common_type_t<element_t<Positions>, Size>;

/// (index, shifts of the segment) -> input[index + the first shift]
template <class Input>
struct take_shifted {
  static constexpr bool takes_cached_alone = true;
  Input input;

  template <class Size, class SegmentSize, class Index, class... Rest>
  EF_HD constexpr decltype(auto) operator()(Size index, SegmentSize, Size,
                                            const tuple<Index, Rest...>& shifts) const {
    const auto at = static_cast<Index>(index) + get<0>(shifts);
    return values_of(input)[static_cast<std::common_type_t<Size, Index>>(at)];
  }
};

}  // namespace detail

/// out[i] = input[gather[s] + i - offsets[s]] for every item i of segment s: copies the intervals
/// that begin at gather[0], gather[1], ... one after the other.
///
/// - `input`: iterator; the interval of segment s begins at input[gather[s]]. Intervals may
/// overlap.
/// - `gather`: iterator to `num_segments` positions of any integral type, from 0 on.
/// - `count`, `offsets`, `num_segments`: as for `transform_lbs`.
/// - `out`: iterator to `count` elements; it does not overlap `input`.
///
/// Work O(count + num_segments), span O((count + num_segments) / workers + log num_segments); reads
/// and writes each item once. Scratch on a GPU: one segment number per 8192 items, or 4096 where
/// positions have 64 bits; on the CPU none. Deterministic. Does not wait.
///
/// Errors: as for `transform_lbs`; argument_error for an argument on the wrong side.
///
/// Example: examples/interval_move.cpp.
/// Names elsewhere: mgpu::interval_gather.
template <class Tuning = default_tuning, context Context, class Input, class Gather,
          std::integral Size, class Offsets, std::integral SegmentSize, class Output>
void interval_gather(Context& ctx, Input input, Gather gather, Size count, Offsets offsets,
                     SegmentSize num_segments, Output out) {
  const auto segments =
      detail::checked_segments(ctx, "interval_gather", count, offsets, num_segments);
  detail::check_pointer(ctx, "interval_gather", "input", input, count);
  detail::check_pointer(ctx, "interval_gather", "gather", gather, num_segments);
  detail::check_pointer(ctx, "interval_gather", "out", out, count);
  if (count == 0) return;
  const detail::shift_of<detail::position_t<Gather, Size>, Gather, Offsets> from{gather, offsets};
  backend::transform_lbs<Tuning>(
      ctx, segments,
      scatter_result<detail::take_shifted<Input>, own_index, Output>{{input}, {}, out},
      evenfold::make_tuple(from));
}

namespace detail {

/// (index, shifts of the segment) -> index + the last shift: the target of the item.
struct shifted_index {
  static constexpr bool takes_cached_alone = true;

  template <class Size, class SegmentSize, class... Index>
  EF_HD constexpr auto operator()(Size index, SegmentSize, Size,
                                  const tuple<Index...>& shifts) const {
    const auto shift = get<sizeof...(Index) - 1>(shifts);
    using index_type = decltype(shift + shift);
    return static_cast<std::common_type_t<Size, index_type>>(static_cast<index_type>(index) +
                                                             shift);
  }
};

}  // namespace detail

/// out[scatter[s] + r] = input[gather[s] + r] for every rank r of segment s: copies the interval
/// that begins at gather[s] to the one that begins at scatter[s].
///
/// - `scatter`: iterator to `num_segments` positions of any integral type, from 0 on; the target
///   intervals do not overlap.
/// - `out`: iterator; it does not overlap `input`.
/// - Other arguments, costs and errors: as for `interval_gather`.
///
/// Example: examples/interval_move.cpp.
/// Names elsewhere: mgpu::interval_move, cub::DeviceMemcpy::Batched (of pointers and byte counts).
template <class Tuning = default_tuning, context Context, class Input, class Gather,
          std::integral Size, class Offsets, std::integral SegmentSize, class Scatter, class Output>
void interval_move(Context& ctx, Input input, Gather gather, Size count, Offsets offsets,
                   SegmentSize num_segments, Scatter scatter, Output out) {
  const auto segments =
      detail::checked_segments(ctx, "interval_move", count, offsets, num_segments);
  detail::check_pointer(ctx, "interval_move", "input", input, count);
  detail::check_pointer(ctx, "interval_move", "gather", gather, num_segments);
  detail::check_pointer(ctx, "interval_move", "scatter", scatter, num_segments);
  detail::check_pointer(ctx, "interval_move", "out", out, count);
  if (count == 0) return;
  const detail::shift_of<detail::position_t<Gather, Size>, Gather, Offsets> from{gather, offsets};
  const detail::shift_of<detail::position_t<Scatter, Size>, Scatter, Offsets> to{scatter, offsets};
  backend::transform_lbs<Tuning>(
      ctx, segments,
      scatter_result<detail::take_shifted<Input>, detail::shifted_index, Output>{{input}, {}, out},
      evenfold::make_tuple(from, to));
}

/// out[scatter[s] + i - offsets[s]] = input[i] for every item i of segment s: the reverse of
/// `interval_gather`, with arguments, costs and errors as for `interval_move`.
///
/// Example: examples/interval_move.cpp.
/// Names elsewhere: mgpu::interval_scatter.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Offsets, std::integral SegmentSize, class Scatter, class Output>
void interval_scatter(Context& ctx, Input input, Size count, Offsets offsets,
                      SegmentSize num_segments, Scatter scatter, Output out) {
  const auto segments =
      detail::checked_segments(ctx, "interval_scatter", count, offsets, num_segments);
  detail::check_pointer(ctx, "interval_scatter", "input", input, count);
  detail::check_pointer(ctx, "interval_scatter", "scatter", scatter, num_segments);
  detail::check_pointer(ctx, "interval_scatter", "out", out, count);
  if (count == 0) return;
  const detail::shift_of<detail::position_t<Scatter, Size>, Scatter, Offsets> to{scatter, offsets};
  backend::transform_lbs<Tuning>(
      ctx, segments,
      scatter_result<element_of<element_t<Input>, Input>, detail::shifted_index, Output>{
          {input}, {}, out},
      evenfold::make_tuple(to));
}

/// The same for ranges. interval_gather writes as many elements as `out` has, interval_scatter
/// reads as many as `input` has; the other of the two may be of any size, and is not checked.
/// `gather` and `scatter` have an element for each offset.
template <class Tuning = default_tuning, context Context, sequence Input, sequence Gather,
          sized_range Offsets, sized_range Output>
void interval_gather(Context& ctx, const Input& input, const Gather& gather, const Offsets& offsets,
                     Output&& out) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::interval_gather<Tuning>(
      ctx, detail::begin_of(input),
      detail::input_of("interval_gather", "gather", gather, num_segments, "offsets"),
      detail::size_of(out), detail::begin_of(offsets), num_segments, detail::begin_of(out));
}
template <class Tuning = default_tuning, context Context, sized_range Input, sized_range Offsets,
          sequence Scatter, sequence Output>
void interval_scatter(Context& ctx, const Input& input, const Offsets& offsets,
                      const Scatter& scatter, Output&& out) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::interval_scatter<Tuning>(
      ctx, detail::begin_of(input), detail::size_of(input), detail::begin_of(offsets), num_segments,
      detail::input_of("interval_scatter", "scatter", scatter, num_segments, "offsets"),
      detail::begin_of(out));
}
template <class Tuning = default_tuning, context Context, sequence Input, sequence Gather,
          std::integral Size, sized_range Offsets, sequence Scatter, sequence Output>
void interval_move(Context& ctx, const Input& input, const Gather& gather, Size count,
                   const Offsets& offsets, const Scatter& scatter, Output&& out) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::interval_move<Tuning>(
      ctx, detail::begin_of(input),
      detail::input_of("interval_move", "gather", gather, num_segments, "offsets"), count,
      detail::begin_of(offsets), num_segments,
      detail::input_of("interval_move", "scatter", scatter, num_segments, "offsets"),
      detail::begin_of(out));
}

}  // namespace evenfold
