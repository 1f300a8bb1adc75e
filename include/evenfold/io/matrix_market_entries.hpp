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

/// An entry and its place, counted from 0.
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

/// The place of an entry of an array: down each column, from its first stored row on.
class matrix_market_position {
 public:
  matrix_market_position() = default;
  matrix_market_position(const matrix_market_header& header, std::int64_t entry)
      : rows_(header.rows), shape_(header.symmetry) {
    // The last column that begins at or before the entry, by bisection.
    std::int64_t low = 0, high = header.columns;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (begin_of(middle) <= entry ? low : high) = middle;
    }
    column_ = low;
    row_ = first_row() + entry - begin_of(low);
  }

  std::int64_t row() const { return row_; }
  std::int64_t column() const { return column_; }
  void advance() {
    if (++row_ < rows_) return;
    ++column_;
    row_ = first_row();
  }

 private:
  /// How many entries the columns before this one have.
  std::int64_t begin_of(std::int64_t column) const {
    const std::int64_t triangle = shape_ == matrix_market_symmetry::general ? 0
                                  : shape_ == matrix_market_symmetry::skew_symmetric
                                      ? column * (column + 1) / 2
                                      : column * (column - 1) / 2;
    return column * rows_ - triangle;
  }
  std::int64_t first_row() const {
    return shape_ == matrix_market_symmetry::general          ? 0
           : shape_ == matrix_market_symmetry::skew_symmetric ? column_ + 1
                                                              : column_;
  }

  std::int64_t rows_ = 0;
  matrix_market_symmetry shape_ = matrix_market_symmetry::general;
  std::int64_t row_ = 0, column_ = 0;
};

/// The entries of a piece of whole lines, of which the first is entry number `first` of the file.
/// Their values are read as Value: `pattern` exactly where the file has none, an integer, a
/// floating-point number or a complex one.
///
/// Errors: input_error, with the line, for a line that is not what the banner promises: a word too
/// few or too many, an index that is no integer or out of range, a value that is no number or
/// beyond what Value can hold; for an entry above the diagonal of a matrix of any symmetry, one on
/// the diagonal of a skew-symmetric one, and one there that is not real in a hermitian one.
template <class Value>
class matrix_market_entries {
 public:
  matrix_market_entries(const matrix_market_text& source, std::string_view piece,
                        std::int64_t first)
      : source_(&source),
        rows_(source.header().rows),
        columns_(source.header().columns),
        coordinates_(source.header().format == matrix_market_format::coordinate),
        symmetry_(source.header().symmetry),
        at_(piece.data()),
        end_(piece.data() + piece.size()) {
    if (!coordinates_) place_ = matrix_market_position(source.header(), first);
  }

