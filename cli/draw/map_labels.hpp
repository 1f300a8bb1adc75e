#pragma once
// The labels of a map.
//
// Idea: the most remote places choose first. Each label takes the spot around its place that covers
// least of what is there already, and is left out where every spot covers too much. A label that
// had to go far off gets a line to its place.

#include <string>

#include "cli/draw/map.hpp"
#include "cli/draw/map_projection.hpp"

namespace evenfold::cli {

/// The labels of all stars, and of their neighbours where the stars are few.
std::string draw_labels(const map_content& content, const projection& project);

}  // namespace evenfold::cli
