#pragma once
// The program as a function.

namespace evenfold::cli {

/// Runs the command of a command line, and writes its error, if there is one.
///
/// Returns the exit status: 0 when all went well, 1 for data or a device that failed, 2 for options
/// that make no sense.
int run_program(int argc, char** argv) noexcept;

}  // namespace evenfold::cli
