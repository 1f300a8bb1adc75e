// evenfold spmv: a sparse matrix times a vector.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/finite.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/matrix_market/array_writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli::commands::spmv {

namespace {

struct command_options {
  common_options common;
  graph_options input;
  std::string x = "ones";
  std::string y, output;
  double alpha = 1, beta = 0;
  bool transpose = false;
  int repeats = 1;
};

/// A file with one number for each of the `wanted` rows or columns of the matrix.
std::vector<double> read_vector(const number_source& source, const char* option,
                                std::int64_t wanted, const char* of_what) {
  const std::string& path = source.path;
  const number_matrix file = read_numbers(source);
  if (file.rows * file.columns != wanted || (file.rows != 1 && file.columns != 1 && wanted > 0)) {
    throw error(
        fmt::format("{}: the file has {} x {} numbers for {}, expected one for each of {} {}",
                    input_name(path), file.rows, file.columns, option, wanted, of_what));
  }
  return std::get<std::vector<double>>(as_doubles(file.values));
}

struct spmv_answer {
  std::vector<double> y;
  /// After entries with the same row and column are merged.
  std::int64_t entries;
  /// The median time of a product, with the matrix in the memory of the engine.
  double ms;
};

/// The vectors of y = alpha A x + beta y; `y` is empty where beta is 0.
struct vector_pair {
  std::vector<double> x, y;
};

vector_pair read_vectors(const graph_input& input, const command_options& options, int threads) {
  const char* const sides[] = {"columns", "rows"};
  const std::int64_t lengths[] = {input.num_columns(), input.num_rows()};
  const int along = options.transpose ? 1 : 0;
  const auto file = [&](const std::string& path) {
    return number_source{path, "", threads, options.input.csv};
  };
  vector_pair vectors;
  if (options.x == "ones") {
    vectors.x.assign(static_cast<std::size_t>(lengths[along]), 1.);
  } else {
    vectors.x = read_vector(file(options.x), "--x", lengths[along], sides[along]);
  }
  if (!options.y.empty()) {
    vectors.y = read_vector(file(options.y), "--y", lengths[1 - along], sides[1 - along]);
  }
  return vectors;
}

spmv_answer run_query(const graph_input& input, const command_options& options,
                      command_engine& device, phases& work) {
  const vector_pair vectors = read_vectors(input, options, device.host_threads());
  runtime::engine& engine = device.open(work);
  work.begin("copy in");
  const runtime::sparse_rows rows =
      options.transpose
          ? runtime::make_rows(engine, runtime::transposed(input.entries), options.input.duplicates)
          : runtime::make_rows(engine, input.entries, options.input.duplicates);
  const runtime::array x = engine.local(runtime::array::borrowed(std::span(vectors.x)));
  const runtime::array y_before = engine.local(runtime::array::borrowed(std::span(vectors.y)));
  runtime::array y =
      engine.allocate(element_type::float64, static_cast<std::size_t>(rows.num_rows));
  engine.synchronize();

  // The first product meets cold caches and, on a GPU, code that is not yet loaded.
  work.begin("multiply");
  std::vector<double> times;
  for (int run = 0; run <= options.repeats; ++run) {
    if (!y_before.empty()) y = engine.upload(y_before);
    engine.synchronize();
    const double ms = milliseconds(
        engine, [&] { engine.sparse().spmv(rows, x, y, options.alpha, options.beta); });
    if (run > 0) times.push_back(ms);
  }

  work.begin("copy out");
  return {runtime::to_vector<double>(engine, y), rows.num_nonzeros(), median(times)};
}

/// Each compulsory byte once: values, columns, offsets, x and y.
double bytes_of(const spmv_answer& answer, const graph_input& input,
                const command_options& options) {
  const auto entries = static_cast<double>(answer.entries);
  const auto rows = static_cast<double>(answer.y.size());
  const auto columns =
      static_cast<double>(options.transpose ? input.num_rows() : input.num_columns());
  return entries * (input.weighted() ? 12 : 4) + rows * (options.beta != 0 ? 24 : 16) + columns * 8;
}

void write_vector(const output_rows& rows, const std::vector<double>& y) {
  const auto count = static_cast<std::int64_t>(y.size());
  if (is_written_as(rows.name, ".npy")) return write_npy_rows(rows, std::span<const double>(y));
  const bool is_mtx = is_written_as(rows.name, ".mtx");
  std::string text;
  if (rows.with_header) text = is_mtx ? matrix_market_array_header<double>(count, 1) : "y\n";
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    append_number(text, y[i]);
    text += '\n';
  }
  rows.write(text);
}

