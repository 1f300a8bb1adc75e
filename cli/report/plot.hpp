#pragma once
// The option --plot, and the files that it names.

#include <string>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

/// Adds --plot, whose help begins with `about`, such as "Draw a map to this file".
void add_plot_option(command_spec& command, std::string& path, const std::string& about);

/// Writes a picture that is an SVG file: as it is, or as PNG if the name of the file says so.
void write_plot(output_file& file, const std::string& svg);

}  // namespace evenfold::cli
