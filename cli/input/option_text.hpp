#pragma once
// The text of an option that names columns, in parts.

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

inline bool is_quoted(std::string_view text) {
  return text.starts_with('"') || text.starts_with('\'');
}

/// The text of an option, for errors about it. A name begins at its start and after the signs.
struct option_text {
  const char* option;
  std::string_view all;
  const char* expected;
  std::string_view signs;

  [[noreturn]] void fail(const std::string& what) const {
    throw option_error(std::string(option) + " " + shown(all), what + ", expected " + expected);
  }

  /// The first such sign outside of quotes, or npos. A quote opens only where a name begins, so
  /// that an apostrophe inside a name does not open one.
  std::size_t find(std::string_view text, char sign) const {
    char open = 0;
    bool begins = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (open != 0) {
        if (c == open && text.substr(i + 1).starts_with(open)) {
          ++i;
        } else if (c == open) {
          open = 0;
        }
      } else if (begins && (c == '"' || c == '\'')) {
        open = c;
      } else if (c == sign) {
        return i;
      }
      begins = signs.find(c) != std::string_view::npos || (begins && (c == ' ' || c == '\t'));
    }
    if (open != 0) fail("the closing quote is missing");
    return std::string_view::npos;
  }

  /// The pieces between such signs outside of quotes.
  std::vector<std::string_view> split(std::string_view text, char sign) const {
    std::vector<std::string_view> pieces;
    for (auto at = find(text, sign); at != std::string_view::npos; at = find(text, sign)) {
      pieces.push_back(text.substr(0, at));
      text.remove_prefix(at + 1);
    }
    pieces.push_back(text);
    return pieces;
  }

  /// The meaning of a text that may be quoted; in quotes, a doubled quote stands for one.
  std::string meaning(std::string_view text) const {
    text = trimmed(text);
    if (!is_quoted(text)) return std::string(text);
    std::string plain;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == text[0]) {
        const std::string_view behind = text.substr(at + 1);
        if (behind.empty()) return plain;
        if (!behind.starts_with(text[0]))
          fail("there is " + shown(trimmed(behind)) + " after a closing quote");
        ++at;
      }
      plain += text[at];
    }
    fail("the closing quote is missing");
  }

  std::string name(std::string_view text) const {
    if (trimmed(text).empty()) fail("a name is missing");
    return meaning(text);
  }
};

}  // namespace evenfold::cli
