#include "cli/commands/engine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <system_error>

namespace evenfold::cli {

namespace {

/// From how many bytes of input on `auto` takes a GPU. To start one takes about 120 ms, and what it
/// reads is copied to it first; in that time two threads of a CPU join two tables of several
/// million rows.
constexpr std::uint64_t gpu_from_bytes(work_family family) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  switch (family) {
    case work_family::numbers:
      return 64 * mebibyte;
    case work_family::matrices:
      return 64 * mebibyte;
    case work_family::sparse:
      return 64 * mebibyte;
    case work_family::graphs:
      return 64 * mebibyte;
    case work_family::tables:
      return 64 * mebibyte;
    default:
      return 64 * mebibyte;
  }
}

/// The sizes of files added up, compressed ones as what they are about to become. What cannot be
/// read counts nothing: who reads it says so.
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

command_engine::command_engine(const common_options& options, work_family family,
                               const std::vector<std::string>& files)
    : command_engine(options, family,
                     options.where.on == device::kind::automatic ? size_of_files(files) : 0) {}

command_engine::command_engine(const common_options& options, work_family family,
                               std::uint64_t bytes)
    : options_(options) {
  if (options.where.on == device::kind::gpu) {
    if (!runtime::knows_gpus()) {
      throw device_error(
          "--device: this program was built without GPU support, expected auto, cpu or reference "
          "(`./dev build --gpu` builds one that has it)");
    }
    starting_ = std::async(std::launch::async, open_gpu, options.where);
  } else if (options.where.on == device::kind::automatic && runtime::knows_gpus() &&
             bytes >= gpu_from_bytes(family)) {
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