void run(const command_options& options) {
  expect_separate_files({{"MATRIX", options.input.path},
                         {"--x", options.x == "ones" ? "" : options.x},
                         {"--y", options.y}},
                        {{"--output", options.output}});
  if (options.y.empty() && options.beta != 0) {
    throw option_error("--beta", "it is the factor of y, expected --y FILE as well");
  }
  if (!options.y.empty() && options.beta == 0) {
    throw option_error("--y", "its factor is 0, expected a --beta other than 0 as well");
  }
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  graph_input input = read_matrix(options.input, device.host_threads());
  const auto multiply = [&] {
    return with_names(input, options.input,
                      [&] { return run_query(input, options, device, work); });
  };
  spmv_answer answer = multiply();
  if (!input.weighted() && options.input.duplicates == duplicates::sum &&
      answer.entries < input.num_nonzeros()) {
    // Entries with the same row and column have a sum, which a matrix without values cannot
    // contain.
    count_each_entry(input);
    answer = multiply();
  }
  work.begin("report");
  double sum = 0, squares = 0;
  for (const double value : answer.y) {
    sum += value;
    squares += value * value;
  }
  record facts;
  facts.add("rows", std::int64_t{input.num_rows()});
  facts.add("columns", std::int64_t{input.num_columns()});
  facts.add("entries", answer.entries);
  facts.add_ms("time_ms", answer.ms);
  facts.add(
      "gb_per_s",
      std::round(bytes_of(answer, input, options) / (std::max(answer.ms, 1e-6) * 1e6) * 1e2) / 1e2);
  facts.add("sum", sum);
  facts.add("norm", std::sqrt(squares));
  const std::string report = facts.text(options.common.format);
  finish_rows(work, report, options.common, options.output, answer.y.size(),
              [&](const output_rows& rows) { write_vector(rows, answer.y); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command =
      program.add_subcommand("spmv", "Sparse matrix-vector product: alpha A x + beta y");
  command->footer(
      "The time is the median of --repeat products, with the matrix in memory and after one\n"
      "product that is not timed. GB/s counts each number once. Numbers are float64.\n"
      "For example:\n"
      "  evenfold spmv memplus.mtx --repeat 100\n"
      "  evenfold spmv A.mtx --x x.npy --transpose --output y.npy");
  add_matrix_options(*command, options->input);
  command
      ->add_option("--x", options->x,
                   "The vector x: `ones`, or a file (.npy, .csv, Matrix Market array)")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_flag("--transpose", options->transpose, "Multiply by the transposed matrix");
  command->add_option("--alpha", options->alpha, "Factor of the product")
      ->type_name("A")
      ->check(finite())
      ->capture_default_str();
  command->add_option("--beta", options->beta, "Factor of y")
      ->type_name("B")
      ->check(finite())
      ->capture_default_str();
  command->add_option("--y", options->y, "The vector y: a file like that of x")->type_name("FILE");
  command->add_option("--repeat", options->repeats, "Number of products to time")
      ->type_name("N")
      ->check(within(1, 1'000'000))
      ->capture_default_str();
  add_output_option(*command, options->output,
                    "Write the result to this file: .npy, .mtx (Matrix Market array) or .csv",
                    {".npy", ".mtx", ".csv"});
  add_common_options(*command, options->common, ranks_of_command::several);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::spmv
