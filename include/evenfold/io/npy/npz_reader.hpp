#pragma once
// Reads sparse matrices from SciPy's .npz files, and checks every number.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/npy/npz_arrays.hpp"
#include "evenfold/io/npy/zip_writer.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/plausible_extent.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// A matrix in the form of its file.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
using npz_matrix =
    std::variant<csr<Value, Index, Offset>, csc<Value, Index, Offset>, coo<Value, Index, Offset>>;

/// The options of read_npz_sparse.
struct npz_read_options {
  /// Whether a matrix may have more rows or columns than plausible_extent() for its arrays.
  bool trust_sizes = false;
};

namespace detail {

/// Refuses arrays whose lengths disagree, sizes that Index or Offset cannot number, and implausible
/// sizes unless they are trusted.
template <class Index, class Offset>
void check_npz_sizes(const npz_arrays& arrays, const npz_read_options& options) {
  const auto check_fits = [&](std::int64_t size, std::int64_t most, const char* what) {
    if (size > most) {
      arrays.data().fail("the matrix has " + std::to_string(size) + " " + what +
                         ", expected at most " + std::to_string(most) +
                         ", which the type of their numbers can count");
    }
  };
  // The number of offsets is the number of rows plus one.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - 1;
  check_fits(std::max(arrays.rows(), arrays.columns()),
             std::min<std::int64_t>(std::numeric_limits<Index>::max(), most), "rows or columns");
  check_fits(arrays.minor().size(), std::numeric_limits<Offset>::max(), "entries");
  if (!options.trust_sizes &&
      std::max(arrays.rows(), arrays.columns()) > plausible_extent(arrays.bytes())) {
    arrays.data().fail(implausible_extents(arrays.rows(), arrays.columns(), arrays.bytes()) +
                       "; trust-sizes accepts more");
  }
  const auto check_size = [](const npz_member& member, std::int64_t size, const char* why) {
    if (member.size() != size) {
      member.fail("the array has " + std::to_string(member.size()) + " elements, expected " +
                  std::to_string(size) + ", " + why);
    }
  };
  check_size(arrays.data(), arrays.minor().size(), "one per entry");
  if (arrays.format() == npz_format::coo) {
    check_size(arrays.major(), arrays.minor().size(), "one per entry");
  } else if (arrays.format() == npz_format::csr) {
    check_size(arrays.major(), arrays.rows() + 1, "one more than rows");
  } else {
    check_size(arrays.major(), arrays.columns() + 1, "one more than columns");
  }
}

/// Refuses offsets that do not begin with 0, decrease, or do not end with the number of entries.
template <context Context, class Offset>
void check_npz_offsets(Context& ctx, const npz_member& member, const Offset* offsets,
                       Offset num_nonzeros) {
  const std::int64_t last = member.size() - 1;
  if (offsets[0] != 0) {
    member.fail("the first offset is " + std::to_string(offsets[0]) + ", expected 0");
  }
  transform(ctx, last, [&](std::int64_t k) {
    if (offsets[k + 1] < offsets[k]) {
      member.fail("element " + std::to_string(k + 1) + " is " + std::to_string(offsets[k + 1]) +
                  " after " + std::to_string(offsets[k]) +
                  ", expected offsets that never decrease");
    }
  });
  if (offsets[last] != num_nonzeros) {
    member.fail("the last offset is " + std::to_string(offsets[last]) + ", expected " +
                std::to_string(num_nonzeros) +
                ", the number of entries; matrix.prune() removes unused elements");
  }
}

}  // namespace detail

/// The matrix of arrays that have been unpacked.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index,
          context Context>
npz_matrix<Value, Index, Offset> read_npz_sparse(Context& ctx, const npz_arrays& arrays,
                                                 const npz_read_options& options = {}) {
  detail::check_npz_sizes<Index, Offset>(arrays, options);
  const auto rows = static_cast<Index>(arrays.rows());
  const auto columns = static_cast<Index>(arrays.columns());
  const auto count = static_cast<Offset>(arrays.minor().size());
  const auto read_values = [&](array<Value>& values) {
    if constexpr (!is_pattern<Value>) arrays.data().read_numbers(ctx, values.data());
  };
  if (arrays.format() == npz_format::coo) {
    coo<Value, Index, Offset> result(ctx, rows, columns, count);
    arrays.major().read_integers(ctx, arrays.rows() - 1, result.rows.data());
    arrays.minor().read_integers(ctx, arrays.columns() - 1, result.columns.data());
    read_values(result.values);
    return result;
  }
  // The columns of a matrix are the rows of its transpose.
  const bool by_column = arrays.format() == npz_format::csc;
  csr<Value, Index, Offset> result(ctx, by_column ? columns : rows, by_column ? rows : columns,
                                   count);
  arrays.major().read_integers(ctx, count, result.row_offsets.data());
  detail::check_npz_offsets(ctx, arrays.major(), result.row_offsets.data(), count);
  arrays.minor().read_integers(ctx, result.num_columns - 1, result.columns.data());
  read_values(result.values);
  if (by_column) return transposed(std::move(result));
  return result;
}

/// Reads a sparse matrix from an .npz file on the host, in the form of the file. Values and indices
/// may have any dtype that npy_file reads; values are converted to Value, and dropped by `pattern`.
///
/// Work O(bytes), span O(bytes of the largest member), since a deflated member is inflated by one
/// worker. Memory: the unpacked members besides the result.
///
/// Errors: input_error, with the member, for archives that npz_arrays refuses, arrays whose lengths
/// disagree, an index outside of the matrix, offsets that do not ascend from 0 to the number of
/// entries, a matrix too large for Index or Offset, more rows or columns than are plausible (unless
/// `options.trust_sizes`), and, if Value is an integer, values that are not integers or out of its
/// range; allocation_error.
///
/// Example: examples/graph_files.cpp.
/// Names elsewhere: scipy.sparse.load_npz.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index,
          context Context>
npz_matrix<Value, Index, Offset> read_npz_sparse(Context& ctx, const std::string& path,
                                                 const npz_read_options& options = {}) {
  const file_text file(ctx, path);
  return read_npz_sparse<Value, Index, Offset>(ctx, npz_arrays(ctx, file.text(), path), options);
}

}  // namespace evenfold
