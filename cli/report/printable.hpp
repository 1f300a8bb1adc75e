#pragma once
// Text from files and arguments that is shown on a terminal.

#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

/// The character at an index of a text, or a byte that is not UTF-8.
struct text_unit {
  /// The length in bytes.
  std::size_t length;
  /// The code of a character that controls a terminal (C0 and C1 controls, which include ESC and
  /// line ends, and DEL); the byte if it is not UTF-8, since some terminals read 0x9B as ESC [; -1
  /// for other characters.
  int control;
};

constexpr text_unit unit_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = detail::utf8_length(text, at);
  if (length == 0 || byte(at) < 0x20 || byte(at) == 0x7F) return {1, byte(at)};
  if (byte(at) == 0xC2 && byte(at + 1) < 0xA0) return {2, byte(at + 1)};
  return {length, -1};
}

/// The text with control characters, and bytes that are not UTF-8, written as \n, \t, \r or \xHH,
/// so that a name cannot move the cursor or break a line.
std::string printable(std::string_view text);

}  // namespace evenfold::cli
