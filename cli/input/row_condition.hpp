#pragma once
// The option --where: a condition on the rows of a table, as after WHERE in SQL.
//
//   expression   a and b, a or b, not a, (a); `and` binds more tightly than `or`
//   comparison   COLUMN = VALUE, also ==, !=, <>, <, <=, >, >=; instead of the value, a COLUMN
//   others       COLUMN is [not] null        COLUMN [not] in (VALUE, ...)
//                COLUMN [not] between VALUE and VALUE
//                COLUMN ~ 'REGEX'            COLUMN !~ 'REGEX'
//
// A name or a value with blanks, or with a character that has a meaning, is quoted: 'New York' or
// "New York"; in quotes, a doubled quote stands for one. On the right of a comparison quotes mean
// text, and [last name] or `last name` a column; a word without quotes is a number, else the name
// of a column of the table, else text.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/text_pattern.hpp"
#include "runtime/tables.hpp"

namespace evenfold::cli {

using runtime::comparison;

/// The right side of a comparison.
struct condition_value {
  enum class kind {
    word,    ///< a number, a column or a text, as the file decides
    text,    ///< in quotes
    column,  ///< in brackets
  };
  std::string text;
  kind what = kind::word;
};

/// A step of a condition, in postfix order: see runtime::filter_step.
struct condition_step {
  enum class kind { comparison, membership, null_test, match, negation, conjunction, disjunction };
  kind what;
  std::string column{};
  comparison op = comparison::equal;
  /// The value of a comparison, or the values of a membership.
  std::vector<condition_value> values{};
  /// The pattern of a match.
  std::shared_ptr<const text_pattern> pattern{};
  /// The part of the option, for messages.
  std::string written{};
};

/// Errors: option_error, with the position of what cannot be understood.
std::vector<condition_step> parse_row_condition(std::string_view text);

/// The columns that a condition certainly names.
std::vector<std::string> columns_of(const std::vector<condition_step>& condition);

}  // namespace evenfold::cli
