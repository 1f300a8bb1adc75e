#include "cli/input/column_list.hpp"

#include "cli/input/option_text.hpp"

namespace evenfold::cli {

std::vector<sort_key> parse_sort_keys(const char* option, std::string_view text) {
  const option_text by{option, text, "COL[:desc][,COL2[:desc]...]", ","};
  std::vector<sort_key> keys;
  for (std::string_view piece : by.split(text, ',')) {
    piece = trimmed(piece);
    const bool descending = piece.ends_with(":desc");
    if (descending) piece.remove_suffix(5);
    if (!descending && piece.ends_with(":asc")) piece.remove_suffix(4);
    keys.push_back({by.name(piece), descending});
  }
  return keys;
}

std::vector<key_pair> parse_key_pairs(std::string_view text) {
  const option_text on{"--on", text, "COL[=COL2][,...]", ",="};
  std::vector<key_pair> keys;
  for (const std::string_view piece : on.split(text, ',')) {
    const auto sides = on.split(piece, '=');
    if (sides.size() > 2) on.fail("a pair has more than two columns");
    keys.push_back({on.name(sides.front()), on.name(sides.back())});
  }
  return keys;
}

std::vector<std::string> parse_edge_columns(std::string_view text) {
  const option_text columns{"--columns", text, "FROM,TO or FROM,TO,WEIGHT", ","};
  const auto pieces = columns.split(text, ',');
  if (pieces.size() != 2 && pieces.size() != 3) {
    columns.fail(std::to_string(pieces.size()) +
                 (pieces.size() == 1 ? " column is named" : " columns are named"));
  }
  std::vector<std::string> names;
  names.reserve(pieces.size());
  for (const std::string_view piece : pieces) names.push_back(columns.name(piece));
  return names;
}

std::vector<std::string> parse_pair_columns(std::string_view text) {
  const option_text columns{"--column", text,
                            "the column of both files, or those of X and of Y: C[,D]", ","};
  std::vector<std::string> names;
  for (const std::string_view piece : columns.split(text, ',')) {
    names.push_back(columns.meaning(piece));
  }
  if (names.size() > 2) columns.fail(std::to_string(names.size()) + " columns are named");
  return names;
}

std::vector<std::string> parse_names(const char* option, std::string_view text) {
  const option_text names{option, text, "NAME[,NAME...], a name with a comma in quotes", ","};
  std::vector<std::string> result;
  for (const std::string_view piece : names.split(text, ',')) result.push_back(names.name(piece));
  return result;
}

}  // namespace evenfold::cli
