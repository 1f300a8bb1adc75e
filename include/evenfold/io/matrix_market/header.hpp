#pragma once
// The text of a Matrix Market file: its header, and its entries line by line.
//
// Format (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935): a banner
//   %%MatrixMarket matrix coordinate|array real|integer|complex|pattern SYMMETRY
// then comments (lines that begin with %), one line with the sizes, and one line per entry. If the
// matrix has a symmetry, only its lower triangle is stored. This header reads the banner and the
// sizes, and counts the entries; entries.hpp reads them.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/line_chunks.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold {

enum class matrix_market_format { coordinate, array };
enum class matrix_market_field { real, integer, complex, pattern };
enum class matrix_market_symmetry { general, symmetric, skew_symmetric, hermitian };

inline constexpr std::array<std::string_view, 4> matrix_market_symmetries = {
    "general", "symmetric", "skew-symmetric", "hermitian"};

/// The word of the banner for a symmetry.
inline std::string matrix_market_name(matrix_market_symmetry symmetry) {
  return std::string(matrix_market_symmetries[static_cast<std::size_t>(symmetry)]);
}

struct matrix_market_header {
  matrix_market_format format = matrix_market_format::array;
  matrix_market_field field = matrix_market_field::real;
  matrix_market_symmetry symmetry = matrix_market_symmetry::general;
  std::int64_t rows = 0, columns = 0;
  /// The number of entries that the file must have.
  std::int64_t entries = 0;
};

/// A text that begins with a valid header, without its byte order mark; the text must outlive this
/// object. `name` is the name of the file in errors.
///
/// Blank lines and comments are allowed everywhere after the banner. Blanks are spaces and tabs; a
/// line ends with LF or CR LF.
///
/// Errors: input_error, with the line, for a missing banner, a banner that does not have five
/// words, unknown words or an impossible combination (hermitian with pattern or integer, pattern
/// with skew-symmetric or array), sizes that are not integers, too many or too few sizes, a matrix
/// with a symmetry that is not square, an array of more than 2^60 elements, or entries in a matrix
/// without rows or columns.
class matrix_market_text {
 public:
  matrix_market_text(std::string_view text, std::string name)
      : name_(std::move(name)), text_(detail::utf8_text(text, name_)), entries_(text_) {
    detail::expect_lines(text_, name_);
    read_banner();
    read_sizes();
  }

  const matrix_market_header& header() const { return header_; }
  const std::string& name() const { return name_; }
  /// The whole text.
  std::string_view text() const { return text_; }
  /// The line with the sizes, and the text after it.
  std::string_view sizes_line() const { return sizes_line_; }
  std::string_view entries() const { return entries_; }

  /// The number of lines of `text` that are neither blank nor a comment. `text` begins with a line.
  static std::int64_t count_entries(std::string_view text) {
    if (text.empty()) return 0;
    // Lines that begin with a digit, a sign or a point are entries, and nearly all lines do. If all
    // lines do, two sums over all bytes count them many times faster than a loop over the lines.
    // Each lane sums in a byte, which 255 rounds cannot overflow, by vector instructions.
    constexpr std::size_t lanes = 32, rounds = 255;
    const auto may_be_none = [](char first) { return static_cast<unsigned char>(first) <= '%'; };
    const char* const at = text.data();
    std::int64_t lines = 1, odd = may_be_none(at[0]);
    std::size_t i = 1;
    while (text.size() - i >= lanes) {
      std::uint8_t begins[lanes] = {}, doubts[lanes] = {};
      for (std::size_t round = 0; round < rounds && text.size() - i >= lanes; ++round, i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const bool begin = at[i + lane - 1] == '\n';
          begins[lane] += begin;
          doubts[lane] += static_cast<std::uint8_t>(begin & may_be_none(at[i + lane]));
        }
      }
      for (const std::uint8_t sum : begins) lines += sum;
      for (const std::uint8_t sum : doubts) odd += sum;
    }
    for (; i < text.size(); ++i) {
      const bool begin = at[i - 1] == '\n';
      lines += begin;
      odd += begin & may_be_none(at[i]);
    }
    if (odd == 0) return lines;

