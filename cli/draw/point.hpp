#pragma once
// A point of a picture, and lines through points.

#include <vector>

namespace evenfold::cli {

/// A position in units of the picture, to the right and downwards.
struct point {
  double x, y;
};

using polyline = std::vector<point>;

}  // namespace evenfold::cli
