#include "cli/input/column_list.hpp"

#include <utility>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

namespace {

bool is_quoted(std::string_view text) { return text.starts_with('"') || text.starts_with('\''); }

/// The text of an option, for errors about it.
struct option_text {
  const char* option;
  std::string_view all;
  const char* expected;

  [[noreturn]] void fail(const std::string& what) const {
    throw option_error(std::string(option) + " " + shown(all), what + ", expected " + expected);
  }

  /// The first of the signs outside of quotes, or npos. A quote opens only after blanks, so that an
  /// apostrophe inside a name does not open one.
  std::size_t find(std::string_view text, std::string_view signs) const {
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
      } else if (signs.find(c) != std::string_view::npos) {
        return i;
      }
      begins = begins && (c == ' ' || c == '\t');
    }
    if (open != 0) fail("the closing quote is missing");
    return std::string_view::npos;
  }

  /// The pieces between the signs outside of quotes.
  std::vector<std::string_view> split(std::string_view text, std::string_view sign) const {
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
        if (!behind.starts_with(text[0])) fail(shown(trimmed(behind)) + " after a closing quote");
        ++at;
      }
      plain += text[at];
    }
    fail("the closing quote is missing");
  }

  std::string name(std::string_view text) const {
    if (trimmed(text).empty()) fail("the name of a column is missing");
    return meaning(text);
  }
};

}  // namespace

std::vector<sort_key> parse_sort_keys(std::string_view text) {
  const option_text by{"--by", text, "COL[:desc][,COL2[:desc]...]"};
  std::vector<sort_key> keys;
  for (std::string_view piece : by.split(text, ",")) {
    const bool descending = piece.ends_with(":desc");
    if (descending) piece.remove_suffix(5);
    if (!descending && piece.ends_with(":asc")) piece.remove_suffix(4);
    keys.push_back({by.name(piece), descending});
  }
  return keys;
}

std::vector<key_pair> parse_key_pairs(std::string_view text) {
  const option_text on{"--on", text, "COL[=COL2][,...]"};
  std::vector<key_pair> keys;
  for (const std::string_view piece : on.split(text, ",")) {
    const auto sides = on.split(piece, "=");
    if (sides.size() > 2) on.fail("more than two columns in one pair");
    keys.push_back({on.name(sides.front()), on.name(sides.back())});
  }
  return keys;
}

std::vector<std::string> parse_edge_columns(std::string_view text) {
  const option_text columns{"--columns", text, "FROM,TO or FROM,TO,WEIGHT"};
  const auto pieces = columns.split(text, ",");
  if (pieces.size() != 2 && pieces.size() != 3) {
    columns.fail(std::to_string(pieces.size()) + (pieces.size() == 1 ? " column" : " columns"));
  }
  std::vector<std::string> names;
  for (const std::string_view piece : pieces) names.push_back(columns.name(piece));
  return names;
}

std::vector<std::string> parse_pair_columns(std::string_view text) {
  const option_text columns{"--column", text,
                            "the column of both files, or those of X and of Y: C[,D]"};
  std::vector<std::string> names;
  for (const std::string_view piece : columns.split(text, ",")) {
    names.push_back(columns.meaning(piece));
  }
  if (names.size() > 2) columns.fail(std::to_string(names.size()) + " columns");
  return names;
}

std::vector<std::string> parse_names(const char* option, std::string_view text) {
  const option_text names{option, text, "NAME[,NAME...], a name with a comma in quotes"};
  std::vector<std::string> result;
  for (const std::string_view piece : names.split(text, ",")) result.push_back(names.name(piece));
  return result;
}

}  // namespace evenfold::cli
