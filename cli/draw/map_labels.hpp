#pragma once
// The labels of a map.
//
// Idea: the most remote places choose first. Each label takes the spot around its place that covers
// least of the drawing, and is left out if every spot covers too much. A label far from its place
// gets a line to it.

#include <string>

#include "cli/draw/map.hpp"
#include "cli/draw/map_projection.hpp"

namespace evenfold::cli {

/// The labels of all stars, and of their neighbours if there are few stars.
std::string draw_labels(const map_content& content, const projection& project);

}  // namespace evenfold::cli
