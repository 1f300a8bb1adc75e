#pragma once
// The subcommands; each has a file of its own.

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

}  // namespace evenfold::cli
