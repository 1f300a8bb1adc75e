#pragma once
// UTF-8: its sequences, and the byte order mark that some programs write at the beginning of a
// text.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The text without the byte order mark of UTF-8, if it has one. `name` is for messages.
///
/// Errors: input_error for a text with the byte order mark of UTF-16.
inline std::string_view utf8_text(std::string_view text, std::string_view name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw input_error(name, 1, "the text is UTF-16, expected UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

/// Refuses a text that does not consist of lines, by its beginning: binary files, texts in UTF-16
/// without a byte order mark, and files whose lines end with a carriage return alone, which then
/// stands inside the first line, without quotes that may enclose it. `name` is for messages.
///
/// Errors: input_error.
inline void expect_lines(std::string_view text, std::string_view name) {
  using namespace std::string_view_literals;
  struct format {
    std::string_view beginning, what;
  };
  constexpr format binary[] = {{"\x93NUMPY", "an array of NumPy"},
                               {"PK\x03\x04", "a ZIP archive, such as .xlsx or .npz"},
                               {"\x89HDF", "an HDF5 file"},
                               {"PAR1\x15", "a Parquet file"},
                               {"ARROW1\0"sv, "an Arrow file"},
                               {"SQLite format 3\0"sv, "an SQLite database"},
                               {"\xD0\xCF\x11\xE0", "a document of Microsoft Office"},
                               {"\x28\xB5\x2F\xFD", "a file compressed by zstd"},
                               {"\xFD\x37zXZ", "a file compressed by xz"},
                               {"BZh91AY&SY", "a file compressed by bzip2"},
                               {"\x89PNG", "a PNG picture"}};
  // A first field that begins so is refused with or without blanks and quotes around it: a table
  // that is read can be written and read again.
  std::string_view field = text;
  field.remove_prefix(std::min(field.find_first_not_of(" \t\r\n\""), field.size()));
  for (const format& one : binary) {
    if (field.starts_with(one.beginning)) {
      throw input_error(name, 1, std::string("this is ").append(one.what) + ", expected text");
    }
  }
  if (field.substr(0, field.find('\n')).find('\0') != field.npos) {
    throw input_error(name, 1, "a zero byte stands in the first line, expected text in UTF-8");
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto lone = line.find('\r');
  if (lone != line.npos && lone + 1 < line.size() && line.find('"') == line.npos) {
    throw input_error(name, 1, "a carriage return stands alone, expected lines that end with LF");
  }
}

/// The length of the UTF-8 sequence that begins at index `at`, 1 to 4, or 0 if there is none.
/// Overlong forms, surrogates and code points beyond U+10FFFF are not UTF-8.
constexpr std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t offset) {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0u;
  };
  const unsigned lead = byte(0), next = byte(1);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t j = 1; j < length; ++j) {
    if ((byte(j) & 0xC0u) != 0x80u) return 0;
  }
  const bool overlong = (lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90);
  const bool beyond = (lead == 0xED && next >= 0xA0) || (lead == 0xF4 && next >= 0x90);
  return overlong || beyond ? 0 : length;
}

}  // namespace evenfold::detail
