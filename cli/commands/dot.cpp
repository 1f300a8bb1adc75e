// evenfold dot: the sum of the products of two files of numbers.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/commands/device.hpp"
#include "cli/dot_query.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"

namespace evenfold::cli {

namespace {

struct dot_options {
  common_options common;
  pair_options files;
};

number answer(const number_pair& pair, const dot_options& options, const device& where,
              phases& work) {
  const on_phase begin = work.on_begin();
  const int threads = options.common.threads;
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu) {
    return gpu_backend::dot(pair.x.values, pair.y.values, where, threads, begin);
  }
#endif
  return host_backend::dot(pair.x.values, pair.y.values, where, threads, begin);
}

void run(const dot_options& options) {
  const device where = chosen(options.common.where);
  phases work;
  work.begin("read");
  const number_pair pair = read_pair(options.files, host_threads(where, options.common));
  expect_dot_fits(fmt::format("{}: the dot product with {}", options.files.y, options.files.x),
                  pair.x.values, pair.y.values);
  const number value = answer(pair, options, where, work);

  record facts;
  facts.add("type", type_name(pair.x.values));
  facts.add("count", count_of(pair.x.values));
  facts.add("value", value);
  finish(work, facts.text(options.common.format), options.common);
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