  /// Reads the next entry; false where there is none.
  bool next(matrix_market_entry<Value>& entry) {
    // Compilers keep a local place in a register; that of an object they store at every step.
    const char* at = at_;
    if (!find_line(at)) return false;
    if (coordinates_) {
      entry.row = index(at, "row", rows_);
      entry.column = index(at, "column", columns_);
    } else {
      entry.row = place_.row();
      entry.column = place_.column();
      place_.advance();
    }
    if constexpr (is_complex<Value>) {
      const auto real = number<typename Value::value_type>(at);
      entry.value = {real, number<typename Value::value_type>(at)};
    } else if constexpr (!is_pattern<Value>) {
      entry.value = number<Value>(at);
    }
    end_line(at);
    at_ = at;
    if (symmetry_ != matrix_market_symmetry::general) check_triangle(entry);
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
  void skip_blanks(const char*& at) const {
    while (at != end_ && is_blank(*at)) ++at;
  }
  /// Whether a line, or the text, ends here.
  bool line_ends(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
  }
  bool word_ends(const char* at) const { return line_ends(at) || is_blank(*at); }

  /// Goes to the first word of the next line that has one and is no comment.
  bool find_line(const char*& at) {
    for (;;) {
      line_ = at;
      skip_blanks(at);
      if (at == end_) return false;
      if (*at != '%' && !line_ends(at)) return true;
      at = std::find(at, end_, '\n');
      if (at != end_) ++at;
    }
  }

  /// The next word must be an integer from 1 to `size`; returns it counted from 0.
  std::int64_t index(const char*& at, const char* what, std::int64_t size) const {
    skip_blanks(at);
    const char* const word = at;
    std::uint64_t number = short_integer(at);
    if (at == word) {
      std::int64_t longer = 0;
      const auto [stop, status] = read_number(at, end_, longer);
      // Neither 0 nor what is no number is from 1 to size.
      number = status == std::errc{} ? static_cast<std::uint64_t>(longer) : 0;
      at = stop;
    }
    if (number - 1 >= static_cast<std::uint64_t>(size) || !word_ends(at)) {
      refuse_index(word, what, size);
    }
    return static_cast<std::int64_t>(number - 1);
  }

  /// Takes an integer of one to seven digits; stays where there is none, or where the piece has
  /// fewer than eight bytes left.
  std::uint64_t short_integer(const char*& at) const {
    if (std::endian::native != std::endian::little || end_ - at < 8) return 0;
    std::uint64_t bytes;
    std::memcpy(&bytes, at, 8);
    // Digits become their values; of any other byte the sum here sets the highest bit. It may carry
    // into later bytes, but the first that is no digit is found all the same.
    bytes ^= 0x3030303030303030;
    const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
    if (others == 0 || (others & 0x80) != 0) return 0;
    const int bits = std::countr_zero(others) - 7;
    at += bits / 8;
    // Zeros before the first digit; then pairs, fours and all eight are put together.
    bytes <<= 64 - bits;
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
    return (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
  }

  /// The next word must be a number.
  template <class T>
  T number(const char*& at) const {
    skip_blanks(at);
    const char* const word = at;
    T value{};
    const auto [stop, status] = read_number(at, end_, value);
    at = stop;
    if (status == std::errc::result_out_of_range) refuse_range<T>(word);
    if (status != std::errc{} || !word_ends(at)) refuse_line();
    if constexpr (std::is_integral_v<T>) {
      if (value == std::numeric_limits<T>::min() &&
          symmetry_ == matrix_market_symmetry::skew_symmetric) {
        refuse_negation(word);
      }
    }
    return value;
  }

  /// Nothing but blanks may follow.
  void end_line(const char*& at) const {
    skip_blanks(at);
    if (!line_ends(at)) refuse_line();
    if (at != end_ && *at == '\r') ++at;
    if (at != end_) ++at;
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
  matrix_market_position place_;
  const char* at_;
  const char* end_;
  const char* line_ = nullptr;
};

/// The entries of a text in pieces of whole lines, for several workers.
struct matrix_market_pieces {
  std::vector<std::string_view> texts;
  /// Number of the first entry of each.
  std::vector<std::int64_t> begins;
  std::int64_t entries = 0;
};

/// Cuts the entries of a text into pieces of about so many bytes, and counts them.
template <context Context>
matrix_market_pieces cut_matrix_market(Context& ctx, const matrix_market_text& source,
                                       std::size_t piece_bytes) {
  matrix_market_pieces pieces{source.pieces(piece_bytes), {}};
  pieces.begins.resize(pieces.texts.size());
  transform(ctx, pieces.texts.size(), [&](std::size_t piece) {
    pieces.begins[piece] = matrix_market_text::count_entries(pieces.texts[piece]);
  });
  for (std::int64_t& begin : pieces.begins) {
    begin = std::exchange(pieces.entries, pieces.entries + begin);
  }
  return pieces;
}

/// Where the text has not as many entries as its header says, throws at the first line that is
/// wrong: no entry, or one too many, or the end of the text.
template <class Value>
void check_matrix_market_count(const matrix_market_text& source, std::int64_t found) {
  const matrix_market_header& header = source.header();
  if (found == header.entries) return;
  const char* const stored = header.format == matrix_market_format::coordinate
                                 ? "as announced for a matrix"
                             : header.symmetry == matrix_market_symmetry::general ? "all elements"
                             : header.symmetry == matrix_market_symmetry::skew_symmetric
                                 ? "the lower triangle without its diagonal"
                                 : "the lower triangle with its diagonal";
  const std::string expected = ", expected " + std::to_string(header.entries) + " entries (" +
                               stored + " of " + std::to_string(header.rows) + " by " +
                               std::to_string(header.columns) + ")";
  matrix_market_entries<Value> entries(source, source.entries(), 0);
  matrix_market_entry<Value> entry;
  for (std::int64_t seen = 0; entries.next(entry); ++seen) {
    if (seen == header.entries) source.fail_at(entries.line(), "one entry too many" + expected);
  }
  source.fail_at(source.entries().substr(source.entries().size()),
                 "the file ends after " + std::to_string(found) + expected);
}

}  // namespace evenfold
