#pragma once
// The subcommands; each has a file of its own.

#include <initializer_list>

#include "cli/commands/options.hpp"

namespace evenfold::cli {

/// Each function adds a subcommand to the program; the subcommand runs when the command line is
/// parsed. A command is a namespace, so that the compiler can read several commands at a time.
namespace commands {
namespace aggregate {
void add(command_spec& program);
}
namespace betweenness {
void add(command_spec& program);
}
namespace bfs {
void add(command_spec& program);
}
namespace components {
void add(command_spec& program);
}
namespace convert {
void add(command_spec& program);
}
namespace devices {
void add(command_spec& program);
}
namespace dot {
void add(command_spec& program);
}
namespace filter {
void add(command_spec& program);
}
namespace fold {
void add(command_spec& program);
}
namespace generate {
void add(command_spec& program);
}
namespace group {
void add(command_spec& program);
}
namespace histogram {
void add(command_spec& program);
}
namespace info {
void add(command_spec& program);
}
namespace jacobi {
void add(command_spec& program);
}
namespace join {
void add(command_spec& program);
}
namespace kcore {
void add(command_spec& program);
}
namespace mst {
void add(command_spec& program);
}
namespace nearest {
void add(command_spec& program);
}
namespace pagerank {
void add(command_spec& program);
}
namespace saxpy {
void add(command_spec& program);
}
namespace search {
void add(command_spec& program);
}
namespace select {
void add(command_spec& program);
}
namespace sort {
void add(command_spec& program);
}
namespace spgemm {
void add(command_spec& program);
}
namespace spmv {
void add(command_spec& program);
}
namespace sssp {
void add(command_spec& program);
}
namespace top {
void add(command_spec& program);
}
namespace triangles {
void add(command_spec& program);
}
namespace unique {
void add(command_spec& program);
}
}  // namespace commands

/// All of them, in the order and under the headings of the program's help.
inline void add_commands(command_spec& program) {
  using namespace commands;
  const auto add_all = [&program](const char* heading,
                                  std::initializer_list<void (*)(command_spec&)> group) {
    for (const auto add : group) {
      add(program);
      program.last_subcommand()->group(heading);
    }
  };
  add_all("Numbers and matrices", {aggregate::add, histogram::add, fold::add, dot::add, saxpy::add,
                                   jacobi::add, generate::add});
  add_all("Sparse matrices and graphs",
          {info::add, bfs::add, sssp::add, components::add, mst::add, convert::add, pagerank::add,
           triangles::add, kcore::add, betweenness::add, spmv::add, spgemm::add});
  add_all("Tables", {sort::add, filter::add, select::add, top::add, unique::add, group::add,
                     join::add, search::add});
  add_all("Places", {nearest::add});
  add_all("Devices", {devices::add});
}

}  // namespace evenfold::cli
