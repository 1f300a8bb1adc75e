#pragma once
// degree_statistics: statistics of the lengths of rows, which are the degrees of a graph.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/degree_summary.hpp"
#include "evenfold/sparse/row_length.hpp"

namespace evenfold {

namespace detail {

/// The number of bits of the length of a row, which is its bin.
template <class Offset>
struct length_bits {
  const Offset* lengths;
  template <class Index>
  EF_HD std::int32_t operator()(Index row) const {
    return bit_width(static_cast<std::uint64_t>(lengths[row]));
  }
};

/// The term of the `rank`-th shortest row in the sum of the Gini coefficient.
template <class Offset>
struct ranked_length {
  using heavy = void;
  const Offset* lengths;
  double rows;
  template <class Index>
  EF_HD double operator()(Index rank) const {
    return (2 * static_cast<double>(rank) + 1 - rows) * static_cast<double>(lengths[rank]);
  }
};

}  // namespace detail

/// Mean, median, extremes, inequality and a histogram of the lengths of rows. For `graph.out` these
/// are the out-degrees, for `graph.in` the in-degrees.
///
/// Work O(rows), by a radix sort; span O(rows / workers + log^2 rows). Scratch: one Offset per row
/// and that of `sort`. Deterministic. Waits.
///
/// Errors: argument_error for offsets on the wrong side; allocation_error. Example:
/// examples/coo_to_csr.cpp. Source: Gini, "Variabilita e mutabilita", 1912. Names elsewhere:
/// numpy.diff(a.indptr) and the statistics of NumPy.
template <context Context, class Value, class Index, class Offset>
degree_summary degree_statistics(Context& ctx, csr_view<Value, Index, Offset> a) {
  detail::check_pointer(ctx, "degree_statistics", "a.row_offsets", a.row_offsets, a.num_rows);
  degree_summary result;
  result.rows = static_cast<std::int64_t>(a.num_rows);
  result.entries = static_cast<std::int64_t>(a.num_nonzeros);
  if (a.num_rows == 0) return result;
  array<Offset> lengths(ctx, a.num_rows);
  transform(ctx, a.num_rows,
            write_result{detail::row_length<Offset>{a.row_offsets}, lengths.data()});
  sort(ctx, lengths.data(), a.num_rows, less{});

  const auto length_at = [&](Index rank) {
    return static_cast<std::int64_t>(to_host(ctx, lengths.data() + rank, 1)[0]);
  };
  const auto last = static_cast<Index>(a.num_rows - 1);
  result.min = length_at(0);
  result.max = length_at(last);
  result.mean = static_cast<double>(result.entries) / static_cast<double>(result.rows);
  result.median = static_cast<double>(length_at(last / 2) + length_at(last / 2 + last % 2)) / 2;

  constexpr std::int32_t most_bins = 65;
  array<std::int64_t> bins(ctx, most_bins);
  histogram(ctx, a.num_rows, most_bins, detail::length_bits<Offset>{lengths.data()}, bins.data());
  result.rows_by_length = to_host(ctx, bins);
  result.rows_by_length.resize(std::bit_width(static_cast<std::uint64_t>(result.max)) + 1);
  result.empty_rows = result.rows_by_length[0];
  if (result.entries > 0) {
    result.skew = static_cast<double>(result.max) / result.mean;
    const auto rows = static_cast<double>(result.rows);
    result.gini =
        transform_reduce(ctx, a.num_rows, detail::ranked_length<Offset>{lengths.data(), rows},
                         plus{}, 0.) /
        (rows * static_cast<double>(result.entries));
  }
  return result;
}

}  // namespace evenfold
