#include "bench/main.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    return bench::run_program(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: error: %s\n", e.what());
    return 1;
  }
}
