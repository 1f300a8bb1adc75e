#include "cli/commands/table_run.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "cli/input/csv_file.hpp"
#include "cli/input/csv_form.hpp"
#include "cli/report/report.hpp"

namespace evenfold::cli {

namespace {

void expect_few_rows(const std::string& file, std::size_t rows, const char* where) {
  if (rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw input_error(
        file, fmt::format("the table has {} rows{}, expected fewer than 2^31", rows, where));
  }
}

/// The paths of the inputs, none of which is the output.
std::vector<std::string> checked_paths(const std::vector<named_file>& inputs,
                                       const table_options& options) {
  expect_separate_files(inputs, {{"--output", options.output}});
  std::vector<std::string> paths;
  paths.reserve(inputs.size());
  for (const named_file& input : inputs) paths.push_back(input.path);
  return paths;
}

}  // namespace

table_run::table_run(const table_options& options, const std::vector<named_file>& files)
    : options_(options),
      device_(options.common, checked_paths(files, options)),
      ctx_(device_.host_threads()) {
  work.begin("read");
}

runtime::engine& table_run::open(const char* phase) {
  runtime::engine& engine = device_.open(work);
  work.begin(phase);
  return engine;
}

csv_table table_run::read(const std::string& file, std::vector<std::string> asked) {
  csv_options form = options_.csv;
  form.asked = std::move(asked);
  csv_table table = read_csv_file(ctx_, file, form);
  if (table.header().is_guess()) warn_of_guess(file, table.header());
  has_names_ = has_names_ || table.header().header;
  expect_few_rows(file, table.num_rows(), "");
  return table;
}

std::vector<key_column> table_run::keys(const csv_table& table,
                                        const std::vector<sort_key>& columns) {
  work.begin("keys");
  std::vector<key_column> keys;
  for (const sort_key& key : columns) {
    const column_of column{table, table.column(key.column)};
    append_keys(keys, ctx_, {&column, 1}, options_, key.descending);
  }
  return keys;
}

std::vector<key_column> table_run::keys(const csv_table& first, const csv_table& second,
                                        const std::vector<key_pair>& columns) {
  work.begin("keys");
  expect_few_rows(second.name(), first.num_rows() + second.num_rows(), " in both tables");
  std::vector<key_column> keys;
  for (const key_pair& pair : columns) {
    const std::array<column_of, 2> sides{
        {{first, first.column(pair.first)}, {second, second.column(pair.second)}}};
    append_keys(keys, ctx_, sides, options_);
  }
  return keys;
}

void table_run::write(const std::vector<output_columns>& columns, std::size_t num_rows) {
  work.begin("write");
  write_rows(ctx_, columns, num_rows, has_names_, options_, files_);
}

void table_run::finish() { cli::finish(work, "", options_.common, files_); }

}  // namespace evenfold::cli
