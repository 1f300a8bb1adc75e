// evenfold spgemm: the product of two sparse matrices.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/sparse_output.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/matrix_market/writer.hpp"
#include "evenfold/io/npy/npz_writer.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli::commands::spgemm {

namespace {

struct command_options {
  common_options common;
  graph_options input;
  std::string other, output;
};

/// The rows of a file, whose entries without values count as 1.
runtime::sparse_rows rows_of(graph_input& input, const graph_options& options,
                             runtime::engine& engine) {
  count_each_entry(input);
  return with_names(input, options, [&] {
    return engine.sparse().to_rows(runtime::local(engine, input.entries), options.duplicates);
  });
}

/// Whether the product is written as an edge list: to standard output, if the vertices have names.
bool has_edges(const std::string& path, bool named) {
  return path == standard_stream ? named
                                 : is_written_as(path, ".csv") || is_written_as(path, ".txt");
}

void write_output(output_file& file, const host_rows<double>& rows, const graph_input& named,
                  cpu_context& ctx) {
  const bool is_square = rows.num_rows == rows.num_columns;
  if (is_written_as(file.name(), ".npz")) return file.write(npz_bytes(rows.view()));
  if (has_edges(file.name(), named.named && is_square)) {
    return write_edges(ctx, file, rows, named.names);
  }
  make_matrix_market(rows.view(), {matrix_market_symmetry::general},
                     [&](std::string_view text) { file.write(text); });
}

void run(const command_options& options) {
  expect_separate_files({{"MATRIX", options.input.path}, {"--by", options.other}},
                        {{"--output", options.output}});
  phases work;
  work.begin("read");
  graph_options other = options.input;
  if (!options.other.empty()) other.path = options.other;
  command_engine device(options.common, {options.input.path, other.path});
  graph_input left = read_matrix(options.input, device.host_threads());
  std::optional<graph_input> right;
  if (!options.other.empty()) right = read_matrix(other, device.host_threads());
  if (right && left.named && right->named) number_together(left, *right);
  // Rows and columns of an edge list are the same vertices.
  const graph_input& named = right && right->named ? *right : left;
  runtime::engine& engine = device.open(work);
  work.begin("copy in");
  const runtime::sparse_rows a = rows_of(left, options.input, engine);
  const runtime::sparse_rows b = right ? rows_of(*right, other, engine) : runtime::share(a);
  if (a.num_columns != b.num_rows) {
    throw error(input_name(other.path) + ": the matrix has " + std::to_string(b.num_rows) +
                " rows, expected one for each of the " + std::to_string(a.num_columns) +
                " columns of " + input_name(options.input.path));
  }
  if (has_edges(options.output, false) && a.num_rows != b.num_columns) {
    throw error(
        fmt::format("{}: the product is {} by {}, expected a square one for an edge list, "
                    "where row i and column i are vertex i",
                    options.output, a.num_rows, b.num_columns));
  }
  engine.synchronize();
  work.begin("multiply");
  runtime::sparse_rows c;
  const double ms = milliseconds(engine, [&] { c = engine.sparse().spgemm(a, b); });

  work.begin("copy out");
  const auto rows = downloaded<double>(engine, c);
  double sum = 0;
  for (const double value : rows.values) sum += value;
  work.begin("report");
  record facts;
  facts.add("rows", std::int64_t{rows.num_rows});
  facts.add("columns", std::int64_t{rows.num_columns});
  facts.add("entries_of_a", a.num_nonzeros());
  facts.add("entries_of_b", b.num_nonzeros());
  facts.add("entries", rows.num_nonzeros);
  facts.add("sum", sum);
  facts.add_ms("time_ms", ms);
  const std::string report = facts.text(options.common.format);
  cpu_context ctx(device.host_threads());
  finish(work, report, options.common, options.output,
         [&](output_file& file) { write_output(file, rows, named, ctx); });
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<command_options>();
  command_spec* const command =
      program.add_subcommand("spgemm", "Product of two sparse matrices: A B, or A A");
  command->footer(
      "Numbers are float64, and an entry without a value counts as 1. The product has an entry\n"
      "wherever two entries are multiplied, even if the products there sum to 0. The product of\n"
      "a graph with itself counts the paths of two edges. In two edge lists, vertices with the\n"
      "same name are the same. For example:\n"
      "  evenfold spgemm A.mtx --by B.mtx --output C.mtx\n"
      "  evenfold spgemm likes.csv --by tags.csv --output tags_of_people.csv");
  add_matrix_options(*command, options->input);
  command
      ->add_option("--by", options->other,
                   "The matrix B: a file like that of A; without it, A itself")
      ->type_name("FILE");
  add_output_option(*command, options->output,
                    "Write the product to this file: .mtx (Matrix Market), .npz, or .txt or .csv\n"
                    "(edges with the names of their vertices)",
                    {".mtx", ".npz", ".txt", ".csv"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::spgemm
