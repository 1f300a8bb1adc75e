#pragma once
// Reads the entries of a Matrix Market file one by one, and checks each of them by all rules.

#include <cstdint>
#include <string>
#include <string_view>

#include "evenfold/core/pattern.hpp"
#include "evenfold/io/matrix_market/entry.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/matrix_market/tokens.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The entries of a chunk of whole lines, whose first entry has the number `first` in the file. The
/// values are read as Value: an integer, a floating-point number, a complex number, or, exactly for
/// files without values, `pattern`.
///
/// Errors: those of matrix_market_tokens; input_error, with the line, for an entry above the
/// diagonal of a matrix with a symmetry, an entry on the diagonal of a skew-symmetric matrix, and
/// an entry with an imaginary part on the diagonal of a hermitian matrix.
template <class Value>
class matrix_market_entries {
 public:
  matrix_market_entries(const matrix_market_text& source, std::string_view chunk,
                        std::int64_t first)
      : source_(&source),
        rows_(source.header().rows),
        columns_(source.header().columns),
        coordinates_(source.header().format == matrix_market_format::coordinate),
        symmetry_(source.header().symmetry),
        tokens_(source, chunk),
        at_(chunk.data()) {
    if (!coordinates_) position_ = matrix_market_position(source.header(), first);
  }

  /// Reads the next entry; returns false if there is none.
  bool next(matrix_market_entry<Value>& entry) {
    const char* at = at_;
    if (!tokens_.find_line(at)) return false;
    if (coordinates_) {
      entry.row = tokens_.index(at, "row", rows_);
      entry.column = tokens_.index(at, "column", columns_);
    } else {
      entry.row = position_.row();
      entry.column = position_.column();
      position_.advance();
    }
    if constexpr (is_complex<Value>) {
      const auto real = tokens_.number<typename Value::value_type>(at);
      entry.value = {real, tokens_.number<typename Value::value_type>(at)};
    } else if constexpr (!is_pattern<Value>) {
      entry.value = tokens_.number<Value>(at);
    }
    tokens_.end_line(at);
    at_ = at;
    if (symmetry_ != matrix_market_symmetry::general) check_triangle(entry);
    return true;
  }

  /// Goes to the line of the next entry; returns false if there is none.
  bool next_line() { return tokens_.find_line(at_); }

  /// The line of the last entry that was read or gone to.
  std::string_view line() const { return tokens_.line(); }

 private:
  void check_triangle(const matrix_market_entry<Value>& entry) const {
    if (entry.row > entry.column) return;
    if (entry.row < entry.column) {
      refuse_position(entry, "above the diagonal", "only entries of the lower triangle");
    }
    if (symmetry_ == matrix_market_symmetry::skew_symmetric) {
      refuse_position(entry, "on the diagonal", "only entries below the diagonal");
    }
    if constexpr (is_complex<Value>) {
      if (symmetry_ == matrix_market_symmetry::hermitian && entry.value.imag() != 0) {
        source_->fail_at(line(), shown(line()) + " lies on the diagonal of a hermitian matrix, " +
                                     "expected an imaginary part of 0");
      }
    }
  }

  [[noreturn]] void refuse_position(const matrix_market_entry<Value>& entry, const char* where,
                                    const char* expected) const {
    source_->fail_at(line(), "row " + std::to_string(entry.row + 1) + ", column " +
                                 std::to_string(entry.column + 1) + " lies " + where +
                                 ", expected " + expected + ", since the banner says '" +
                                 matrix_market_name(symmetry_) + "'");
  }

  const matrix_market_text* source_;
  std::int64_t rows_, columns_;
  bool coordinates_;
  matrix_market_symmetry symmetry_;
  matrix_market_position position_;
  matrix_market_tokens tokens_;
  const char* at_;
};

}  // namespace evenfold::detail
