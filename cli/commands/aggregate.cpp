// evenfold aggregate: the fold of a matrix from a file, or of each of its rows or columns.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/number_file.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/matrices.hpp"

namespace evenfold::cli {

namespace {

struct aggregate_options {
  common_options common;
  number_source file;
  std::string op;
  std::string axis = "all";
  std::string output;
};

// In the order of the enumerators.
constexpr std::array operators = {"max", "min", "sum", "product", "mean", "argmax", "argmin"};
constexpr std::array axes = {"all", "rows", "columns"};

using runtime::aggregate_axis;
using runtime::aggregate_operator;

bool locates(aggregate_operator op) {
  return op == aggregate_operator::argmax || op == aggregate_operator::argmin;
}

struct aggregate_query {
  /// For messages.
  std::string file;
  runtime::array elements;
  runtime::matrix_shape shape;
  aggregate_operator op;
  aggregate_axis axis;
};

struct aggregate_answer {
  numbers values;
  std::vector<std::int64_t> places;
};

/// What the report and the output file say.
struct result {
  const aggregate_options& options;
  const aggregate_query& query;
  aggregate_answer answer;

  bool of_all() const { return query.axis == aggregate_axis::all; }
  /// The name of one fold's line.
  const char* line() const { return query.axis == aggregate_axis::rows ? "row" : "column"; }
  /// What is asked for: of argmax and argmin the places, as NumPy counts them.
  numbers values() const {
    if (!locates(query.op)) return answer.values;
    if (!of_all()) return answer.places;
    return std::vector<std::int64_t>{answer.places[0] * query.shape.columns + answer.places[1]};
  }
};

/// The texts of numbers, as the report's format has them.
std::vector<std::string> texts(const numbers& values) {
  return std::visit(
      [](const auto& all) {
        std::vector<std::string> result(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) append_number(result[i], all[i]);
        return result;
      },
      values);
}

std::vector<std::string> json_texts(const numbers& values) {
  return std::visit(
      [](const auto& all) {
        std::vector<std::string> result;
        result.reserve(all.size());
        for (const auto value : all) result.push_back(json_of(value).line());
        return result;
      },
      values);
}

/// The titles of the columns and the cells of each line.
using cells = std::vector<std::vector<std::string>>;
cells as_cells(const result& found) {
  const std::vector<std::string> values = texts(found.values());
  const std::vector<std::string> elements = texts(found.answer.values);
  cells lines(1 + values.size());
  if (!found.of_all()) lines[0].emplace_back(found.line());
  lines[0].emplace_back(found.options.op);
  if (locates(found.query.op)) {
    if (found.of_all()) lines[0].insert(lines[0].end(), {"row", "column"});
    lines[0].emplace_back("element");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<std::string>& line = lines[i + 1];
    if (!found.of_all()) line.push_back(std::to_string(i));
    line.push_back(values[i]);
    if (locates(found.query.op)) {
      if (found.of_all()) {
        for (const std::int64_t place : found.answer.places) line.push_back(std::to_string(place));
      }
      line.push_back(elements[i]);
    }
  }
  return lines;
}

std::string as_table(const result& found) {
  const cells lines = as_cells(found);
  text_table table;
  for (const std::string& title : lines[0]) table.column(title, text_table::align::right);
  for (std::size_t i = 1; i < lines.size(); ++i) table.row(lines[i]);
  return table.text();
}

std::string as_csv(const result& found) {
  csv_writer csv;
  for (const auto& line : as_cells(found)) {
    for (const std::string& cell : line) csv.field(cell);
    csv.end_record();
  }
  return csv.text();
}

std::string as_json(const result& found) {
  std::string text = fmt::format(
      "{{\n  \"op\": \"{}\",\n  \"axis\": \"{}\",\n  \"rows\": {},\n  \"columns\": {},\n"
      "  \"type\": \"{}\"",
      found.options.op, found.options.axis, found.query.shape.rows, found.query.shape.columns,
      type_name(found.answer.values));
  const auto add = [&](std::string_view name, const numbers& values) {
    const std::vector<std::string> list = json_texts(values);
    if (found.of_all()) {
      text += fmt::format(",\n  \"{}\": {}", name, list[0]);
    } else {
      text += fmt::format(",\n  \"{}s\": [{}]", name, fmt::join(list, ", "));
    }
  };
  add("value", found.values());
  if (locates(found.query.op)) {
    if (found.of_all()) {
      text += fmt::format(",\n  \"row\": {},\n  \"column\": {}", found.answer.places[0],
                          found.answer.places[1]);
    }
    add("element", found.answer.values);
  }
  return text + "\n}\n";
}

/// Refuses undefined results before the work begins.
void check(const aggregate_query& query) {
  if (query.op == aggregate_operator::sum || query.op == aggregate_operator::product) return;
  const auto [rows, columns, row_stride, column_stride] = query.shape;
  const std::int64_t folds = query.axis == aggregate_axis::all    ? 1
                             : query.axis == aggregate_axis::rows ? rows
                                                                  : columns;
  if (folds == 0 || (rows > 0 && columns > 0)) return;
  throw error(fmt::format(
      "{}: the {} of no elements is not defined (the matrix is {} x {}), expected at least one, or "
      "--op sum or product",
      input_name(query.file), operators[static_cast<std::size_t>(query.op)], rows, columns));
}

aggregate_answer run_query(const aggregate_query& query, runtime::engine& engine, phases& work) {
  if (engine.side() != memory_side::host) work.begin("copy in");
  const runtime::array there = engine.local(query.elements);
  engine.synchronize();
  work.begin("aggregate");
  try {
    const runtime::aggregate_result found =
        engine.matrices().aggregate(there, query.shape, query.op, query.axis);
    aggregate_answer answer{downloaded(engine, found.values), {}};
    if (locates(query.op)) answer.places = runtime::to_vector<std::int64_t>(engine, found.places);
    return answer;
  } catch (const runtime::overflow_error& failure) {
    throw error(input_name(query.file) + ": " + failure.what());
  }
}

void write(output_file& file, const result& found) {
  if (!is_written_as(file.name(), ".npy")) return file.write(as_csv(found));
  std::visit(
      [&]<class T>(const std::vector<T>& values) { write_npy(file, std::span<const T>(values)); },
      found.values());
}

void run(const aggregate_options& options) {
  expect_separate_files({{"FILE", options.file.path}}, {{"--output", options.output}});
  phases work;
  work.begin("read");
  number_source source = options.file;
  command_engine device(options.common, {source.path});
  source.threads = device.host_threads();
  const auto op = named<aggregate_operator>(operators, options.op);
  source.exact = op == aggregate_operator::max || op == aggregate_operator::min || locates(op);
  const number_file file(source);
  aggregate_query query{source.path, {}, {}, op, named<aggregate_axis>(axes, options.axis)};
  file.visit([&]<class T>(matrix_view<const T> matrix) {
    query.elements =
        runtime::array::borrowed(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
    query.shape = {matrix.rows(), matrix.columns(), matrix.row_stride(), matrix.column_stride()};
  });
  check(query);
  const result found{options, query, run_query(query, device.open(work), work)};

  work.begin("report");
  const std::string report = options.common.format == output_format::table ? as_table(found)
                             : options.common.format == output_format::csv ? as_csv(found)
                                                                           : as_json(found);
  output_set files;
  if (!options.output.empty()) {
    work.begin("write");
    write(files.add(options.output), found);
  }
  finish(work, report, options.common, files);
}

}  // namespace

void add_aggregate(command_spec& program) {
  const auto options = std::make_shared<aggregate_options>();
  command_spec* const command = program.add_subcommand(
      "aggregate", "Sum, mean, minimum or maximum of a matrix, or of each of its rows or columns");
  command->footer(
      "Sums and products of integers are exact; one that does not fit into 64 bits is an\n"
      "error. Sums and products of floating-point numbers, and all means, are computed in\n"
      "float64. If an element is NaN, max and min are NaN. The values of argmax and argmin\n"
      "are indices, which count from 0 as in NumPy. For example:\n"
      "  evenfold aggregate grid.npy --op mean --axis rows --format json\n"
      "  evenfold aggregate table.csv --column delay --op max");
  add_number_file_options(*command, options->file, "For a CSV file: read only this column");
  command
      ->add_option("--op", options->op,
                   "The operation: max, min, sum, product, mean, argmax or argmin")
      ->required()
      ->type_name("OP")
      ->check(one_of(operators));
  command
      ->add_option("--axis", options->axis,
                   "What to aggregate: all elements, each row (rows), or each column (columns)")
      ->type_name("AXIS")
      ->check(one_of(axes))
      ->capture_default_str();
  command
      ->add_option("--output", options->output,
                   "Write the values to this file: .npy (one dimension) or .csv (as --format csv)")
      ->type_name("FILE")
      ->check(ends_in({".npy", ".csv"}));
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
