// evenfold fold: the fold of a file of numbers by a named strategy, with its rounds as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/report/fold_check.hpp"
#include "cli/report/fold_trace.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli::commands::fold {

namespace {

struct fold_options {
  common_options common;
  number_source file;
  std::vector<std::string> ops = {"sum"};
  std::string strategy = "tiled";
  bool trace = false;
  bool check = false;
};

// In the order of the enumerators.
constexpr std::array operators = {"sum", "product", "max", "min"};
constexpr std::array strategies = {"array_folding", "tournament", "tiled"};

/// The fold by one operation.
struct fold_query {
  /// The number of values.
  std::size_t count;
  std::string type;
  runtime::fold_operator op;
  fold_strategy strategy;

  std::string name() const { return operators[static_cast<std::size_t>(op)]; }
};

/// The content of the report.
struct fold_result {
  const fold_options& options;
  fold_query query;
  number value;
  /// If requested: the cells before the first round and after each round.
  std::vector<numbers> rounds;

  bool has_rounds() const { return query.strategy != fold_strategy::tiled; }
  int num_rounds() const { return num_fold_rounds(query.count); }
};

void check_options(const fold_options& options) {
  if (options.strategy == "tiled" && (options.trace || options.check)) {
    throw option_error(options.trace ? "--trace" : "--check",
                       "tiled has no rounds, expected --strategy array_folding or tournament");
  }
  if (options.trace && options.common.format == output_format::csv) {
    throw option_error("--trace", "CSV cannot contain a picture, expected --format table or json");
  }
}

std::string what_is_folded(const fold_query& query, const fold_options& options) {
  return input_name(options.file.path) + ": the " + query.name() + " of its values";
}

/// Refuses a fold that is undefined, and too many values for a picture.
void check_count(const fold_query& query, const fold_options& options) {
  if (options.trace && options.common.format == output_format::table &&
      query.count > most_traced_cells) {
    throw option_error(
        "--trace",
        fmt::format(
            "a picture of {} values is too wide, expected at most {} (--format json has no limit)",
            query.count, most_traced_cells));
  }
  const bool has_identity =
      query.op == runtime::fold_operator::sum || query.op == runtime::fold_operator::product;
  if (query.count == 0 && !has_identity) {
    throw error(what_is_folded(query, options) + " is not defined, expected at least one value");
  }
}

/// Refuses values whose fold does not fit. `magnitude` is that of the earlier pieces.
void check_values(const fold_query& query, const fold_options& options, const numbers& values,
                  std::uint64_t& magnitude) {
  if (query.op == runtime::fold_operator::sum) {
    expect_sum_fits(what_is_folded(query, options), values, magnitude);
  } else if (query.op == runtime::fold_operator::product) {
    expect_product_fits(what_is_folded(query, options), values, magnitude);
  }
}

/// The cells of each round; null for those that have been taken.
json trace_as_json(const fold_result& result) {
  json trace = json::array();
  for (const numbers& cells : result.rounds) {
    const int round = static_cast<int>(trace.size());
    json list = json::array();
    std::visit(
        [&](const auto& all) {
          for (std::size_t i = 0; i < all.size(); ++i) {
            const bool live = holds_fold(result.query.strategy, all.size(), round, i);
            list.push_back(live ? json_of(all[i]) : json());
          }
        },
        cells);
    trace.push_back(std::move(list));
  }
  return trace;
}

record facts_of(const fold_result& result) {
  record facts;
  facts.add("strategy", result.options.strategy);
  facts.add("op", result.query.name());
  facts.add("type", result.query.type);
  facts.add("count", result.query.count);
  if (result.has_rounds()) facts.add("rounds", std::int64_t{result.num_rounds()});
  if (result.options.check) facts.add("invariant", "holds");
  if (result.options.trace) facts.add_json("trace", trace_as_json(result));
  facts.add("value", result.value);
  return facts;
}

std::string report(const std::vector<fold_result>& results, output_format format) {
  std::string pictures;
  std::vector<record> facts;
  for (const fold_result& result : results) {
    facts.push_back(facts_of(result));
    if (format == output_format::json || !result.options.trace || result.query.count == 0) continue;
    if (results.size() > 1) pictures += result.query.name() + ":\n";
    pictures += draw_rounds(result.query.strategy, result.rounds) + '\n';
  }
  return pictures + record::text(facts, format);
}

/// Asserts the loop invariant of the strategy after a round.
///
/// Errors: error, which names the first cell that breaks it.
void expect_invariant(const fold_query& query, const numbers& values, int round,
                      const numbers& cells) {
  const auto broken = runtime::first_broken_fold_cell(query.op, query.strategy, round,
                                                      as_array(values), as_array(cells));
  if (broken) throw error(broken_invariant(query.strategy, round, *broken));
}

fold_result run_query(const fold_query& query, const number_file& file, const fold_options& options,
                      runtime::engine& engine) {
  fold_result result{options, query, {}, {}};
  numbers parts = piece_of(file, 0, 0);
  std::uint64_t magnitude = query.op == runtime::fold_operator::product ? 1 : 0;
  const auto add_part = [&](std::int64_t begin, std::int64_t end) {
    const numbers values = piece_of(file, begin, end);
    check_values(query, options, values, magnitude);
    runtime::fold_observer observe;
    if (options.trace || options.check) {
      observe = [&](int round, const runtime::array& all) {
        numbers cells = downloaded(engine, all);
        if (options.check) expect_invariant(query, values, round, cells);
        if (options.trace) result.rounds.push_back(std::move(cells));
      };
    }
    const runtime::array there = engine.local(as_array(values));
    append(parts, engine.arrays().fold(there, query.op, query.strategy, observe));
  };
  // The rounds of the other strategies are those of all values.
  for_each_piece(file.size(), add_part,
                 result.has_rounds() ? std::max(file.size(), std::int64_t{1})
                                     : size_of_folded_pieces(parts, file.size()));
  result.value = fold_of_pieces(engine, parts, query.op);
  return result;
}

void run(const fold_options& options) {
  check_options(options);
  phases work;
  work.begin("read");
  number_source source = options.file;
  command_engine device(options.common, {source.path});
  source.threads = device.host_threads();
  for (const std::string& op : options.ops) {
    (op == "max" || op == "min" ? source.exact : source.exact_integers) = true;
  }
  const number_file file(source);
  std::vector<fold_query> queries;
  for (const std::string& op : options.ops) {
    queries.push_back({static_cast<std::size_t>(file.size()), type_name(piece_of(file, 0, 0)),
                       named<runtime::fold_operator>(operators, op),
                       named<fold_strategy>(strategies, options.strategy)});
    check_count(queries.back(), options);
  }

  runtime::engine& engine = device.open(work);
  work.begin("fold");
  std::vector<fold_result> results;
  results.reserve(queries.size());
  for (const fold_query& query : queries) {
    results.push_back(run_query(query, file, options, engine));
  }
  work.begin("report");
  finish(work, report(results, options.common.format), options.common);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<fold_options>();
  command_spec* const command = program.add_subcommand(
      "fold", "Fold numbers to one value by a named strategy, and show its rounds");
  command->footer(
      "Integers are folded in 64 bits, and the result must fit; float32 and float64 are\n"
      "folded in their own type. array_folding combines the upper half of the array with the\n"
      "lower half until one element is left; tournament combines neighbours at distance 1, 2,\n"
      "4, ...; tiled is the fastest. For example:\n"
      "  evenfold fold numbers.csv --column x --strategy tournament --trace --check");
  add_number_file_options(*command, options->file, "For a CSV file: the column to fold");
  command
      ->add_list_option(
          "--op", options->ops,
          "The operation: sum, product, max or min; several with commas between them\n"
          "give one line each")
      ->type_name("OP[,OP...]")
      ->check(one_of(operators))
      ->default_str("sum");
  command
      ->add_option("--strategy", options->strategy,
                   "The strategy: array_folding, tournament or tiled")
      ->type_name("NAME")
      ->check(one_of(strategies))
      ->capture_default_str();
  command->add_flag(
      "--trace", options->trace,
      fmt::format("Draw the array after each round; for at most {} values", most_traced_cells));
  command->add_flag("--check", options->check,
                    "Check the loop invariant of the strategy after each round");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::fold
