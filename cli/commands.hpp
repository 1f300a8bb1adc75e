#pragma once
// The subcommands, one file each.

#include <CLI/CLI.hpp>

namespace evenfold::cli {

/// Adds a subcommand to the program; it runs when the command line is parsed.
void add_dot(CLI::App& program);
void add_filter(CLI::App& program);
void add_fold(CLI::App& program);
void add_generate(CLI::App& program);
void add_histogram(CLI::App& program);
void add_jacobi(CLI::App& program);
void add_join(CLI::App& program);
void add_nearest(CLI::App& program);
void add_saxpy(CLI::App& program);
void add_search(CLI::App& program);
void add_sort(CLI::App& program);
void add_unique(CLI::App& program);
void add_aggregate(CLI::App& program);
void add_devices(CLI::App& program);

}  // namespace evenfold::cli
