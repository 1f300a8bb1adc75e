// The evenfold program: options and subcommands.
//
// Exit status: 0 when all went well, 1 for data or a device that failed, 2 for options that make no
// sense.

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/process.hpp"
#include "cli/report/output.hpp"
#include "evenfold/core/config.hpp"
#include "runtime/engine.hpp"

namespace {

std::string version() {
  std::string text = fmt::format("evenfold {}.{}.{}", evenfold::version_major,
                                 evenfold::version_minor, evenfold::version_patch);
  return text + (evenfold::runtime::knows_gpus() ? " (CPU, CUDA)" : " (CPU)");
}

void run(int argc, char** argv) {
  evenfold::cli::command_spec program(
      "Load-balanced data-parallel algorithms on irregular data, on CPU threads and GPUs.",
      "evenfold");
  program.version(version());
  // At most one; run() reports a missing command, in better words than the parser.
  program.require_subcommand(0, 1);
  program.footer(
      "`evenfold COMMAND --help` describes the options of a command.\n"
      "Exit status: 0 success, 1 an error in the data or on a device, 2 wrong options.");
  evenfold::cli::add_commands(program);
  evenfold::cli::print(program.run(argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
  // Kernels are loaded when the GPU is opened, not one by one in the middle of the first query.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    evenfold::cli::set_up_process();
    run(argc, argv);
    return 0;
  } catch (const evenfold::cli::misuse& wrong) {
    evenfold::cli::write_error(wrong.what());
    return 2;
  } catch (...) {
    return evenfold::cli::report_failure();
  }
}
