#pragma once
// Options that name columns or vertices: lists and pairs. A name with a comma or
// another special character is written in single or double quotes, in which a doubled quote stands
// for one: --by '"last, first":desc'.

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/options.hpp"

namespace evenfold::cli {

/// From --by or --per: "col", "col:asc" or "col:desc", several with commas between them.
struct sort_key {
  std::string column;
  bool descending = false;
};

/// From --on: "col" of both tables, or "col=col2" of the first and the second one.
struct key_pair {
  std::string first, second;
};

/// The columns of keys.
template <class Keys>
std::vector<std::string> names_of(const Keys& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const auto& key : keys) names.push_back(key.column);
  return names;
}
inline std::vector<std::string> first_names(const std::vector<key_pair>& pairs) {
  std::vector<std::string> names;
  names.reserve(pairs.size());
  for (const key_pair& pair : pairs) names.push_back(pair.first);
  return names;
}
inline std::vector<std::string> second_names(const std::vector<key_pair>& pairs) {
  std::vector<std::string> names;
  names.reserve(pairs.size());
  for (const key_pair& pair : pairs) names.push_back(pair.second);
  return names;
}

/// Errors of all: option_error, which names the option.
std::vector<sort_key> parse_sort_keys(const char* option, std::string_view text);
std::vector<key_pair> parse_key_pairs(std::string_view text);
/// From --column of two files: the column of both, or that of each, which may be empty.
std::vector<std::string> parse_pair_columns(std::string_view text);
/// From `option`: names with commas between them.
std::vector<std::string> parse_names(const char* option, std::string_view text);
/// From --columns of an edge list: the ends of an edge and perhaps its weight.
std::vector<std::string> parse_edge_columns(std::string_view text);

}  // namespace evenfold::cli
