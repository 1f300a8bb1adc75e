#include "cli/report/printable.hpp"

#include <fmt/format.h>

namespace evenfold::cli {

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const text_unit unit = unit_at(text, i);
    if (unit.control < 0) {
      result += text.substr(i, unit.length);
    } else if (unit.control == '\n') {
      result += "\\n";
    } else if (unit.control == '\t') {
      result += "\\t";
    } else if (unit.control == '\r') {
      result += "\\r";
    } else {
      result += fmt::format("\\x{:02x}", unit.control);
    }
    i += unit.length;
  }
  return result;
}

}  // namespace evenfold::cli
