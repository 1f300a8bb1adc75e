#pragma once
// A bitmap picture as an SVG file.

#include <string>
#include <string_view>

namespace evenfold::cli {

/// An SVG file of the same size that contains the PNG file.
std::string png_in_svg(std::string_view png);

}  // namespace evenfold::cli
