#include "cli/report/printable.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace evenfold::cli {

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (byte == '\r') {
      result += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      // C1 controls in UTF-8: U+009B begins a sequence as ESC [ does.
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace evenfold::cli
