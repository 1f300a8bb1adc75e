#pragma once
// Letters as strokes, for bitmap pictures.

#include <string_view>
#include <vector>

#include "cli/draw/point.hpp"

namespace evenfold::cli {

/// A line of text that begins at (0, 0) on its baseline.
struct written_text {
  std::vector<polyline> strokes;
  double width = 0;
};

/// The text in valid UTF-8. Latin letters are drawn without accents, characters that the font does
/// not have as rectangles.
written_text strokes_of(std::string_view text, double size);

}  // namespace evenfold::cli
