#pragma once
// The entries of a Matrix Market file, one after another, each checked against every rule that an
// entry has to keep; and the cut of a file into pieces that are read at the same time.
//
// Idea: where a line has nothing but what it should, a number is read where it lies and nothing is
// looked at twice: up to seven digits of an index come out of one word of eight bytes. Whatever
// else is found stops the reading at its place, and the message is made there.

#include <algorithm>
#include <bit>
#include <charconv>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/io/input_error.hpp"
#include "evenfold/io/matrix_market_text.hpp"
#include "evenfold/io/number_text.hpp"
#include "evenfold/sparse/pattern.hpp"

namespace evenfold {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// What the values of a sparse matrix in a file may be read as, and written from.
template <class T>
concept matrix_market_value =
    is_pattern<T> || std::signed_integral<T> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// What a line says. In an array, the place of a value follows from its number, not from its line.
template <class Value>
struct matrix_market_entry {
  std::int64_t row = 0, column = 0;
  Value value{};
};

/// The value at (j, i) that a symmetry derives from the one at (i, j).
template <class Value>
Value mirrored_value(matrix_market_symmetry symmetry, Value value) {
  if constexpr (is_complex<Value>) {
    if (symmetry == matrix_market_symmetry::hermitian) return std::conj(value);
  }
  if constexpr (!is_pattern<Value>) {
    if (symmetry == matrix_market_symmetry::skew_symmetric) return static_cast<Value>(-value);
  }
  return value;
}

/// The entries of a piece of whole lines, their values read as Value: `pattern` exactly where the
/// file has none, an integer, a floating-point number or a complex one.
///
/// Errors: input_error, with the line, for a line that is not what the banner promises: a word too
/// few or too many, an index that is no integer or out of range, a value that is no number or
/// beyond what Value can hold; for an entry above the diagonal of a matrix of any symmetry, one on
/// the diagonal of a skew-symmetric one, and one there that is not real in a hermitian one.
template <class Value>
class matrix_market_entries {
 public:
  matrix_market_entries(const matrix_market_text& source, std::string_view piece)
      : source_(&source),
        rows_(source.header().rows),
        columns_(source.header().columns),
        coordinates_(source.header().format == matrix_market_format::coordinate),
        symmetry_(source.header().symmetry),
        at_(piece.data()),
        end_(piece.data() + piece.size()) {}

  /// Reads the next entry; false where there is none.
  bool next(matrix_market_entry<Value>& entry) {
    if (!find_line()) return false;
    if (coordinates_) {
      entry.row = index("row", rows_);
      entry.column = index("column", columns_);
    }
    if constexpr (is_complex<Value>) {
      const auto real = number<typename Value::value_type>();
      entry.value = {real, number<typename Value::value_type>()};
    } else if constexpr (!is_pattern<Value>) {
      entry.value = number<Value>();
    }
    end_line();
    if (coordinates_ && symmetry_ != matrix_market_symmetry::general) check_triangle(entry);
    return true;
  }

  /// The line of the entry that was read last.
  std::string_view line() const {
    const char* const newline =
        std::find(line_, source_->text().data() + source_->text().size(), '\n');
    std::string_view line(line_, static_cast<std::size_t>(newline - line_));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return trimmed(line);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  /// Whether a line, or the text, ends here.
  bool at_end(const char* p) const {
    return p == end_ || *p == '\n' || (*p == '\r' && (p + 1 == end_ || p[1] == '\n'));
  }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }

  /// Goes to the first word of the next line that has one and is no comment.
  bool find_line() {
    for (;; at_ = at_ == end_ ? at_ : at_ + 1) {
      line_ = at_;
      skip_blanks();
      if (at_ == end_) return false;
      if (*at_ != '%' && !at_end(at_)) return true;
      at_ = std::find(at_, end_, '\n');
    }
  }

  /// The next word must be an integer from 1 to `size`; returns it counted from 0.
  std::int64_t index(const char* what, std::int64_t size) {
    skip_blanks();
    const char* const word = at_;
    std::uint64_t number = 0;
    if (!short_integer(number)) {
      std::int64_t longer = 0;
      const auto [stop, status] = read_number(at_, end_, longer);
      // Neither 0 nor what is not a number is from 1 to size.
      number = status == std::errc{} ? static_cast<std::uint64_t>(longer) : 0;
      at_ = stop;
    }
    if (number - 1 >= static_cast<std::uint64_t>(size) || !(is_blank_here() || at_end(at_))) {
      refuse_index(word, what, size);
    }
    return static_cast<std::int64_t>(number - 1);
  }

  bool is_blank_here() const { return at_ != end_ && is_blank(*at_); }

