#include "cli/commands/device.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "cli/commands/choice.hpp"
#include "cli/commands/options.hpp"

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

void add_common_options(command_spec& command, common_options& options) {
  command
      .add_text_option(
          "--device", [&options](const std::string& text) { options.where = *parsed(text); },
          "Where to compute: auto, cpu, gpu, gpu:N or reference (serial loops).\n"
          "auto takes a GPU if there is one and the input is large")
      ->type_name("WHERE")
      ->default_str("auto")
      ->check([](const std::string& text) {
        return parsed(text)
                   ? std::string()
                   : "'" + text + "' is not a device, expected auto, cpu, gpu, gpu:N or reference";
      })
      ->group("Common options");
  command.add_option("--threads", options.threads, "Number of CPU threads; 0 means one per core")
      ->type_name("N")
      ->check(within(0, 4096))
      ->capture_default_str()
      ->group("Common options");
  command
      .add_text_option(
          "--format",
          [&options](const std::string& text) {
            options.format = text == "csv"    ? output_format::csv
                             : text == "json" ? output_format::json
                                              : output_format::table;
          },
          "Format of the report: table, csv or json")
      ->type_name("FORMAT")
      ->default_str("table")
      ->check(one_of({"table", "csv", "json"}))
      ->group("Common options");
  command.add_flag("--time", options.time, "Print the time of each phase to standard error")
      ->group("Common options");
}

}  // namespace evenfold::cli
