#pragma once
// A matrix as a picture: a colour for each value, and a bar that says which.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/core/matrix_view.hpp"

namespace evenfold::cli {

/// What a heat map shows: the elements, or where there are many the averages of square blocks.
struct heat_cells {
  std::int64_t rows, columns;
  /// Row after row; NaN where nothing is finite.
  std::vector<double> values;
  /// Of all finite elements; NaN where there are none.
  double lowest, highest;
};

/// The matrix, with so large blocks that neither side has more than 1024 of them.
template <class T>
heat_cells shrunk(matrix_view<const T> matrix) {
  constexpr std::int64_t most = 1024;
  const std::int64_t longer = std::max({matrix.rows(), matrix.columns(), std::int64_t{1}});
  const std::int64_t side = (longer - 1) / most + 1;
  const auto blocks = [side](std::int64_t extent) { return (extent + side - 1) / side; };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  heat_cells cells{blocks(matrix.rows()), blocks(matrix.columns()), {}, nan, nan};
  for (std::int64_t r = 0; r < cells.rows; ++r) {
    for (std::int64_t c = 0; c < cells.columns; ++c) {
      double sum = 0;
      std::int64_t count = 0;
      for (std::int64_t i = r * side; i < std::min((r + 1) * side, matrix.rows()); ++i) {
        for (std::int64_t j = c * side; j < std::min((c + 1) * side, matrix.columns()); ++j) {
          const auto value = static_cast<double>(matrix(i, j));
          if (!std::isfinite(value)) continue;
          sum += value;
          ++count;
          cells.lowest = std::fmin(cells.lowest, value);
          cells.highest = std::fmax(cells.highest, value);
        }
      }
      cells.values.push_back(count > 0 ? sum / static_cast<double>(count) : nan);
    }
  }
  return cells;
}

/// The picture as the bytes of a PNG file. Small matrices are drawn with larger squares; values
/// that are not finite are grey.
std::string draw_heat_map(const heat_cells& cells);

}  // namespace evenfold::cli
