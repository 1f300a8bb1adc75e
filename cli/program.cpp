#include "cli/program.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/commands/commands.hpp"
#include "cli/process.hpp"
#include "cli/report/output.hpp"
#include "cli/report/warning.hpp"
#include "evenfold/core/config.hpp"
#include "runtime/engine.hpp"

namespace evenfold::cli {

namespace {

std::string version() {
  std::string text = fmt::format("evenfold {}.{}.{}", version_major, version_minor, version_patch);
  return text + (runtime::knows_gpus() ? " (CPU, CUDA)" : " (CPU)");
}

struct named_command {
  std::string_view name;
  void (*add)(command_spec& program);
};

/// Adds the commands in the order and under the headings of the program's help: all of them, or if
/// `only` is not empty, only the one of that name. Returns whether it has added one.
bool add_commands(command_spec& program, std::string_view only) {
  using namespace commands;
  bool has_added = false;
  const auto add_all = [&](const char* heading, std::initializer_list<named_command> group) {
    for (const named_command& command : group) {
      if (!only.empty() && command.name != only) continue;
      command.add(program);
      program.last_subcommand()->group(heading);
      has_added = true;
    }
  };
  add_all("Numbers and matrices", {{"aggregate", aggregate::add},
                                   {"histogram", histogram::add},
                                   {"fold", fold::add},
                                   {"dot", dot::add},
                                   {"saxpy", saxpy::add},
                                   {"jacobi", jacobi::add},
                                   {"generate", generate::add}});
  add_all("Sparse matrices and graphs", {{"info", info::add},
                                         {"bfs", bfs::add},
                                         {"sssp", sssp::add},
                                         {"components", components::add},
                                         {"mst", mst::add},
                                         {"convert", convert::add},
                                         {"pagerank", pagerank::add},
                                         {"triangles", triangles::add},
                                         {"kcore", kcore::add},
                                         {"betweenness", betweenness::add},
                                         {"spmv", spmv::add},
                                         {"spgemm", spgemm::add}});
  add_all("Tables", {{"sort", sort::add},
                     {"filter", filter::add},
                     {"select", select::add},
                     {"top", top::add},
                     {"unique", unique::add},
                     {"group", group::add},
                     {"join", join::add},
                     {"search", search::add}});
  add_all("Places", {{"nearest", nearest::add}});
  add_all("Devices", {{"devices", devices::add}});
  return has_added;
}

void run(int argc, char** argv) {
  command_spec program(
      "Load-balanced data-parallel algorithms on irregular data, on CPU threads and GPUs.",
      "evenfold");
  program.version(version());
  // At most one; run() reports a missing command, in better words than the parser.
  program.require_subcommand(0, 1);
  program.footer(
      "`evenfold COMMAND --help` describes the options of a command.\n"
      "Exit status: 0 success, 1 an error in the data or on a device, 2 wrong options.");
  // To add the options of all commands takes two thirds of the time of a short run. All are needed
  // for the help and for the errors that list commands, as where several processes have been
  // started.
  const bool is_named = argc > 1 && processes() == nullptr && add_commands(program, argv[1]);
  if (!is_named) add_commands(program, {});
  print(program.run(argc, argv));
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  try {
    forget_warnings();
    run(argc, argv);
    return 0;
  } catch (const misuse& wrong) {
    write_error(wrong.what());
    return 2;
  } catch (...) {
    return report_failure();
  }
}

}  // namespace evenfold::cli
