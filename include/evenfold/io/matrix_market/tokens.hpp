#pragma once
// Reads the words of a Matrix Market file line by line.
//
// Idea: a valid line is read in one pass, without looking at any byte twice; an index of up to
// seven digits is read as one word of eight bytes. At the first invalid byte the reading stops and
// the message is made.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::detail {

/// Reads a chunk of whole lines. The caller holds the position `at`, since compilers keep a local
/// variable in a register, but store a member at every step.
///
/// Errors: input_error, with the line, for a line that does not agree with the banner: too few or
/// too many words, an index that is not an integer or out of range, a value that is not a number or
/// out of the range of its type.
class matrix_market_tokens {
 public:
  matrix_market_tokens(const matrix_market_text& source, std::string_view chunk)
      : source_(&source), end_(chunk.data() + chunk.size()) {}

  /// Goes to the first word of the next line that is neither blank nor a comment.
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

  /// This line, without blanks at its ends.
  std::string_view line() const {
    const char* const newline =
        std::find(line_, source_->text().data() + source_->text().size(), '\n');
    std::string_view line(line_, static_cast<std::size_t>(newline - line_));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return trimmed(line);
  }

  /// The next word must be an integer from 1 to `size`; returns it counted from 0.
  std::int64_t index(const char*& at, const char* what, std::int64_t size) const {
    skip_blanks(at);
    const char* const word = at;
    std::uint64_t number = short_integer(at);
    if (at == word) {
      std::int64_t longer = 0;
      const auto [stop, status] = read_number(at, end_, longer);
      // 0, which also stands for a word that is not a number, is not in [1, size].
      number = status == std::errc{} ? static_cast<std::uint64_t>(longer) : 0;
      at = stop;
    }
    if (number - 1 >= static_cast<std::uint64_t>(size) || !word_ends(at)) {
      refuse_index(word, what, size);
    }
    return static_cast<std::int64_t>(number - 1);
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
          source_->header().symmetry == matrix_market_symmetry::skew_symmetric) {
        refuse_negation(word, sizeof(T));
      }
    }
    return value;
  }

  /// Goes to the next line; the rest of this line must be blank.
  void end_line(const char*& at) const {
    skip_blanks(at);
    if (!line_ends(at)) refuse_line();
    if (at != end_ && *at == '\r') ++at;
    if (at != end_) ++at;
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

  /// Reads an integer of one to seven digits. Leaves `at` unchanged if there is none, or if the
  /// chunk has fewer than eight bytes left.
  std::uint64_t short_integer(const char*& at) const {
    if (std::endian::native != std::endian::little || end_ - at < 8) return 0;
    std::uint64_t bytes;
    std::memcpy(&bytes, at, 8);
    // Digits become their values. The sum sets the highest bit of every other byte. It may carry
    // into later bytes, but the first byte that is not a digit is found correctly.
    bytes ^= 0x3030303030303030;
    const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
    if (others == 0 || (others & 0x80) != 0) return 0;
    const int bits = std::countr_zero(others) - 7;
    at += bits / 8;
    // Zeros move before the first digit; then pairs, fours and all eight digits are combined.
    bytes <<= 64 - bits;
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
    return (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
  }

  // The errors, apart from the code that reads valid lines.

  std::string_view word_at(const char* word) const {
    const std::string_view all = line();
    const std::string_view rest =
        all.substr(std::min(all.size(), static_cast<std::size_t>(word - all.data())));
    return rest.substr(0, rest.find_first_of(" \t"));
  }

  [[noreturn]] void refuse_line() const {
    const matrix_market_field field = source_->header().field;
    const char* const expected =
        source_->header().format == matrix_market_format::array
            ? field == matrix_market_field::integer   ? "one integer per line"
              : field == matrix_market_field::complex ? "two numbers per line"
                                                      : "one number per line"
        : field == matrix_market_field::pattern ? "'ROW COLUMN' (a pattern has no values)"
        : field == matrix_market_field::integer ? "'ROW COLUMN VALUE', the value an integer"
        : field == matrix_market_field::complex ? "'ROW COLUMN REAL IMAGINARY', both numbers"
                                                : "'ROW COLUMN VALUE', the value a number";
    source_->fail_at(line(), shown(line()) + " is not an entry, expected " + expected);
  }

  [[noreturn]] void refuse_index(const char* word, const char* what, std::int64_t size) const {
    if (word_at(word).empty()) refuse_line();
    source_->fail_at(line(), shown(word_at(word)) + " is not a " + what +
                                 ", expected an integer from 1 to " + std::to_string(size));
  }

  template <class T>
  [[noreturn]] void refuse_range(const char* word) const {
    const std::string bits = std::to_string(8 * sizeof(T)),
                      power = std::to_string(8 * sizeof(T) - 1);
    source_->fail_at(
        line(), shown(word_at(word)) + " is out of the range of " +
                    (std::is_integral_v<T> ? bits + " bits, expected an integer from -2^" + power +
                                                 " to 2^" + power + " - 1"
                                           : std::string(sizeof(T) == 4 ? "a float" : "a double") +
                                                 ", expected a number in this range"));
  }

  [[noreturn]] void refuse_negation(const char* word, std::size_t bytes) const {
    source_->fail_at(line(), shown(word_at(word)) + " has no negative of " +
                                 std::to_string(8 * bytes) +
                                 " bits, which is its mirror image in a skew-symmetric matrix, "
                                 "expected a larger integer");
  }

  const matrix_market_text* source_;
  const char* end_;
  const char* line_ = nullptr;
};

}  // namespace evenfold::detail
