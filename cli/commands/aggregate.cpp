// evenfold aggregate: the fold of a matrix from a file, or of each of its rows or columns.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/number_file.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/json.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/reader.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/matrices.hpp"

namespace evenfold::cli::commands::aggregate {

namespace {

struct aggregate_options {
  common_options common;
  number_source file;
  std::vector<std::string> ops;
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
  aggregate_axis axis;
};

/// The folds by one operation.
struct aggregate_answer {
  aggregate_operator op;
  numbers values;
  std::vector<std::int64_t> places;

  std::string name() const { return operators[static_cast<std::size_t>(op)]; }
};

/// The content of the report and of the output file.
struct result {
  const aggregate_options& options;
  const aggregate_query& query;
  /// One per operation.
  std::vector<aggregate_answer> answers;
  /// The names of the columns, if the file has a header and each column has a fold.
  std::vector<std::string> names;

  bool of_all() const { return query.axis == aggregate_axis::all; }
  std::size_t num_folds() const { return count_of(answers.front().values); }
  /// The name of the line of one fold.
  const char* line() const { return query.axis == aggregate_axis::rows ? "row" : "column"; }
  /// The requested numbers; for argmax and argmin the indices, as in NumPy.
  numbers values(const aggregate_answer& answer) const {
    if (!locates(answer.op)) return answer.values;
    if (!of_all()) return answer.places;
    return std::vector<std::int64_t>{answer.places[0] * query.shape.columns + answer.places[1]};
  }
};

/// The texts of numbers for a report.
std::vector<std::string> texts(const numbers& values) {
  return std::visit(
      [](const auto& all) {
        std::vector<std::string> result(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) append_number(result[i], all[i]);
        return result;
      },
      values);
}

json json_texts(const numbers& values) {
  json list = json::array();
  std::visit(
      [&](const auto& all) {
        for (const auto value : all) list.push_back(json_of(value));
      },
      values);
  return list;
}

/// The titles of the columns and the cells of each line: one column per operation, and for argmax
/// and argmin those of the element.
using cells = std::vector<std::vector<std::string>>;
cells as_cells(const result& found) {
  cells lines(1 + found.num_folds());
  const auto add = [&](const std::string& title, const std::vector<std::string>& column) {
    lines[0].push_back(title);
    for (std::size_t i = 0; i < column.size(); ++i) lines[i + 1].push_back(column[i]);
  };
  if (!found.of_all()) {
    lines[0].emplace_back(found.line());
    for (std::size_t i = 0; i < found.num_folds(); ++i) {
      lines[i + 1].push_back(found.names.empty() ? std::to_string(i) : found.names[i]);
    }
  }
  for (const aggregate_answer& answer : found.answers) {
    const std::string name = answer.name();
    const std::string prefix = found.answers.size() > 1 ? name + "_" : "";
    add(name, texts(found.values(answer)));
    if (!locates(answer.op)) continue;
    if (found.of_all()) {
      add(prefix + "row", {std::to_string(answer.places[0])});
      add(prefix + "column", {std::to_string(answer.places[1])});
    }
    add(prefix + "element", texts(answer.values));
  }
  return lines;
}

std::string as_table(const result& found) {
  const cells lines = as_cells(found);
  text_table table;
  for (const std::string& title : lines[0]) {
    const bool is_name = &title == &lines[0].front() && !found.names.empty();
    table.column(title, is_name ? text_table::align::left : text_table::align::right);
  }
  for (std::size_t i = 1; i < lines.size(); ++i) table.row(lines[i]);
  return table.text();
}

std::string as_csv(const result& found) {
  csv_writer csv;
  for (const auto& line : as_cells(found)) csv.record(line);
  return csv.text();
}

/// Adds the answer to an object: the number, or a list of one number per row or column.
void add_answer(json& object, const result& found, const aggregate_answer& answer) {
  object.set("type", type_name(answer.values));
  const auto add = [&](const char* name, const numbers& values) {
    if (found.of_all()) {
      std::visit([&](const auto& all) { object.set(name, json_of(all[0])); }, values);
    } else {
      object.set(std::string(name) + "s", json_texts(values));
    }
  };
  add("value", found.values(answer));
  if (!locates(answer.op)) return;
  if (found.of_all()) {
    object.set("row", answer.places[0]);
    object.set("column", answer.places[1]);
  }
  add("element", answer.values);
}

std::string as_json(const result& found) {
  const bool is_one = found.answers.size() == 1;
  json object = json::object();
  if (is_one) object.set("op", found.answers[0].name());
  object.set("axis", found.options.axis);
  object.set("rows", found.query.shape.rows);
  object.set("columns", found.query.shape.columns);
  if (!found.names.empty()) object.set("names", found.names);
  if (is_one) {
    add_answer(object, found, found.answers[0]);
  } else {
    json list = json::array();
    for (const aggregate_answer& answer : found.answers) {
      json one = {{"op", answer.name()}};
      add_answer(one, found, answer);
      list.push_back(std::move(one));
    }
    object.set("results", std::move(list));
  }
  return object.text();
}

/// Refuses undefined results before the work begins.
void check(const aggregate_query& query, aggregate_operator op) {
  if (op == aggregate_operator::sum || op == aggregate_operator::product) return;
  const auto [rows, columns, row_stride, column_stride] = query.shape;
  const std::int64_t folds = query.axis == aggregate_axis::all    ? 1
                             : query.axis == aggregate_axis::rows ? rows
                                                                  : columns;
  if (folds == 0 || (rows > 0 && columns > 0)) return;
  throw error(fmt::format(
      "{}: the {} of no elements is not defined (the matrix is {} x {}), expected at least one, or "
      "--op sum or product",
      input_name(query.file), operators[static_cast<std::size_t>(op)], rows, columns));
}

std::vector<aggregate_answer> run_query(const aggregate_query& query,
                                        const std::vector<aggregate_operator>& ops,
                                        runtime::engine& engine, phases& work) {
  if (engine.side() != memory_side::host) work.begin("copy in");
  const runtime::array there = engine.local(query.elements);
  engine.synchronize();
  work.begin("aggregate");
  std::vector<aggregate_answer> answers;
  try {
    for (const aggregate_operator op : ops) {
      const runtime::aggregate_result found =
          engine.matrices().aggregate(there, query.shape, op, query.axis);
      answers.push_back({op, downloaded(engine, found.values), {}});
      if (locates(op)) {
        answers.back().places = runtime::to_vector<std::int64_t>(engine, found.places);
      }
    }
  } catch (const runtime::overflow_error& failure) {
    throw error(input_name(query.file) + ": " + failure.what());
  }
  return answers;
}

/// One operation as an array of one dimension; several as the columns of a matrix, of their common
/// type or else of float64.
void write_array(output_file& file, const result& found) {
  std::vector<numbers> columns;
  columns.reserve(found.answers.size());
  for (const aggregate_answer& answer : found.answers) columns.push_back(found.values(answer));
  const auto same_type = [&](const numbers& values) {
    return values.index() == columns.front().index();
  };
  if (!std::all_of(columns.begin(), columns.end(), same_type)) {
    for (numbers& values : columns) values = as_doubles(std::move(values));
  }
  std::visit(
      [&]<class T>(const std::vector<T>& first) {
        if (columns.size() == 1) return write_npy(file, std::span<const T>(first));
        std::vector<T> all;
        for (const numbers& values : columns) {
          const auto& more = std::get<std::vector<T>>(values);
          all.insert(all.end(), more.begin(), more.end());
        }
        write_npy(file, matrix_view<const T>::column_major(all.data(), std::ssize(first),
                                                           std::ssize(columns)));
      },
      columns.front());
}

void write(output_file& file, const result& found) {
  if (is_written_as(file.name(), ".npy")) return write_array(file, found);
  file.write(as_csv(found));
}

void run(const aggregate_options& options) {
  expect_separate_files({{"FILE", options.file.path}}, {{"--output", options.output}});
  phases work;
  work.begin("read");
  number_source source = options.file;
  command_engine device(options.common, {source.path});
  source.threads = device.host_threads();
  std::vector<aggregate_operator> ops;
  source.all_rows = options.axis == "rows";
  for (const std::string& name : options.ops) {
    const auto op = ops.emplace_back(named<aggregate_operator>(operators, name));
    source.exact = source.exact || op == aggregate_operator::max || op == aggregate_operator::min ||
                   locates(op);
    source.exact_integers =
        source.exact_integers || op == aggregate_operator::sum || op == aggregate_operator::product;
    source.all_rows = source.all_rows || locates(op);
  }
  const number_file file(source);
  aggregate_query query{source.path, {}, {}, named<aggregate_axis>(axes, options.axis)};
  file.visit([&]<class T>(matrix_view<const T> matrix) {
    query.elements =
        runtime::array::borrowed(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
    query.shape = {matrix.rows(), matrix.columns(), matrix.row_stride(), matrix.column_stride()};
  });
  for (const aggregate_operator op : ops) check(query, op);
  const result found{
      options, query, run_query(query, ops, device.open(work), work),
      query.axis == aggregate_axis::columns ? file.names() : std::vector<std::string>()};

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

void add(command_spec& program) {
  const auto options = std::make_shared<aggregate_options>();
  command_spec* const command = program.add_subcommand(
      "aggregate", "Sum, mean, minimum or maximum of a matrix, or of each of its rows or columns");
  command->footer(
      "Sums and products of integers are exact; one that does not fit into 64 bits is an\n"
      "error. Sums and products of floating-point numbers, and all means, are computed in\n"
      "float64. If an element is NaN, max and min are NaN. The values of argmax and argmin\n"
      "are indices, which count from 0 as in NumPy. For example:\n"
      "  evenfold aggregate grid.npy --op mean --axis rows --format json\n"
      "  evenfold aggregate table.csv --column delay --op mean,min,max");
  add_number_file_options(*command, options->file, "For a CSV file: read only this column");
  command
      ->add_list_option(
          "--op", options->ops,
          "The operation: max, min, sum, product, mean, argmax or argmin; several with\n"
          "commas between them give one column each")
      ->required()
      ->type_name("OP[,OP...]")
      ->check(one_of(operators));
  command
      ->add_option("--axis", options->axis,
                   "What to aggregate: all elements, each row (rows), or each column (columns)")
      ->type_name("AXIS")
      ->check(one_of(axes))
      ->capture_default_str();
  add_output_option(
      *command, options->output,
      "Write the values to this file: .npy (one dimension, or one column per operation)\n"
      "or .csv (as --format csv)",
      {".npy", ".csv"});
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::aggregate
