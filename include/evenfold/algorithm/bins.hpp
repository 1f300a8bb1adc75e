#pragma once
// Binnings: functions from a value to the number of its bin, for `histogram`.
//
// A binning of n bins returns 0 to n - 1 for a value inside of the bins, and n + outlier_below, n +
// outlier_above or n + outlier_nan for an outlier. A histogram of n bins does not count outliers; a
// histogram of n + outlier_kinds bins counts them in its last three bins.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold {

/// The kinds of outliers: values below the first edge, values above the last edge, and NaN.
enum outlier : std::int32_t { outlier_below, outlier_above, outlier_nan, outlier_kinds };

namespace detail {

/// Finds the bin of most values by a multiplication: of all values except those so near an edge
/// that rounding could put them on its wrong side. Real is the type of the arithmetic.
template <std::floating_point Real>
class regular_bins_guess {
 public:
  constexpr regular_bins_guess(double first, double span, double parts, double shift,
                               std::int32_t bins)
      : first_(static_cast<Real>(first)),
        scale_(static_cast<Real>(parts / span)),
        shift_(static_cast<Real>(shift)),
        end_(static_cast<Real>(bins)) {
    // Eight roundings bound the error of the product and of the edges.
    const double rounding = sizeof(Real) == sizeof(float) ? 0x1p-21 : 0x1p-50;
    const double magnitude = (first < 0 ? -first : first) + 3 * span;
    const double margin = rounding * (bins + magnitude * (parts / span));
    // If neighbouring edges hardly differ, or the scale overflows, there is no guess for any value.
    margin_ = static_cast<Real>(margin < 0.5 ? margin : 1);
  }

  /// The bin of x, or -1 if edges have to be compared.
  EF_HD constexpr std::int32_t operator()(Real x) const {
    const Real position = (x - first_) * scale_ + shift_;
    if (!(position > 0 && position < end_)) return -1;
    const auto bin = static_cast<std::int32_t>(position);
    const Real past = position - static_cast<Real>(bin);
    return past > margin_ && past < 1 - margin_ ? bin : -1;
  }

 private:
  Real first_, scale_, shift_, end_, margin_;
};

}  // namespace detail

/// Bins of equal width. Made by `even_bins` and `rounding_bins`.
///
/// The edges are computed in double arithmetic; edge(k) is the lower edge of bin k. A value that is
/// equal to an edge belongs to the bin above it.
class regular_bins {
 public:
  /// edge(k) = first + (k - shift) span / parts for k < num_bins, and edge(num_bins) = last.
  constexpr regular_bins(double first, double span, double parts, double shift,
                         std::int32_t num_bins, double last, bool closed)
      : bins(num_bins),
        first_(first),
        span_(span),
        parts_(parts),
        shift_(shift),
        last_(last),
        closed_(closed),
        guess_(first, span, parts, shift, num_bins),
        float_guess_(first, span, parts, shift, num_bins) {}

  /// The number of bins.
  std::int32_t bins;

  /// The lower edge of bin k; for k = bins, the upper edge of the last bin.
  EF_HD constexpr double edge(std::int32_t k) const {
    return k == bins ? last_ : first_ + ((k - shift_) * span_) / parts_;
  }

  /// The bin of a value, or bins + the kind of outlier. Integers beyond 2^53 are rounded to double.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  EF_HD constexpr std::int32_t operator()(T value) const {
    if constexpr (std::same_as<T, float>) {
      const std::int32_t bin = float_guess_(value);
      if (bin >= 0) return bin;
    }
    const auto x = static_cast<double>(value);
    const std::int32_t bin = guess_(x);
    return bin >= 0 ? bin : by_edges(x);
  }

 private:
  /// The bin of x by comparisons with edges.
  EF_HD constexpr std::int32_t by_edges(double x) const {
    if (!(x < last_)) {
      if (x == last_ && closed_) return bins - 1;
      return bins + (x >= last_ ? outlier_above : outlier_nan);
    }
    if (x < edge(0)) return bins + outlier_below;
    // In most cases x is an edge or close to one, and this finds it at once.
    const double position = (x - first_) / span_ * parts_ + shift_;
    const std::int32_t near = !(position > 0)       ? 0
                              : position < bins - 1 ? static_cast<std::int32_t>(position)
                                                    : bins - 1;
    if (edge(near) <= x && x < edge(near + 1)) return near;
    return detail::partition_point(std::int32_t{0}, bins,
                                   [&](std::int32_t k) { return edge(k + 1) <= x; });
  }

  double first_, span_, parts_, shift_, last_;
  bool closed_;
  detail::regular_bins_guess<double> guess_;
  detail::regular_bins_guess<float> float_guess_;
};

