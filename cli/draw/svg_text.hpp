#pragma once
// Text in an SVG file: special characters are escaped, bytes that are not UTF-8 are replaced, and
// widths are estimated.

#include <string>
#include <string_view>

namespace evenfold::cli {

/// `text` with the special characters of XML escaped.
std::string escaped(std::string_view text);

/// Replaces bytes that are not UTF-8, which an SVG file may not contain, by U+FFFD.
std::string valid_utf8(const std::string& text);

/// A text element. `anchor`: start, middle or end; `more`: further attributes, after a blank.
std::string text_at(double x, double y, const char* anchor, double size, const char* colour,
                    std::string_view text, const char* more = "");

/// The beginning of a chart: a white page, its title and a line of explanation.
std::string chart_head(double width, double height, double left, std::string_view title,
                       std::string_view subtitle);

/// About how wide a text is drawn. Fonts differ, so texts are anchored at the side of their place.
double text_width(std::string_view text, double size, bool bold = false);

}  // namespace evenfold::cli
