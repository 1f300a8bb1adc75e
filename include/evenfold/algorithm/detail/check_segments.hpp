#pragma once
// Checks of the arguments of algorithms over segments, before any work is started.

#include <concepts>
#include <string>
#include <utility>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/iterator.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::detail {

/// Throws argument_error for the first of some numbers that is less than the one before it, in a
/// context that looks for it.
template <context Context, class Numbers, std::integral Count>
void check_ascending(const Context&, const char* algorithm, const char* argument, Numbers numbers,
                     Count count) {
  if constexpr (Context::traits.checks_order) {
    for (Count i = 1; i < count; ++i) {
      const auto before = +numbers[i - 1];
      const auto number = +numbers[i];
      if (std::cmp_less(number, before)) {
        refuse_argument(algorithm, argument + ("[" + std::to_string(i) + "]"), number,
                        "it cannot be less than the one before it, " + std::to_string(before),
                        "pass them in ascending order, in a type that holds the last one");
      }
    }
  }
}

/// Returns the segments after checks that do not wait: of the counts, the pointer `offsets`, that
/// there is a segment if there are items and, in host memory, that the first segment begins at 0
/// and the last segment begins at most at `count`; in a reference context also that no offset is
/// less than the one before it.
template <context Context, std::integral Size, class Offsets, std::integral SegmentSize>
segment_view<Size, Offsets, SegmentSize> checked_segments(const Context& ctx, const char* algorithm,
                                                          Size count, Offsets offsets,
                                                          SegmentSize num_segments) {
  constexpr bool integers = std::integral<element_t<Offsets>>;
  static_assert(integers, "offsets are integers: the indices at which the segments begin");
  check_count(algorithm, "count", count);
  check_count(algorithm, "num_segments", num_segments);
  if (count > 0 && num_segments == 0) {
    refuse_argument(algorithm, "num_segments", num_segments,
                    "there are items, which need a segment",
                    "pass one segment with offsets[0] = 0, or a count of 0");
  }
  check_pointer(ctx, algorithm, "offsets", offsets, num_segments);
  if constexpr (Context::side == memory_side::host && integers) {
    if (num_segments > 0) {
      const auto first = +offsets[0];
      if (first != 0) {
        refuse_argument(algorithm, "offsets[0]", first, "the first segment begins at item 0",
                        "move the data, or pass pointers to the first item that has a segment");
      }
      const auto last = +offsets[num_segments - 1];
      if (std::cmp_less(last, 0) || std::cmp_greater(last, +count)) {
        refuse_argument(algorithm, "offsets[" + std::to_string(num_segments - 1) + "]", last,
                        "the last segment begins between 0 and the count, " + std::to_string(count),
                        "pass where each segment begins, in a type that holds the count");
      }
      check_ascending(ctx, algorithm, "offsets", offsets, num_segments);
    }
  }
  return {count, offsets, num_segments};
}

/// Throws argument_error for cached pointers that cannot be read at `num_segments` segments.
template <context Context, class... Iterators, std::integral SegmentSize>
void check_cached(const Context& ctx, const char* algorithm, const tuple<Iterators...>& cached,
                  SegmentSize num_segments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_pointer(ctx, algorithm, "cached", get<I>(cached), num_segments), ...);
  }(std::index_sequence_for<Iterators...>{});
}

/// Throws argument_error for ascending positions in host memory if the last one is not in [0,
/// most], and in a reference context if one is less than the one before it.
template <context Context, class Positions, std::integral PositionCount, std::integral Size>
void check_last_position(const Context& ctx, const char* algorithm, Positions positions,
                         PositionCount num_positions, Size most) {
  if constexpr (Context::side == memory_side::host) {
    if (num_positions == 0) return;
    const auto last = +positions[num_positions - 1];
    if (std::cmp_less(last, 0) || std::cmp_greater(last, +most)) {
      refuse_argument(algorithm, "positions[" + std::to_string(num_positions - 1) + "]", last,
                      "positions lie between 0 and " + std::to_string(most),
                      "pass positions in the sequence, in ascending order");
    }
    check_ascending(ctx, algorithm, "positions", positions, num_positions);
  }
}

/// Fails to compile for a function that cannot be called for the items of segments, or whose result
/// cannot be converted to R.
template <class R, class F, class Size, class SegmentSize, class... Iterators>
constexpr void check_item_function(const tuple<Iterators...>&) {
  if constexpr (sizeof...(Iterators) == 0) {
    static_assert(can_be_called<R, F, Size, SegmentSize, Size>(),
                  "f is called as f(index, segment, rank), index and rank of the type of count, "
                  "segment of the type of num_segments; where values are folded it returns what "
                  "converts to the type of init, in lbs_workcreate an optional new item; its "
                  "operator() is const");
  } else {
    static_assert(
        can_be_called<R, F, Size, SegmentSize, Size, const tuple<element_t<Iterators>...>&>(),
        "f is called as f(index, segment, rank, cached), where cached is the tuple of the values "
        "that the iterators read; where values are folded it returns what converts to the type of "
        "init, in lbs_workcreate an optional new item; its operator() is const");
  }
}

}  // namespace evenfold::detail
