#pragma once
// The vertices that a search starts from.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"

namespace evenfold::cli {

/// Adds --source V[,V...], which is required. `names` must live as long as the command.
void add_source_option(command_spec& command, std::vector<std::string>& names);

/// The vertices with these names. Errors: error for a name that no vertex has.
std::vector<std::int32_t> source_vertices(const graph_input& input,
                                          const std::vector<std::string>& names,
                                          const graph_options& options);

}  // namespace evenfold::cli
