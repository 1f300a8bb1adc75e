// evenfold sort: the rows of a table in the order of some of its columns.

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::sort {

namespace {

struct sort_options {
  table_options table;
  std::string file;
  std::vector<sort_key> by;
};

void run(const sort_options& options) {
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, names_of(options.by));
  const std::vector<key_column> keys = run.keys(table, options.by);
  runtime::engine& engine = run.open("sort");
  const auto rows =
      runtime::to_vector<std::int32_t>(engine, engine.tables().sort(local(engine, keys)));
  run.write({fields_of(table, rows, options.table)}, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<sort_options>();
  command_spec* const command =
      program.add_subcommand("sort", "Sort the rows of a table by one or more columns");
  command->footer(std::string(about_keys) +
                  "Nulls come last in either direction. Rows with equal keys keep their order.\n"
                  "For example:\n"
                  "  evenfold sort data/capitals.csv --by continent,latitude:desc");
  add_table_file(*command, "FILE", options->file, "A table");
  add_by_option(
      *command, options->by, "COL[:desc],...",
      "Columns to sort by, the most significant first; COL:desc sorts in descending order");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::sort
