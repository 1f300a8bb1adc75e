#pragma once
// The words of a Matrix Market file, line by line: numbers are read where they lie.
//
// Idea: where a line has nothing but what it should, nothing is looked at twice: up to seven digits
// of an index come out of one word of eight bytes. Whatever else is found stops the reading at its
// place, and the message is made there.

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

/// Reads a chunk of whole lines. The caller keeps the place `at`: compilers keep a local variable
/// in a register, but store that of an object at every step.
///
/// Errors: input_error, with the line, for a line that is not what the banner promises: a word too
/// few or too many, an index that is no integer or out of range, a value that is no number or
/// beyond what its type can hold.
class matrix_market_tokens {
 public:
  matrix_market_tokens(const matrix_market_text& source, std::string_view chunk)
      : source_(&source), end_(chunk.data() + chunk.size()) {}

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

  /// That line, without blanks at its ends.
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
      // Neither 0 nor what is no number is from 1 to size.
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

  /// Nothing but blanks may follow.
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

  /// Takes an integer of one to seven digits; stays where there is none, or where the chunk has
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
        source_->header().format == matrix_market_format::array
            ? field == matrix_market_field::integer   ? "one integer a line"
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

  [[noreturn]] void refuse_negation(const char* word, std::size_t bytes) const {
    source_->fail_at(line(), shown(word_at(word)) + " has no negative of " +
                                 std::to_string(8 * bytes) +
                                 " bits, which a skew-symmetric matrix has, too; expected a larger "
                                 "integer");
  }

  const matrix_market_text* source_;
  const char* end_;
  const char* line_ = nullptr;
};

}  // namespace evenfold::detail
