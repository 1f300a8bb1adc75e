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

/// What a command works on. It decides from how many bytes of input on `--device auto` takes a GPU:
/// see engine.cpp.
enum class work_family { numbers, matrices, sparse, graphs, tables, places };

/// Begins to open the device that the options ask for. A GPU is opened in a thread of its own,
/// since that takes longer than many a file takes to be read; it is not opened by `auto` where the
/// CPU has done its work by then.
class command_engine {
 public:
  /// For a command that reads files.
  command_engine(const common_options& options, work_family family,
                 const std::vector<std::string>& files);
  /// For a command that makes what it works on.
  command_engine(const common_options& options, work_family family, std::uint64_t bytes);

  /// How many CPU threads read the input and write the output: one for the reference, which is
  /// plain loops from end to end.
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
