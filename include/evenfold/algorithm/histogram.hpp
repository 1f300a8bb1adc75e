#pragma once
// histogram: the number of items, or their weight, in each bin.

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "evenfold/algorithm/bins.hpp"
#include "evenfold/backend/reference/histogram.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/balance/weight_chunks.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/histogram.cuh"
#include "evenfold/backend/cuda/launch/histogram_weights.cuh"
#else
#include "evenfold/backend/cpu/histogram.hpp"
#endif

namespace evenfold {

namespace detail {

/// Throws argument_error unless this can be a number of bins; returns it in the type for backends.
template <std::integral Bins>
std::uint32_t checked_bins(const char* algorithm, Bins bins) {
  check_count(algorithm, "bins", bins);
  if (std::cmp_greater(bins, std::numeric_limits<std::int32_t>::max())) {
    refuse_argument(algorithm, "bins", +bins, "a histogram has fewer than 2^31 bins",
                    "use wider bins");
  }
  return static_cast<std::uint32_t>(bins);
}

}  // namespace detail

/// out[b] = the number of i in [0, count) with f(i) == b, for every b in [0, bins).
///
/// - `f(i)`: the bin of item i, of any integral type; an item with a bin outside [0, bins), such as
///   `no_bin`, is not counted. f may be called several times for the same i. For contiguous values,
///   pass elementwise(binning, values) and not a lambda: then a GPU reads many values before it
///   uses the first, which is 2.4 times as fast with `even_bins`.
/// - `bins`: below 2^31. algorithm/bins.hpp has binnings with even, rounded and custom edges, and
///   in two dimensions; they also tell the kinds of outliers apart.
/// - `out`: `bins` counts of an integral type of 4 or 8 bytes, in the context's memory, which f
///   does not read. The counts are set, not added to. A count that exceeds its type wraps around.
///
/// On a GPU, blocks count in shared memory, which has space for 58,000 bins on an H100. For more
/// bins, blocks count different ranges of bins; they read the same items at about the same time,
/// from the cache. From 2^23 items on, the bins of more than eight ranges, up to 8,355,840 bins,
/// are sorted by range, 2^25 at a time. Increments of one counter by a whole warp take one step, so
/// skew costs nothing. On the CPU every chunk of items has its own table.
///
/// Work O(count r + bins), where r is the number of ranges, 1 on the CPU and for bins that are
/// sorted; span O(count / workers + bins). Reads each item once from memory. Scratch on a GPU:
/// none, or, for the sort, 2 bytes per item, up to 64 MiB, and 8 bytes per range of 2^15 bins and
/// 2^13 items; on the CPU: a table of 4 bytes per bin for each thread (four tables up to 1024
/// bins); beyond the first table at most one per `bins` items. Deterministic. Does not wait.
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

/// out[b] = T{} + the sum of weight(i) over all i in [0, count) with f(i) == b, for every b in
/// [0, bins).
///
/// - `weight(i)`: the weight of item i, converted to T; it may be called for items without a bin.
/// - `out`: `bins` values of T, any trivially copyable type with `+` and a zero T{}.
///
/// The weights of a bin are summed in the order of balance/weight_chunks.hpp, so that
/// floating-point sums have the same bits on every backend. On a GPU, integers of 4 or 8 bytes are
/// added in any order, without scratch. Scratch: at most 1025 tables of `bins` T, one per 2^12
/// items, or per 16 `bins` items where these are more. On a GPU, items of 2^12 bins and more are
/// sorted by range of bins with their weights: for each of up to 2^27 items, the scratch is 2 bytes
/// and a T, and a quarter of a byte for 512 ranges. Beyond 2^21 bins, and if a T has more than 16
/// bytes, they are sorted by bin, 2^25 at a time: two numbers of 4 bytes and two T each, and what
/// CUB asks for.
///
/// Otherwise as the histogram of counts. Names elsewhere: numpy.bincount(x, weights).
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

namespace detail {

/// The sums of the weights of each bin in each chunk of balance/weight_chunks.hpp.
template <class T>
struct chunk_weights {
  array<T> sums;
  weight_layout layout;
};

/// The sums of chunks of `length` items. Does not wait.
template <class T, context Context, std::integral Size, class F, class Weight>
chunk_weights<T> weigh_chunks(Context& ctx, Size count, std::uint32_t bins, std::uint64_t length,
                              F f, Weight weight) {
  const std::uint64_t chunks = ceil_div(static_cast<std::uint64_t>(count), length);
  const weight_layout layout = backend::layout_of_weights(ctx, chunks, bins);
  chunk_weights<T> result{array<T>(ctx, layout.size), layout};
  if (bins > 0) {
    backend::weigh_chunks<default_tuning>(ctx, count, bins, length, f, weight, result.sums.data());
  }
  return result;
}

}  // namespace detail

/// The same, where `out` is a range of as many elements as there are bins.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Output>
void histogram(Context& ctx, Size count, F f, Output&& out) {
  evenfold::histogram<Tuning>(ctx, count, detail::size_of(out), f, detail::begin_of(out));
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F, class Weight,
          sized_range Output>
void histogram(Context& ctx, Size count, F f, Weight weight, Output&& out) {
  evenfold::histogram<Tuning>(ctx, count, detail::size_of(out), f, weight, detail::begin_of(out));
}

}  // namespace evenfold
