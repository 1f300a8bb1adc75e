#pragma once
// The files that a command reads and those that it writes must not be the same ones.

#include <string>
#include <vector>

#include "cli/commands/options.hpp"

namespace evenfold::cli {

/// A file of a command, and the option or the argument that names it.
struct named_file {
  const char* option;
  /// Empty: the option was not given.
  std::string path;
};

/// Refuses an output that is an input, or another output: the same file by its name, by a symbolic
/// link or by a hard link. Devices, such as /dev/null, may be named as often as wanted, but - only
/// once among the inputs and once among the outputs. To be called before anything is read.
///
/// Errors: option_error, which names the option.
void expect_separate_files(const std::vector<named_file>& inputs,
                           const std::vector<named_file>& outputs);

}  // namespace evenfold::cli
