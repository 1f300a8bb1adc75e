// The evenfold program: options, subcommands, and how errors end it.
//
// Exit status: 0 when all went well, 1 for data or a device that failed, 2 for options that make no
// sense.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/commands/device.hpp"
#include "evenfold/core/config.hpp"

namespace {

/// Every error is one line, whatever its text.
int fail(std::string what, int status) {
  while (!what.empty() && what.back() == '\n') what.pop_back();
  for (char& c : what) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  fmt::print(stderr, "evenfold: error: {}\n", what);
  return status;
}

std::string version() {
  std::string text = fmt::format("evenfold {}.{}.{}", evenfold::version_major,
                                 evenfold::version_minor, evenfold::version_patch);
#if defined(EVENFOLD_WITH_CUDA)
  return text + " (CPU, CUDA)";
#else
  return text + " (CPU)";
#endif
}

/// OpenMP's threads wait for each other by spinning unless the environment says otherwise, which it
/// is asked for before main begins. On cores that are shared a spinning thread keeps the one it
/// waits for from running: the query on 29,510 places took 0.27 s beside a compiler, and 0.09 s
/// with threads that sleep. So the program starts itself once more with that word in its
/// environment; where this fails it goes on as it is.
void restart_with_sleeping_threads(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);
}

/// The help that tells more about what was given: that of the command, as far as one was named.
std::string see_help(const CLI::App& program) {
  std::string path = "evenfold";
  const CLI::App* named = &program;
  while (!named->get_subcommands().empty()) {
    named = named->get_subcommands().front();
    path += " " + named->get_name();
  }
  return " (see " + path + " --help)";
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
    if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
      return program.exit(stop);
    return fail(stop.what() + see_help(program), 2);
  }
  if (program.get_subcommands().empty()) {
    return fail("a command is required" + see_help(program), 2);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Kernels are loaded when the GPU is opened, not one by one in the middle of the first query.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  restart_with_sleeping_threads(argv);
  try {
    return run(argc, argv);
  } catch (const evenfold::cli::device_error& failure) {
    return fail(failure.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("the memory is exhausted, expected more of it or a smaller input", 1);
  } catch (const std::exception& failure) {
    return fail(failure.what(), 1);
  }
}
