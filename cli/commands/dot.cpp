// evenfold dot: the sum of the products of two files of numbers.

#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli::commands::dot {

namespace {

struct dot_options {
  common_options common;
  pair_options files;
};

void run(const dot_options& options) {
  expect_separate_files({{"X", options.files.x}, {"Y", options.files.y}}, {});
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.files.x, options.files.y});
  const number_pair pair = read_pair(options.files, device.host_threads());
  const std::int64_t count = pair.x.size();
  runtime::engine& engine = device.open(work);
  work.begin("dot");
  numbers parts = pair.piece(0, 0).first;
  std::uint64_t magnitude = 0;
  const auto add_part = [&](std::int64_t begin, std::int64_t end) {
    const auto [x, y] = pair.piece(begin, end);
    expect_dot_fits(fmt::format("{}: the dot product with {}", input_name(options.files.y),
                                input_name(options.files.x)),
                    x, y, magnitude);
    append(parts, engine.arrays().dot(engine.local(as_array(x)), engine.local(as_array(y))));
  };
  for_each_piece(count, add_part, size_of_folded_pieces(parts, count));

  record facts;
  facts.add("type", type_name(parts));
  facts.add("count", count);
  facts.add("value", fold_of_pieces(engine, parts, runtime::fold_operator::sum));
  finish(work, facts.text(options.common.format), options.common);
}

}  // namespace

void add(command_spec& program) {
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

}  // namespace evenfold::cli::commands::dot
