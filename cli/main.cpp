// The evenfold program.

#include "cli/process.hpp"
#include "cli/program.hpp"

int main(int argc, char** argv) {
  try {
    evenfold::cli::set_up_process();
  } catch (...) {
    return evenfold::cli::report_failure();
  }
  return evenfold::cli::run_program(argc, argv);
}
