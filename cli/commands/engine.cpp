#include "cli/commands/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <thread>

#include "cli/process.hpp"
#include "evenfold/io/text/file_name.hpp"

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

/// A rank on each GPU or, of several processes, the GPU of this one: those of a machine take the
/// GPUs in turn.
std::unique_ptr<runtime::engine> open_gpus(const device& where) {
  const int gpus = runtime::num_gpus();
  std::vector<int> wanted = where.gpus;
  if (wanted.empty()) {
    wanted.resize(static_cast<std::size_t>(std::max(1, gpus)));
    std::iota(wanted.begin(), wanted.end(), 0);
  }
  for (const int index : wanted) {
    if (index < gpus) continue;
    throw device_error(fmt::format("--device: there is no GPU {}, expected {}", index,
                                   gpus == 0
                                       ? std::string("--device cpu, since no usable GPU was found")
                                       : fmt::format("a number from 0 to {}", gpus - 1)));
  }
  if (processes() != nullptr) {
    const auto turn = static_cast<std::size_t>(processes()->local_rank()) % wanted.size();
    return runtime::open_gpu(wanted[turn]);
  }
  return wanted.size() == 1 ? runtime::open_gpu(wanted.front()) : runtime::open_gpu_ranks(wanted);
}

std::unique_ptr<runtime::engine> open_host(const common_options& options) {
  if (options.where.on == device::kind::reference) return runtime::open_reference();
  return options.where.ranks == 1 ? runtime::open_cpu(options.threads)
                                  : runtime::open_cpu_ranks(options.where.ranks, options.threads);
}

}  // namespace

command_engine::command_engine(const common_options& options, const std::vector<std::string>& files)
    : command_engine(options,
                     options.where.on == device::kind::automatic ? size_of_files(files) : 0) {
  if (processes() == nullptr) return;
  for (const std::string& file : files) {
    if (file != standard_stream) continue;
    throw error("standard input: only one of the processes can read it, expected a file");
  }
}

command_engine::command_engine(const common_options& options, std::uint64_t bytes)
    : options_(options) {
  const device& where = options.where;
  if (options.ranks == ranks_of_command::one && where.is_several()) {
    throw option_error("--device",
                       "this command runs on one device, expected auto, cpu, gpu, "
                       "gpu:N or reference");
  }
  if (processes() != nullptr) {
    if (where.ranks > 1 || where.on == device::kind::reference) {
      throw option_error("--device",
                         "each of several processes is a rank, expected auto, cpu, gpu, gpu:N or "
                         "gpu:N,N,...");
    }
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (options.threads == 0) options_.threads = std::max(1, cores / processes()->local_size());
  }
  if (where.on == device::kind::gpu) {
    if (!runtime::knows_gpus()) {
      throw device_error(
          "--device: this program was built without GPU support, expected auto, cpu or reference "
          "(`./dev build --gpu` builds one that has it)");
    }
    starting_ = std::async(std::launch::async, open_gpus, where);
  } else if (where.on == device::kind::automatic && runtime::knows_gpus() &&
             bytes >= gpu_from_bytes) {
    starting_ = std::async(std::launch::async, [] {
      return runtime::num_gpus() > 0 ? open_gpus(any_gpu()) : std::unique_ptr<runtime::engine>();
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
    engine_ = open_host(options_);
  }
  if (processes() != nullptr) engine_->join(processes());
  engine_->observe(work.on_begin());
  return *engine_;
}

}  // namespace evenfold::cli
