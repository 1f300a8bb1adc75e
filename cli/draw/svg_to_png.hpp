#pragma once
// The pictures that the program draws as SVG, as PNG files.

#include <string>
#include <string_view>

namespace evenfold::cli {

/// The bytes of a PNG file with two dots per unit of the SVG file, whose elements are those that
/// this program writes: rect, circle, path, text, tspan and g.
std::string svg_to_png(std::string_view svg);

}  // namespace evenfold::cli
