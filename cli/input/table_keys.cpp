#include "cli/input/table_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/report/warning.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/io/text/dictionary.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold::cli {

std::string_view number_text(std::string_view field) {
  return trimmed(
      detail::field_value(field, [](const std::string&) -> std::string_view { return "\""; }));
}

namespace {

template <class T>
T read_as(std::string_view text) {
  T value{};
  parse_number(text, value);
  return value;
}

/// Whether no number begins as this text does, which saves attempts to read one.
bool begins_no_number(std::string_view text) {
  if (text.empty()) return true;
  const char c = text.front();
  return !(c >= '0' && c <= '9') && std::string_view("+-.iInN").find(c) == std::string_view::npos;
}

/// The fields of several columns, one column after the other, as they are in the file.
struct joined_fields {
  std::span<const column_of> columns;

  std::size_t size() const {
    std::size_t sum = 0;
    for (const column_of& column : columns) sum += column.table.num_rows();
    return sum;
  }
  std::string_view operator[](std::size_t row) const {
    std::size_t column = 0;
    for (; row >= columns[column].table.num_rows(); ++column) {
      row -= columns[column].table.num_rows();
    }
    return columns[column].field(row);
  }
};

/// Texts as their ranks among the distinct texts. Whether a field is null, and its text, are found
/// once for each distinct field.
key_column text_keys(cpu_context& ctx, std::span<const column_of> columns,
                     const table_options& options, bool descending) {
  const dictionary fields = encode(ctx, joined_fields{columns});
  const std::size_t num_distinct = fields.values.size();
  std::vector<std::string_view> texts(num_distinct);
  std::vector<unsigned char> nulls(num_distinct);
  std::deque<std::string> unquoted;
  std::mutex mutex;
  for_each_row(ctx, num_distinct, [&](std::size_t k) {
    nulls[k] = options.is_null(fields.values[k]);
    texts[k] = detail::field_value(fields.values[k], [&](std::string text) -> std::string_view {
      const std::lock_guard lock(mutex);
      return unquoted.emplace_back(std::move(text));
    });
  });

  // Two fields may have the same text, one of them in quotes.
  std::vector<std::uint64_t> codes = ranks_of(ctx, texts);
  key_column keys;
  for (std::size_t k = 0; k < num_distinct; ++k) {
    if (nulls[k]) codes[k] = 0;
    keys.largest = std::max(keys.largest, codes[k]);
  }
  for (std::size_t k = 0; descending && k < num_distinct; ++k) {
    if (!nulls[k]) codes[k] = keys.largest - codes[k];
  }

  const bool has_nulls = std::find(nulls.begin(), nulls.end(), true) != nulls.end();
  keys.codes.resize(fields.ids.size());
  keys.nulls.resize(has_nulls ? fields.ids.size() : 0);
  for_each_row(ctx, fields.ids.size(), [&](std::size_t row) {
    const auto id = static_cast<std::size_t>(fields.ids[row]);
    keys.codes[row] = codes[id];
    if (has_nulls) keys.nulls[row] = nulls[id];
  });
  return keys;
}

/// Subtracts the least code from all, since several short keys fit into one. `descending` reverses
/// the order of all codes but those of nulls.
void shorten(cpu_context& ctx, key_column& keys, bool descending) {
  struct range {
    std::uint64_t low = std::numeric_limits<std::uint64_t>::max(), high = 0;
  };
  const std::size_t count = keys.codes.size();
  const auto is_null = [&](std::size_t i) { return !keys.nulls.empty() && keys.nulls[i] != 0; };
  const auto [low, high] = fold_rows(
      ctx, count,
      [&](std::size_t i) {
        return is_null(i) ? range{} : range{keys.codes[i], keys.codes[i]};
      },
      [](const range& a, const range& b) {
        return range{std::min(a.low, b.low), std::max(a.high, b.high)};
      },
      range{});
  if (low > high) return;  // nothing but nulls
  keys.largest = high - low;
  if (low == 0 && !descending) return;
  for_each_row(ctx, count, [&, low = low, high = high](std::size_t i) {
    if (!is_null(i)) keys.codes[i] = descending ? high - keys.codes[i] : keys.codes[i] - low;
  });
}

}  // namespace

