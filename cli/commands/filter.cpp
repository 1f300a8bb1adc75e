// evenfold filter: the rows of a table that meet a condition.

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/row_codes.hpp"
#include "cli/input/row_condition.hpp"

namespace evenfold::cli::commands::filter {

namespace {

struct filter_options {
  table_options table;
  std::string file;
  /// The conditions of all --where as one condition.
  std::vector<condition_step> where;
};

void run(const filter_options& options) {
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, columns_of(options.where));
  run.work.begin("keys");
  std::vector<coded_step> steps;
  append_codes(steps, run.ctx(), table, options.where, options.table);
  runtime::engine& engine = run.open("filter");
  const auto rows =
      runtime::to_vector<std::int32_t>(engine, engine.tables().filter(local(engine, steps)));
  run.write({fields_of(table, rows, options.table)}, rows.size());
  run.finish();
}

/// The conjunction of several conditions.
std::vector<condition_step> parse_conditions(const std::vector<std::string>& texts) {
  std::vector<condition_step> all;
  for (const std::string& text : texts) {
    const bool is_first = all.empty();
    for (condition_step& step : parse_row_condition(text)) all.push_back(std::move(step));
    if (!is_first) all.push_back({condition_step::kind::conjunction});
  }
  return all;
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<filter_options>();
  command_spec* const command =
      program.add_subcommand("filter", "Keep the rows of a table that meet a condition");
  command->footer(
      "Conditions, as in SQL:\n"
      "  COL = VALUE, also == != <> < <= > >=; the right side may be a column, too\n"
      "  COL is [not] null, COL [not] in (VALUE, ...), COL [not] between VALUE and VALUE\n"
      "  COL ~ 'REGEX', COL !~ 'REGEX': some part of the text matches, or none does\n"
      "  not A, A and B, A or B, (A)\n"
      "A text or a name with blanks or signs needs single or double quotes. On the right side,\n"
      "quotes mark a text, and brackets mark a column: [last name].\n" +
      std::string(about_keys) +
      "A comparison with a null is unknown, and unknown does not satisfy a condition. For\n"
      "example:\n"
      "  evenfold filter data/capitals.csv \\\n"
      "    --where \"latitude >= 60 and continent in ('Europe', 'Asia') or name ~ '^San'\"");
  add_table_file(*command, "FILE", options->file, "A table");
  command
      ->add_texts_option(
          "--where",
          [options](const std::vector<std::string>& texts) {
            options->where = parse_conditions(texts);
          },
          "The condition; if the option is repeated, rows must satisfy every one")
      ->required()
      ->type_name("CONDITION");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::filter
