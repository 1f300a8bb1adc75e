#pragma once
// The columns of tables as keys: numbers where all fields are numbers, else text.
//
// A number is decimal (12, -3.5, 1e6, inf), blanks around it and one leading plus allowed, quoted
// or not; NaN is none. Integers of 64 bits, signed or not, are compared exactly, all other numbers
// as the nearest double, and both with each other exactly. Integers beyond 64 bits make a column
// text: rounded, different ones would be equal.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/table_options.hpp"
#include "cli/input/exact_number.hpp"
#include "cli/input/field_kinds.hpp"
#include "cli/input/key_column.hpp"
#include "cli/input/rows.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"

namespace evenfold::cli {

/// A column of a table that lives elsewhere.
struct column_of {
  const csv_table& table;
  std::size_t column;

  std::string_view field(std::size_t row) const { return table.field(row, column); }
};

/// Of one field that is not null: its bytes, or what they mean.
field_kinds kind_of(std::string_view field);
/// The same, with the number that the field is, rounded for a double. After a text of the same
/// column it does not matter what is no text.
template <class T>
field_kinds kind_and_value(std::string_view field, bool after_text, T& value);
/// Whether a field is a number that counts as text, because 64 bits cannot represent it.
bool is_beyond_64_bits(std::string_view field);

/// Refuses the first text of a column, which contains one. `but` says what needs numbers, and the
/// remedy.
[[noreturn]] void refuse_text(const column_of& column, const table_options& options,
                              const std::string& but);

/// Of all fields of a column; where there is a text, perhaps without the kinds of numbers. Work
/// O(bytes), span O(bytes / workers).
field_kinds kinds_in(cpu_context& ctx, const column_of& column, const table_options& options);

/// The same of the first rows of a column.
field_kinds kinds_at_begin(const column_of& column, const table_options& options);

/// The kinds of all fields of a column, and calls store(row, is_null, value) for each row. The
/// value is a T, int64 or double, where all fields are nulls or numbers that are one or, for
/// double, are rounded to one; otherwise unspecified.
template <class T, class Store>
field_kinds read_numbers(cpu_context& ctx, const column_of& column, const table_options& options,
                         const Store& store) {
  return fold_shares(
      ctx, column.table.num_rows(),
      [&](field_kinds kinds, std::size_t row) {
        const std::string_view field = column.field(row);
        T value{};
        const bool null = options.is_null(field);
        if (null) {
          kinds.null = true;
        } else if (kinds.text || !read_short_number(field, kinds, value)) {
          kinds = kinds | kind_and_value(field, kinds.text, value);
        }
        store(row, null, value);
        return kinds;
      },
      [](const field_kinds& a, const field_kinds& b) { return a | b; }, field_kinds{});
}

/// `exact` is for numbers of any kind, as exact_number; the others are quicker where they suffice.
enum class key_type { text, signed_integer, unsigned_integer, decimal, exact };

/// How fields of these kinds are compared.
key_type type_of(const field_kinds& kinds);

/// Columns that have been read once, as numbers of the type that their first rows seem to have.
struct coded_numbers {
  /// Of all fields.
  field_kinds kinds;
  key_type type = key_type::text;
  /// The codes of the numbers, unless a field turned out to be of another kind.
  key_column codes;

  /// Whether the codes are those of numbers of this type, which `kinds` must have.
  bool holds(key_type wanted) const {
    return wanted == type && (wanted == key_type::signed_integer || wanted == key_type::decimal);
  }
};

/// `others` are kinds of numbers with which the columns will be compared.
coded_numbers read_codes(cpu_context& ctx, std::span<const column_of> columns,
                         const table_options& options, const field_kinds& others = {});

/// A number of a type that its kind allows; the codes of a type ascend as its numbers do. Of an
/// exact number that is the code of the nearest double.
std::uint64_t number_code(std::string_view field, key_type type);

/// A number of any kind.
exact_number exact_value(std::string_view field);

/// into.codes[first + row] = code(row, field) for each row of a column, 0 where it is null;
/// into.nulls as well, unless it is empty.
template <class Code>
void write_codes(cpu_context& ctx, const column_of& from, const table_options& options,
                 key_column& into, std::size_t first, Code code) {
  for_each_row(ctx, from.table.num_rows(), [&](std::size_t row) {
    const std::string_view field = from.field(row);
    const bool null = options.is_null(field);
    if (!into.nulls.empty()) into.nulls[first + row] = null;
    into.codes[first + row] = null ? 0 : code(row, field);
  });
}

/// Appends the keys of a column, or of several columns one after the other, of one type: one column
/// of codes, or two where the first of them does not tell all numbers apart. Texts are numbered in
/// parallel and ranked by their bytes; `descending` reverses the order of all but the nulls.
void append_keys(std::vector<key_column>& keys, cpu_context& ctx,
                 std::span<const column_of> columns, const table_options& options,
                 bool descending = false);

}  // namespace evenfold::cli
