#pragma once
// The kinds of fields in a column, and the quick reading of short numbers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace evenfold::cli {

/// The kinds of fields in a column.
struct field_kinds {
  bool null = false, text = false, integer = false, decimal = false, negative = false;
  bool large = false;  ///< an integer from 2^63 on
  bool wide = false;   ///< an integer that no double is equal to

  bool only_nulls() const { return !text && !integer && !decimal; }
  friend field_kinds operator|(const field_kinds& a, const field_kinds& b) {
    return {a.null || b.null,       a.text || b.text,         a.integer || b.integer,
            a.decimal || b.decimal, a.negative || b.negative, a.large || b.large,
            a.wide || b.wide};
  }
};

/// Reads a field of at most 15 digits, with at most one point between them and perhaps a minus
/// before them, and adds its kind. False for any other field.
///
/// The digits make an integer that a double represents, and so is the power of ten by which it is
/// divided; hence the quotient is the nearest double.
template <class T>
bool read_short_number(std::string_view field, field_kinds& kinds, T& value) {
  constexpr std::size_t most_digits = 15;
  constexpr std::array<double, most_digits> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const bool minus = field.starts_with('-');
  const std::string_view digits = field.substr(minus ? 1 : 0);
  if (digits.empty() || digits.size() > most_digits) return false;
  std::int64_t integer = 0;
  std::size_t point = digits.size();
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const char c = digits[k];
    if (c >= '0' && c <= '9') {
      integer = integer * 10 + (c - '0');
    } else if (c == '.' && point == digits.size() && k > 0) {
      point = k;
    } else {
      return false;
    }
  }
  if (point + 1 == digits.size()) return false;
  if (minus) integer = -integer;
  if (point == digits.size()) {
    value = static_cast<T>(integer);
    kinds.integer = true;
    kinds.negative = kinds.negative || integer < 0;
    return true;
  }
  if constexpr (std::is_same_v<T, double>) {
    value = static_cast<double>(integer) / powers[digits.size() - point - 1];
    // The zero of -0.0 has a sign.
    if (minus && integer == 0) value = -value;
  }
  kinds.decimal = true;
  return true;
}

}  // namespace evenfold::cli
