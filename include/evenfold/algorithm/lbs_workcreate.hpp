#pragma once
// lbs_workcreate: work items that create new work items.

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/backend/reference/lbs_workcreate.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/lbs_workcreate.cuh"
#else
#include "evenfold/backend/cpu/lbs_workcreate.hpp"
#endif

namespace evenfold {

namespace detail {

/// Can be made from an optional T and from nothing else.
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

/// Creates new work items. Every segment is a work item, and its length is the maximal number of
/// items that it may create. Calls f(index, seg, rank), or f(index, seg, rank, values) if there are
/// cached iterators, exactly once for every `index` in [0, count), in any order, concurrently, as
/// `transform_lbs` does. f returns an `optional<T>`: a new item, or `nullopt`. The new items are
/// written to out[0], out[1], ... in the order of `index`, which is that of segments and ranks;
/// num_created[0] = the number of new items.
///
/// - `count`, `offsets`, `num_segments`, `cached`: as for `transform_lbs`.
/// - `f`: may have side effects, such as an atomic operation that claims a vertex; they happen
/// once.
/// - `out`: pointer to as many new items as are created, at most `count`.
/// - `num_created`: one `Size` in the context's memory, or nullptr.
///
/// For example, this is one step of a breadth-first search: the segments are the vertices of the
/// frontier, their lengths are the degrees, and `cached` is the first edge of each vertex. f claims
/// one neighbour with an atomic operation, and returns it if this call was the first to claim it.
/// The new items are the next frontier.
///
/// Every worker gets the same number of items + segments, however uneven the segments. Work
/// O(count + num_segments), span O((count + num_segments) / workers + log num_segments + workers);
/// reads and writes what `transform_lbs` does, writes each new item twice and reads it once.
/// Scratch: `count` T, of which only as many are used as items are created, and one `Size` per
/// worker. The order of the new items is deterministic. Which items are created depends on f: if
/// its calls compete for a claim, any of them may win. Does not wait.
///
/// Errors: as for `transform_lbs`; argument_error for `out` or `num_created` on the wrong side;
/// allocation_error before f is called. If f throws on a host context, the caller gets the
/// exception; f may have been called for some items.
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

/// The same, where the offsets are a range.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class... Iterators, class T>
void lbs_workcreate(Context& ctx, Size count, F f, const Offsets& offsets,
                    tuple<Iterators...> cached, T* out, std::type_identity_t<Size>* num_created) {
  evenfold::lbs_workcreate<Tuning>(ctx, count, f, detail::begin_of(offsets),
                                   detail::size_of(offsets), cached, out, num_created);
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class T>
void lbs_workcreate(Context& ctx, Size count, F f, const Offsets& offsets, T* out,
                    std::type_identity_t<Size>* num_created) {
  evenfold::lbs_workcreate<Tuning>(ctx, count, f, offsets, tuple<>{}, out, num_created);
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class... Iterators, class T>
Size lbs_workcreate(Context& ctx, Size count, F f, const Offsets& offsets,
                    tuple<Iterators...> cached, T* out) {
  return evenfold::lbs_workcreate<Tuning>(ctx, count, f, detail::begin_of(offsets),
                                          detail::size_of(offsets), cached, out);
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class T>
Size lbs_workcreate(Context& ctx, Size count, F f, const Offsets& offsets, T* out) {
  return evenfold::lbs_workcreate<Tuning>(ctx, count, f, offsets, tuple<>{}, out);
}

}  // namespace evenfold
