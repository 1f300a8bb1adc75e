#include "cli/commands/device.hpp"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <charconv>
#include <optional>

#include "cli/commands/choice.hpp"
#include "cli/devices_query.hpp"

namespace evenfold::cli {

namespace {

std::optional<device> parsed(const std::string& text) {
  if (text == "auto") return device{device::kind::automatic, 0};
  if (text == "cpu") return device{device::kind::cpu, 0};
  if (text == "reference") return device{device::kind::reference, 0};
  if (text == "gpu") return device{device::kind::gpu, 0};
  device result{device::kind::gpu, 0};
  if (!text.starts_with("gpu:")) return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [stopped, status] = std::from_chars(text.data() + 4, end, result.index);
  if (status != std::errc{} || stopped != end || result.index < 0) return std::nullopt;
  return result;
}

}  // namespace

void add_common_options(CLI::App& command, common_options& options) {
  command
      .add_option_function<std::string>(
          "--device", [&options](const std::string& text) { options.where = *parsed(text); },
          "Where to work: auto, cpu, gpu, gpu:N or reference (one plain loop);\n"
          "auto takes a GPU if there is one")
      ->type_name("WHERE")
      ->default_str("auto")
      ->check([](const std::string& text) {
        return parsed(text)
                   ? std::string()
                   : "'" + text + "' is no device, expected auto, cpu, gpu, gpu:N or reference";
      })
      ->group("Common options");
  command.add_option("--threads", options.threads, "CPU threads; 0 takes one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""))
      ->capture_default_str()
      ->group("Common options");
  command
      .add_option_function<std::string>(
          "--format",
          [&options](const std::string& text) {
            options.format = text == "csv"    ? output_format::csv
                             : text == "json" ? output_format::json
                                              : output_format::table;
          },
          "Of the report: table, csv or json")
      ->type_name("FORMAT")
      ->default_str("table")
      ->check(one_of({"table", "csv", "json"}))
      ->group("Common options");
  command.add_flag("--time", options.time, "Say on standard error how long each phase took")
      ->group("Common options");
}

device chosen(device wanted) {
#if defined(EVENFOLD_WITH_CUDA)
  const int gpus = wanted.on == device::kind::automatic || wanted.on == device::kind::gpu
                       ? gpu_backend::num_devices()
                       : 0;
  if (wanted.on == device::kind::gpu && wanted.index >= gpus) {
    throw device_error(fmt::format("--device: there is no GPU {}, expected {}", wanted.index,
                                   gpus == 0
                                       ? std::string("--device cpu, since no usable GPU was found")
                                       : fmt::format("a number from 0 to {}", gpus - 1)));
  }
  if (wanted.on == device::kind::automatic) {
    wanted.on = gpus > 0 ? device::kind::gpu : device::kind::cpu;
  }
#else
  if (wanted.on == device::kind::gpu) {
    throw device_error(
        "--device: this program was built without GPU support, expected auto, cpu or reference "
        "(`./dev build --gpu` builds one that has it)");
  }
  if (wanted.on == device::kind::automatic) wanted.on = device::kind::cpu;
#endif
  return wanted;
}

int host_threads(device where, const common_options& options) {
  return where.on == device::kind::reference ? 1 : options.threads;
}

}  // namespace evenfold::cli
