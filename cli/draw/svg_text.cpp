// Escapes, checks and measures text for SVG. Names come from files, so they may hold any bytes.

#include "cli/draw/svg_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/draw/map_style.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML has no control characters.
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::string valid_utf8(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = detail::utf8_length(text, i);
    result += length > 0 ? std::string_view(text).substr(i, length) : "\xEF\xBF\xBD";
    i += std::max(length, std::size_t{1});
  }
  return result;
}

std::string text_at(double x, double y, const char* anchor, double size, const char* colour,
                    std::string_view text, const char* more) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}"
      "</text>\n",
      x, y, anchor, size, colour, more, escaped(text));
}

std::string chart_head(double width, double height, double left, std::string_view title,
                       std::string_view subtitle) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
             width, height) +
         text_at(left, 40, "start", 22, ink, title, " font-weight=\"bold\"") +
         text_at(left, 66, "start", 14, pale_ink, subtitle);
}

double text_width(std::string_view text, double size, bool bold) {
  double signs = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // East Asian characters, which begin with these bytes, are twice as wide.
    if ((byte & 0xC0) != 0x80) signs += byte >= 0xE3 && byte <= 0xEF ? 1.9 : 1;
  }
  return (bold ? 0.69 : 0.6) * size * signs;
}

}  // namespace evenfold::cli