  /// Takes an integer of one to seven digits, if there is one and eight bytes can be loaded.
  bool short_integer(std::uint64_t& number) {
    if constexpr (std::endian::native != std::endian::little) return false;
    if (end_ - at_ < 8) return false;
    std::uint64_t bytes;
    std::memcpy(&bytes, at_, 8);
    // Digits become their values; of any other byte the sum here sets the highest bit. It may carry
    // into later bytes, but the first that is no digit is found all the same.
    bytes ^= 0x3030303030303030;
    const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
    if (others == 0 || (others & 0x80) != 0) return false;
    const int digits = std::countr_zero(others) / 8;
    // Zeros before the first digit, then pairs, fours and eight together.
    bytes <<= 64 - 8 * digits;
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
    number = (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
    at_ += digits;
    return true;
  }

  /// The next word must be a number.
  template <class T>
  T number() {
    skip_blanks();
    const char* const word = at_;
    T value{};
    const auto [stop, status] = read_number(at_, end_, value);
    at_ = stop;
    if (status == std::errc::result_out_of_range) refuse_range<T>(word);
    if (status != std::errc{} || !(is_blank_here() || at_end(at_))) refuse_line();
    if constexpr (std::is_integral_v<T>) {
      if (value == std::numeric_limits<T>::min() &&
          symmetry_ == matrix_market_symmetry::skew_symmetric) {
        refuse_negation(word);
      }
    }
    return value;
  }

  void end_line() {
    skip_blanks();
    if (!at_end(at_)) refuse_line();
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
  }

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

  // What is wrong. None of these returns, and none is in the way of what is right.

  std::string_view word_at(const char* word) const {
    const std::string_view all = line();
    const std::string_view rest =
        all.substr(std::min(all.size(), static_cast<std::size_t>(word - all.data())));
    return rest.substr(0, rest.find_first_of(" \t"));
  }

  [[noreturn]] void refuse_line() const {
    const matrix_market_field field = source_->header().field;
    const char* const expected =
        !coordinates_ ? field == matrix_market_field::integer   ? "one integer a line"
                        : field == matrix_market_field::complex ? "two numbers a line"
                                                                : "one number a line"
        : field == matrix_market_field::pattern ? "'ROW COLUMN' (a pattern has no values)"
        : field == matrix_market_field::integer ? "'ROW COLUMN VALUE', the value an integer"
        : field == matrix_market_field::complex ? "'ROW COLUMN REAL IMAGINARY', both numbers"
                                                : "'ROW COLUMN VALUE', the value a number";
    source_->fail_at(line(), shown(line()) + " as an entry, expected " + expected);
  }

  [[noreturn]] void refuse_index(const char* word, const char* what, std::int64_t size) const {
    if (word_at(word).empty()) refuse_line();
    source_->fail_at(line(), shown(word_at(word)) + " as a " + what +
                                 ", expected an integer from 1 to " + std::to_string(size));
  }

  template <class T>
  [[noreturn]] void refuse_range(const char* word) const {
    const std::string bits = std::to_string(8 * sizeof(T)),
                      power = std::to_string(8 * sizeof(T) - 1);
    source_->fail_at(
        line(), shown(word_at(word)) + " is beyond what " +
                    (std::is_integral_v<T> ? bits + " bits can hold, expected an integer from -2^" +
                                                 power + " to 2^" + power + " - 1"
                                           : std::string(sizeof(T) == 4 ? "a float" : "a double") +
                                                 " can hold, expected a number"));
  }

  [[noreturn]] void refuse_negation(const char* word) const {
    source_->fail_at(line(), shown(word_at(word)) + " has no negative of " +
                                 std::to_string(8 * sizeof(Value)) +
                                 " bits, which a skew-symmetric matrix has, too; expected a larger "
                                 "integer");
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
  const char* at_;
  const char* end_;
  const char* line_ = nullptr;
};

/// The entries of a text in pieces of whole lines, for several workers.
struct matrix_market_pieces {
  std::vector<std::string_view> texts;
  /// Number of the first entry of each.
  std::vector<std::int64_t> begins;
};

/// Throws at the first line that is wrong: no entry, or one too many, or the end of the text.
template <class Value>
[[noreturn]] void refuse_matrix_market_count(const matrix_market_text& source, std::int64_t found) {
  const matrix_market_header& header = source.header();
  const char* const stored = header.format == matrix_market_format::coordinate
                                 ? "as announced for a matrix"
                             : header.symmetry == matrix_market_symmetry::general ? "all elements"
                             : header.symmetry == matrix_market_symmetry::skew_symmetric
                                 ? "the lower triangle without its diagonal"
                                 : "the lower triangle with its diagonal";
  const std::string expected = ", expected " + std::to_string(header.entries) + " entries (" +
                               stored + " of " + std::to_string(header.rows) + " by " +
                               std::to_string(header.columns) + ")";
  matrix_market_entries<Value> entries(source, source.entries());
  matrix_market_entry<Value> entry;
  for (std::int64_t seen = 0; entries.next(entry); ++seen) {
    if (seen == header.entries) source.fail_at(entries.line(), "one entry too many" + expected);
  }
  source.fail_at(source.entries().substr(source.entries().size()),
                 "the file ends after " + std::to_string(found) + expected);
}

/// Cuts the entries of a text into pieces of about so many bytes, and counts them.
///
/// Errors: input_error where there are fewer or more than the header says; the first bad line
/// counts, if one comes before.
template <class Value, context Context>
matrix_market_pieces cut_matrix_market(Context& ctx, const matrix_market_text& source,
                                       std::size_t piece_bytes) {
  matrix_market_pieces pieces{source.pieces(piece_bytes), {}};
  pieces.begins.resize(pieces.texts.size());
  transform(ctx, pieces.texts.size(), [&](std::size_t piece) {
    pieces.begins[piece] = matrix_market_text::count_entries(pieces.texts[piece]);
  });
  std::int64_t found = 0;
  for (std::int64_t& begin : pieces.begins) found += std::exchange(begin, found);
  if (found != source.header().entries) refuse_matrix_market_count<Value>(source, found);
  return pieces;
}

}  // namespace evenfold
