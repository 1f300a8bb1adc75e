#pragma once
// The engine that a command works on, opened while the command reads its input.

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/device.hpp"
#include "cli/report/output.hpp"
#include "runtime/engine.hpp"

namespace evenfold::cli {

/// Begins to open the device of the options. A GPU is opened in a thread of its own, while the
/// command reads its files. `auto` opens no GPU if the CPU can finish the work before a GPU has
/// started.
class command_engine {
 public:
  /// For a command that reads files. Errors: option_error for several devices where the command
  /// runs on one.
  command_engine(const common_options& options, const std::vector<std::string>& files);
  /// For a command that generates its input.
  command_engine(const common_options& options, std::uint64_t bytes);

  /// The number of CPU threads that read the input and write the output: one for the reference,
  /// which is serial throughout.
  int host_threads() const;

  /// The open engine, which reports its phases to `work`. Waits for a GPU, in the phase `start
  /// GPU`.
  ///
  /// Errors: device_error for a GPU that cannot be had.
  runtime::engine& open(phases& work);

 private:
  common_options options_;
  std::future<std::unique_ptr<runtime::engine>> starting_;
  std::unique_ptr<runtime::engine> engine_;
};

}  // namespace evenfold::cli
