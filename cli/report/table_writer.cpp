#include "cli/report/table_writer.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "cli/input/rows.hpp"
#include "cli/report/output.hpp"

namespace evenfold::cli {

namespace {

/// Columns from `first` to `last` stand side by side in the file, delimiters between them.
struct column_run {
  std::size_t first, last;
};

std::vector<column_run> runs_of(const std::vector<std::size_t>& columns) {
  std::vector<column_run> runs;
  for (const std::size_t column : columns) {
    if (runs.empty() || runs.back().last + 1 != column) runs.push_back({column, column});
    runs.back().last = column;
  }
  return runs;
}

std::string_view bytes_of(const csv_table& table, std::size_t row, column_run run) {
  const char* const begin = table.field(row, run.first).data();
  const std::string_view last = table.field(row, run.last);
  return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

}  // namespace

output_columns fields_of(const csv_table& table, const std::vector<std::size_t>& columns,
                         std::span<const std::int32_t> rows, const table_options& options) {
  output_columns result;
  for (const std::size_t column : columns) result.names.push_back(table.columns()[column]);
  result.append = [&table, &options, rows, runs = runs_of(columns)](csv_writer& csv,
                                                                    std::size_t k) {
    for (const column_run run : runs) {
      if (rows[k] != no_row) {
        csv.raw_field(bytes_of(table, static_cast<std::size_t>(rows[k]), run));
      } else {
        for (auto column = run.first; column <= run.last; ++column)
          csv.raw_field(options.nulls.first());
      }
    }
  };
  return result;
}

output_columns fields_of(const csv_table& table, std::span<const std::int32_t> rows,
                         const table_options& options) {
  std::vector<std::size_t> columns(table.num_columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return fields_of(table, columns, rows, options);
}

output_columns numbers_of(std::string name, std::vector<std::int32_t> values,
                          const table_options& options) {
  return numbers_of(
      std::move(name), std::move(values), [](std::size_t, std::int32_t value) { return value < 0; },
      options);
}

std::string free_name(std::string name, const std::string& ending,
                      const std::vector<std::string>& taken) {
  while (std::find(taken.begin(), taken.end(), name) != taken.end()) name += ending;
  return name;
}

void tell_names_apart(std::vector<output_columns>& columns) {
  std::unordered_set<std::string> taken;
  for (output_columns& part : columns) {
    for (std::string& name : part.names) {
      while (!taken.insert(name).second) name += '_';
    }
  }
}

void write_rows(cpu_context& ctx, const std::vector<output_columns>& columns, std::size_t num_rows,
                bool names, const table_options& options, output_set& files) {
  constexpr std::size_t block_rows = 1 << 12;
  constexpr std::size_t batch_blocks = 64;
  output_file* const file = options.output.empty() ? nullptr : &files.add(options.output);
  const auto write = [&](std::string_view text) {
    if (file != nullptr) {
      file->write(text);
    } else {
      print(text);
    }
  };

  if (names) {
    csv_writer header(options.csv.delimiter);
    for (const output_columns& part : columns) {
      for (const std::string& name : part.names) header.field(name);
    }
    header.end_record();
    write(header.text());
  }
  for (std::size_t row = 0; row < num_rows; row += batch_blocks * block_rows) {
    const std::size_t batch_end = std::min(num_rows, row + batch_blocks * block_rows);
    std::vector<csv_writer> blocks((batch_end - row + block_rows - 1) / block_rows,
                                   csv_writer(options.csv.delimiter));
    for_each_row(ctx, blocks.size(), [&](std::size_t b) {
      const std::size_t end = std::min(batch_end, row + (b + 1) * block_rows);
      for (std::size_t k = row + b * block_rows; k < end; ++k) {
        for (const output_columns& part : columns) part.append(blocks[b], k);
        blocks[b].end_record();
      }
    });
    for (const csv_writer& block : blocks) write(block.text());
  }
}

}  // namespace evenfold::cli
