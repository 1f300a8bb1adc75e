// evenfold fold: the fold of a file of numbers by a named strategy, with its rounds as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/device.hpp"
#include "cli/fold_check.hpp"
#include "cli/fold_query.hpp"
#include "cli/fold_trace.hpp"
#include "cli/output.hpp"
#include "cli/read_numbers.hpp"
#include "evenfold/io/csv_writer.hpp"

namespace evenfold::cli {

namespace {

struct fold_options {
  common_options common;
  number_source file;
  std::string op = "sum";
  std::string strategy = "tiled";
  bool trace = false;
  bool check = false;
};

constexpr std::array operators = {"sum", "product", "max", "min"};
constexpr std::array strategies = {"array_folding", "tournament", "tiled"};

/// The enumerator of a name; the lists are in the order of the enumerators.
template <class Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// What the report says.
struct fold_result {
  const fold_options& options;
  const fold_query& query;
  number value;
  /// If asked for: the cells before the first round and after each.
  std::vector<numbers> rounds;

  bool has_rounds() const { return query.strategy != fold_strategy::tiled; }
  int num_rounds() const { return num_fold_rounds(count_of(query.values)); }
};

void check_options(const fold_options& options) {
  if (options.strategy == "tiled" && (options.trace || options.check)) {
    throw CLI::ValidationError(
        options.trace ? "--trace" : "--check",
        "tiled has no rounds, expected --strategy array_folding or tournament");
  }
  if (options.trace && options.common.format == output_format::csv) {
    throw CLI::ValidationError("--trace", "a picture is no CSV, expected --format table or json");
  }
}

/// Refuses values whose fold is not defined or has no room, and too many for a picture.
void check_values(const fold_query& query, const fold_options& options) {
  const std::size_t count = count_of(query.values);
  if (options.trace && options.common.format == output_format::table && count > most_traced_cells) {
    throw CLI::ValidationError(
        "--trace", fmt::format("{} values are too wide for a picture, expected at most {} "
                               "(--format json takes any number)",
                               count, most_traced_cells));
  }
  const std::string what = options.file.path + ": the " + options.op + " of its values";
  if (query.op == fold_operator::sum) {
    expect_sum_fits(what, query.values);
  } else if (query.op == fold_operator::product) {
    expect_product_fits(what, query.values);
  } else if (count == 0) {
    throw error(what + " is not defined, expected at least one value");
  }
}

std::string as_table(const fold_result& result) {
  text_table table;
  table.column("strategy", text_table::align::left);
  table.column("op", text_table::align::left);
  table.column("type", text_table::align::left);
  table.column("values", text_table::align::right);
  std::vector<std::string> row = {result.options.strategy, result.options.op,
                                  type_name(result.query.values),
                                  fmt::format("{}", count_of(result.query.values))};
  if (result.has_rounds()) {
    table.column("rounds", text_table::align::right);
    row.push_back(fmt::format("{}", result.num_rounds()));
  }
  if (result.options.check) {
    table.column("invariant", text_table::align::left);
    row.emplace_back("holds");
  }
  table.column("result", text_table::align::right);
  row.push_back(text_of(result.value));
  table.row(row);
  if (!result.options.trace || count_of(result.query.values) == 0) return table.text();
  return draw_rounds(result.query.strategy, result.rounds) + '\n' + table.text();
}

std::string as_csv(const fold_result& result) {
  csv_writer csv;
  for (const char* title : {"strategy", "op", "type", "values", "rounds", "invariant", "result"}) {
    csv.field(title);
  }
  csv.end_record();
  csv.field(result.options.strategy);
  csv.field(result.options.op);
  csv.field(type_name(result.query.values));
  csv.field(fmt::format("{}", count_of(result.query.values)));
  csv.field(result.has_rounds() ? fmt::format("{}", result.num_rounds()) : "");
  csv.field(result.options.check ? "holds" : "");
  csv.field(text_of(result.value));
  csv.end_record();
  return csv.text();
}

/// The cells of each round; null for those that have been taken.
nlohmann::ordered_json trace_as_json(const fold_result& result) {
  auto trace = nlohmann::ordered_json::array();
  for (const numbers& cells : result.rounds) {
    const int round = static_cast<int>(trace.size());
    auto list = nlohmann::ordered_json::array();
    std::visit(
        [&](const auto& all) {
          for (std::size_t i = 0; i < all.size(); ++i) {
            const bool live = holds_fold(result.query.strategy, all.size(), round, i);
            list.push_back(live ? json_of(all[i]) : nullptr);
          }
        },
        cells);
    trace.push_back(std::move(list));
  }
  return trace;
}

std::string as_json(const fold_result& result) {
  nlohmann::ordered_json object = {{"strategy", result.options.strategy},
                                   {"op", result.options.op},
                                   {"type", type_name(result.query.values)},
                                   {"count", count_of(result.query.values)}};
  if (result.has_rounds()) object["rounds"] = result.num_rounds();
  if (result.options.check) object["invariant"] = "holds";
  if (result.options.trace) object["trace"] = trace_as_json(result);
  object["value"] = json_of(result.value);
  return object.dump(2) + "\n";
}

number answer(const fold_query& query, const fold_options& options, const device& where,
              const on_fold_round& observe, phases& work) {
  const auto begin = [&](std::string phase) { work.begin(std::move(phase)); };
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu)
    return gpu_backend::fold(query, where, options.common.threads, observe, begin);
#endif
  return host_backend::fold(query, where, options.common.threads, observe, begin);
}

void run(const fold_options& options) {
  check_options(options);
  const device where = chosen(options.common.where);
  phases work;
  work.begin("read");
  number_source source = options.file;
  source.threads = where.on == device::kind::reference ? 1 : options.common.threads;
  const numbers values = read_numbers(source).values;
  const fold_query query{values, named<fold_operator>(operators, options.op),
                         named<fold_strategy>(strategies, options.strategy)};
  check_values(query, options);

  fold_result result{options, query, {}, {}};
  on_fold_round observe;
  if (options.trace || options.check) {
    observe = [&](int round, const numbers& cells) {
      if (options.check) expect_invariant(query, round, cells);
      if (options.trace) result.rounds.push_back(cells);
    };
  }
  result.value = answer(query, options, where, observe, work);

  work.begin("report");
  const std::string report = options.common.format == output_format::table ? as_table(result)
                             : options.common.format == output_format::csv ? as_csv(result)
                                                                           : as_json(result);
  const std::string times = work.finish();
  print(report);
  if (options.common.time) fmt::print(stderr, "{}", times);
}

}  // namespace

