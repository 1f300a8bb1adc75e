// evenfold aggregate: the fold of a matrix from a file, or of each of its rows or columns.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/aggregate_query.hpp"
#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/device.hpp"
#include "cli/input/number_file.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/file.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"

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

bool locates(aggregate_operator op) {
  return op == aggregate_operator::argmax || op == aggregate_operator::argmin;
}

/// A matrix from a file in one of the types that the query knows: viewed where it has one already.
class query_matrix {
 public:
  explicit query_matrix(const number_source& source) : ctx_(source.threads), file_(source) {
    file_.visit([this]<class T>(matrix_view<const T> matrix) {
      using wide = computed_in<T>;
      if constexpr (std::is_same_v<wide, T>) {
        view_ = matrix;
      } else {
        auto& widened = widened_.emplace<array<wide>>(ctx_, matrix.size());
        transform(ctx_, matrix.size(),
                  [from = matrix.data(), to = widened.data()](std::int64_t i) { to[i] = from[i]; });
        view_ = matrix_view<const wide>(widened.data(), matrix.rows(), matrix.columns(),
                                        matrix.row_stride(), matrix.column_stride());
      }
    });
  }

  const number_view& view() const { return view_; }
  std::int64_t rows() const {
    return std::visit([](const auto& matrix) { return matrix.rows(); }, view_);
  }
  std::int64_t columns() const {
    return std::visit([](const auto& matrix) { return matrix.columns(); }, view_);
  }

 private:
  cpu_context ctx_;
  number_file file_;
  std::variant<array<std::int64_t>, array<std::uint64_t>> widened_;
  number_view view_;
};

/// What the report and the output file say.
struct result {
  const aggregate_options& options;
  const aggregate_query& query;
  std::int64_t rows, columns;
  aggregate_answer answer;

  bool of_all() const { return query.axis == aggregate_axis::all; }
  /// The name of one fold's line.
  const char* line() const { return query.axis == aggregate_axis::rows ? "row" : "column"; }
  /// What is asked for: of argmax and argmin the places, as NumPy counts them.
  numbers values() const {
    if (!locates(query.op)) return answer.values;
    if (!of_all()) return answer.places;
    return std::vector<std::int64_t>{answer.places[0] * columns + answer.places[1]};
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
        for (const auto value : all) result.push_back(json_of(value).dump());
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
      found.options.op, found.options.axis, found.rows, found.columns,
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

/// Refuses what has no answer, before any work.
void check(const aggregate_query& query, const query_matrix& matrix) {
  if (query.op == aggregate_operator::sum || query.op == aggregate_operator::product) return;
  const std::int64_t folds = query.axis == aggregate_axis::all    ? 1
                             : query.axis == aggregate_axis::rows ? matrix.rows()
                                                                  : matrix.columns();
  if (folds == 0 || (matrix.rows() > 0 && matrix.columns() > 0)) return;
  throw error(fmt::format(
      "{}: the {} of no elements is not defined (the matrix is {} x {}), expected at least one, or "
      "--op sum or product",
      query.file, operators[static_cast<std::size_t>(query.op)], matrix.rows(), matrix.columns()));
}

aggregate_answer run_query(const aggregate_query& query, device where, int threads, phases& work) {
  const on_phase begin = work.on_begin();
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu) return gpu_backend::aggregate(query, where, threads, begin);
#endif
  return host_backend::aggregate(query, where, threads, begin);
}

void write(const result& found) {
  const std::string& path = found.options.output;
  if (path.ends_with(".npy")) {
    std::visit(
        [&]<class T>(const std::vector<T>& values) { write_npy(path, std::span<const T>(values)); },
        found.values());
  } else {
    output_file file(path);
    file.write(as_csv(found));
    file.commit();
  }
}

void run(const aggregate_options& options) {
  const device where = chosen(options.common.where);
  phases work;
  work.begin("read");
  number_source source = options.file;
  source.threads = host_threads(where, options.common);
  const query_matrix matrix(source);
  const aggregate_query query{source.path, matrix.view(),
                              named<aggregate_operator>(operators, options.op),
                              named<aggregate_axis>(axes, options.axis)};
  check(query, matrix);
  const result found{options, query, matrix.rows(), matrix.columns(),
                     run_query(query, where, options.common.threads, work)};

  work.begin("report");
  const std::string report = options.common.format == output_format::table ? as_table(found)
                             : options.common.format == output_format::csv ? as_csv(found)
                                                                           : as_json(found);
  if (!options.output.empty()) {
    work.begin("write");
    write(found);
  }
  finish(work, report, options.common);
}

}  // namespace

void add_aggregate(CLI::App& program) {
  const auto options = std::make_shared<aggregate_options>();
  CLI::App* const command = program.add_subcommand(
      "aggregate", "Fold the elements of a matrix, or of each of its rows or columns");
  command->footer(
      "Sums and products of integers are exact or refused; those of floating-point numbers, and\n"
      "means, are computed in float64. A NaN among the elements makes max and min NaN. Of argmax\n"
      "and argmin the value is a place as NumPy counts it, from 0. For example:\n"
      "  evenfold aggregate grid.npy --op mean --axis rows --format json\n"
      "  evenfold aggregate table.csv --column delay --op max");
  command->add_option("FILE", options->file.path, about_numbers)->required()->type_name("");
  command
      ->add_option("--op", options->op,
                   "How to fold: max, min, sum, product, mean, argmax or argmin")
      ->required()
      ->type_name("OP")
      ->check(one_of(operators));
  command
      ->add_option("--axis", options->axis,
                   "What to fold: all elements, each of the rows, or each of the columns")
      ->type_name("AXIS")
      ->check(one_of(axes))
      ->capture_default_str();
  command->add_option("--column", options->file.column, "Of a CSV file: the only column to read")
      ->type_name("COL");
  command
      ->add_option("--output", options->output,
                   "Write the values there: .npy (one dimension) or .csv (as --format csv)")
      ->type_name("FILE")
      ->check(ends_in({".npy", ".csv"}));
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
