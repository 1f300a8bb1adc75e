#pragma once
// The rule that decides whether the first record of a table is its header, if the options do not.
//
// The first record is certainly a header if columns are requested by names that it has, if columns
// are requested by name and it has no numbers, or if it has a text above a column of numbers and no
// number itself. Otherwise the rule guesses. A record with a text above a column of numbers is a
// header, although it may be an edge of two kinds of vertices. Another record with numbers is data,
// although a header may have years as names. A record of texts is a header in CSV, and data in
// lines of words.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// Why the first record is, or is not, taken for a header.
enum class header_reason {
  said,           ///< the options say so
  no_record,      ///< there is no record
  asked_for,      ///< columns are requested by name
  above_numbers,  ///< it has a text above a column of numbers, and no numbers
  mixed,          ///< a guess: it has numbers and texts
  numbers,        ///< a guess: it has numbers alone
  texts           ///< a guess: it has texts alone
};

/// Whether the first record is a header, and why.
struct header_verdict {
  bool header = false;
  header_reason reason = header_reason::said;

  bool is_guess() const {
    return reason == header_reason::mixed || reason == header_reason::numbers ||
           reason == header_reason::texts;
  }
};

namespace detail {

/// The fields of a record, without quotes and without blanks around them.
using record_fields = std::vector<std::string>;

/// The number of records of `width` fields that the rule reads.
constexpr std::size_t header_sample(std::size_t width) {
  return std::max(std::size_t{10}, std::min(std::size_t{1000}, (std::size_t{1} << 16) / width));
}

/// Decides whether the first record is a header, by its fields and by the records after it. `asked`
/// are the requested columns, by name or by number from 1. `texts_are_names` decides for a first
/// record of texts alone.
///
/// Work O(bytes of the records).
inline header_verdict judge_header(std::span<const record_fields> records,
                                   std::span<const std::string> asked, bool texts_are_names) {
  if (records.empty()) return {false, header_reason::no_record};
  const record_fields& first = records.front();
  const auto is_number = [](std::string_view field) {
    double ignored;
    return parse_number(field, ignored) != std::errc::invalid_argument;
  };
  const bool has_numbers = std::any_of(first.begin(), first.end(), is_number);
  const auto is_there = [&](std::string_view name) {
    return std::find(first.begin(), first.end(), trimmed(name)) != first.end();
  };
  // Columns without names are named 1, 2, ...
  const auto is_number_of_column = [&](std::string_view name) {
    std::size_t number = 0;
    return parse_number(trimmed(name), number) == std::errc{} && number > 0 &&
           number <= first.size();
  };
  if (!std::all_of(asked.begin(), asked.end(), is_number_of_column) &&
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
    if (!filled || !numeric) continue;
    return {true, has_numbers ? header_reason::mixed : header_reason::above_numbers};
  }
  const auto is_text = [&](std::string_view field) { return !field.empty() && !is_number(field); };
  const bool has_texts = std::any_of(first.begin(), first.end(), is_text);
  if (has_numbers) return {false, has_texts ? header_reason::mixed : header_reason::numbers};
  return {texts_are_names, header_reason::texts};
}

}  // namespace detail

}  // namespace evenfold
