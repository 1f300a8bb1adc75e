// evenfold dot: the sum of the products of two files of numbers.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/device.hpp"
#include "cli/dot_query.hpp"
#include "cli/output.hpp"
#include "cli/read_numbers.hpp"
#include "evenfold/io/csv_writer.hpp"

namespace evenfold::cli {

namespace {

struct dot_options {
  common_options common;
  pair_options files;
};

number answer(const number_pair& pair, const dot_options& options, const device& where,
              phases& work) {
  const auto begin = [&](std::string phase) { work.begin(std::move(phase)); };
  const int threads = options.common.threads;
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu) {
    return gpu_backend::dot(pair.x.values, pair.y.values, where, threads, begin);
  }
#endif
  return host_backend::dot(pair.x.values, pair.y.values, where, threads, begin);
}

std::string report(output_format format, const std::string& type, std::size_t count,
                   const number& value) {
  if (format == output_format::json) {
    const nlohmann::ordered_json object = {
        {"type", type}, {"count", count}, {"value", json_of(value)}};
    return object.dump(2) + "\n";
  }
  if (format == output_format::csv) {
    csv_writer csv;
    for (const char* title : {"type", "values", "dot"}) csv.field(title);
    csv.end_record();
    csv.field(type);
    csv.field(fmt::format("{}", count));
    csv.field(text_of(value));
    csv.end_record();
    return csv.text();
  }
  text_table table;
  table.column("type", text_table::align::left);
  table.column("values", text_table::align::right);
  table.column("dot", text_table::align::right);
  table.row({type, fmt::format("{}", count), text_of(value)});
  return table.text();
}

void run(const dot_options& options) {
  const device where = chosen(options.common.where);
  phases work;
  work.begin("read");
  const number_pair pair =
      read_pair(options.files, where.on == device::kind::reference ? 1 : options.common.threads);
  expect_dot_fits(fmt::format("{}: the dot product with {}", options.files.y, options.files.x),
                  pair.x.values, pair.y.values);
  const number value = answer(pair, options, where, work);
  const std::string times = work.finish();
  print(report(options.common.format, type_name(pair.x.values), count_of(pair.x.values), value));
  if (options.common.time) fmt::print(stderr, "{}", times);
}

}  // namespace

void add_dot(CLI::App& program) {
  const auto options = std::make_shared<dot_options>();
  CLI::App* const command =
      program.add_subcommand("dot", "Sum the products of the numbers of two files");
  command->footer(
      "Matrices are taken element by element. Integers are summed in 64 bits and must fit,\n"
      "float32 and float64 in their own type; two files of different types in float64. For\n"
      "example:\n"
      "  evenfold dot sales.csv sales.csv --column price,pieces");
  add_pair_options(*command, options->files);
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
