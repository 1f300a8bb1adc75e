#include "cli/draw/png_in_svg.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace evenfold::cli {

namespace {

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

/// Three bytes as four characters (RFC 4648).
std::string base64(std::string_view bytes) {
  constexpr char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t three =
        byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    for (std::size_t k = 0; k < 4; ++k) {
      text += at + k <= bytes.size() ? signs[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace

std::string png_in_svg(std::string_view png) {
  // The header of a PNG file has its width and its height, of four bytes each, from byte 16 on.
  const auto extent = [&](std::size_t at) {
    return byte_at(png, at) << 24 | byte_at(png, at + 1) << 16 | byte_at(png, at + 2) << 8 |
           byte_at(png, at + 3);
  };
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n"
      "<image width=\"{0}\" height=\"{1}\" style=\"image-rendering:pixelated\" "
      "href=\"data:image/png;base64,{2}\"/>\n</svg>\n",
      extent(16), extent(20), base64(png));
}

}  // namespace evenfold::cli
