// evenfold saxpy: a multiple of one file of numbers added to another.

#include <memory>
#include <span>
#include <string>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/device.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/saxpy_query.hpp"
#include "evenfold/io/npy/file.hpp"
#include "evenfold/io/npy/writer.hpp"

namespace evenfold::cli {

namespace {

struct saxpy_options {
  common_options common;
  double a = 0;
  pair_options files;
  std::string output;
};

template <class T>
void answer(T a, const std::vector<T>& x, std::vector<T>& y, const saxpy_options& options,
            const device& where, phases& work) {
  const on_phase begin = work.on_begin();
  const int threads = options.common.threads;
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu) {
    return gpu_backend::saxpy(a, x, y, where, threads, begin);
  }
#endif
  host_backend::saxpy(a, x, y, where, threads, begin);
}

/// One column is an array of one dimension.
template <class T>
void write(const std::string& path, const std::vector<T>& values, std::int64_t rows,
           std::int64_t columns) {
  if (columns == 1) {
    write_npy(path, std::span<const T>(values));
  } else {
    write_npy(path, matrix_view<const T>::row_major(values.data(), rows, columns));
  }
}

template <class T>
void compute(const number_matrix& x, number_matrix& y, const saxpy_options& options,
             const device& where, phases& work) {
  auto& result = std::get<std::vector<T>>(y.values);
  answer(static_cast<T>(options.a), std::get<std::vector<T>>(x.values), result, options, where,
         work);
  work.begin("write");
  write(options.output, result, y.rows, y.columns);
}

void run(const saxpy_options& options) {
  const device where = chosen(options.common.where);
  phases work;
  work.begin("read");
  auto [x, y] = read_pair(options.files, host_threads(where, options.common));
  if (std::holds_alternative<std::vector<float>>(y.values)) {
    compute<float>(x, y, options, where, work);
  } else {
    x.values = as_doubles(x.values);
    y.values = as_doubles(y.values);
    compute<double>(x, y, options, where, work);
  }

  record facts;
  facts.add("type", type_name(y.values));
  facts.add("rows", y.rows);
  facts.add("columns", y.columns);
  facts.add("output", options.output);
  finish(work, facts.text(options.common.format), options.common);
}

}  // namespace

void add_saxpy(CLI::App& program) {
  const auto options = std::make_shared<saxpy_options>();
  CLI::App* const command =
      program.add_subcommand("saxpy", "Add a multiple of one file of numbers to another: A X + Y");
  command->footer(
      "Two files of float32 are added in float32, all others in float64. For example:\n"
      "  evenfold saxpy 0.5 x.npy y.npy --output sum.npy");
  command->add_option("A", options->a, "The factor of X")->required()->type_name("");
  add_pair_options(*command, options->files);
  command->add_option("--output", options->output, "Write the sum there (.npy)")
      ->required()
      ->type_name("FILE")
      ->check(ends_in({".npy"}));
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
