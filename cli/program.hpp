#pragma once
// The program as a function.

namespace evenfold::cli {

/// Runs the command of a command line, and writes its error, if there is one.
///
/// Returns the exit status: 0 for success, 1 for an error of the data or of the device, 2 for wrong
/// options.
int run_program(int argc, char** argv) noexcept;

}  // namespace evenfold::cli
