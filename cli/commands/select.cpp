// evenfold select: some columns of a table.

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/column_ranges.hpp"

namespace evenfold::cli::commands::select {

namespace {

struct select_options {
  table_options table;
  std::string file;
  std::vector<column_range> columns;
};

void run(const select_options& options) {
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, names_of(options.columns));
  std::vector<std::int32_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<output_columns> columns;
  columns.reserve(options.columns.size());
  for (const column_range& range : options.columns) {
    columns.push_back(fields_of(table, columns_of(range, table), rows, options.table));
  }
  tell_names_apart(columns);
  run.write(columns, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<select_options>();
  command_spec* const command =
      program.add_subcommand("select", "Keep some columns of a table, in any order");
  command->footer(
      "Columns are written in the given order, each as often as it is given; the second copy\n"
      "of column a is called a_. A range such as a-c stands for all columns of the file from a\n"
      "to c. Quote a name with a comma or a hyphen; a hyphen needs no quotes where the whole\n"
      "text is the name of a column. For example:\n"
      "  evenfold select data/capitals.csv --columns country,latitude-longitude");
  add_table_file(*command, "FILE", options->file, "A table");
  command
      ->add_text_option(
          "--columns",
          [options](const std::string& text) { options->columns = parse_column_ranges(text); },
          "Columns and ranges of columns to keep")
      ->required()
      ->type_name("COL[-COL2],...");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::select
