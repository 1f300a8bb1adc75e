#include "cli/input/number_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/csv_file.hpp"
#include "cli/input/rows.hpp"
#include "cli/input/table_keys.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

namespace {

/// The columns as numbers of type T. Errors: input_error for a field that is not such a number.
template <class T>
csv_numbers<T> columns_as(cpu_context& ctx, const csv_table& table,
                          const std::vector<std::size_t>& columns, const number_rule& rule) {
  csv_numbers<T> result{
      static_cast<std::int64_t>(table.num_rows()), static_cast<std::int64_t>(columns.size()), {}};
  result.values.reserve(table.num_rows() * columns.size());
  for (const std::size_t column : columns) {
    const std::vector<T> values = table.numbers<T>(ctx, column, rule);
    result.values.insert(result.values.end(), values.begin(), values.end());
  }
  return result;
}

/// The same; nothing if a field is not such a number.
template <class T>
std::optional<csv_numbers<T>> columns_if(cpu_context& ctx, const csv_table& table,
                                         const std::vector<std::size_t>& columns,
                                         const number_rule& rule) {
  try {
    return columns_as<T>(ctx, table, columns, rule);
  } catch (const input_error&) {
    return std::nullopt;
  }
}

/// The rows that have a null in one of the columns. Errors: input_error if all rows are wanted.
std::vector<std::size_t> rows_with_nulls(cpu_context& ctx, const csv_table& table,
                                         const std::vector<std::size_t>& columns,
                                         const number_source& source) {
  if (source.csv.nulls.empty()) return {};
  std::vector<std::size_t> null_in(table.num_rows(), table.num_columns());
  for (const std::size_t column : columns) {
    for_each_row(ctx, table.num_rows(), [&](std::size_t row) {
      if (source.csv.is_null(table.field(row, column))) null_in[row] = column;
    });
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < null_in.size(); ++row) {
    if (null_in[row] == table.num_columns()) continue;
    if (source.all_rows) {
      table.fail(
          row, null_in[row],
          fmt::format("the field in column {} is null, expected a number in every row, since "
                      "their positions matter here",
                      shown(table.columns()[null_in[row]])));
    }
    rows.push_back(row);
  }
  return rows;
}

/// The numbers without some rows, which are in ascending order.
template <class T>
csv_numbers<T> without(csv_numbers<T> all, const std::vector<std::size_t>& rows) {
  if (rows.empty()) return all;
  const auto num_rows = static_cast<std::size_t>(all.rows);
  std::size_t kept = 0;
  for (std::size_t column = 0; column < static_cast<std::size_t>(all.columns); ++column) {
    auto left_out = rows.begin();
    for (std::size_t row = 0; row < num_rows; ++row) {
      if (left_out != rows.end() && *left_out == row) {
        ++left_out;
      } else {
        all.values[kept++] = all.values[column * num_rows + row];
      }
    }
  }
  all.values.resize(kept);
  all.rows -= static_cast<std::int64_t>(rows.size());
  return all;
}

/// Whether a number is in the notation of an integer.
bool is_integer(std::string_view number) {
  return number.find_first_not_of("0123456789+- \t\"") == number.npos;
}

/// Whether a number is an integer that no double is equal to.
bool is_rounded(std::string_view number) {
  const double magnitude = std::fabs(exact_value(number).nearest);
  if (magnitude < 0x1p53 || !is_integer(number)) return false;
  std::string digits;
  for (const char c : number) {
    if (c >= '0' && c <= '9' && !(c == '0' && digits.empty())) digits += c;
  }
  return digits != fmt::format("{:.0f}", magnitude);
}

/// Whether a number in the notation of an integer is beyond int64.
bool is_beyond_int64(std::string_view number) {
  std::int64_t ignored = 0;
  return parse_number(number_text(number), ignored) != std::errc{};
}

/// The number of the first row in which has(field) for a field of the column that is not null, or
/// the number of rows.
template <class Has>
std::size_t first_row(cpu_context& ctx, const csv_table& table, std::size_t column,
                      const number_rule& rule, Has has) {
  return fold_rows(
      ctx, table.num_rows(),
      [&](std::size_t row) {
        const std::string_view field = table.field(row, column);
        return !rule.nulls.contains(field) && has(field) ? row : table.num_rows();
      },
      minimum{}, table.num_rows());
}

bool are_integers(cpu_context& ctx, const csv_table& table, const std::vector<std::size_t>& columns,
                  const number_rule& rule) {
  return std::all_of(columns.begin(), columns.end(), [&](std::size_t column) {
    return first_row(ctx, table, column, rule, std::not_fn(is_integer)) == table.num_rows();
  });
}

/// Errors: input_error for the first number for which has(number). `what` says what it is.
template <class Has>
void refuse(cpu_context& ctx, const csv_table& table, const std::vector<std::size_t>& columns,
            const number_rule& rule, Has has, const char* what) {
  for (const std::size_t column : columns) {
    const std::size_t row = first_row(ctx, table, column, rule, has);
    if (row == table.num_rows()) continue;
    table.fail(row, column,
               fmt::format("{} in column {} is an integer {}{}",
                           shown(trimmed(table.field(row, column))), shown(table.columns()[column]),
                           what, columns.size() > 1 ? ", or the option --column" : ""));
  }
}

}  // namespace

