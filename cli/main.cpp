// The evenfold program: options and subcommands.
//
// Exit status: 0 when all went well, 1 for data or a device that failed, 2 for options that make no
// sense.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <new>
#include <sstream>
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

/// Prints the help or the version, as the parser has it.
int answer(const CLI::ParseError& question, const CLI::App& program) {
  // The streams that make the text end it early, in silence, where they get no memory.
  static bool exhausted = false;
  std::set_new_handler([] {
    exhausted = true;
    throw std::bad_alloc();
  });
  std::ostringstream text;
  const int status = program.exit(question, text, text);
  if (exhausted) throw std::bad_alloc();
  evenfold::cli::print(text.str());
  return status;
}

/// Tells of a wrong option, and of the help of the command, as far as one was named.
int misuse(std::string what, const CLI::App& program) {
  what += " (see evenfold";
  const CLI::App* named = &program;
  while (!named->get_subcommands().empty()) {
    named = named->get_subcommands().front();
    what += " " + named->get_name();
  }
  evenfold::cli::write_error(what + " --help)");
  return 2;
}

int run(int argc, char** argv) {
  CLI::App program("Load-balanced queries over irregular data, on CPU threads and GPUs.",
                   "evenfold");
  program.set_version_flag("--version", version(), "Print the version and exit");
  program.set_help_flag("-h,--help", "Print this help and exit");
  // At most one; that there is none is said below, better than by the parser.
  program.require_subcommand(0, 1);
  program.footer(
      "`evenfold COMMAND --help` tells what a command takes.\n"
      "Exit status: 0 well done, 1 the data or a device failed, 2 an option makes no sense.");
  evenfold::cli::add_commands(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      return answer(stop, program);
    }
    return misuse(stop.what(), program);
  }
  if (program.get_subcommands().empty()) return misuse("a command is required", program);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Kernels are loaded when the GPU is opened, not one by one in the middle of the first query.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    evenfold::cli::set_up_process();
    return run(argc, argv);
  } catch (...) {
    return evenfold::cli::report_failure();
  }
}
