#pragma once
// The long lines of a map: graticule and great circles.
//
// Idea: a line that is straight on the globe is curved on the map, so it is drawn in short pieces.
// A great circle that leaves the window is continued on the other side.

#include <cstdint>
#include <string>

#include "cli/draw/map.hpp"
#include "cli/draw/map_projection.hpp"

namespace evenfold::cli {

/// The sea, meridians and parallels, and their degrees.
std::string draw_graticule(const projection& project);

/// Appends the great circle from one place to another to the data of a path, cut where it leaves
/// the window.
void add_great_circle(std::string& path, const map_content& content, std::int32_t from,
                      std::int32_t to, const projection& project);

}  // namespace evenfold::cli
