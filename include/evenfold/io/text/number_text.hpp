#pragma once
// Conversions between numbers and text.

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace evenfold {

/// `text` without blanks (space, tab) at either end.
inline std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!text.empty() && !is_blank(text.front()) && !is_blank(text.back())) return text;
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Sets `value` to the decimal number at the beginning of the text; one leading plus is allowed.
/// Returns the end of the number and the status, as std::from_chars does.
template <class T>
std::from_chars_result read_number(const char* begin, const char* end, T& value) {
  if (end - begin > 1 && begin[0] == '+' && begin[1] != '-') ++begin;
  return std::from_chars(begin, end, value);
}

/// Sets `value` to the decimal number that is the whole of `text`; one leading plus is allowed.
/// Returns std::errc::invalid_argument if the text is not a number, and result_out_of_range if T
/// cannot hold it.
template <class T>
std::errc parse_number(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, status] = read_number(text.data(), end, value);
  // An integer of too many digits ends at the point of 12345678901234567890.5, too.
  return stop == end ? status : std::errc::invalid_argument;
}

/// Appends the shortest decimal text from which parse_number reads the same value, or nan, inf or
/// -inf. The sign and the payload of a NaN are lost.
template <class T>
void append_number(std::string& text, T value) {
  if (value != value) {
    text += "nan";
    return;
  }
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace evenfold
