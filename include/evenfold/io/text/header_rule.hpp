#pragma once
// Whether the first record of a table names its columns, where nobody says so.
//
// It does for certain where columns are asked for by names that it has, or by names while it has no
// numbers, and where it has a text above a column of numbers. Else it is a guess: numbers are data,
// though columns may be called by years; texts are names in CSV, and data in lines of words.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

enum class header_reason {
  said,           ///< by the options
  asked_for,      ///< columns are asked for by name
  above_numbers,  ///< it has a text above a column of numbers
  numbers,        ///< a guess: there are numbers in it
  texts           ///< a guess: there are none
};

struct header_verdict {
  bool header = false;
  header_reason reason = header_reason::said;

  bool is_guess() const {
    return reason == header_reason::numbers || reason == header_reason::texts;
  }
};

namespace detail {

/// The meanings of the fields of a record, without blanks around them.
using record_fields = std::vector<std::string>;

/// How many records of `width` fields the rule looks at.
constexpr std::size_t header_sample(std::size_t width) {
  return std::max(std::size_t{10}, std::min(std::size_t{1000}, (std::size_t{1} << 16) / width));
}

/// Judges the first of the records by itself and by those behind it. `asked` are the columns that
/// will be asked for, by name or by number from 1; `texts_are_names` decides where all are texts.
///
/// Work O(bytes of the records).
inline header_verdict judge_header(std::span<const record_fields> records,
                                   std::span<const std::string> asked, bool texts_are_names) {
  if (records.empty()) return {false, header_reason::texts};
  const record_fields& first = records.front();
  const auto is_number = [](std::string_view field) {
    double ignored;
    return parse_number(field, ignored) != std::errc::invalid_argument;
  };
  const bool has_numbers = std::any_of(first.begin(), first.end(), is_number);
  const auto is_there = [&](std::string_view name) {
    return std::find(first.begin(), first.end(), trimmed(name)) != first.end();
  };
  // Columns without names are called 1, 2, ...
  const auto is_place = [&](std::string_view name) {
    std::size_t place = 0;
    return parse_number(trimmed(name), place) == std::errc{} && place > 0 && place <= first.size();
  };
  if (!std::all_of(asked.begin(), asked.end(), is_place) &&
      (!has_numbers || std::all_of(asked.begin(), asked.end(), is_there))) {
    return {true, header_reason::asked_for};
  }
  for (std::size_t column = 0; column < first.size(); ++column) {
    if (first[column].empty() || is_number(first[column])) continue;
    bool numeric = true, filled = false;
    for (const record_fields& record : records.subspan(1)) {
      if (column >= record.size() || record[column].empty()) continue;
      filled = true;
      numeric = numeric && is_number(record[column]);
    }
    if (filled && numeric) return {true, header_reason::above_numbers};
  }
  if (has_numbers) return {false, header_reason::numbers};
  return {texts_are_names, header_reason::texts};
}

}  // namespace detail

}  // namespace evenfold
