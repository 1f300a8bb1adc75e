#pragma once
// The device of a subcommand, and the options that every subcommand has.

#include <string>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/report/output.hpp"

namespace evenfold::cli {

/// The device that an algorithm runs on.
struct device {
  enum class kind { automatic, cpu, gpu, reference };
  kind on = kind::automatic;
  /// The GPUs, each of which is a rank; an empty list stands for all.
  std::vector<int> gpus = {0};
  /// The number of ranks on the CPU.
  int ranks = 1;

  /// Whether the work is for several ranks.
  bool is_several() const { return ranks > 1 || gpus.size() != 1; }
};

/// `--device gpu`: the first GPU or, of several processes, those of the machine in turn.
device any_gpu();

/// The options of every subcommand.
struct common_options {
  device where;
  ranks_of_command ranks = ranks_of_command::one;
  /// 0: one per core.
  int threads = 0;
  output_format format = output_format::table;
  bool time = false;
};

/// Adds --device, --threads, --format and --time. `options` must live as long as the command.
void add_common_options(command_spec& command, common_options& options,
                        ranks_of_command ranks = ranks_of_command::one);

/// Refuses an option that cannot be used with several devices.
///
/// Errors: option_error.
void expect_one_device(const common_options& options, bool is_used, const char* option);

/// A device that is not available. Like a wrong option, it ends the program with status 2.
class device_error : public error {
 public:
  using error::error;
};

}  // namespace evenfold::cli
