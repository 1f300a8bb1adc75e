#pragma once
// segmented_top_k, segmented_top_k_by_key, segmented_top_k_indices: the first k elements of every
// sorted segment.
//
// Idea: one pass finds a threshold per segment, one keeps the keys up to it, and these are sorted;
// see detail/segment_beginnings.hpp. The first key alone is a fold of each segment.

#include <concepts>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/detail/first_of_each_segment.hpp"
#include "evenfold/algorithm/detail/segment_beginnings.hpp"
#include "evenfold/algorithm/detail/write_first.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuple.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/first_of_segments.cuh"
#include "evenfold/backend/cuda/launch/sort_first_of_segments.cuh"
#endif

namespace evenfold {

namespace detail {

/// s -> min(k, the number of items of segment s)
template <class Segments, class Size>
struct beginning_length {
  Segments segments;
  Size k;

  template <std::integral Index>
  EF_HD constexpr Size operator()(Index s) const {
    const Size length = static_cast<Size>(segments.end(s) - segments.begin(s));
    return length < k ? length : k;
  }
};

/// The number of results, and the number of items of the longest segment.
template <class Size>
struct beginning_sizes {
  Size results;
  Size longest;

  friend EF_HD constexpr beginning_sizes operator+(const beginning_sizes& a,
                                                   const beginning_sizes& b) {
    return {static_cast<Size>(a.results + b.results),
            a.longest < b.longest ? b.longest : a.longest};
  }
};
template <class Size>
inline constexpr bool is_exact_fold<plus, beginning_sizes<Size>> = true;

/// s -> the sizes for segment s alone
template <class Segments, class Size>
struct sizes_of_segment {
  beginning_length<Segments, Size> length;

  template <std::integral Index>
  EF_HD constexpr beginning_sizes<Size> operator()(Index s) const {
    return {length(s), static_cast<Size>(length.segments.end(s) - length.segments.begin(s))};
  }
};

/// Calls emit(result, index, key) for the result of a rank, where the sorted keys of its segment
/// begin at get<0>(begin).
template <bool WithIndices, class Key, class Held, class Size, class Emit>
struct emit_sorted_of_segment {
  const Held* keys;
  const Size* indices;
  Emit emit;

