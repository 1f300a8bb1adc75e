#pragma once
// The list of known names in a message about an unknown name, with the most similar names first.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/io/text/input_error.hpp"

namespace evenfold::detail {

/// The Levenshtein distance: how many characters must be inserted, deleted or replaced to turn one
/// text into the other. Ignores the case of ASCII letters. Work O(product of the lengths).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto small = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  std::vector<std::size_t> costs(b.size() + 1);
  std::iota(costs.begin(), costs.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = costs[0];
    costs[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (small(a[i]) == small(b[j]) ? 0 : 1);
      diagonal = costs[j + 1];
      costs[j + 1] = std::min({replaced, costs[j + 1] + 1, costs[j] + 1});
    }
  }
  return costs.back();
}

/// The largest edit distance between a name and a similar one.
inline std::size_t similar_distance(std::string_view wanted) {
  // Exchanging two letters makes a distance of 2.
  return (wanted.size() + 2) / 3;
}

/// "; did you mean 'NAME'?" with the most similar of the names, or nothing if none is similar.
template <class Names>
std::string suggestion(const Names& names, std::string_view wanted) {
  constexpr std::size_t longest = 64;
  std::string_view nearest;
  std::size_t best = std::min(similar_distance(wanted) + 1, wanted.size());
  for (const std::string_view name : names) {
    if (wanted.size() > longest || name.size() > longest) continue;
    const std::size_t distance = edit_distance(wanted, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? std::string() : "; did you mean " + shown(nearest) + "?";
}

/// At most ten of the names, in quotes and separated by commas, and the number of the others. If
/// there are more than ten, those similar to `wanted` come first, the most similar first of all,
/// then the others in their order.
inline std::string name_list(std::span<const std::string> names, std::string_view wanted) {
  constexpr std::size_t most = 10, longest = 64;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (names.size() > most && wanted.size() <= longest) {
    const std::size_t near = similar_distance(wanted);
    std::vector<std::size_t> distances(names.size(), near + 1);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].size() > wanted.size() + near || names[i].size() + near < wanted.size())
        continue;
      distances[i] = std::min(edit_distance(wanted, names[i]), near + 1);
    }
    std::partial_sort(
        order.begin(), order.begin() + most, order.end(), [&](std::size_t a, std::size_t b) {
          return distances[a] < distances[b] || (distances[a] == distances[b] && a < b);
        });
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    list += (i > 0 ? ", " : "") + shown(names[order[i]]);
  }
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  return list;
}

}  // namespace evenfold::detail
