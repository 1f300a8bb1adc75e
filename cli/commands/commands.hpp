#pragma once
// The subcommands; each has a file of its own.

#include <initializer_list>

#include "cli/commands/options.hpp"

namespace evenfold::cli {

/// Each adds a subcommand to the program; it runs when the command line is parsed.
void add_aggregate(command_spec& program);
void add_betweenness(command_spec& program);
void add_bfs(command_spec& program);
void add_components(command_spec& program);
void add_convert(command_spec& program);
void add_devices(command_spec& program);
void add_dot(command_spec& program);
void add_filter(command_spec& program);
void add_fold(command_spec& program);
void add_generate(command_spec& program);
void add_group(command_spec& program);
void add_histogram(command_spec& program);
void add_info(command_spec& program);
void add_jacobi(command_spec& program);
void add_join(command_spec& program);
void add_kcore(command_spec& program);
void add_mst(command_spec& program);
void add_nearest(command_spec& program);
void add_pagerank(command_spec& program);
void add_saxpy(command_spec& program);
void add_search(command_spec& program);
void add_select(command_spec& program);
void add_sort(command_spec& program);
void add_spgemm(command_spec& program);
void add_spmv(command_spec& program);
void add_sssp(command_spec& program);
void add_top(command_spec& program);
void add_triangles(command_spec& program);
void add_unique(command_spec& program);

/// All of them, in the order and under the headings of the program's help.
inline void add_commands(command_spec& program) {
  const auto add_all = [&program](const char* heading,
                                  std::initializer_list<void (*)(command_spec&)> commands) {
    for (const auto add : commands) {
      add(program);
      program.last_subcommand()->group(heading);
    }
  };
  add_all("Numbers and matrices",
          {add_aggregate, add_histogram, add_fold, add_dot, add_saxpy, add_jacobi, add_generate});
  add_all("Sparse matrices and graphs",
          {add_info, add_bfs, add_sssp, add_components, add_mst, add_convert, add_pagerank,
           add_triangles, add_kcore, add_betweenness, add_spmv, add_spgemm});
  add_all("Tables",
          {add_sort, add_filter, add_select, add_top, add_unique, add_group, add_join, add_search});
  add_all("Places", {add_nearest});
  add_all("Devices", {add_devices});
}

}  // namespace evenfold::cli
