#pragma once
// UTF-8: its sequences, and the byte order mark that some programs write at the beginning of a
// text.

#include <cstddef>
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

/// Refuses a text that does not consist of lines, by its beginning. Binary files such as .npy or
/// .zip have a NUL byte among the first 16. If the first line has a carriage return inside, and no
/// quotes that may enclose it, the lines of the file end with a carriage return alone. `name` is
/// for messages.
///
/// Errors: input_error.
inline void expect_lines(std::string_view text, std::string_view name) {
  if (text.substr(0, 16).find('\0') != text.npos) {
    throw input_error(name, 1, "the first bytes have a zero, expected text, not a binary file");
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