namespace detail {

/// Throws argument_error for fewer than `least` bins, and for an empty range [low, high].
inline void check_bins(const char* algorithm, std::int32_t bins, std::int32_t least, double low,
                       double high) {
  if (bins < least || bins > 1 << 30) {
    refuse_argument(algorithm, "bins", bins,
                    "there are " + std::to_string(least) + " to 2^30 bins of one width",
                    "pass their number");
  }
  if (!(low < high) || !std::isfinite(bins * (high - low))) {
    refuse_argument(algorithm, "the range", std::to_string(low) + " to " + std::to_string(high),
                    "its length is above 0, and finite when multiplied by the number of bins",
                    "pass the lower end first, the upper end second");
  }
}

}  // namespace detail

/// `bins` bins of equal width: bin k is [edge(k), edge(k + 1)), where edge(k) = low + k (high -
/// low) / bins in double arithmetic and edge(bins) = high. If `closed`, the last bin includes
/// `high`.
///
/// Errors: argument_error unless low < high, bins (high - low) is finite, and bins is 1 to 2^30.
/// Names elsewhere: cub::DeviceHistogram::HistogramEven, numpy.histogram (closed).
inline regular_bins even_bins(double low, double high, std::int32_t bins, bool closed = false) {
  detail::check_bins("even_bins", bins, 1, low, high);
  return {low, high - low, static_cast<double>(bins), 0, bins, high, closed};
}

/// Bins around `bins` equidistant centres from `first` to `last`; a value belongs to the nearest
/// centre, and halfway between two centres to the upper one. Bin k is [edge(k), edge(k + 1)), where
/// edge(k) = first + (k - 1/2) (last - first) / (bins - 1) in double arithmetic. If `closed`, the
/// last bin includes edge(bins).
///
/// Errors: argument_error unless first < last, bins (last - first) is finite, and bins is 2 to
/// 2^30.
inline regular_bins rounding_bins(double first, double last, std::int32_t bins,
                                  bool closed = false) {
  detail::check_bins("rounding_bins", bins, 2, first, last);
  const double span = last - first;
  const double parts = static_cast<double>(bins) - 1;
  return {first, span, parts, 0.5, bins, first + ((bins - 0.5) * span) / parts, closed};
}

/// Bin k is [edges[k], edges[k + 1]), for bins + 1 ascending edges in the memory of the context. If
/// `closed`, the last bin includes the last edge. Values may have any type that can be compared
/// with the edges. O(log bins) per value. Names elsewhere: cub::DeviceHistogram::HistogramRange,
/// numpy.histogram(x, edges), numpy.digitize.
template <class T>
struct custom_edges {
  const T* edges;
  std::int32_t bins;
  bool closed = false;

  template <class Value>
  EF_HD constexpr std::int32_t operator()(const Value& value) const {
    if (!(value < edges[bins])) {
      if (value == edges[bins] && closed) return bins - 1;
      return bins + (value >= edges[bins] ? outlier_above : outlier_nan);
    }
    if (value < edges[0]) return bins + outlier_below;
    return detail::partition_point(std::int32_t{0}, bins,
                                   [&](std::int32_t k) { return edges[k + 1] <= value; });
  }
};

/// A two-dimensional binning of pairs of values: bin (r, c) has the number r * columns.bins + c. If
/// either value is an outlier, the pair is in `no_bin`. Made by `grid_bins`.
template <class Rows, class Columns>
struct bin_grid {
  Rows rows;
  Columns columns;
  std::int32_t bins;

  template <class X, class Y>
  EF_HD constexpr std::int32_t operator()(const X& x, const Y& y) const {
    const std::int32_t row = rows(x);
    const std::int32_t column = columns(y);
    return row < rows.bins && column < columns.bins ? row * columns.bins + column : no_bin;
  }
};

/// The two-dimensional binning with these rows and columns. Errors: argument_error for 2^31 bins or
/// more. Names elsewhere: numpy.histogram2d.
template <class Rows, class Columns>
bin_grid<Rows, Columns> grid_bins(const Rows& rows, const Columns& columns) {
  const std::int64_t bins = std::int64_t{rows.bins} * columns.bins;
  if (bins > INT32_MAX) {
    detail::refuse_argument("grid_bins", "rows * columns", bins,
                            "a histogram has fewer than 2^31 bins", "use wider bins");
  }
  return {rows, columns, static_cast<std::int32_t>(bins)};
}

}  // namespace evenfold
