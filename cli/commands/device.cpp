#include "cli/commands/device.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/options.hpp"
#include "cli/process.hpp"

namespace evenfold::cli {

namespace {

constexpr int most_cpu_ranks = 1024;

/// The numbers of a list such as 0,1.
std::optional<std::vector<int>> numbers_of(std::string_view list) {
  std::vector<int> numbers;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (true) {
    const auto [stopped, status] = std::from_chars(at, end, numbers.emplace_back());
    if (status != std::errc{} || numbers.back() < 0) return std::nullopt;
    if (stopped == end) return numbers;
    if (*stopped != ',') return std::nullopt;
    at = stopped + 1;
  }
}

std::optional<device> parsed(const std::string& text) {
  if (text == "auto") return device{device::kind::automatic};
  if (text == "cpu") return device{device::kind::cpu};
  if (text == "reference") return device{device::kind::reference};
  if (text == "gpu") return any_gpu();
  if (text == "gpu:all") return device{device::kind::gpu, {}};
  const std::string_view kind = std::string_view(text).substr(0, 4);
  if (kind != "gpu:" && kind != "cpu:") return std::nullopt;
  const auto numbers = numbers_of(std::string_view(text).substr(4));
  if (!numbers) return std::nullopt;
  if (kind == "gpu:") {
    const std::set<int> distinct(numbers->begin(), numbers->end());
    if (distinct.size() != numbers->size()) return std::nullopt;
    return device{device::kind::gpu, *numbers};
  }
  const int ranks = numbers->front();
  if (numbers->size() != 1 || ranks < 1 || ranks > most_cpu_ranks) return std::nullopt;
  return device{device::kind::cpu, {0}, ranks};
}

}  // namespace

device any_gpu() {
  return processes() == nullptr ? device{device::kind::gpu} : device{device::kind::gpu, {}};
}

void add_common_options(command_spec& command, common_options& options, ranks_of_command ranks) {
  command.runs_on(ranks);
  options.ranks = ranks;
  std::string about =
      "Where to compute: auto, cpu, gpu, gpu:N or reference (serial loops).\n"
      "auto takes a GPU if there is one and the input is large";
  if (ranks == ranks_of_command::several) {
    about +=
        ".\nThe command also runs on several GPUs (gpu:0,1 or gpu:all), and as N ranks that\n"
        "divide the CPU threads among them (cpu:N). Under mpirun, and of processes that\n"
        "meet at EVENFOLD_MEET, each is one rank, and gpu or gpu:0,1 assigns the GPUs of a\n"
        "machine, or these, to its processes in turn";
  }
  command
      .add_text_option(
          "--device", [&options](const std::string& text) { options.where = *parsed(text); }, about)
      ->type_name("WHERE")
      ->default_str("auto")
      ->check([](const std::string& text) {
        return parsed(text)
                   ? std::string()
                   : "'" + text +
                         "' is not a device, expected auto, cpu, cpu:N, gpu, gpu:N, gpu:N,N,..., "
                         "gpu:all or reference";
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

void expect_one_device(const common_options& options, bool is_used, const char* option) {
  if (is_used && (options.where.is_several() || processes() != nullptr)) {
    throw option_error(option, "this option works on one device, but there are several ranks");
  }
}

}  // namespace evenfold::cli
