#include "cli/program.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/commands/commands.hpp"
#include "cli/process.hpp"
#include "cli/report/output.hpp"
#include "evenfold/core/config.hpp"
#include "runtime/engine.hpp"

namespace evenfold::cli {

namespace {

std::string version() {
  std::string text = fmt::format("evenfold {}.{}.{}", version_major, version_minor, version_patch);
  return text + (runtime::knows_gpus() ? " (CPU, CUDA)" : " (CPU)");
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
  add_commands(program);
  print(program.run(argc, argv));
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  try {
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