  template <class Index>
  EF_HD constexpr void operator()(Size result, Index, Size rank, const tuple<Size>& begin) const {
    const auto at = static_cast<Size>(get<0>(begin) + rank);
    emit(result, WithIndices ? indices[at] : Size{}, static_cast<Key>(keys[at]));
  }
};

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at
/// begins[s]; without `WithIndices`, the indices are unspecified.
template <bool WithIndices, context Context, class Keys, class Size, class Offsets, class Index,
          class Less, class Emit>
void emit_beginnings(Context& ctx, Keys keys, const segment_view<Size, Offsets, Index>& segments,
                     Size k, const Size* begins, Size results, Less less, Emit emit) {
  using Key = element_t<Keys>;
  if (results == 0) return;
  if constexpr (radix_order<Less, Key>) {
    if (k == 1) return first_of_each_segment(ctx, keys, segments, begins, less, emit);
  }
  const auto found =
      sorted_segment_beginnings<WithIndices>(ctx, keys, segments, k, callable_order<Key>(less));
  transform_lbs(
      ctx, results,
      emit_sorted_of_segment<WithIndices, Key, typename decltype(found)::key_type, Size, Emit>{
          found.keys.data(), found.indices.data(), emit},
      begins, segments.num_segments, make_tuple(found.begins.data()));
}

/// The three functions: outputs_of(results) checks the outputs and gives the function
/// emit(result, index, key) that writes a result. Returns the number of results.
template <bool WithIndices, context Context, class Keys, std::integral Size, class Offsets,
          std::integral Index, class Less, class OutputsOf>
Size segmented_top_k(Context& ctx, const char* algorithm, Keys keys, Size count, Offsets offsets,
                     Index num_segments, Size k, Size* out_offsets, Less less,
                     OutputsOf outputs_of) {
  using Key = element_t<Keys>;
  check_order<Key, Less>();
  const auto segments = checked_segments(ctx, algorithm, count, offsets, num_segments);
  check_count(algorithm, "k", k);
  check_pointer(ctx, algorithm, "keys", keys, count);
  check_pointer(ctx, algorithm, "out_offsets", out_offsets, num_segments);
  if (num_segments == 0) return 0;
  using view = segment_view<Size, Offsets, Index>;
  const beginning_length<view, Size> length{segments, k};
  const auto sizes = transform_reduce(ctx, num_segments, sizes_of_segment<view, Size>{length},
                                      plus{}, beginning_sizes<Size>{});
  auto emit = outputs_of(sizes.results);
  const auto write_begins = [&](Size* begins) {
    transform_scan<scan_kind::exclusive>(ctx, num_segments, length, begins, plus{}, Size{0},
                                         nullptr);
  };
#if defined(__CUDACC__)
  if constexpr (Context::traits.shape == work_shape::lanes && radix_order<Less, Key>) {
    const bool are_several = k > 1 && sizes.results > 0;
    if (are_several &&
        backend::takes_sort_first_of_segments<WithIndices, Key>(segments, sizes.longest, k)) {
      backend::sort_first_of_segments<WithIndices>(ctx, keys, segments, write_begins, out_offsets,
                                                   k, less, emit);
      return sizes.results;
    }
    if (are_several && backend::takes_first_of_segments(segments, sizes.longest, k)) {
      write_begins(out_offsets);
      backend::first_of_segments(ctx, keys, segments, out_offsets, static_cast<int>(k), less, emit);
      return sizes.results;
    }
  }
#endif
  array<Size> begins(ctx, num_segments);
  write_begins(begins.data());
  emit_beginnings<WithIndices>(ctx, keys, segments, k, std::as_const(begins).data(), sizes.results,
                               less, emit);
  copy(ctx, std::as_const(begins).data(), num_segments, out_offsets);
  return sizes.results;
}

}  // namespace detail

/// The first k of the sorted keys of every segment: segment s has min(k, its length) results, which
/// begin at out[out_offsets[s]]; with `less{}` they are its smallest keys in ascending order, with
/// `greater{}` the largest in descending order. Equivalent keys are taken in the order of the
/// input. Returns the number of all results.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type, which are not changed.
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`.
/// - `out`: iterator to as many elements as there are results, at most min(count, num_segments *
///   k); it does not overlap `keys`.
/// - `out_offsets`: `num_segments` Size.
/// - `less`: a strict weak order, with the rules of `sort` for NaN and for other orders.
///
/// Every worker gets the same share of the work, of one giant segment or of many small ones. The
/// keys of long segments are read twice, and about k (ln k + 1) of each are sorted if its keys are
/// in random order; those of other segments are all sorted. A segment is long from about
/// k (16 + 4 log2 k) log2 k items on. In the worst order, which repeats itself every k items, most
/// keys are sorted, too. Arithmetic keys in the order of `less` or `greater` are read once where k
/// is 1, by a fold of each segment, and in most cases on a GPU: if no segment has more than 352 to
/// 736 items, by the width of the keys, and their mean is at most 88 to 120 or k is over 32, blocks
/// sort whole segments and write the beginnings; up to k = 32, a warp takes each segment, if none
/// has more than 2^14 items and their mean is at least 64; up to k = 256, if most segments are not
/// short, a few more than k of each 1024 items are sorted.
///
/// Work O(count + num_segments) and that of `segmented_sort` for the keys that are left. Scratch:
/// `count` Size; a key, an index and a flag per segment, and k of them per long segment; those of
/// `lbs_workcreate` and `segmented_sort`. Where k is 1, a Size per segment and that of `segreduce`;
/// where blocks or warps take segments, a bit per item and two Size per tile of about 3000 to 5000
/// items, and that of `transform_scan`. Deterministic: the result is unique. Waits once in these
/// cases, otherwise up to six times.
///
/// Errors: argument_error as for `segmented_sort`, and for a negative k; allocation_error. The
/// outputs are untouched then.
///
/// Example: examples/top_k.cpp.
/// Names elsewhere: torch.topk for rows of one length, awkward.sort(...)[..., :k].
template <context Context, class Keys, std::integral Size, class Offsets, std::integral SegmentSize,
          class Output, class Less>
Size segmented_top_k(Context& ctx, Keys keys, Size count, Offsets offsets, SegmentSize num_segments,
                     std::type_identity_t<Size> k, Output out, Size* out_offsets, Less less) {
  return detail::segmented_top_k<false>(ctx, "segmented_top_k", keys, count, offsets, num_segments,
                                        k, out_offsets, less, [&](Size results) {
                                          detail::check_pointer(ctx, "segmented_top_k", "out", out,
                                                                results);
                                          return detail::write_first_key<Output>{out};
                                        });
}

/// The same with one value per key: the value of the key out_keys[j] is out_values[j].
///
/// - `values`: iterator to `count` elements, of which those of the results are read.
/// - `out_keys`, `out_values`: iterators to as many elements as there are results.
template <context Context, class Keys, class Values, std::integral Size, class Offsets,
          std::integral SegmentSize, class OutKeys, class OutValues, class Less>
Size segmented_top_k_by_key(Context& ctx, Keys keys, Values values, Size count, Offsets offsets,
                            SegmentSize num_segments, std::type_identity_t<Size> k,
                            OutKeys out_keys, OutValues out_values, Size* out_offsets, Less less) {
  constexpr const char* name = "segmented_top_k_by_key";
  detail::check_pointer(ctx, name, "values", values, count);
  return detail::segmented_top_k<true>(
      ctx, name, keys, count, offsets, num_segments, k, out_offsets, less, [&](Size results) {
        detail::check_pointer(ctx, name, "out_keys", out_keys, results);
        detail::check_pointer(ctx, name, "out_values", out_values, results);
        return detail::write_first_pair<Values, OutKeys, OutValues>{values, out_keys, out_values};
      });
}

/// indices[j] = the index in the whole sequence of the j-th result of `segmented_top_k`.
///
/// - `indices`: as many integers of the type of `count` as there are results.
///
/// Names elsewhere: torch.topk.
template <context Context, class Keys, std::integral Size, class Offsets, std::integral SegmentSize,
          class Less>
Size segmented_top_k_indices(Context& ctx, Keys keys, Size count, Offsets offsets,
                             SegmentSize num_segments, std::type_identity_t<Size> k, Size* indices,
                             Size* out_offsets, Less less) {
  return detail::segmented_top_k<true>(ctx, "segmented_top_k_indices", keys, count, offsets,
                                       num_segments, k, out_offsets, less, [&](Size results) {
                                         detail::check_pointer(ctx, "segmented_top_k_indices",
                                                               "indices", indices, results);
                                         return detail::write_first_index<Size>{indices};
                                       });
}

namespace detail {

/// min(count, num_segments * k): as many results as there may be.
inline std::size_t most_results(std::size_t count, std::size_t num_segments, std::size_t k) {
  if (k == 0) return 0;
  return num_segments > count / k ? count : num_segments * k;
}

}  // namespace detail

/// The same for ranges: the number of segments is that of the offsets, and the values and the
/// outputs may be ranges, too, with room for min(count, num_segments * k) results. `out_offsets`
/// and indices are std::size_t.
template <context Context, sized_range Keys, sized_range Offsets, sequence Output,
          sequence OutOffsets, class Less>
std::size_t segmented_top_k(Context& ctx, const Keys& keys, const Offsets& offsets, std::size_t k,
                            Output&& out, OutOffsets&& out_offsets, Less less) {
  const char* const name = "segmented_top_k";
  const std::size_t count = detail::size_of(keys);
  const std::size_t num_segments = detail::size_of(offsets);
  const std::size_t most = detail::most_results(count, num_segments, k);
  std::size_t* const begins = detail::output_of(name, "out_offsets", out_offsets, num_segments);
  return evenfold::segmented_top_k(ctx, detail::begin_of(keys), count, detail::begin_of(offsets),
                                   num_segments, k, detail::output_of(name, "out", out, most),
                                   begins, less);
}
template <context Context, sized_range Keys, sequence Values, sized_range Offsets, sequence OutKeys,
          sequence OutValues, sequence OutOffsets, class Less>
std::size_t segmented_top_k_by_key(Context& ctx, const Keys& keys, Values&& values,
                                   const Offsets& offsets, std::size_t k, OutKeys&& out_keys,
                                   OutValues&& out_values, OutOffsets&& out_offsets, Less less) {
  const char* const name = "segmented_top_k_by_key";
  const std::size_t count = detail::size_of(keys);
  const std::size_t num_segments = detail::size_of(offsets);
  const std::size_t most = detail::most_results(count, num_segments, k);
  std::size_t* const begins = detail::output_of(name, "out_offsets", out_offsets, num_segments);
  return evenfold::segmented_top_k_by_key(
      ctx, detail::begin_of(keys), detail::input_of(name, "values", values, count, "keys"), count,
      detail::begin_of(offsets), num_segments, k,
      detail::output_of(name, "out_keys", out_keys, most),
      detail::output_of(name, "out_values", out_values, most), begins, less);
}
template <context Context, sized_range Keys, sized_range Offsets, sequence Indices,
          sequence OutOffsets, class Less>
std::size_t segmented_top_k_indices(Context& ctx, const Keys& keys, const Offsets& offsets,
                                    std::size_t k, Indices&& indices, OutOffsets&& out_offsets,
                                    Less less) {
  const char* const name = "segmented_top_k_indices";
  const std::size_t count = detail::size_of(keys);
  const std::size_t num_segments = detail::size_of(offsets);
  const std::size_t most = detail::most_results(count, num_segments, k);
  std::size_t* const to = detail::output_of(name, "indices", indices, most);
  std::size_t* const begins = detail::output_of(name, "out_offsets", out_offsets, num_segments);
  return evenfold::segmented_top_k_indices(ctx, detail::begin_of(keys), count,
                                           detail::begin_of(offsets), num_segments, k, to, begins,
                                           less);
}

}  // namespace evenfold
