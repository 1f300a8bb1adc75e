// evenfold saxpy: a multiple of one file of numbers added to another.

#include <memory>
#include <span>
#include <string>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

namespace {

struct saxpy_options {
  common_options common;
  double a = 0;
  pair_options files;
  std::string output;
};

/// One column is an array of one dimension.
template <class T>
void write(output_file& file, const std::vector<T>& values, std::int64_t rows,
           std::int64_t columns) {
  if (columns == 1) {
    write_npy(file, std::span<const T>(values));
  } else {
    write_npy(file, matrix_view<const T>::row_major(values.data(), rows, columns));
  }
}

void run(const saxpy_options& options) {
  expect_separate_files({{"X", options.files.x}, {"Y", options.files.y}},
                        {{"--output", options.output}});
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.files.x, options.files.y});
  auto [x, y] = read_pair(options.files, device.host_threads());
  if (!std::holds_alternative<std::vector<float>>(y.values)) {
    x.values = as_doubles(x.values);
    y.values = as_doubles(y.values);
  }
  runtime::engine& engine = device.open(work);
  work.begin("copy in");
  const runtime::array x_there = engine.local(as_array(x.values));
  runtime::array y_there = engine.upload(as_array(y.values));
  engine.synchronize();
  work.begin("saxpy");
  engine.arrays().saxpy(options.a, x_there, y_there);
  engine.synchronize();
  work.begin("copy out");
  y.values = downloaded(engine, y_there);
  work.begin("write");
  output_set files;
  output_file& file = files.add(options.output);
  std::visit([&](const auto& sum) { write(file, sum, y.rows, y.columns); }, y.values);

  record facts;
  facts.add("type", type_name(y.values));
  facts.add("rows", y.rows);
  facts.add("columns", y.columns);
  facts.add("output", options.output);
  finish(work, facts.text(options.common.format), options.common, files);
}

}  // namespace

void add_saxpy(command_spec& program) {
  const auto options = std::make_shared<saxpy_options>();
  command_spec* const command =
      program.add_subcommand("saxpy", "Scaled sum of the numbers of two files: A X + Y");
  command->footer(
      "Two files of float32 are added in float32, all others in float64. For example:\n"
      "  evenfold saxpy 0.5 x.npy y.npy --output sum.npy");
  command->add_option("A", options->a, "Factor of X")->required()->type_name("");
  add_pair_options(*command, options->files);
  command->add_option("--output", options->output, "Write the sum to this file (.npy)")
      ->required()
      ->type_name("FILE")
      ->check(ends_in({".npy"}));
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
