// evenfold saxpy: a multiple of one file of numbers added to another.

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli::commands::saxpy {

namespace {

struct saxpy_options {
  common_options common;
  double a = 0;
  pair_options files;
  std::string output;
};

/// Writes the sum as .npy file of T, piece by piece. One column is an array of one dimension.
template <class T>
void write_sum(output_file& file, double a, const number_pair& pair, runtime::engine& engine) {
  std::vector<std::int64_t> shape = {pair.y.rows()};
  if (pair.y.columns() != 1) shape.push_back(pair.y.columns());
  file.write(detail::npy_header_text(element_type_of<T>(), false, shape));
  for_each_piece(pair.y.size(), [&](std::int64_t begin, std::int64_t end) {
    const auto of = [&](const number_file& from) -> numbers {
      if constexpr (std::is_same_v<T, double>) return doubles_of(from, begin, end);
      return piece_of(from, begin, end);
    };
    const numbers x = of(pair.x), y = of(pair.y);
    const runtime::array x_there = engine.local(as_array(x));
    runtime::array y_there = engine.upload(as_array(y));
    engine.arrays().saxpy(a, x_there, y_there);
    const auto sum = runtime::to_vector<T>(engine, y_there);
    file.write({reinterpret_cast<const char*>(sum.data()), sum.size() * sizeof(T)});
  });
}

void run(const saxpy_options& options) {
  expect_separate_files({{"X", options.files.x}, {"Y", options.files.y}},
                        {{"--output", options.output}});
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.files.x, options.files.y});
  const number_pair pair = read_pair(options.files, device.host_threads());
  runtime::engine& engine = device.open(work);
  work.begin("saxpy");
  output_set files;
  output_file& file = files.add(options.output);
  const bool is_float = std::holds_alternative<std::vector<float>>(pair.piece(0, 0).second);
  if (is_float) {
    write_sum<float>(file, options.a, pair, engine);
  } else {
    write_sum<double>(file, options.a, pair, engine);
  }

  record facts;
  facts.add("type", is_float ? "float32" : "float64");
  facts.add("rows", pair.y.rows());
  facts.add("columns", pair.y.columns());
  facts.add("output", options.output);
  finish(work, facts.text(options.common.format), options.common, files);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<saxpy_options>();
  command_spec* const command =
      program.add_subcommand("saxpy", "Scaled sum of the numbers of two files: A X + Y");
  command->footer(
      "Two files of float32 are added in float32, all others in float64. For example:\n"
      "  evenfold saxpy 0.5 x.npy y.npy --output sum.npy");
  command->add_option("A", options->a, "Factor of X")->required()->type_name("");
  add_pair_options(*command, options->files);
  add_output_option(*command, options->output, "Write the sum to this file (.npy)", {".npy"})
      ->required();
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::saxpy
