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

/// The cells of a heat map: the elements, or the averages of blocks if there are many.
struct heat_cells {
  /// Neither side is longer than that. The blocks are squares, but in a matrix so thin that few of
  /// them would be left on one side.
  static constexpr std::int64_t most_side = 1024;
  static constexpr std::int64_t least_side = 48;

  std::int64_t rows, columns;
  /// Row after row; NaN where nothing is finite.
  std::vector<double> values;
  /// The extremes of all finite elements; NaN if there are none.
  double lowest, highest;
};

/// The matrix in blocks no smaller than needed.
template <class T>
heat_cells shrunk(matrix_view<const T> matrix) {
  const std::int64_t longer = std::max({matrix.rows(), matrix.columns(), std::int64_t{1}});
  const std::int64_t square = (longer - 1) / heat_cells::most_side + 1;
  const auto side_of = [square](std::int64_t extent) {
    return std::clamp(extent / heat_cells::least_side, std::int64_t{1}, square);
  };
  const std::int64_t height = side_of(matrix.rows());
  const std::int64_t width = side_of(matrix.columns());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  heat_cells cells{
      (matrix.rows() + height - 1) / height, (matrix.columns() + width - 1) / width, {}, nan, nan};
  for (std::int64_t r = 0; r < cells.rows; ++r) {
    for (std::int64_t c = 0; c < cells.columns; ++c) {
      double sum = 0;
      std::int64_t count = 0;
      for (std::int64_t i = r * height; i < std::min((r + 1) * height, matrix.rows()); ++i) {
        for (std::int64_t j = c * width; j < std::min((c + 1) * width, matrix.columns()); ++j) {
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