void add_fold(CLI::App& program) {
  const auto options = std::make_shared<fold_options>();
  CLI::App* const command =
      program.add_subcommand("fold", "Fold numbers by a named strategy, and watch its rounds");
  command->footer(
      "array_folding adds the upper half of the array to the lower half until one cell is left;\n"
      "tournament adds neighbours at distance 1, 2, 4, ...; tiled is the fast one. For example:\n"
      "  evenfold fold numbers.csv --column x --strategy tournament --trace --check\n"
      "Integers are folded in 64 bits and must fit; float32 and float64 in their own type.");
  command->add_option("FILE", options->file.path, "Numbers: .npy, .csv or Matrix Market array")
      ->required()
      ->type_name("");
  command->add_option("--column", options->file.column, "Of a CSV file: the column to fold")
      ->type_name("COL");
  command->add_option("--op", options->op, "What to fold with: sum, product, max or min")
      ->type_name("OP")
      ->check(CLI::IsMember(std::vector<std::string>(operators.begin(), operators.end()))
                  .description(""))
      ->capture_default_str();
  command->add_option("--strategy", options->strategy, "How: array_folding, tournament or tiled")
      ->type_name("NAME")
      ->check(CLI::IsMember(std::vector<std::string>(strategies.begin(), strategies.end()))
                  .description(""))
      ->capture_default_str();
  command->add_flag(
      "--trace", options->trace,
      fmt::format("Draw the array after each round, up to {} values", most_traced_cells));
  command->add_flag("--check", options->check,
                    "Assert the loop invariant of the strategy after each round");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
