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

/// How many characters must be inserted, deleted, replaced, or exchanged with their neighbour, to
/// turn one text into the other. Ignores the case of ASCII letters. Work O(product of the lengths).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto small = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  // costs[j] turns the first i characters of a into the first j of b; above are those of i - 1 and
  // of i - 2.
  std::vector<std::size_t> costs(b.size() + 1), above(b.size() + 1), above_that(b.size() + 1);
  std::iota(costs.begin(), costs.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    above_that.swap(above);
    above.swap(costs);
    costs[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](std::size_t k, std::size_t l) { return small(a[k]) == small(b[l]); };
      costs[j] =
          std::min({above[j - 1] + (same(i - 1, j - 1) ? 0 : 1), above[j] + 1, costs[j - 1] + 1});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        costs[j] = std::min(costs[j], above_that[j - 2] + 1);
      }
    }
  }
  return costs.back();
}

/// The largest edit distance between a name and a similar one.
inline std::size_t similar_distance(std::string_view wanted) { return (wanted.size() + 2) / 3; }

/// "; did you mean 'NAME'?" with the most similar of the names, or nothing if none is similar. A
/// name that was not written to its end is as similar as one with a wrong character.
template <class Names>
std::string suggestion(const Names& names, std::string_view wanted) {
  constexpr std::size_t longest = 64;
  std::string_view nearest;
  std::size_t best = std::min(similar_distance(wanted) + 1, wanted.size());
  for (const std::string_view name : names) {
    if (wanted.size() > longest || name.size() > longest) continue;
    const bool is_part = wanted.size() > 1 && name.starts_with(wanted);
    const std::size_t distance = is_part ? 1 : edit_distance(wanted, name);
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
