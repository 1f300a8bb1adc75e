// evenfold top: the first rows of a table in the order of some of its columns.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::top {

namespace {

struct top_options {
  table_options table;
  std::string file;
  std::vector<sort_key> by, per;
  std::int64_t most = 10;
};

void run(const top_options& options) {
  std::vector<std::string> asked = names_of(options.by);
  for (const sort_key& key : options.per) asked.push_back(key.column);
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, std::move(asked));
  const std::vector<key_column> keys = run.keys(table, options.by);
  const std::vector<key_column> groups = run.keys(table, options.per);
  runtime::engine& engine = run.open("top");
  const auto rows = runtime::to_vector<std::int32_t>(
      engine, engine.tables().top(local(engine, keys), local(engine, groups), options.most));
  run.write({fields_of(table, rows, options.table)}, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<top_options>();
  command_spec* const command =
      program.add_subcommand("top", "Keep the first rows in the order of one or more columns");
  command->footer(
      std::string(about_keys) +
      "The rows are the first that `evenfold sort` would write: nulls come last in either\n"
      "direction, and rows with equal keys keep their order. With --per they are the first of\n"
      "each group, group by group, the groups in the order of their keys. For example:\n"
      "  evenfold top data/capitals.csv --by latitude:desc -k 3\n"
      "  evenfold top data/capitals.csv --by latitude:desc -k 1 --per continent");
  add_table_file(*command, "FILE", options->file, "A table");
  add_by_option(
      *command, options->by, "COL[:desc],...",
      "Columns to sort by, the most significant first; COL:desc for the largest values first");
  command->add_option("-k", options->most, "Number of rows")
      ->type_name("N")
      ->capture_default_str()
      ->check(within<std::int64_t>(0, std::numeric_limits<std::int64_t>::max()));
  command
      ->add_text_option(
          "--per",
          [options](const std::string& text) { options->per = parse_sort_keys("--per", text); },
          "Keep that many rows of each group of rows that are equal in these columns")
      ->type_name("COL[:desc],...");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::top
