// The evenfold program.

#include <cstdlib>

#include "cli/process.hpp"
#include "cli/program.hpp"

int main(int argc, char** argv) {
  // Kernels are loaded when the GPU is opened, not one by one in the middle of the first query.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    evenfold::cli::set_up_process();
  } catch (...) {
    return evenfold::cli::report_failure();
  }
  return evenfold::cli::run_program(argc, argv);
}
