#pragma once
// The style of a map: its colours, the colour of each group, and the sizes of symbols.

#include <array>
#include <vector>

#include "cli/draw/map.hpp"

namespace evenfold::cli {

// Paul Tol's palettes, whose colours differ for every kind of colour vision: "bright" for few
// groups, "muted" for many, where groups that lie apart share a colour.
inline constexpr std::array<const char*, 6> bright = {"#4477aa", "#ee6677", "#228833",
                                                      "#ccbb44", "#66ccee", "#aa3377"};
inline constexpr std::array<const char*, 9> muted = {"#332288", "#cc6677", "#117733",
                                                     "#ddaa33", "#88ccee", "#882255",
                                                     "#44aa99", "#999933", "#aa4499"};

inline constexpr const char* sea = "#f4f7fa";
inline constexpr const char* graticule = "#dde4ea";
inline constexpr const char* ink = "#1d2730";
inline constexpr const char* pale_ink = "#6b7783";

/// Radii, in units of the picture.
inline constexpr double star_radius = 5.2;
inline constexpr double neighbour_radius = 2.8;

/// A colour for each group. Few groups have one colour each. If there are many, each group in turn
/// takes the colour whose groups are farthest away.
std::vector<const char*> group_colours(const map_content& content);

}  // namespace evenfold::cli
