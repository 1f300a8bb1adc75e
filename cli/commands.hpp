#pragma once
// The subcommands, one file each.

#include <CLI/CLI.hpp>

namespace evenfold::cli {

/// Adds a subcommand to the program; it runs when the command line is parsed.
void add_dot(CLI::App& program);
void add_fold(CLI::App& program);
void add_generate(CLI::App& program);
void add_jacobi(CLI::App& program);
void add_nearest(CLI::App& program);
void add_saxpy(CLI::App& program);
void add_aggregate(CLI::App& program);
void add_devices(CLI::App& program);

}  // namespace evenfold::cli
