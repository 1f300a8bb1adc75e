#pragma once
// Which device a subcommand works on, and the options that every subcommand has.

#include <string>

#include "cli/device_kind.hpp"
#include "cli/report/output.hpp"

namespace CLI {
class App;
}

namespace evenfold::cli {

/// The options of every subcommand.
struct common_options {
  device where;
  /// 0: as many as there are cores.
  int threads = 0;
  output_format format = output_format::table;
  bool time = false;
};

/// Adds --device, --threads, --format and --time. `options` must live as long as the command.
void add_common_options(CLI::App& command, common_options& options);

/// What `auto` means here: a GPU if the program knows GPUs and there is one, else the CPU.
///
/// Errors: device_error for a GPU in a program that knows none, or one that is not there.
device chosen(device wanted);

/// How many CPU threads prepare and read what the device works on: one for the reference, which is
/// plain loops from end to end.
int host_threads(device where, const common_options& options);

/// A device that cannot be had. Like a wrong option, it ends the program with status 2.
class device_error : public error {
 public:
  using error::error;
};

}  // namespace evenfold::cli
