#include "cli/commands/engine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <system_error>

namespace evenfold::cli {

namespace {

/// `--device auto` takes a GPU for at least this many bytes of input. Starting a GPU takes about
/// 120 ms, and the input is copied to it first; in that time two threads of a CPU join two tables
/// of several million rows.
constexpr std::uint64_t gpu_from_bytes = std::uint64_t{64} << 20;

/// The sum of the sizes of files; for a compressed file, an estimate of its uncompressed size. A
/// file that cannot be read counts as 0, since reading it reports the error.
std::uint64_t size_of_files(const std::vector<std::string>& files) {
  constexpr std::uint64_t usual_compression = 4;
  std::uint64_t sum = 0;
  for (const std::string& file : files) {
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
    if (!failed) sum += file.ends_with(".gz") ? usual_compression * bytes : bytes;
  }
  return sum;
}

std::unique_ptr<runtime::engine> open_gpu(const device& where) {
  const int gpus = runtime::num_gpus();
  if (where.index < gpus) return runtime::open_gpu(where.index);
  throw device_error(fmt::format("--device: there is no GPU {}, expected {}", where.index,
                                 gpus == 0
                                     ? std::string("--device cpu, since no usable GPU was found")
                                     : fmt::format("a number from 0 to {}", gpus - 1)));
}

}  // namespace

command_engine::command_engine(const common_options& options, const std::vector<std::string>& files)
    : command_engine(options,
                     options.where.on == device::kind::automatic ? size_of_files(files) : 0) {}

command_engine::command_engine(const common_options& options, std::uint64_t bytes)
    : options_(options) {
  if (options.where.on == device::kind::gpu) {
    if (!runtime::knows_gpus()) {
      throw device_error(
          "--device: this program was built without GPU support, expected auto, cpu or reference "
          "(`./dev build --gpu` builds one that has it)");
    }
    starting_ = std::async(std::launch::async, open_gpu, options.where);
  } else if (options.where.on == device::kind::automatic && runtime::knows_gpus() &&
             bytes >= gpu_from_bytes) {
    starting_ = std::async(std::launch::async, [] {
      return runtime::num_gpus() > 0 ? runtime::open_gpu() : std::unique_ptr<runtime::engine>();
    });
  }
}

int command_engine::host_threads() const {
  return options_.where.on == device::kind::reference ? 1 : options_.threads;
}

runtime::engine& command_engine::open(phases& work) {
  if (starting_.valid()) {
    work.begin("start GPU");
    engine_ = starting_.get();
  }
  if (engine_ == nullptr) {
    engine_ = options_.where.on == device::kind::reference ? runtime::open_reference()
                                                           : runtime::open_cpu(options_.threads);
  }
  engine_->observe(work.on_begin());
  return *engine_;
}

}  // namespace evenfold::cli
