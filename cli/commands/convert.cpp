// evenfold convert: a sparse matrix or a graph from one kind of file to another.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/graph_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "cli/report/sparse_output.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/edge_list/reader.hpp"
#include "evenfold/io/matrix_market/writer.hpp"
#include "evenfold/io/npy/npz_reader.hpp"
#include "evenfold/io/npy/npz_writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli::commands::convert {

namespace {

struct convert_options {
  common_options common;
  graph_options input;
  bool symmetrize = false, drop_self_loops = false, general = false;
  std::string output, names;
};

/// The rows of the result, after the edits of the options, in the memory of the engine.
runtime::sparse_rows edit(const graph_input& input, const convert_options& options,
                          runtime::engine& engine, phases& work) {
  runtime::sparse_operations& sparse = engine.sparse();
  work.begin("copy in");
  runtime::sparse_entries entries = runtime::local(engine, input.entries);
  engine.synchronize();
  work.begin("convert");
  if (options.drop_self_loops) entries = sparse.drop_self_loops(entries);
  if (options.symmetrize && !input.symmetric) entries = sparse.symmetrize(entries);
  return sparse.to_rows(entries, options.input.duplicates);
}

/// The symmetry of the result that a file can state.
matrix_market_symmetry symmetry_of(const graph_input& input, const convert_options& options) {
  if (options.general) return matrix_market_symmetry::general;
  if (input.symmetric) {
    return input.skew && input.weighted() ? matrix_market_symmetry::skew_symmetric
                                          : matrix_market_symmetry::symmetric;
  }
  return options.symmetrize ? matrix_market_symmetry::symmetric : matrix_market_symmetry::general;
}

/// Whether the names are first, first + 1 and so on.
bool are_counted_from(const vertex_names& names, std::int64_t first) {
  const std::int32_t count = names.size();
  return count == 0 || (names.are_numbers() && names.name(0) == std::to_string(first) &&
                        names.name(count - 1) == std::to_string(first + count - 1));
}

void write_names(output_file& file, const vertex_names& names) {
  csv_writer csv;
  csv.record({"name"});
  for (std::int32_t v = 0; v < names.size(); ++v) csv.record({names.name(v)});
  file.write(csv.text());
}

/// Vertices without entries, which an edge list cannot contain.
template <class Value>
std::int64_t count_isolated(const host_rows<Value>& rows) {
  std::vector<char> met(static_cast<std::size_t>(rows.num_rows));
  for (std::int32_t r = 0; r < rows.num_rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    if (rows.row_offsets[row] < rows.row_offsets[row + 1]) met[row] = true;
  }
  for (const std::int32_t column : rows.columns) met[static_cast<std::size_t>(column)] = true;
  return std::count(met.begin(), met.end(), false);
}

/// Writes the rows, and adds to the report what the file cannot represent.
template <class Value>
void write(const host_rows<Value>& rows, const graph_input& input, matrix_market_symmetry symmetry,
           output_file& file, cpu_context& ctx, record& facts) {
  const std::string& path = file.name();
  if (is_written_as(path, ".mtx") || is_written_as(path, ".npz")) {
    const int first = is_written_as(path, ".mtx") ? 1 : 0;
    facts.add("names", are_counted_from(input.names, first)
                           ? "kept"
                           : fmt::format("replaced by numbers from {}", first));
    if (first == 0) return file.write(npz_bytes(rows.view()));
    return make_matrix_market(rows.view(), {symmetry},
                              [&](std::string_view text) { file.write(text); });
  }
  facts.add("names", "kept");
  facts.add("isolated_left_out", count_isolated(rows));
  write_edges(ctx, file, rows, input.names);
}

/// Writes the rows, and the names if they are asked for, and reports both.
template <class Value>
void conclude(const host_rows<Value>& rows, const graph_input& input,
              const convert_options& options, int threads, phases& work) {
  work.begin("write");
  const matrix_market_symmetry symmetry = symmetry_of(input, options);
  record facts;
  facts.add("rows", std::int64_t{rows.num_rows});
  facts.add("columns", std::int64_t{rows.num_columns});
  facts.add("entries_read", input.num_nonzeros());
  facts.add("entries", rows.num_nonzeros);
  facts.add("values", is_pattern<Value> ? "none" : "float64");
  facts.add("symmetry", std::string(matrix_market_name(symmetry)));
  cpu_context ctx(threads);
  output_set files;
  write(rows, input, symmetry, files.add(options.output), ctx, facts);
  if (!options.names.empty()) write_names(files.add(options.names), input.names);
  finish(work, facts.text(options.common.format), options.common, files);
}

/// The same rows without their values.
host_rows<pattern> structure_of(host_rows<double> rows) {
  host_rows<pattern> places;
  places.num_rows = rows.num_rows;
  places.num_columns = rows.num_columns;
  places.num_nonzeros = rows.num_nonzeros;
  places.row_offsets = std::move(rows.row_offsets);
  places.columns = std::move(rows.columns);
  return places;
}

bool are_ones(const array<double>& values) {
  return std::all_of(values.data(), values.data() + values.size(),
                     [](double value) { return value == 1; });
}

void run(const convert_options& options) {
  expect_separate_files({{"MATRIX", options.input.path}},
                        {{"OUT", options.output}, {"--names", options.names}});
  const bool to_edges =
      is_written_as(options.output, ".txt") || is_written_as(options.output, ".csv");
  const bool needs_square = to_edges || options.symmetrize;
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.input.path});
  const int threads = device.host_threads();
  graph_input input =
      needs_square ? read_graph(options.input, threads) : read_matrix(options.input, threads);
  const bool has_values = input.weighted();
  // Entries without values count as 1: those with the same row and column have a sum.
  if (options.input.duplicates == duplicates::sum && !options.input.pattern) {
    count_each_entry(input);
  }
  runtime::engine& engine = device.open(work);
  const runtime::sparse_rows rows =
      with_names(input, options.input, [&] { return edit(input, options, engine, work); });
  engine.synchronize();
  work.begin("copy out");
  if (!rows.has_values) {
    return conclude(downloaded<pattern>(engine, rows), input, options, threads, work);
  }
  host_rows<double> weighted = downloaded<double>(engine, rows);
  if (!has_values && are_ones(weighted.values)) {
    return conclude(structure_of(std::move(weighted)), input, options, threads, work);
  }
  conclude(weighted, input, options, threads, work);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<convert_options>();
  command_spec* const command = program.add_subcommand(
      "convert", "Convert a sparse matrix or a graph to another file format, with optional edits");
  command->footer(
      "Entries are written row by row. Lists of edges contain the names of the vertices.\n"
      "Matrix Market numbers the vertices from 1 and .npz from 0, in the order of their\n"
      "names; --names writes these names. For example:\n"
      "  evenfold convert wiki-Vote.txt votes.npz --drop-self-loops --names voters.csv");
  add_matrix_options(*command, options->input);
  command
      ->add_option(
          "OUT", options->output,
          "The file to write; its ending decides the format: .mtx, .npz, .txt or .csv (edges)")
      ->required()
      ->type_name("FILE")
      ->check(ends_in({".mtx", ".npz", ".txt", ".csv"}));
  command->add_flag(
      "--symmetrize", options->symmetrize,
      "Add the transposed entry of each entry off the diagonal; with --duplicates first,\n"
      "only where there is none");
  command->add_flag("--drop-self-loops", options->drop_self_loops,
                    "Leave out the entries on the diagonal");
  command->add_flag("--pattern", options->input.pattern,
                    "Leave out the values, and keep only rows and columns of entries");
  command->add_flag("--general", options->general,
                    "Write both triangles of a symmetric matrix; by default, a Matrix Market file\n"
                    "contains the lower triangle");
  command
      ->add_option(
          "--names", options->names,
          "Write the names of the vertices to this file, one per row, in their order (.csv)")
      ->type_name("FILE");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::convert
