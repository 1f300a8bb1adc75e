// evenfold search: the positions of the rows of one table among the sorted rows of another.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::search {

namespace {

struct search_options {
  table_options table;
  std::string needles, haystack;
  std::vector<key_pair> on;
};

void expect_sorted(const csv_table& haystack, std::int32_t first_unsorted,
                   const search_options& options) {
  const auto row = static_cast<std::size_t>(first_unsorted);
  if (row == haystack.num_rows()) return;
  std::string columns;
  for (const key_pair& pair : options.on) columns += (columns.empty() ? "" : ",") + pair.second;
  haystack.fail(
      row, haystack.column(options.on.front().second),
      fmt::format("the row is out of order, expected rows sorted by {} (evenfold sort {} --by {})",
                  shown(columns), haystack.name(), columns));
}

void run(const search_options& options) {
  table_run run(options.table, {{"NEEDLES", options.needles}, {"HAYSTACK", options.haystack}});
  const csv_table needles = run.read(options.needles, first_names(options.on));
  const csv_table haystack = run.read(options.haystack, second_names(options.on));
  const std::vector<key_column> keys = run.keys(needles, haystack, options.on);
  const auto num_needles = static_cast<std::int32_t>(needles.num_rows());
  runtime::engine& engine = run.open("search");
  const runtime::found_rows found = engine.tables().search(local(engine, keys), num_needles);
  expect_sorted(haystack, found.first_unsorted, options);
  auto lower = runtime::to_vector<std::int32_t>(engine, found.lower);
  auto upper = runtime::to_vector<std::int32_t>(engine, found.upper);

  std::vector<std::int32_t> rows(needles.num_rows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = static_cast<std::int32_t>(row);
    for (const key_column& column : keys) {
      if (!column.nulls.empty() && column.nulls[row] != 0) lower[row] = upper[row] = -1;
    }
  }
  std::vector<output_columns> columns = {fields_of(needles, rows, options.table)};
  columns.push_back(
      numbers_of(free_name("lower", "_", needles.columns()), std::move(lower), options.table));
  columns.push_back(
      numbers_of(free_name("upper", "_", needles.columns()), std::move(upper), options.table));
  run.write(columns, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<search_options>();
  command_spec* const command = program.add_subcommand(
      "search", "Find the positions of the rows of one table in another, sorted table");
  command->footer(
      std::string(about_keys) +
      "Each row of NEEDLES gets two more columns: `lower` is the number of rows of HAYSTACK\n"
      "with a smaller key, and `upper` the number of rows with a smaller or equal key.\n"
      "Counted from 0, the rows from `lower` to `upper` - 1 have the same key. Both\n"
      "columns are null in a row whose key is null. For example:\n"
      "  evenfold search incomes.csv brackets.csv --on income=from");
  add_table_file(*command, "NEEDLES", options->needles, "The table of rows to find");
  add_table_file(*command, "HAYSTACK", options->haystack,
                 "The table to search, sorted by its columns of --on");
  add_on_option(*command, options->on);
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::search
