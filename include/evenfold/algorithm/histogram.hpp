#pragma once
// histogram: how many items, or how much weight, each bin gets.

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "evenfold/algorithm/bins.hpp"
#include "evenfold/backend/reference/histogram.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/histogram.cuh"
#else
#include "evenfold/backend/cpu/histogram.hpp"
#endif

namespace evenfold {

namespace detail {

/// Refuses what cannot be the number of bins; returns it as every backend takes it.
template <std::integral Bins>
std::uint32_t checked_bins(const char* algorithm, Bins bins) {
  detail::check_count(algorithm, "bins", bins);
  if (std::cmp_greater(bins, std::numeric_limits<std::int32_t>::max())) {
    detail::refuse_argument(algorithm, "bins", +bins, "a histogram has fewer than 2^31 bins",
                            "use wider bins");
  }
  return static_cast<std::uint32_t>(bins);
}

}  // namespace detail

/// out[b] = how many i in [0, count) have f(i) == b, for every b in [0, bins).
///
/// - `f(i)`: the bin of item i, of any integral type; anything outside [0, bins), such as `no_bin`,
///   is not counted. It may be called several times for the same i. A binning of contiguous values
///   is best named, elementwise(binning, values): a GPU then reads many values before it looks into
///   the first, which a lambda with branches forbids (2.4 times as fast with `even_bins`).
/// - `bins`: below 2^31. algorithm/bins.hpp has binnings: even, rounding, custom edges, 2-D; they
///   tell outliers apart, too.
/// - `out`: `bins` counts of an integral type of 4 or 8 bytes, in the context's memory, set and not
///   added to; nothing that f reads. A count that exceeds its type wraps around.
///
/// On a GPU, blocks count in shared memory, which holds 58,000 bins on an H100; with more, blocks
/// that own different ranges of bins read the same items at about the same time, from the cache.
/// Increments of one counter by a whole warp are one step, so skew costs nothing. On the CPU every
/// chunk of items has a table of its own.
///
/// Work O(count r + bins) where r is the number of such ranges, 1 on the CPU; span
/// O(count / workers + bins). Reads each item once from memory. Scratch: none on a GPU; on the CPU
/// a table of 4 bytes a bin for each thread (four of them up to 1024 bins), after the first at most
/// one for as many items as there are bins. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, for bins out of range and for `out` on the wrong
/// side; allocation_error, with `out` untouched.
///
/// Example: examples/histogram.cpp.
/// Names elsewhere: numpy.bincount, numpy.histogram, cub::DeviceHistogram.
template <class Tuning = default_tuning, context Context, std::integral Size, std::integral Bins,
          class F, std::integral Count>
void histogram(Context& ctx, Size count, Bins bins, F f, Count* out) {
  static_assert(sizeof(Count) >= 4, "counts have 32 or 64 bits");
  static_assert(detail::can_be_called<detail::any_integer, F, Size>(),
                "histogram: f is called as f(i), i of the type of count, and returns the number of "
                "a bin, an integer; its operator() is const");
  detail::check_count("histogram", "count", count);
  const std::uint32_t checked = detail::checked_bins("histogram", bins);
  detail::check_pointer(ctx, "histogram", "out", out, checked);
  if (checked > 0) backend::histogram<Tuning>(ctx, count, checked, f, out);
}

/// out[b] = T{} + the sum of weight(i) over the i in [0, count) with f(i) == b, for every b in [0,
/// bins).
///
/// - `weight(i)`: what item i counts, converted to T; it may be called for items without a bin.
/// - `out`: `bins` values of T, any trivially copyable type with `+` and a zero T{}.
///
/// The weights of a bin are summed in a fixed order, which is not that of the items: on a GPU it
/// depends on count, bins and the device alone, on the CPU on count and bins alone, whatever the
/// number of threads. So floating-point sums have the same bits each time. On a GPU warps take
/// turns at the table of their block, and the tables are folded in order; 2^15 bins of double, say,
/// are two ranges, and a range costs about as much as the whole where there is one. Scratch: a
/// table of `bins` T for each block that shares one range, at most 32 a multiprocessor; on the CPU
/// 1 to 128 tables of T (four times that up to 1024 bins), one for 16 times as many items as bins.
///
/// Otherwise as the count of items. Names elsewhere: numpy.bincount(x, weights).
template <class Tuning = default_tuning, context Context, std::integral Size, std::integral Bins,
          class F, class Weight, class T>
void histogram(Context& ctx, Size count, Bins bins, F f, Weight weight, T* out) {
  static_assert(detail::can_be_called<detail::any_integer, F, Size>(),
                "histogram: f is called as f(i), i of the type of count, and returns the number of "
                "a bin, an integer; its operator() is const");
  static_assert(
      detail::can_be_called<T, Weight, Size>(),
      "histogram: weight is called as weight(i), i of the type of count, and returns what "
      "converts to the elements of out; its operator() is const");
  detail::check_count("histogram", "count", count);
  const std::uint32_t checked = detail::checked_bins("histogram", bins);
  detail::check_pointer(ctx, "histogram", "out", out, checked);
  if (checked > 0) backend::histogram<Tuning>(ctx, count, checked, f, weight, out);
}

}  // namespace evenfold