void add_number_file_options(command_spec& command, number_source& source,
                             const char* about_column) {
  command.add_option("FILE", source.path, about_numbers)->required()->type_name("");
  command.add_option("--column", source.column, about_column)->type_name("COL");
  add_csv_options(command, source.csv, null_rule::leave_out);
}

number_file::number_file(const number_source& source) : content_(read(source)) {}

std::int64_t number_file::rows() const {
  return visit([](const auto& matrix) { return std::int64_t{matrix.rows()}; });
}

std::int64_t number_file::columns() const {
  return visit([](const auto& matrix) { return std::int64_t{matrix.columns()}; });
}

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
  options.header = source.csv.header;
  options.delimiter = source.csv.delimiter.value_or(',');
  if (!source.column.empty()) options.asked.push_back(source.column);
  if (!source.second.empty()) options.asked.push_back(source.second);
  const csv_table table = read_csv_text(ctx, text, name, options);
  // A first line with texts in columns that are read is certainly a header: as data it would be
  // refused.
  if (table.header().is_guess() && !table.header().header) warn_of_guess(name, table.header());
  std::vector<std::size_t> columns;
  if (!source.column.empty()) {
    for (const std::string& column : options.asked) columns.push_back(table.column(column));
  } else {
    for (std::size_t column = 0; column < table.num_columns(); ++column) columns.push_back(column);
  }
  if (table.header().header) {
    for (const std::size_t column : columns) names_.push_back(table.columns()[column]);
  }
  number_rule rule;
  rule.nulls = source.csv.nulls;
  const std::vector<std::size_t> nulls = rows_with_nulls(ctx, table, columns, source);
  if (auto integers = columns_if<std::int64_t>(ctx, table, columns, rule)) {
    return without(std::move(*integers), nulls);
  }
  if (auto integers = columns_if<std::uint64_t>(ctx, table, columns, rule)) {
    return without(std::move(*integers), nulls);
  }
  rule.expected = source.column.empty() && columns.size() > 1
                      ? "numbers in all columns, or the option --column"
                  : source.all_rows || !source.csv.nulls.empty()
                      ? "a number in every row"
                      : "a number in every row; --null NA leaves out rows "
                        "with NA, --null '' rows with empty fields";
  csv_numbers<double> doubles = columns_as<double>(ctx, table, columns, rule);
  if (source.exact_integers && are_integers(ctx, table, columns, rule)) {
    refuse(ctx, table, columns, rule, is_beyond_int64,
           "that int64 cannot represent, and uint64 cannot represent all of them, so that sums and "
           "products would be rounded; expected only int64 or only uint64");
  }
  if (source.exact) {
    refuse(ctx, table, columns, rule, is_rounded,
           "that float64 would round, and all numbers are read as float64 since they are neither "
           "all int64 nor all uint64; expected only such integers");
  }
  return without(std::move(doubles), nulls);
}

}  // namespace evenfold::cli
