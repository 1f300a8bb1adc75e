#pragma once
// sorted_search, sorted_equal_range, search: where needles stand in a sorted haystack.

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/backend/reference/sorted_search.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/search_each.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/sorted_search.cuh"
#else
#include "evenfold/backend/cpu/sorted_search.hpp"
#endif

namespace evenfold {

namespace detail {

/// Checks the arguments that all searches have.
template <context Context, class Needles, std::integral NeedleSize, class Haystack,
          std::integral Size, class Output, class Less>
void check_search(const Context& ctx, const char* algorithm, const char* argument, Needles needles,
                  NeedleSize num_needles, Haystack haystack, Size haystack_count, Output out,
                  const Less&) {
  static_assert(std::is_same_v<element_t<Needles>, element_t<Haystack>>,
                "needles and haystack are of one type");
  check_order<element_t<Needles>, Less>();
  using index = element_t<Output>;
  static_assert(std::integral<index>, "positions are integers");
  check_count(algorithm, "num_needles", num_needles);
  check_count(algorithm, "haystack_count", haystack_count);
  if (std::cmp_greater(haystack_count, std::numeric_limits<index>::max())) {
    refuse_argument(algorithm, "haystack_count", haystack_count,
                    std::string("it does not fit the type of ") + argument, "pass wider integers");
  }
  check_pointer(ctx, algorithm, "needles", needles, num_needles);
  check_pointer(ctx, algorithm, "haystack", haystack, haystack_count);
  check_pointer(ctx, algorithm, argument, out, num_needles);
}

}  // namespace detail

/// out[i] = the number of elements of the haystack that are less than needles[i] (bounds::lower),
/// or not greater (bounds::upper): the first or the last position where the needle could be
/// inserted.
///
/// - `needles`, `haystack`: iterators to elements of one trivially copyable type, *both* sorted by
///   `less`; for needles in any order there is `search`. 32- or 64-bit counts.
/// - `out`: iterator to `num_needles` integers wide enough for `haystack_count`.
/// - `less`: a strict weak order, by which both are sorted. If it is not one, such as < with NaN
///   among the elements, or if they are not sorted, the results are unspecified numbers from 0 to
///   `haystack_count`; nothing outside of the arrays is read or written.
///
/// Needles and haystack are merged, so every worker gets the same number of needles + elements,
/// however they interleave. Work O(num_needles + haystack_count), span O(work / workers + log
/// work); reads each needle and each element of the haystack once and writes each result once.
/// If the haystack has at least 256 elements per needle, or 16 on a GPU, there is a search for each
/// needle instead, and on a GPU also for up to about 5 * 10^5 needles (2.5 * 10^5 for both bounds),
/// for which the launches of a merge take longer: work O(num_needles log haystack_count), no
/// scratch. Scratch of the merge on a GPU: 8 bytes per tile of 5888 needles and elements of 4
/// bytes; on the CPU: 16 bytes per thread. Deterministic: the result is unique. Does not wait.
///
/// Errors: argument_error for a negative count, for an output too narrow for `haystack_count`, or
/// pointers on the wrong side; allocation_error, with the output untouched.
///
/// Example: examples/sorted_search.cpp.
/// Source: Baxter, "moderngpu", 2013 (vectorized sorted search). Names elsewhere: std::lower_bound,
/// thrust::lower_bound, mgpu::sorted_search, numpy.searchsorted(haystack, needles, side).
template <bounds Bound, class Tuning = default_tuning, context Context, class Needles,
          std::integral NeedleSize, class Haystack, std::integral Size, class Output, class Less>
void sorted_search(Context& ctx, Needles needles, NeedleSize num_needles, Haystack haystack,
                   Size haystack_count, Output out, Less less) {
  detail::check_search(ctx, "sorted_search", "out", needles, num_needles, haystack, haystack_count,
                       out, less);
  if (num_needles == 0) return;
  backend::sorted_search<Bound, Tuning>(
      ctx, detail::values_of(needles), static_cast<std::uint64_t>(num_needles),
      detail::values_of(haystack), static_cast<std::uint64_t>(haystack_count), out,
      detail::callable_order<element_t<Needles>>(less));
}

/// Both bounds at once: out_first[i] = the lower bound of needles[i], out_counts[i] = the upper
/// bound minus the lower bound, which is the number of equivalent elements of the haystack.
/// Otherwise as sorted_search, in one pass over needles and haystack. The sum of both results is at
/// most haystack_count, whatever `less` returns. Names elsewhere: std::equal_range.
template <class Tuning = default_tuning, context Context, class Needles, std::integral NeedleSize,
          class Haystack, std::integral Size, class Output, class Counts, class Less>
void sorted_equal_range(Context& ctx, Needles needles, NeedleSize num_needles, Haystack haystack,
                        Size haystack_count, Output out_first, Counts out_counts, Less less) {
  detail::check_search(ctx, "sorted_equal_range", "out_first", needles, num_needles, haystack,
                       haystack_count, out_first, less);
  detail::check_search(ctx, "sorted_equal_range", "out_counts", needles, num_needles, haystack,
                       haystack_count, out_counts, less);
  if (num_needles == 0) return;
  backend::sorted_equal_range<Tuning>(
      ctx, detail::values_of(needles), static_cast<std::uint64_t>(num_needles),
      detail::values_of(haystack), static_cast<std::uint64_t>(haystack_count), out_first,
      out_counts, detail::callable_order<element_t<Needles>>(less));
}

/// The same as sorted_search for needles in any order: a binary search for each needle.
///
/// Work O(num_needles log haystack_count), span O(work / workers). No scratch. Deterministic. Does
/// not wait. Errors: argument_error as for sorted_search. Example: examples/sorted_search.cpp.
template <bounds Bound, class Tuning = default_tuning, context Context, class Needles,
          std::integral NeedleSize, class Haystack, std::integral Size, class Output, class Less>
void search(Context& ctx, Needles needles, NeedleSize num_needles, Haystack haystack,
            Size haystack_count, Output out, Less less) {
  detail::check_search(ctx, "search", "out", needles, num_needles, haystack, haystack_count, out,
                       less);
  using sorted = decltype(detail::values_of(haystack));
  using values = decltype(detail::values_of(needles));
  auto order = detail::callable_order<element_t<Needles>>(less);
  transform<Tuning>(
      ctx, num_needles,
      detail::write_bound<Bound, values, sorted, Size, Output, decltype(order)>{
          detail::values_of(needles), detail::values_of(haystack), haystack_count, out, order});
}

/// The same for ranges: the outputs may be ranges, too.
template <bounds Bound, class Tuning = default_tuning, context Context, sized_range Needles,
          sized_range Haystack, sequence Output, class Less>
void sorted_search(Context& ctx, const Needles& needles, const Haystack& haystack, Output&& out,
                   Less less) {
  const std::size_t num_needles = detail::size_of(needles);
  evenfold::sorted_search<Bound, Tuning>(
      ctx, detail::begin_of(needles), num_needles, detail::begin_of(haystack),
      detail::size_of(haystack), detail::output_of("sorted_search", "out", out, num_needles), less);
}
template <class Tuning = default_tuning, context Context, sized_range Needles, sized_range Haystack,
          sequence Output, sequence Counts, class Less>
void sorted_equal_range(Context& ctx, const Needles& needles, const Haystack& haystack,
                        Output&& out_first, Counts&& out_counts, Less less) {
  const std::size_t num_needles = detail::size_of(needles);
  evenfold::sorted_equal_range<Tuning>(
      ctx, detail::begin_of(needles), num_needles, detail::begin_of(haystack),
      detail::size_of(haystack),
      detail::output_of("sorted_equal_range", "out_first", out_first, num_needles),
      detail::output_of("sorted_equal_range", "out_counts", out_counts, num_needles), less);
}
template <bounds Bound, class Tuning = default_tuning, context Context, sized_range Needles,
          sized_range Haystack, sequence Output, class Less>
void search(Context& ctx, const Needles& needles, const Haystack& haystack, Output&& out,
            Less less) {
  const std::size_t num_needles = detail::size_of(needles);
  evenfold::search<Bound, Tuning>(ctx, detail::begin_of(needles), num_needles,
                                  detail::begin_of(haystack), detail::size_of(haystack),
                                  detail::output_of("search", "out", out, num_needles), less);
}

}  // namespace evenfold
