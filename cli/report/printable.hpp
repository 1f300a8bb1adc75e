#pragma once
// Text from elsewhere that is shown on a terminal.

#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

/// What a text contains at an index: a character, or a byte that must not reach a terminal.
struct text_unit {
  /// In bytes.
  std::size_t length;
  /// Of a character that controls a terminal (C0 and C1 controls, among them ESC and line ends, and
  /// DEL), its code. Of a byte that is not UTF-8, the byte: some terminals read 0x9B as ESC [.
  /// Of other characters -1.
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
