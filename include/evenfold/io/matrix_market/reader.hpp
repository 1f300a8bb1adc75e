#pragma once
// Reads sparse matrices from Matrix Market files in parallel.
//
// Idea: the text is cut into chunks of whole lines. Pass one counts the entries of each chunk, and
// a scan over the counts gives the number of the first entry of each chunk. Pass two reads all
// chunks at the same time, directly to the arrays of the result. Memory is allocated after the
// number of entries has been checked, so a short file cannot take much of it. If the file has only
// the lower triangle, a third pass adds the upper one; it also closes the gaps left by the zeros of
// an array.

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/io/matrix_market/checks.hpp"
#include "evenfold/io/matrix_market/entries.hpp"
#include "evenfold/io/matrix_market/entry.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/text/file_part.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/line_chunks.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

/// The options of read_matrix_market.
struct matrix_market_options {
  /// Whether the upper triangle of a matrix with a symmetry is made from the lower one, or omitted.
  bool expand_symmetry = true;
  /// About how many bytes a worker reads at a time, at least 1.
  std::size_t chunk_bytes = default_chunk_bytes;
  /// Whether a matrix may have more rows or columns than plausible_extent(). The result takes no
  /// memory per row, but other forms, such as a csr, do.
  bool trust_sizes = false;
  /// Whether only these lines of a file with coordinates are read. The text has its header, and the
  /// number of all entries is not compared with it.
  std::optional<lines_of_file> part{};
};

namespace detail {

/// Reads a sparse matrix on the host.
template <matrix_market_value Value, std::integral Index, std::integral Offset, context Context>
class matrix_market_reader {
  using matrix = coo<Value, Index, Offset>;

  static_assert(Context::side == memory_side::host, "files are read on the host");

 public:
  matrix_market_reader(Context& ctx, const matrix_market_text& source,
                       const matrix_market_options& options)
      : ctx_(ctx), source_(source), header_(source.header()), options_(options) {
    check_size(std::max(header_.rows, header_.columns), std::numeric_limits<Index>::max(),
               "rows or columns");
  }

  /// The entries, read by the field of the file and converted to Value.
  matrix read() const {
    switch (header_.field) {
      case matrix_market_field::pattern:
        return read_as<pattern>();
      case matrix_market_field::integer:
        return read_as<std::conditional_t<std::is_integral_v<Value>, Value, std::int64_t>>();
      case matrix_market_field::real:
        if constexpr (std::is_integral_v<Value>) {
          source_.fail_at(source_.text(), "the elements are real, expected integers");
        } else {
          return read_as<real>();
        }
      case matrix_market_field::complex:
        if constexpr (is_complex<Value> || is_pattern<Value>) {
          return read_as<std::complex<real>>();
        } else {
          source_.fail_at(source_.text(),
                          "the elements are complex, expected real ones or integers");
        }
    }
    return {};
  }

 private:
  template <class T>
  struct real_part {
    using type = std::conditional_t<std::is_floating_point_v<T>, T, double>;
  };
  template <class T>
  struct real_part<std::complex<T>> {
    using type = T;
  };
  using real = typename real_part<Value>::type;

  void check_size(std::int64_t size, std::int64_t most, const char* what) const {
    if (size <= most) return;
    source_.fail_at(source_.sizes_line(), "the matrix has " + std::to_string(size) + " " + what +
                                              ", expected at most " + std::to_string(most) +
                                              ", which the type of their numbers can count");
  }

  template <class Written>
  static Value converted(Written value) {
    if constexpr (is_pattern<Value>) {
      return pattern{};
    } else if constexpr (is_pattern<Written>) {
      return Value(1);
    } else if constexpr (is_complex<Value> && std::is_integral_v<Written>) {
      return Value(static_cast<real>(value));
    } else {
      return static_cast<Value>(value);
    }
  }

  static void put(matrix& m, std::int64_t k, std::int64_t row, std::int64_t column,
                  const Value& value) {
    m.rows[k] = static_cast<Index>(row);
    m.columns[k] = static_cast<Index>(column);
    if constexpr (!is_pattern<Value>) m.values[k] = value;
  }

  matrix make(std::int64_t entries) const {
    check_size(entries, std::numeric_limits<Offset>::max(), "entries");
    return matrix(ctx_, static_cast<Index>(header_.rows), static_cast<Index>(header_.columns),
                  static_cast<Offset>(entries));
  }

  /// The entries of a chunk: `kept` entries from number `begin` on, of which `mirrors` have a
  /// mirror image, and the indices of both in the result.
  struct share {
    std::int64_t begin, kept = 0, mirrors = 0, to = 0, mirrors_to = 0;
  };

