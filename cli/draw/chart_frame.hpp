#pragma once
// Where the axes of a chart are in its picture.

namespace evenfold::cli::frame {

inline constexpr double width = 960, height = 600;
inline constexpr double left = 92, right = 28, top = 92, bottom = 74;
inline constexpr double plot_width = width - left - right;
inline constexpr double plot_height = height - top - bottom;

}  // namespace evenfold::cli::frame
