#pragma once
// lbs_workcreate: work items that create new work items.

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/backend/reference/lbs_workcreate.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/lbs_workcreate.cuh"
#else
#include "evenfold/backend/cpu/lbs_workcreate.hpp"
#endif

namespace evenfold {

namespace detail {

/// Made from what may hold a T and from nothing else.
template <class T>
struct optional_of {
  template <class Optional>
    requires requires(const Optional& made) {
      made.has_value();
      static_cast<T>(*made);
    }
  optional_of(const Optional&) {}
};

}  // namespace detail

/// Every segment is a work item, and its length is how many new items it may create. Calls
/// f(index, seg, rank), or f(index, seg, rank, values) where there are cached iterators, exactly
/// once for every item `index` in [0, count), in any order, at the same time, as `transform_lbs`
/// does. f returns an `optional<T>`: a new item, or `nullopt`. The new items go to out[0],
/// out[1], ... in the order of `index`, hence by segment and rank, without gaps;
/// num_created[0] = how many there are.
///
/// - `count`, `offsets`, `num_segments`, `cached`: as for `transform_lbs`.
/// - `f`: what to do. It may have side effects, such as to claim what it finds; they happen once.
/// - `out`: room for as many new items as are created, at most `count`.
/// - `num_created`: one `Size` in the context's memory, or nullptr.
///
/// One step of a breadth-first search: segments are the vertices of the frontier, their lengths the
/// degrees, `cached` where their neighbours begin; f looks at one neighbour, claims it with an
/// atomic operation, and returns it if it was the first to do so: the new items are the next
/// frontier.
///
/// Every worker gets the same number of items + segments, however uneven the segments. Work
/// O(count + num_segments), span O((count + num_segments) / workers + log num_segments + workers);
/// beyond what `transform_lbs` moves, each new item is written twice and read once. Scratch:
/// `count` T, of which as many are touched as are created, and one `Size` a worker. The order of
/// the new items is deterministic; which of them are created depends on f: where its calls compete,
/// as for a claim, any may win. Does not wait.
///
/// Errors: as for `transform_lbs`; argument_error for `out` or `num_created` on the wrong side;
/// allocation_error before f is called. An exception out of f on a host context leaves the call;
/// some items may have been visited.
///
/// Example: examples/lbs_workcreate.cpp.
/// Source: Baxter, "moderngpu 2.0", 2016 (dynamic work creation). Names elsewhere:
/// mgpu::lbs_workcreate.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class... Iterators, class T>
void lbs_workcreate(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                    tuple<Iterators...> cached, T* out, std::type_identity_t<Size>* num_created) {
  const auto segments =
      detail::checked_segments(ctx, "lbs_workcreate", count, offsets, num_segments);
  detail::check_cached(ctx, "lbs_workcreate", cached, num_segments);
  detail::check_optional(ctx, "lbs_workcreate", "out", out, count);
  detail::check_optional(ctx, "lbs_workcreate", "num_created", num_created);
  detail::check_item_function<detail::optional_of<T>, F, Size, SegmentSize>(cached);
  backend::lbs_workcreate<Tuning>(ctx, segments, f, cached, out, num_created);
}

/// The same without cached values.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class T>
void lbs_workcreate(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                    T* out, std::type_identity_t<Size>* num_created) {
  evenfold::lbs_workcreate<Tuning>(ctx, count, f, offsets, num_segments, tuple<>{}, out,
                                   num_created);
}

/// The same, with the number of new items returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class... Iterators, class T>
Size lbs_workcreate(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                    tuple<Iterators...> cached, T* out) {
  return detail::counted<Size>(ctx, [&](Size* created) {
    evenfold::lbs_workcreate<Tuning>(ctx, count, f, offsets, num_segments, cached, out, created);
  });
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class T>
Size lbs_workcreate(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                    T* out) {
  return evenfold::lbs_workcreate<Tuning>(ctx, count, f, offsets, num_segments, tuple<>{}, out);
}

}  // namespace evenfold