  template <class Written>
  matrix read_as() const {
    const bool dense = header_.format == matrix_market_format::array;
    const std::string_view lines =
        options_.part ? options_.part->in(source_.entries()) : source_.entries();
    if (options_.part && dense) {
      refuse_argument("read_matrix_market", "options.part", lines.size(),
                      "the file is an array, whose elements have no coordinates",
                      "read the whole file");
    }
    const line_chunks chunks(ctx_, lines, options_.chunk_bytes, matrix_market_text::count_entries);
    if (!options_.part) check_matrix_market_count<Written>(source_, chunks.entries);
    if (!options_.trust_sizes) {
      check_matrix_market_extents(source_,
                                  options_.part ? options_.part->file_bytes : source_.text().size(),
                                  "; trust-sizes accepts more");
    }
    matrix stored = make(chunks.entries);
    std::vector<share> shares(chunks.texts.size());
    transform(ctx_, shares.size(), [&](std::size_t chunk) {
      share mine{chunks.begins[chunk]};
      matrix_market_entries<Written> entries(source_, chunks.texts[chunk], mine.begin);
      for (matrix_market_entry<Written> entry; entries.next(entry);) {
        if constexpr (!is_pattern<Written>) {
          if (dense && entry.value == Written{}) continue;
        }
        put(stored, mine.begin + mine.kept++, entry.row, entry.column, converted(entry.value));
        mine.mirrors += entry.row != entry.column;
      }
      shares[chunk] = mine;
    });
    const bool expand =
        options_.expand_symmetry && header_.symmetry != matrix_market_symmetry::general;
    return dense || expand ? arranged(stored, shares, expand) : std::move(stored);
  }

  /// The kept entries without gaps, then the mirror images, both in the order of the file.
  matrix arranged(const matrix& stored, std::vector<share>& shares, bool expand) const {
    std::int64_t total = 0;
    for (share& mine : shares) mine.to = std::exchange(total, total + mine.kept);
    if (expand) {
      for (share& mine : shares) mine.mirrors_to = std::exchange(total, total + mine.mirrors);
    }
    matrix result = make(total);
    transform(ctx_, shares.size(), [&](std::size_t chunk) {
      share mine = shares[chunk];
      for (std::int64_t k = mine.begin; k < mine.begin + mine.kept; ++k) {
        const Index row = stored.rows[k], column = stored.columns[k];
        const Value value = stored.view().value(static_cast<Offset>(k));
        put(result, mine.to++, row, column, value);
        if (!expand || row == column) continue;
        put(result, mine.mirrors_to++, column, row, mirrored_value(header_.symmetry, value));
      }
    });
    return result;
  }

  Context& ctx_;
  const matrix_market_text& source_;
  const matrix_market_header& header_;
  const matrix_market_options& options_;
};

}  // namespace detail

/// The matrix of a text whose header has been read, so that the caller can choose Value by the
/// header. See below.
template <matrix_market_value Value, std::integral Index = std::int32_t,
          std::integral Offset = Index, context Context>
coo<Value, Index, Offset> read_matrix_market(Context& ctx, const matrix_market_text& source,
                                             const matrix_market_options& options = {}) {
  return detail::matrix_market_reader<Value, Index, Offset, Context>(ctx, source, options).read();
}

/// The matrix of a text in memory; `name` is its name in errors. See below.
template <matrix_market_value Value, std::integral Index = std::int32_t,
          std::integral Offset = Index, context Context>
coo<Value, Index, Offset> read_matrix_market_text(Context& ctx, std::string_view text,
                                                  const std::string& name,
                                                  const matrix_market_options& options = {}) {
  return read_matrix_market<Value, Index, Offset>(ctx, matrix_market_text(text, name), options);
}

/// Reads a sparse matrix from a Matrix Market file, in coordinate or array format. The file is read
/// as file_text does, its header as matrix_market_text does.
///
/// - `Value`: the type of the values. `pattern` reads every file and drops its values, after
///   checking that they are numbers; a signed integer type reads the fields `integer` and
///   `pattern`; float and double also read `real`, and round integers to the nearest; a
///   std::complex reads all fields. The values of a pattern are 1.
/// - `Index`, `Offset`: the types that number rows and columns, and entries.
/// - `options.expand_symmetry`: whether the result has all entries of a symmetric, skew-symmetric
///   or hermitian matrix.
/// - `options.trust_sizes`: whether a short file may state any number of rows and columns.
///
/// Returns the entries in the order of the file, followed by the mirror images of those off the
/// diagonal in the same order if the matrix has a symmetry. Entries in the same row and column are
/// not combined. Of an array, the elements that are not zero are returned.
///
/// Work O(bytes) in two passes over the text, span O(bytes / workers + chunks). Memory: the result,
/// and, with a symmetry or for an array, the stored entries a second time. Deterministic: the
/// result does not depend on workers and chunks. Files are read on the host; the function returns
/// when the matrix has been read.
///
/// Errors: input_error, with the file, the line and the rule, for the first fault: those of
/// file_text, matrix_market_text and the entries (an index that is out of range, a value that is
/// not a number, an entry outside of the triangle that is stored); too few or too many entries; a
/// field that Value cannot represent; sizes that Index or Offset cannot number, or that are not
/// plausible. allocation_error.
///
/// Example: examples/matrix_market.cpp.
/// Names elsewhere: scipy.io.mmread.
template <matrix_market_value Value, std::integral Index = std::int32_t,
          std::integral Offset = Index, context Context>
coo<Value, Index, Offset> read_matrix_market(Context& ctx, const std::string& path,
                                             const matrix_market_options& options = {}) {
  const file_text file(ctx, path);
  return read_matrix_market_text<Value, Index, Offset>(ctx, file.text(), path, options);
}

}  // namespace evenfold
