#include "cli/input/number_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/input/header_option.hpp"
#include "cli/input/rows.hpp"
#include "cli/input/table_keys.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

namespace {

/// The columns as numbers of type T. Errors: input_error where a field is none.
template <class T>
csv_numbers<T> columns_as(cpu_context& ctx, const csv_table& table,
                          const std::vector<std::size_t>& columns, const number_rule& rule = {}) {
  csv_numbers<T> result{
      static_cast<std::int64_t>(table.num_rows()), static_cast<std::int64_t>(columns.size()), {}};
  result.values.reserve(table.num_rows() * columns.size());
  for (const std::size_t column : columns) {
    const std::vector<T> values = table.numbers<T>(ctx, column, rule);
    result.values.insert(result.values.end(), values.begin(), values.end());
  }
  return result;
}

/// The same, or nothing.
template <class T>
std::optional<csv_numbers<T>> columns_if(cpu_context& ctx, const csv_table& table,
                                         const std::vector<std::size_t>& columns) {
  try {
    return columns_as<T>(ctx, table, columns);
  } catch (const input_error&) {
    return std::nullopt;
  }
}

/// Errors: input_error for the first integer that no double is equal to.
void refuse_rounded(cpu_context& ctx, const csv_table& table,
                    const std::vector<std::size_t>& columns) {
  for (const std::size_t column : columns) {
    const std::size_t first = fold_rows(
        ctx, table.num_rows(),
        [&](std::size_t row) {
          return exact_value(table.field(row, column)).rest != 0 ? row : table.num_rows();
        },
        minimum{}, table.num_rows());
    if (first == table.num_rows()) continue;
    table.fail(
        first, column,
        fmt::format("{} in column {} is an integer that float64 would round, and all numbers are "
                    "read as float64 since some are fractions; expected only integers{}",
                    shown(trimmed(table.field(first, column))), shown(table.columns()[column]),
                    columns.size() > 1 ? ", or the option --column" : ""));
  }
}

}  // namespace

void add_number_file_options(command_spec& command, number_source& source,
                             const char* about_column) {
  command.add_option("FILE", source.path, about_numbers)->required()->type_name("");
  command.add_option("--column", source.column, about_column)->type_name("COL");
  add_header_option(command, source.header);
}

number_file::number_file(const number_source& source) : content_(read(source)) {}

number_file::content number_file::read(const number_source& source) {
  const std::string& name = source.path;
  cpu_context ctx(source.threads);
  auto file = std::make_unique<file_text>(ctx, name);
  const std::string_view text = detail::utf8_text(file->text(), name);
  const bool is_npy = text.starts_with(detail::npy_header_parser::magic);
  const bool is_matrix_market = text.starts_with("%%");
  if ((is_npy || is_matrix_market) && !source.column.empty()) {
    throw input_error(name, "the column " + shown(source.column) +
                                " was asked for, expected a CSV file; " +
                                (is_npy ? ".npy" : "Matrix Market") + " files do not name columns");
  }
  if (is_npy) return npy_file(std::move(file), name);
  if (is_matrix_market) return matrix_market_array::read_text(ctx, text, name);

  csv_options options;
  options.header = source.header;
  if (!source.column.empty()) options.asked = {source.column};
  const csv_table table = csv_table::read_text(ctx, text, name, options);
  // Texts in the first line are certainly names: as data they would be refused.
  if (table.header().reason == header_reason::numbers) warn_of_guess(name, table.header());
  std::vector<std::size_t> columns;
  if (!source.column.empty()) {
    columns.push_back(table.column(source.column));
  } else {
    for (std::size_t column = 0; column < table.num_columns(); ++column) columns.push_back(column);
  }
  if (auto integers = columns_if<std::int64_t>(ctx, table, columns)) return std::move(*integers);
  if (auto integers = columns_if<std::uint64_t>(ctx, table, columns)) return std::move(*integers);
  const std::string expected =
      columns.size() > 1
          ? "numbers in all columns, or the option --column"
          : fmt::format(
                "a number in every row; evenfold filter --where '{}!=\"\"' drops empty ones",
                table.columns()[columns.front()]);
  number_rule rule;
  rule.expected = expected;
  csv_numbers<double> doubles = columns_as<double>(ctx, table, columns, rule);
  if (source.exact) refuse_rounded(ctx, table, columns);
  return doubles;
}

}  // namespace evenfold::cli
