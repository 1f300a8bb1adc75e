#pragma once
// segmented_sort, segmented_sort_indices: every segment sorted on its own.

#include <limits>
#include <utility>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/backend/reference/segmented_sort.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/segmented_sort.cuh"
#else
#include "evenfold/backend/cpu/segmented_sort.hpp"
#endif

namespace evenfold {

/// Sorts keys[b, e) for every segment [b, e), stably and in place: afterwards !less(keys[i + 1],
/// keys[i]) within a segment, and equivalent keys keep their order.
///
/// - `keys`: pointer to `count` keys of any trivially copyable type.
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`.
/// - `less`: a strict weak order. In the order of `less` or `greater`, also those of std, NaN come
///   last, as by `sort`. If it is not a strict weak order, the order of the keys is unspecified;
///   but each segment has a permutation of its keys, and nothing outside of the arrays is read or
///   written.
///
/// Every worker gets the same share of the work, of one giant segment or of many small ones. Work
/// O(count log(longest segment) + num_segments), span O(work / workers + log^2 count). On the CPU,
/// arithmetic keys in the order of `less` or `greater` are sorted by a radix sort up to runs of
/// 2^16 keys, and then merged. Scratch on the CPU: `count` keys, and 56 bytes per block of 2^10 to
/// 2^16 items + segments; on a GPU: `count` keys, and above about 2.7 x 10^6 keys of 4 bytes, or
/// 10^6 of 8 bytes, which one launch sorts, one bit per item and three positions and 8 bytes per
/// tile of about 5000 keys of 4 bytes; none for up to 1792 keys of 4 bytes, which one block sorts.
/// Few arithmetic keys are sorted as by `sort` there, by counting, with work O(count * longest
/// segment) and no scratch. Integers of 1 byte in the order of `less` or `greater` are counted
/// there and written anew, if they are 2^22 or more or in long segments, with work O(count +
/// num_segments) and scratch of 1036 bytes per 8192 keys, or 2064 where counts have 64 bits.
/// Deterministic: the result is unique. Does not wait.
///
/// Errors: argument_error for a negative count, for items without a segment, for pointers on the
/// wrong side and, on a host context, for a first offset other than 0 or a last one beyond `count`;
/// allocation_error, with the keys untouched. If `less` throws on a host context, the caller gets
/// the exception, and the values of the keys are unspecified.
///
/// Example: examples/segmented_sort.cpp.
/// Source: Baxter, "moderngpu", 2013 (segmented sort); Odeh et al., "Merge Path", IPDPSW 2012.
/// Names elsewhere: cub::DeviceSegmentedSort::StableSortKeys, mgpu::segmented_sort.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Offsets, std::integral SegmentSize, class Less>
void segmented_sort(Context& ctx, Keys keys, Size count, Offsets offsets, SegmentSize num_segments,
                    Less less) {
  detail::check_order<element_t<Keys>, Less>();
  const auto segments =
      detail::checked_segments(ctx, "segmented_sort", count, offsets, num_segments);
  detail::check_pointer(ctx, "segmented_sort", "keys", keys, count);
  if (count > 1) {
    backend::segmented_sort<Tuning>(ctx, detail::as_pointer(keys),
                                    static_cast<detail::no_value*>(nullptr), segments,
                                    detail::callable_order<element_t<Keys>>(less));
  }
}

/// The same with one value per key, which moves with its key. Scratch on the CPU: two times `count`
/// keys + values; on a GPU: `count` values more. Names elsewhere:
/// cub::DeviceSegmentedSort::StableSortPairs, mgpu::segmented_sort.
template <class Tuning = default_tuning, context Context, class Keys, class Values,
          std::integral Size, class Offsets, std::integral SegmentSize, class Less>
void segmented_sort(Context& ctx, Keys keys, Values values, Size count, Offsets offsets,
                    SegmentSize num_segments, Less less) {
  detail::check_order<element_t<Keys>, Less>();
  const auto segments =
      detail::checked_segments(ctx, "segmented_sort", count, offsets, num_segments);
  detail::check_pointer(ctx, "segmented_sort", "keys", keys, count);
  detail::check_pointer(ctx, "segmented_sort", "values", values, count);
  if (count > 1) {
    backend::segmented_sort<Tuning>(ctx, detail::as_pointer(keys), detail::as_pointer(values),
                                    segments, detail::callable_order<element_t<Keys>>(less));
  }
}

/// The same for keys, and indices[i] = the old index of keys[i] in the whole sequence. Scratch on
/// the CPU: two times `count` keys + indices. Indices too narrow for count - 1 are an
/// argument_error. Names elsewhere: mgpu::segmented_sort_indices; numpy.lexsort((keys, segment))
/// gives the same indices.
template <class Tuning = default_tuning, context Context, class Keys, class Indices,
          std::integral Size, class Offsets, std::integral SegmentSize, class Less>
void segmented_sort_indices(Context& ctx, Keys keys, Indices indices, Size count, Offsets offsets,
                            SegmentSize num_segments, Less less) {
  detail::check_order<element_t<Keys>, Less>();
  const auto segments =
      detail::checked_segments(ctx, "segmented_sort_indices", count, offsets, num_segments);
  if (count > 0 && std::cmp_greater(count - 1, std::numeric_limits<element_t<Indices>>::max())) {
    detail::refuse_argument("segmented_sort_indices", "count", count,
                            "the last position does not fit the type of the indices",
                            "pass wider indices");
  }
  detail::check_pointer(ctx, "segmented_sort_indices", "keys", keys, count);
  detail::check_pointer(ctx, "segmented_sort_indices", "indices", indices, count);
  if (count > 0) {
    backend::segmented_sort_indices<Tuning>(ctx, detail::as_pointer(keys),
                                            detail::as_pointer(indices), segments,
                                            detail::callable_order<element_t<Keys>>(less));
  }
}

/// The same for ranges: the number of segments is that of the offsets, and the values, or the
/// indices, may be a range, too.
template <class Tuning = default_tuning, context Context, sized_range Keys, sized_range Offsets,
          class Less>
void segmented_sort(Context& ctx, Keys&& keys, const Offsets& offsets, Less less) {
  evenfold::segmented_sort<Tuning>(ctx, detail::begin_of(keys), detail::size_of(keys),
                                   detail::begin_of(offsets), detail::size_of(offsets), less);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Values,
          sized_range Offsets, class Less>
void segmented_sort(Context& ctx, Keys&& keys, Values&& values, const Offsets& offsets, Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::segmented_sort<Tuning>(
      ctx, detail::begin_of(keys),
      detail::input_of("segmented_sort", "values", values, count, "keys"), count,
      detail::begin_of(offsets), detail::size_of(offsets), less);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Indices,
          sized_range Offsets, class Less>
void segmented_sort_indices(Context& ctx, Keys&& keys, Indices&& indices, const Offsets& offsets,
                            Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::segmented_sort_indices<Tuning>(
      ctx, detail::begin_of(keys),
      detail::output_of("segmented_sort_indices", "indices", indices, count), count,
      detail::begin_of(offsets), detail::size_of(offsets), less);
}

}  // namespace evenfold
