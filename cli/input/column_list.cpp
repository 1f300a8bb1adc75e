#include "cli/input/column_list.hpp"

#include <CLI/Error.hpp>

#include <utility>

#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

namespace {

/// The part of an option's text that is being read, and how to complain about it.
struct option_text {
  const char* option;
  std::string_view all;
  const char* expected;

  [[noreturn]] void fail(const std::string& what) const {
    throw CLI::ValidationError(std::string(option) + " " + shown(all),
                               what + ", expected " + expected);
  }

  /// The first of the signs outside of quotes, or npos.
  std::size_t find(std::string_view text, std::string_view signs) const {
    bool quotes = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      quotes ^= text[i] == '"';
      if (!quotes && signs.find(text[i]) != std::string_view::npos) return i;
    }
    if (quotes) fail("a quote that never ends");
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

  /// What a text means that may stand in quotes.
  std::string meaning(std::string_view text) const {
    text = trimmed(text);
    if (!text.starts_with('"')) return std::string(text);
    std::string plain;
    std::size_t at = 1;
    while (at < text.size() && (text[at] != '"' || text.substr(at).starts_with("\"\""))) {
      at += text[at] == '"' ? 1 : 0;
      plain += text[at++];
    }
    if (at + 1 != text.size()) fail("text behind a closing quote");
    return plain;
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

condition parse_condition(std::string_view text) {
  const option_text where{"--where", text, "COL OP VALUE with = != < <= > or >= as OP"};
  const std::size_t at = where.find(text, "=!<>");
  if (at == std::string_view::npos) where.fail("there is no comparison");
  const std::string_view rest = text.substr(at);
  constexpr std::pair<std::string_view, comparison> operators[] = {
      {"!=", comparison::not_equal},     {"<=", comparison::less_equal},
      {">=", comparison::greater_equal}, {"=", comparison::equal},
      {"<", comparison::less},           {">", comparison::greater}};
  for (const auto& [sign, op] : operators) {
    if (!rest.starts_with(sign)) continue;
    const std::string_view value = trimmed(rest.substr(sign.size()));
    return {where.name(text.substr(0, at)), op, where.meaning(value), value.starts_with('"'),
            std::string(text)};
  }
  where.fail("'!' alone is no comparison");
}

}  // namespace evenfold::cli
