#pragma once
// The entries of a Matrix Market file, one after another, each checked against every rule that an
// entry has to keep.

#include <cstdint>
#include <string>
#include <string_view>

#include "evenfold/core/pattern.hpp"
#include "evenfold/io/matrix_market/entry.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/matrix_market/tokens.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The entries of a chunk of whole lines, of which the first is entry number `first` of the file.
/// Their values are read as Value: `pattern` exactly where the file has none, an integer, a
/// floating-point number or a complex one.
///
/// Errors: those of matrix_market_tokens; input_error, with the line, for an entry above the
/// diagonal of a matrix of any symmetry, one on the diagonal of a skew-symmetric one, and one there
/// that is not real in a hermitian one.
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
        words_(source, chunk),
        at_(chunk.data()) {
    if (!coordinates_) place_ = matrix_market_position(source.header(), first);
  }

  /// Reads the next entry; false where there is none.
  bool next(matrix_market_entry<Value>& entry) {
    const char* at = at_;
    if (!words_.find_line(at)) return false;
    if (coordinates_) {
      entry.row = words_.index(at, "row", rows_);
      entry.column = words_.index(at, "column", columns_);
    } else {
      entry.row = place_.row();
      entry.column = place_.column();
      place_.advance();
    }
    if constexpr (is_complex<Value>) {
      const auto real = words_.number<typename Value::value_type>(at);
      entry.value = {real, words_.number<typename Value::value_type>(at)};
    } else if constexpr (!is_pattern<Value>) {
      entry.value = words_.number<Value>(at);
    }
    words_.end_line(at);
    at_ = at;
    if (symmetry_ != matrix_market_symmetry::general) check_triangle(entry);
    return true;
  }

  /// Goes to the line of the next entry; false where there is none.
  bool next_line() { return words_.find_line(at_); }

  /// The line of the entry that was read last, or gone to.
  std::string_view line() const { return words_.line(); }

 private:
  void check_triangle(const matrix_market_entry<Value>& entry) const {
    if (entry.row > entry.column) return;
    if (entry.row < entry.column) {
      refuse_place(entry, "above the diagonal", "the lower triangle alone");
    }
    if (symmetry_ == matrix_market_symmetry::skew_symmetric) {
      refuse_place(entry, "on the diagonal", "the triangle below it alone");
    }
    if constexpr (is_complex<Value>) {
      if (symmetry_ == matrix_market_symmetry::hermitian && entry.value.imag() != 0) {
        source_->fail_at(line(), shown(line()) + " lies on the diagonal of a hermitian matrix, " +
                                     "expected an imaginary part of 0");
      }
    }
  }

  [[noreturn]] void refuse_place(const matrix_market_entry<Value>& entry, const char* where,
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
  matrix_market_position place_;
  matrix_market_tokens words_;
  const char* at_;
};

}  // namespace evenfold::detail
