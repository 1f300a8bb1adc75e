// The evenfold program.

#include "cli/process.hpp"
#include "cli/program.hpp"

int main(int argc, char** argv) {
  try {
    evenfold::cli::set_up_process();
    evenfold::cli::join_processes(argc, argv);
  } catch (...) {
    return evenfold::cli::report_failure();
  }
  const int status = evenfold::cli::run_program(argc, argv);
  if (status == 0) evenfold::cli::leave_processes();
  return status;
}
