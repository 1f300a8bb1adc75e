// evenfold dot: the sum of the products of two files of numbers.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

namespace {

struct dot_options {
  common_options common;
  pair_options files;
};

void run(const dot_options& options) {
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.files.x, options.files.y});
  const number_pair pair = read_pair(options.files, device.host_threads());
  expect_dot_fits(fmt::format("{}: the dot product with {}", options.files.y, options.files.x),
                  pair.x.values, pair.y.values);
  runtime::engine& engine = device.open(work);
  work.begin("copy in");
  const runtime::array x = engine.local(as_array(pair.x.values));
  const runtime::array y = engine.local(as_array(pair.y.values));
  engine.synchronize();
  work.begin("dot");
  const number value = engine.arrays().dot(x, y);

  record facts;
  facts.add("type", type_name(pair.x.values));
  facts.add("count", count_of(pair.x.values));
  facts.add("value", value);
  finish(work, facts.text(options.common.format), options.common);
}

}  // namespace

void add_dot(command_spec& program) {
  const auto options = std::make_shared<dot_options>();
  command_spec* const command =
      program.add_subcommand("dot", "Dot product of the numbers of two files");
  command->footer(
      "Matrices are multiplied element by element. Integers are summed in 64 bits, and the\n"
      "result must fit; float32 and float64 are summed in their own type, files of different\n"
      "types in float64. For example:\n"
      "  evenfold dot sales.csv sales.csv --column price,pieces");
  add_pair_options(*command, options->files);
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
