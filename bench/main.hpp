#pragma once

namespace bench {

/// What main() of a benchmark does: main.cpp reports its exceptions.
int run_program(int argc, char** argv);

}  // namespace bench