template <class T>
field_kinds kind_and_value(std::string_view field, bool after_text, T& value) {
  const bool has_doubled_quote = field.starts_with('"') && field.find('"', 1) + 1 != field.size();
  if (after_text || has_doubled_quote) return {.text = true};
  const std::string_view text = number_text(field);
  if (begins_no_number(text)) return {.text = true};
  std::int64_t integer = 0;
  const std::errc status = parse_number(text, integer);
  if (status == std::errc{}) {
    value = static_cast<T>(integer);
    return {.integer = true, .negative = integer < 0, .wide = exact_number(integer).rest != 0};
  }
  if (status == std::errc::result_out_of_range) {
    std::uint64_t large = 0;
    if (parse_number(text, large) != std::errc{}) return {.text = true};
    value = static_cast<T>(large);
    return {.integer = true, .large = true, .wide = exact_number(large).rest != 0};
  }
  double decimal = 0;
  if (parse_number(text, decimal) != std::errc{} || std::isnan(decimal)) return {.text = true};
  if constexpr (std::is_same_v<T, double>) value = decimal;
  return {.decimal = true};
}
template field_kinds kind_and_value(std::string_view, bool, std::int64_t&);
template field_kinds kind_and_value(std::string_view, bool, double&);

field_kinds kind_of(std::string_view field) {
  std::int64_t ignored = 0;
  return kind_and_value(field, false, ignored);
}

bool is_beyond_64_bits(std::string_view field) {
  const std::string_view text = number_text(field);
  const auto is_beyond = [&](auto value) {
    return parse_number(text, value) == std::errc::result_out_of_range;
  };
  return kind_of(field).text && (is_beyond(std::int64_t{}) || is_beyond(double{}));
}

namespace {

/// The row of the first text of a column; the number of rows if there is none.
std::size_t first_text(const column_of& column, const table_options& options) {
  const std::size_t count = column.table.num_rows();
  std::size_t row = 0;
  while (row < count && (options.is_null(column.field(row)) || !kind_of(column.field(row)).text)) {
    ++row;
  }
  return row;
}

/// Why the field in a row is text where numbers are expected.
std::string why_text(const column_of& column, std::size_t row) {
  const std::string_view field = column.field(row);
  return fmt::format(
      "{} in column {} {}", shown(field), shown(column.table.columns()[column.column]),
      !is_beyond_64_bits(field)                               ? "is not a number"
      : number_text(field).find_first_of(".eE") == field.npos ? "does not fit into 64 bits"
                                                              : "is out of the range of a double");
}

/// The number of rows that kinds_at_begin reads.
constexpr std::size_t num_first_rows = 100;

/// Warns of a column of text that looks like one of numbers: of its first rows, most are numbers,
/// or all others have the same text, such as NA.
void warn_of_text(const column_of& column, const table_options& options) {
  std::size_t numbers = 0, texts = 0;
  std::string_view text;
  bool same_text = true;
  for (std::size_t row = 0; row < std::min(num_first_rows, column.table.num_rows()); ++row) {
    const std::string_view field = column.field(row);
    if (options.is_null(field)) continue;
    if (!kind_of(field).text) {
      ++numbers;
      continue;
    }
    if (texts++ == 0) text = field;
    same_text = same_text && field == text;
  }
  if (numbers == 0 || (numbers <= texts && !same_text)) return;
  const std::size_t row = first_text(column, options);
  if (row == column.table.num_rows()) return;
  warn(fmt::format("{}:{}: {}, so that the column is compared as text; set --null if it is a null",
                   input_name(column.table.name()), column.table.line(row, column.column),
                   why_text(column, row)));
}

}  // namespace

void refuse_text(const column_of& column, const table_options& options, const std::string& but) {
  const std::size_t row = first_text(column, options);
  column.table.fail(row, column.column, why_text(column, row) + ", but " + but);
}

field_kinds kinds_in(cpu_context& ctx, const column_of& column, const table_options& options) {
  return read_numbers<std::int64_t>(ctx, column, options, [](std::size_t, bool, std::int64_t) {});
}

field_kinds kinds_at_begin(const column_of& column, const table_options& options) {
  field_kinds kinds;
  for (std::size_t row = 0; row < std::min(num_first_rows, column.table.num_rows()); ++row) {
    const std::string_view field = column.field(row);
    if (!options.is_null(field)) kinds = kinds | kind_of(field);
  }
  return kinds;
}

