// evenfold unique: the first row of each key.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::unique {

namespace {

struct unique_options {
  table_options table;
  std::string file;
  std::vector<sort_key> by;
  bool count = false;
};

void run(const unique_options& options) {
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, names_of(options.by));
  const std::vector<key_column> keys = run.keys(table, options.by);
  runtime::engine& engine = run.open("unique");
  const runtime::first_rows found = engine.tables().unique(local(engine, keys));
  const auto rows = runtime::to_vector<std::int32_t>(engine, found.rows);
  auto counts = runtime::to_vector<std::int32_t>(engine, found.counts);
  std::vector<output_columns> columns = {fields_of(table, rows, options.table)};
  if (options.count) {
    columns.push_back(
        numbers_of(free_name("count", "_", table.columns()), std::move(counts), options.table));
  }
  run.write(columns, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<unique_options>();
  command_spec* const command =
      program.add_subcommand("unique", "Keep the first row with each key");
  command->footer(std::string(about_keys) +
                  "Nulls are equal to each other. The rows keep their order. For example:\n"
                  "  evenfold unique data/capitals.csv --by continent --count");
  add_table_file(*command, "FILE", options->file, "A table");
  add_by_option(*command, options->by, "COL,...", "Columns of the key");
  command->add_flag("--count", options->count,
                    "Add a column with the number of rows that have the key");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::unique
