#pragma once
// The byte order mark, which some programs write at the beginning of a text.

#include <string_view>

#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The text without the byte order mark of UTF-8, if it has one. `name` is for messages.
///
/// Errors: input_error for a text with the byte order mark of UTF-16.
inline std::string_view utf8_text(std::string_view text, std::string_view name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw input_error(name, 1, "the text is UTF-16, expected UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace evenfold::detail
