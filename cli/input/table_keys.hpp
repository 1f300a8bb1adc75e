#pragma once
// The columns of tables as keys: numbers if all fields are numbers, else text.
//
// A number is decimal (12, -3.5, 1e6, inf), quoted or not, possibly with blanks around it and one
// leading plus; NaN is text. Signed and unsigned integers of 64 bits are compared exactly, all
// other numbers as the nearest double, and the two kinds exactly with each other. An integer beyond
// 64 bits makes its column text, since rounding would make different integers equal.

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

/// A column of a table, which must outlive this object.
struct column_of {
  const csv_table& table;
  std::size_t column;

  std::string_view field(std::size_t row) const { return table.field(row, column); }
};

/// The kind of a field that is not null, from its bytes or from its meaning.
field_kinds kind_of(std::string_view field);
/// The same, and sets `value` to the number of the field, rounded for a double. With `after_text`,
/// the column has a text already, and the field counts as text, too.
template <class T>
field_kinds kind_and_value(std::string_view field, bool after_text, T& value);
/// Whether a field is a number that counts as text, because 64 bits cannot represent it.
bool is_beyond_64_bits(std::string_view field);

/// Throws the error about the first text of a column that contains one. `but` states what needs
/// numbers, and the remedy.
[[noreturn]] void refuse_text(const column_of& column, const table_options& options,
                              const std::string& but);

/// The kinds of all fields of a column. If there is a text, kinds of numbers may be missing. Work
/// O(bytes), span O(bytes / workers).
field_kinds kinds_in(cpu_context& ctx, const column_of& column, const table_options& options);

/// The kinds of the fields in the first rows of a column.
field_kinds kinds_at_begin(const column_of& column, const table_options& options);

/// Returns the kinds of all fields of a column, and calls store(row, is_null, value) for each row.
/// T is int64 or double. If T can represent all numbers of the column (rounded, for double), values
/// are these numbers, otherwise they are unspecified.
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

/// The type as which keys are compared. `exact` is exact_number, which represents numbers of any
/// kind; the other types are faster if they suffice.
enum class key_type { text, signed_integer, unsigned_integer, decimal, exact };

/// The type as which fields of these kinds are compared.
key_type type_of(const field_kinds& kinds);

/// Columns that were read once, as numbers of the type that their first rows suggest.
struct coded_numbers {
  /// The kinds of all fields.
  field_kinds kinds;
  key_type type = key_type::text;
  /// The codes of the numbers, unless a field turned out to be of another kind.
  key_column codes;

  /// Whether the codes are those of numbers of this type, which `kinds` must have.
  bool holds(key_type wanted) const {
    return wanted == type && (wanted == key_type::signed_integer || wanted == key_type::decimal);
  }
};

/// Reads columns as codes. `others` are the kinds of the numbers that the columns will be compared
/// with.
coded_numbers read_codes(cpu_context& ctx, std::span<const column_of> columns,
                         const table_options& options, const field_kinds& others = {});

/// The code of a number as a type that its kind allows. The codes of a type have the order of the
/// numbers. The code of an exact number is that of the nearest double.
std::uint64_t number_code(std::string_view field, key_type type);

/// The text between the quotes of a number, if it has any. A doubled quote remains: such a field is
/// not a number.
std::string_view number_text(std::string_view field);

/// The value of a number of any kind.
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

/// Appends the keys of one column, or of several columns of one type, one after the other: one
/// column of codes, or two if the first one gives different numbers the same code. Texts are
/// numbered in parallel and ranked by their bytes; `descending` reverses the order of all fields
/// but nulls.
void append_keys(std::vector<key_column>& keys, cpu_context& ctx,
                 std::span<const column_of> columns, const table_options& options,
                 bool descending = false);

}  // namespace evenfold::cli
