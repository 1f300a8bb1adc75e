#pragma once
// Weights of the vertices of a graph, from a CSV file.

#include <string>
#include <vector>

#include "cli/input/csv_form.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"

namespace evenfold::cli {

/// The weights of a CSV file with the columns `vertex` and `weight`, by vertex; vertices that are
/// not in it weigh 0. Rows with a null are left out. `graph` is the file that has the names.
///
/// Errors: those of csv_table; input_error for a vertex that has no name or occurs twice; error
/// where no weight is above 0.
std::vector<double> read_vertex_weights(const std::string& file, const csv_form& csv,
                                        const vertex_names& names, const std::string& graph,
                                        int threads);

}  // namespace evenfold::cli