    std::int64_t entries = 0;
    while (!text.empty()) {
      const std::string_view line = trimmed(detail::take_line(text));
      entries += !line.empty() && line[0] != '%';
    }
    return entries;
  }

  /// Throws an input_error at the line of `part`, which lies in the text.
  [[noreturn]] void fail_at(std::string_view part, const std::string& what) const {
    const auto newlines = std::count(text_.data(), part.data(), '\n');
    throw input_error(name_, 1 + static_cast<std::size_t>(newlines), what);
  }

 private:
  /// The first `most` words of a line, and the rest of the line as one more word.
  static std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
    std::vector<std::string_view> words;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
      const std::size_t size =
          words.size() == most ? line.size() : std::min(line.find_first_of(" \t"), line.size());
      words.push_back(line.substr(0, size));
      line.remove_prefix(size);
    }
    return words;
  }

  /// The index of the word among the names; case is ignored.
  template <class Kind, std::size_t N>
  Kind named(std::string_view word, std::string_view what,
             const std::array<std::string_view, N>& names) const {
    std::string list;
    for (std::size_t i = 0; i < N; ++i) {
      if (same_word(word, names[i])) return static_cast<Kind>(i);
      list += (i == 0 ? "" : i + 1 < N ? ", " : " or ") + std::string(names[i]);
    }
    fail_at(word,
            "the " + std::string(what) + " of the matrix is " + shown(word) + ", expected " + list);
  }
  static bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
      return std::tolower(static_cast<unsigned char>(x)) == y;
    });
  }

  void read_banner() {
    const std::string_view banner = detail::take_line(entries_);
    const auto words = words_of(banner, 5);
    if (words.empty() || !same_word(words[0], "%%matrixmarket")) {
      fail_at(banner, "the file begins with " + shown(banner) +
                          ", expected the banner '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    }
    if (words.size() != 5) {
      fail_at(banner, "the banner has " + std::to_string(words.size()) +
                          " words, expected five: "
                          "'%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    }
    named<int>(words[1], "kind", std::array<std::string_view, 1>{"matrix"});
    header_.format = named<matrix_market_format>(
        words[2], "format", std::array<std::string_view, 2>{"coordinate", "array"});
    header_.field = named<matrix_market_field>(
        words[3], "field",
        std::array<std::string_view, 4>{"real", "integer", "complex", "pattern"});
    header_.symmetry =
        named<matrix_market_symmetry>(words[4], "symmetry", matrix_market_symmetries);

    const bool pattern = header_.field == matrix_market_field::pattern;
    if (pattern && header_.format == matrix_market_format::array) {
      fail_at(banner,
              "an array needs values and the field is pattern, expected real, integer or complex");
    }
    if (pattern && header_.symmetry == matrix_market_symmetry::skew_symmetric) {
      fail_at(banner, "the pattern is skew-symmetric, expected a general or symmetric one");
    }
    if (header_.symmetry == matrix_market_symmetry::hermitian &&
        header_.field != matrix_market_field::complex) {
      fail_at(banner, "the matrix is hermitian and its elements are " + std::string(words[3]) +
                          ", expected complex elements, or a symmetric matrix");
    }
  }

  void read_sizes() {
    std::string_view line;
    do {
      if (entries_.empty()) {
        fail_at(entries_, "the file ends before the line with the sizes, expected " + sizes());
      }
      line = trimmed(detail::take_line(entries_));
    } while (line.empty() || line[0] == '%');

    const bool is_array = header_.format == matrix_market_format::array;
    const std::size_t count = is_array ? 2 : 3;
    const auto words = words_of(line, count);
    if (words.size() != count) {
      fail_at(line, shown(line) + " is the line with the sizes, expected " + sizes());
    }
    std::int64_t* const numbers[] = {&header_.rows, &header_.columns, &header_.entries};
    for (std::size_t i = 0; i < count; ++i) {
      if (parse_number(words[i], *numbers[i]) != std::errc{} || *numbers[i] < 0) {
        fail_at(line, shown(words[i]) + " is not a size, expected an integer from 0 to 2^63 - 1");
      }
    }

    sizes_line_ = line;
    const bool general = header_.symmetry == matrix_market_symmetry::general;
    const std::int64_t rows = header_.rows, columns = header_.columns;
    if (!general && rows != columns) {
      fail_at(line, "the matrix has a symmetry and is " + std::to_string(rows) + " by " +
                        std::to_string(columns) + ", expected a square matrix");
    }
    if (is_array) {
      if (columns > 0 && rows > std::numeric_limits<std::int64_t>::max() / 8 / columns) {
        fail_at(line, "the matrix is " + std::to_string(rows) + " by " + std::to_string(columns) +
                          ", expected fewer than 2^60 elements");
      }
      const bool skew = header_.symmetry == matrix_market_symmetry::skew_symmetric;
      header_.entries = general ? rows * columns
                        : skew  ? (rows * rows - rows) / 2
                                : (rows * rows + rows) / 2;
    } else if (header_.entries > 0 && (rows == 0 || columns == 0)) {
      fail_at(line, shown(line) +
                        " is the line with the sizes, expected no entries in a matrix of " +
                        std::to_string(rows) + " by " + std::to_string(columns));
    }
  }

  std::string sizes() const {
    return header_.format == matrix_market_format::array ? "'ROWS COLUMNS'"
                                                         : "'ROWS COLUMNS ENTRIES'";
  }

  std::string name_;
  std::string_view text_;
  std::string_view sizes_line_;
  std::string_view entries_;
  matrix_market_header header_;
};

}  // namespace evenfold
