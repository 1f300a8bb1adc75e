// evenfold devices: the devices of this machine.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/csv/writer.hpp"

namespace evenfold::cli::commands::devices {

namespace {

using runtime::device_facts;

std::vector<device_facts> all_facts(const common_options& options, phases& work) {
  if (options.where.on != device::kind::automatic) {
    command_engine wanted(options, 0);
    return {wanted.open(work).facts()};
  }
  std::vector<device_facts> facts{runtime::open_reference()->facts(),
                                  runtime::open_cpu(options.threads)->facts()};
  for (int index = 0; index < runtime::num_gpus(); ++index) {
    facts.push_back(runtime::open_gpu(index)->facts());
  }
  return facts;
}

std::string workers_text(const device_facts& facts) {
  if (facts.backend == "CUDA") return fmt::format("{} multiprocessors", facts.workers);
  return fmt::format("{} {}", facts.workers, facts.workers == 1 ? "core" : "cores");
}

std::string as_table(const std::vector<device_facts>& all) {
  text_table table;
  table.column("device", text_table::align::left);
  table.column("backend", text_table::align::left);
  table.column("name", text_table::align::left);
  table.column("workers", text_table::align::right);
  table.column("memory", text_table::align::right);
  table.column("copy", text_table::align::right);
  for (const device_facts& facts : all) {
    table.row({facts.device, facts.backend, facts.name, workers_text(facts),
               fmt::format("{:.1f} GiB", facts.memory_bytes / (1 << 30)),
               fmt::format("{:.1f} GB/s", facts.copy_bytes_per_second / 1e9)});
  }
  return table.text();
}

std::string as_csv(const std::vector<device_facts>& all) {
  csv_writer csv;
  csv.record({"device", "backend", "name", "workers", "memory_bytes", "copy_gb_per_s"});
  for (const device_facts& facts : all) {
    csv.record({facts.device, facts.backend, facts.name, fmt::format("{}", facts.workers),
                fmt::format("{:.0f}", facts.memory_bytes),
                fmt::format("{:.1f}", facts.copy_bytes_per_second / 1e9)});
  }
  return csv.text();
}

std::string as_json(const std::vector<device_facts>& all) {
  json list = json::array();
  for (const device_facts& facts : all) {
    list.push_back({{"device", facts.device},
                    {"backend", facts.backend},
                    {"name", facts.name},
                    {"workers", facts.workers},
                    {"memory_bytes", static_cast<std::uint64_t>(facts.memory_bytes)},
                    {"copy_gb_per_s", std::round(facts.copy_bytes_per_second / 1e8) / 10}});
  }
  return list.text();
}

void run(const common_options& options) {
  phases work;
  work.begin("measure");
  const std::vector<device_facts> facts = all_facts(options, work);
  const std::string report = options.format == output_format::table ? as_table(facts)
                             : options.format == output_format::csv ? as_csv(facts)
                                                                    : as_json(facts);
  finish(work, report, options);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<common_options>();
  command_spec* const command =
      program.add_subcommand("devices", "List the devices, with their measured copy bandwidth");
  command->footer(
      "The reference computes in serial loops. The bandwidth counts bytes read and bytes\n"
      "written. With --device, only that device is listed. For example:\n"
      "  evenfold devices --format json");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::devices
