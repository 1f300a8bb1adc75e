#pragma once
// The error of every reader, which names the file and the line of the fault.

#include <cstddef>
#include <string>
#include <string_view>

#include "evenfold/core/error.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold {

/// An input that breaks its format. The message is one line, "FILE:LINE: what is wrong, expected
/// ...", or "FILE: what is wrong" for a fault of the file as a whole, such as that it does not
/// exist.
class input_error : public error {
 public:
  input_error(std::string_view file, std::size_t line, std::string_view what)
      : error(input_name(file) + ":" + std::to_string(line) + ": " + std::string(what)),
        line_(line) {}
  input_error(std::string_view file, std::string_view what)
      : error(input_name(file) + ": " + std::string(what)) {}

  /// The line of the fault, counted from 1 by newlines; 0 for a fault of the file as a whole.
  std::size_t line() const { return line_; }

 private:
  std::size_t line_ = 0;
};

/// Text from an input, prepared for a message: quoted, on one line, cut after 60 bytes.
inline std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Not inside a UTF-8 sequence: a cut there would print as a broken character.
    if (i >= longest && (byte & 0xC0) != 0x80) {
      result += "...";
      break;
    }
    if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\r') {
      result += "\\r";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      constexpr char digits[] = "0123456789abcdef";
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      result += text[i];
    }
  }
  return result + "'";
}

}  // namespace evenfold
