#pragma once
// Writes the rows of a result as CSV: fields of tables, byte for byte as in the file, and columns
// of numbers.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/table_options.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

/// Neighbouring columns of the output. `append` writes their fields in a row of the output; it is
/// called for several rows at the same time.
struct output_columns {
  std::vector<std::string> names;
  std::function<void(csv_writer& csv, std::size_t row)> append;
};

/// The number of a missing row.
inline constexpr std::int32_t no_row = -1;

/// Columns of a table, in ascending order: row k of the output has the fields of rows[k], or nulls
/// where that is `no_row`. Table and rows must live as long.
output_columns fields_of(const csv_table& table, const std::vector<std::size_t>& columns,
                         std::span<const std::int32_t> rows, const table_options& options);

/// All columns of a table.
output_columns fields_of(const csv_table& table, std::span<const std::int32_t> rows,
                         const table_options& options);

/// One column of numbers, null where is_null(row, number).
template <class T, class IsNull>
output_columns numbers_of(std::string name, std::vector<T> values, IsNull is_null,
                          const table_options& options) {
  return {{std::move(name)},
          [&options, values = std::move(values), is_null = std::move(is_null)](csv_writer& csv,
                                                                               std::size_t k) {
            if (is_null(k, values[k])) return csv.raw_field(options.nulls.first());
            std::string digits;
            append_number(digits, values[k]);
            csv.raw_field(digits);
          }};
}

/// The same, null where a number is negative.
output_columns numbers_of(std::string name, std::vector<std::int32_t> values,
                          const table_options& options);

/// `name`, with `ending` appended until the name is free.
std::string free_name(std::string name, const std::string& ending,
                      const std::vector<std::string>& taken);

/// Appends underscores to the names of columns that repeat the name of a column before them.
void tell_names_apart(std::vector<output_columns>& columns);

/// Writes the rows to standard output or, if the options name a file, to a file that is added to
/// `files`; the names of the columns come above them if wanted. Blocks of rows are formatted in
/// parallel and written in order, some at a time, so that memory does not grow with the result.
///
/// Errors: output_error.
void write_rows(cpu_context& ctx, const std::vector<output_columns>& columns, std::size_t num_rows,
                bool names, const table_options& options, output_set& files);

}  // namespace evenfold::cli
