#include "cli/input/table_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "evenfold/core/radix_key.hpp"
#include "evenfold/io/text/dictionary.hpp"

namespace evenfold::cli {

namespace {

/// The text between the quotes of a number, if it has any. A doubled quote stays, as no part of a
/// number.
std::string_view number_text(std::string_view field) {
  return trimmed(
      detail::field_value(field, [](const std::string&) -> std::string_view { return "\""; }));
}

template <class T>
T number(std::string_view text) {
  T value{};
  parse_number(text, value);
  return value;
}

/// Several columns of texts as one.
struct joined_texts {
  std::vector<csv_text_column> columns;

  std::size_t size() const {
    std::size_t sum = 0;
    for (const csv_text_column& column : columns) sum += column.size();
    return sum;
  }
  std::string_view operator[](std::size_t row) const {
    auto column = columns.begin();
    for (; row >= column->size(); ++column) row -= column->size();
    return (*column)[row];
  }
};

void write_text_keys(cpu_context& ctx, std::span<const column_of> columns,
                     const table_options& options, key_column& keys) {
  joined_texts texts;
  for (const column_of& from : columns) texts.columns.push_back(from.table.texts(ctx, from.column));
  const dictionary found = encode(ctx, texts);
  const std::vector<std::uint64_t> ranks = ranks_of(ctx, found);
  std::size_t first = 0;
  for (const column_of& from : columns) {
    write_codes(ctx, from, options, keys, first, [&](std::size_t row, std::string_view) {
      return ranks[static_cast<std::size_t>(found.ids[first + row])];
    });
    first += from.table.num_rows();
  }
}

/// Small numbers make short keys, and several of them fit into one. `descending` turns the order of
/// all but the nulls around.
void shorten(cpu_context& ctx, key_column& keys, bool descending) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::size_t count = keys.codes.size();
  const auto is_null = [&](std::size_t i) { return !keys.nulls.empty() && keys.nulls[i] != 0; };
  const std::uint64_t low = fold_rows(
      ctx, count, [&](std::size_t i) { return is_null(i) ? most : keys.codes[i]; }, minimum{},
      most);
  const std::uint64_t high = fold_rows(
      ctx, count, [&](std::size_t i) { return keys.codes[i]; }, maximum{}, std::uint64_t{0});
  if (low > high) return;  // nothing but nulls
  for_each_row(ctx, count, [&](std::size_t i) {
    if (!is_null(i)) keys.codes[i] = descending ? high - keys.codes[i] : keys.codes[i] - low;
  });
  keys.largest = high - low;
}

}  // namespace

field_kinds kind_of(std::string_view field) {
  const std::string_view text = number_text(field);
  std::int64_t integer = 0;
  const std::errc status = parse_number(text, integer);
  if (status == std::errc{}) {
    return {.integer = true, .negative = integer < 0, .wide = exact_number(integer).rest != 0};
  }
  std::uint64_t large = 0;
  if (status == std::errc::result_out_of_range) {
    if (parse_number(text, large) != std::errc{}) return {.text = true};
    return {.integer = true, .large = true, .wide = exact_number(large).rest != 0};
  }
  double value = 0;
  const bool good = parse_number(text, value) == std::errc{} && !std::isnan(value);
  return good ? field_kinds{.decimal = true} : field_kinds{.text = true};
}

bool is_beyond_64_bits(std::string_view field) {
  const std::string_view text = number_text(field);
  const auto is_beyond = [&](auto value) {
    return parse_number(text, value) == std::errc::result_out_of_range;
  };
  return kind_of(field).text && (is_beyond(std::int64_t{}) || is_beyond(double{}));
}

field_kinds kinds_in(cpu_context& ctx, const column_of& column, const table_options& options) {
  return fold_rows(
      ctx, column.table.num_rows(),
      [&](std::size_t row) {
        const std::string_view field = column.field(row);
        return options.is_null(field) ? field_kinds{.null = true} : kind_of(field);
      },
      [](const field_kinds& a, const field_kinds& b) { return a | b; }, field_kinds{});
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
      return detail::radix_key<less>(number<std::int64_t>(text));
    case key_type::unsigned_integer:
      return detail::radix_key<less>(number<std::uint64_t>(text));
    default:
      return detail::radix_key<less>(number<double>(text));
  }
}

template <class T>
T number_in(std::string_view field) {
  return number<T>(number_text(field));
}
template std::int64_t number_in(std::string_view);
template double number_in(std::string_view);

exact_number exact_value(std::string_view field) {
  const std::string_view text = number_text(field);
  std::int64_t integer = 0;
  if (parse_number(text, integer) == std::errc{}) return exact_number(integer);
  std::uint64_t large = 0;
  if (parse_number(text, large) == std::errc{}) return exact_number(large);
  return exact_number(number<double>(text));
}

void append_keys(std::vector<key_column>& keys, cpu_context& ctx,
                 std::span<const column_of> columns, const table_options& options,
                 bool descending) {
  field_kinds kinds;
  std::size_t count = 0;
  for (const column_of& from : columns) {
    kinds = kinds | kinds_in(ctx, from, options);
    count += from.table.num_rows();
  }
  const auto append = [&](auto write) {
    key_column& added = keys.emplace_back();
    added.codes.resize(count);
    if (kinds.null) added.nulls.resize(count);
    write(added);
    shorten(ctx, added, descending);
  };
  const auto append_numbers = [&](auto code) {
    append([&](key_column& added) {
      std::size_t first = 0;
      for (const column_of& from : columns) {
        write_codes(ctx, from, options, added, first, code);
        first += from.table.num_rows();
      }
    });
  };
  const key_type type = type_of(kinds);
  if (type == key_type::text) {
    append([&](key_column& added) { write_text_keys(ctx, columns, options, added); });
    return;
  }
  append_numbers([type](std::size_t, std::string_view field) { return number_code(field, type); });
  if (type != key_type::exact) return;
  append_numbers([](std::size_t, std::string_view field) {
    return std::uint64_t{detail::radix_key<less>(exact_value(field).rest)};
  });
}

}  // namespace evenfold::cli