key_type type_of(const field_kinds& kinds) {
  if (kinds.text) return key_type::text;
  if (kinds.decimal) return kinds.wide ? key_type::exact : key_type::decimal;
  if (kinds.large && kinds.negative) return key_type::exact;
  return kinds.large ? key_type::unsigned_integer : key_type::signed_integer;
}

std::uint64_t number_code(std::string_view field, key_type type) {
  const std::string_view text = number_text(field);
  switch (type) {
    case key_type::signed_integer:
      return detail::radix_key<less>(read_as<std::int64_t>(text));
    case key_type::unsigned_integer:
      return detail::radix_key<less>(read_as<std::uint64_t>(text));
    default:
      return detail::radix_key<less>(read_as<double>(text));
  }
}

exact_number exact_value(std::string_view field) {
  const std::string_view text = number_text(field);
  std::int64_t integer = 0;
  if (parse_number(text, integer) == std::errc{}) return exact_number(integer);
  std::uint64_t large = 0;
  if (parse_number(text, large) == std::errc{}) return exact_number(large);
  return exact_number(read_as<double>(text));
}

namespace {

/// Writes the codes of columns that look as if all their numbers were a T, and returns the kinds of
/// their fields, by which the codes may turn out to be wrong.
template <class T>
field_kinds write_number_codes(cpu_context& ctx, std::span<const column_of> columns,
                               const table_options& options, key_column& keys) {
  field_kinds kinds;
  std::size_t first = 0;
  keys.nulls.resize(keys.codes.size());
  for (const column_of& from : columns) {
    kinds = kinds | read_numbers<T>(ctx, from, options, [&](std::size_t row, bool null, T value) {
              keys.nulls[first + row] = null;
              keys.codes[first + row] = null ? 0 : std::uint64_t{detail::radix_key<less>(value)};
            });
    first += from.table.num_rows();
  }
  if (!kinds.null) keys.nulls = {};
  return kinds;
}

}  // namespace

coded_numbers read_codes(cpu_context& ctx, std::span<const column_of> columns,
                         const table_options& options, const field_kinds& others) {
  coded_numbers result;
  field_kinds at_begin = others;
  std::size_t count = 0;
  for (const column_of& from : columns) {
    at_begin = at_begin | kinds_at_begin(from, options);
    count += from.table.num_rows();
  }
  result.type = type_of(at_begin);
  result.codes.codes.resize(count);
  if (result.type == key_type::signed_integer) {
    result.kinds = write_number_codes<std::int64_t>(ctx, columns, options, result.codes);
  } else if (result.type == key_type::decimal) {
    result.kinds = write_number_codes<double>(ctx, columns, options, result.codes);
  } else {
    for (const column_of& from : columns)
      result.kinds = result.kinds | kinds_in(ctx, from, options);
  }
  return result;
}

void append_keys(std::vector<key_column>& keys, cpu_context& ctx,
                 std::span<const column_of> columns, const table_options& options,
                 bool descending) {
  const auto append_texts = [&] {
    for (const column_of& from : columns) warn_of_text(from, options);
    keys.push_back(text_keys(ctx, columns, options, descending));
  };
  field_kinds at_begin;
  for (const column_of& from : columns) at_begin = at_begin | kinds_at_begin(from, options);
  if (at_begin.text) return append_texts();

  coded_numbers read = read_codes(ctx, columns, options);
  const field_kinds& kinds = read.kinds;
  const key_type type = type_of(kinds);
  if (type == key_type::text) return append_texts();
  const std::size_t count = read.codes.codes.size();
  const auto append_numbers = [&](auto code) {
    key_column added;
    added.codes.resize(count);
    added.nulls.resize(kinds.null ? count : 0);
    std::size_t begin = 0;
    for (const column_of& from : columns) {
      write_codes(ctx, from, options, added, begin, code);
      begin += from.table.num_rows();
    }
    shorten(ctx, added, descending);
    keys.push_back(std::move(added));
  };
  if (read.holds(type)) {
    shorten(ctx, read.codes, descending);
    keys.push_back(std::move(read.codes));
    return;
  }
  append_numbers([type](std::size_t, std::string_view field) { return number_code(field, type); });
  if (type != key_type::exact) return;
  append_numbers([](std::size_t, std::string_view field) {
    return std::uint64_t{detail::radix_key<less>(exact_value(field).rest)};
  });
}

}  // namespace evenfold::cli
