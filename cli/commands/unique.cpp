// evenfold unique: the first row of each key.

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/table_query.hpp"

namespace evenfold::cli {

namespace {

struct unique_options {
  table_options table;
  std::string file;
  std::vector<sort_key> by;
  bool count = false;
};

first_rows run_query(const std::vector<key_column>& keys, const unique_options& options,
                     table_run& run) {
#if defined(EVENFOLD_WITH_CUDA)
  if (run.where.on == device::kind::gpu) {
    return gpu_backend::unique_rows(keys, run.where, 0, run.begin);
  }
#endif
  return host_backend::unique_rows(keys, run.where, options.table.common.threads, run.begin);
}

void run(const unique_options& options) {
  table_run run(options.table);
  const csv_table table = run.read(options.file);
  const first_rows found = run_query(run.keys(table, options.by), options, run);
  std::vector<output_columns> columns = {fields_of(table, found.rows, options.table)};
  if (options.count) {
    columns.push_back(
        numbers_of(free_name("count", "_", table.columns()), found.counts, options.table));
  }
  run.write(columns, found.rows.size());
  run.say_times();
}

}  // namespace

void add_unique(CLI::App& program) {
  const auto options = std::make_shared<unique_options>();
  CLI::App* const command =
      program.add_subcommand("unique", "Keep the first row of each key of a table");
  command->footer(std::string(about_keys) +
                  "Nulls are equal to each other; rows keep their order. For example:\n"
                  "  evenfold unique data/capitals.csv --by continent --count");
  command->add_option("FILE", options->file, "A table: CSV, also as .gz")
      ->required()
      ->type_name("");
  command
      ->add_option_function<std::string>(
          "--by", [options](const std::string& text) { options->by = parse_sort_keys(text); },
          "Columns that make the key")
      ->required()
      ->type_name("COL,...");
  command->add_flag("--count", options->count, "Add a column: how many rows have the key");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
