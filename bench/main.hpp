#pragma once

namespace bench {

/// The body of main() of a benchmark; main.cpp reports its exceptions.
int run_program(int argc, char** argv);

}  // namespace bench
