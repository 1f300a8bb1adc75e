#pragma once
// The subcommands, one file each.
//
// They declare options and no more, so they include CLI/App.hpp: CLI/CLI.hpp, which every file
// would compile anew for two seconds, adds what prints the help, and main.cpp has that.

#include <CLI/App.hpp>
#include <initializer_list>

namespace evenfold::cli {

/// Each adds a subcommand to the program; it runs when the command line is parsed.
void add_aggregate(CLI::App& program);
void add_bfs(CLI::App& program);
void add_convert(CLI::App& program);
void add_devices(CLI::App& program);
void add_dot(CLI::App& program);
void add_filter(CLI::App& program);
void add_fold(CLI::App& program);
void add_generate(CLI::App& program);
void add_histogram(CLI::App& program);
void add_info(CLI::App& program);
void add_jacobi(CLI::App& program);
void add_join(CLI::App& program);
void add_nearest(CLI::App& program);
void add_pagerank(CLI::App& program);
void add_saxpy(CLI::App& program);
void add_search(CLI::App& program);
void add_sort(CLI::App& program);
void add_spmv(CLI::App& program);
void add_unique(CLI::App& program);

/// All of them, in the order and under the headings of the program's help.
inline void add_commands(CLI::App& program) {
  const auto add_group = [&program](const char* heading,
                                    std::initializer_list<void (*)(CLI::App&)> commands) {
    for (const auto add : commands) {
      add(program);
      program.get_subcommands({}).back()->group(heading);
    }
  };
  add_group("Numbers and matrices",
            {add_aggregate, add_histogram, add_fold, add_dot, add_saxpy, add_jacobi, add_generate});
  add_group("Sparse matrices and graphs", {add_info, add_bfs, add_convert, add_pagerank, add_spmv});
  add_group("Tables", {add_sort, add_filter, add_unique, add_join, add_search});
  add_group("Places", {add_nearest});
  add_group("This machine", {add_devices});
}

}  // namespace evenfold::cli
