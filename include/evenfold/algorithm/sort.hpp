#pragma once
// sort, sort_by_key, sort_indices: sorts a sequence.

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/backend/reference/sort.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/sort.cuh"
#else
#include "evenfold/backend/cpu/sort.hpp"
#endif

namespace evenfold {

/// Sorts keys[0, count) stably and in place: afterwards !less(keys[i + 1], keys[i]), and equivalent
/// keys keep their order.
///
/// - `keys`: pointer to `count` keys of any trivially copyable type.
/// - `less`: a strict weak order. Arithmetic keys in the order of `less{}` or `greater{}`, or of
///   std::less or std::greater (also those of cuda::std and Thrust) without a type or for Key, are
///   sorted by a radix sort, all others by a merge sort. In the order of the radix sort NaN come
///   last in either direction, NaN with different bits are different keys, and both zeros are
///   equal.
///
/// If `less` is not a strict weak order, such as < of structures with NaN, or a function that is
/// not deterministic, the order of the keys is unspecified; but they are a permutation of the
/// input, and nothing outside of the arrays is read or written.
///
/// Radix sort: work O(count). Merge sort: work O(count log count). Span O(work / workers + log^2
/// count). On a GPU a pass reads and writes each key once; there is one pass per 8 bits of an
/// arithmetic key, and for other keys of 4 bytes one pass per doubling of 11776 keys, or of 5632
/// keys as long as these are at most one tile per multiprocessor. One block sorts up to 1792 keys
/// (640 keys of more than 16 bytes) by merging. Arithmetic keys that a GPU sorts by radix are
/// sorted by counting, with work O(count^2), if they are at most 96 per multiprocessor, or 64 of 8
/// bytes; keys of 1 byte without values, and 2^16 or more of 2 bytes, by counting how many have
/// each number and writing them anew: this reads them once and writes them once. Scratch: `count`
/// keys; on the CPU also 56 bytes per block of 2^10 to 2^16 keys, or up to 1/8 of `count` keys and
/// 2^15 counters of 8 bytes per thread; on a GPU also 16 bytes and 8 bytes per tile of 5632 or 5888
/// keys of 4 bytes, or the scratch of CUB's radix sort, two counters of 4 or 8 bytes per number for
/// keys that are written anew, and none for what one block sorts, or few keys that are sorted by
/// counting. Deterministic: the result is unique. Does not wait.
///
/// Errors: argument_error for a negative count, or pointers on the wrong side; allocation_error,
/// with the keys untouched. If `less` throws on a host context, the caller gets the exception, and
/// the values of the keys are unspecified.
///
/// Example: examples/sort.cpp.
/// Source: Odeh et al., "Merge Path", IPDPSW 2012; Green, McColl, Bader, "GPU Merge Path", ICS
/// 2012; radix sort on a GPU: Adinets and Merrill, "Onesweep", 2022. Names elsewhere:
/// std::stable_sort, thrust::stable_sort, cub::DeviceMergeSort::StableSortKeys,
/// cub::DeviceRadixSort::SortKeys, mgpu::mergesort, numpy.sort(kind='stable').
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Less>
void sort(Context& ctx, Keys keys, Size count, Less less) {
  detail::check_order<element_t<Keys>, Less>();
  detail::check_count("sort", "count", count);
  detail::check_pointer(ctx, "sort", "keys", keys, count);
  if (count > 1) {
    backend::sort<Tuning>(ctx, detail::as_pointer(keys), static_cast<detail::no_value*>(nullptr),
                          count, less);
  }
}

/// The same with one value per key, which moves with its key. Scratch on the CPU: two times `count`
/// keys + values; on a GPU: `count` values more. Names elsewhere: thrust::stable_sort_by_key,
/// cub::DeviceMergeSort::StableSortPairs, cub::DeviceRadixSort::SortPairs.
template <class Tuning = default_tuning, context Context, class Keys, class Values,
          std::integral Size, class Less>
void sort_by_key(Context& ctx, Keys keys, Values values, Size count, Less less) {
  detail::check_order<element_t<Keys>, Less>();
  detail::check_count("sort_by_key", "count", count);
  detail::check_pointer(ctx, "sort_by_key", "keys", keys, count);
  detail::check_pointer(ctx, "sort_by_key", "values", values, count);
  if (count > 1) {
    backend::sort<Tuning>(ctx, detail::as_pointer(keys), detail::as_pointer(values), count, less);
  }
}

namespace detail {

/// Throws argument_error for indices too narrow for the last position.
template <std::integral Index, std::integral Size>
void check_indices_fit(const char* algorithm, Size count) {
  if (count > 0 && std::cmp_greater(count - 1, std::numeric_limits<Index>::max())) {
    refuse_argument(algorithm, "count", count,
                    "the last position does not fit the type of the indices", "pass wider indices");
  }
}

/// copies[i] = keys[i] and indices[i] = i.
template <class Keys, class Key, class Index>
struct copy_and_number {
  Keys keys;
  Key* copies;
  Index* indices;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size i) const {
    copies[i] = static_cast<Key>(keys[i]);
    indices[i] = static_cast<Index>(i);
  }
};

}  // namespace detail

/// indices[k] = the index in `keys` of the k-th key in sorted order: `sort_by_key` of a copy of the
/// keys with their indices. The keys are not changed.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type.
/// - `indices`: pointer to `count` integers, wide enough for count - 1.
///
/// Scratch: that of `sort_by_key` and `count` keys. Errors: those of `sort_by_key`, and
/// argument_error if they are too narrow. Otherwise as `sort`. Names elsewhere:
/// numpy.argsort(kind='stable').
template <class Tuning = default_tuning, context Context, class Keys, class Indices,
          std::integral Size, class Less>
void sort_indices(Context& ctx, Keys keys, Indices indices, Size count, Less less) {
  using Key = element_t<Keys>;
  using Index = element_t<Indices>;
  detail::check_order<Key, Less>();
  detail::check_count("sort_indices", "count", count);
  detail::check_indices_fit<Index>("sort_indices", count);
  detail::check_pointer(ctx, "sort_indices", "keys", keys, count);
  detail::check_pointer(ctx, "sort_indices", "indices", indices, count);
  array<Key> copies(ctx, count);
  Index* const positions = detail::as_pointer(indices);
  transform(ctx, count, detail::copy_and_number<Keys, Key, Index>{keys, copies.data(), positions});
  if (count > 1) backend::sort<Tuning>(ctx, copies.data(), positions, count, less);
}

/// The same for ranges: the values, or the indices, may be one, too.
template <class Tuning = default_tuning, context Context, sized_range Keys, class Less>
void sort(Context& ctx, Keys&& keys, Less less) {
  evenfold::sort<Tuning>(ctx, detail::begin_of(keys), detail::size_of(keys), less);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Values,
          class Less>
void sort_by_key(Context& ctx, Keys&& keys, Values&& values, Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::sort_by_key<Tuning>(ctx, detail::begin_of(keys),
                                detail::input_of("sort_by_key", "values", values, count, "keys"),
                                count, less);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Indices,
          class Less>
void sort_indices(Context& ctx, const Keys& keys, Indices&& indices, Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::sort_indices<Tuning>(ctx, detail::begin_of(keys),
                                 detail::output_of("sort_indices", "indices", indices, count),
                                 count, less);
}

}  // namespace evenfold
