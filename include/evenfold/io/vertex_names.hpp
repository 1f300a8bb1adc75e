#pragma once
// `vertex_names`: what a file calls its vertices, and which vertex a name means.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/io/number_text.hpp"

namespace evenfold {

/// The names of the vertices 0 to size() - 1: consecutive integers, other integers, or texts. They
/// are distinct and ascend, integers by value and texts by their bytes.
class vertex_names {
 public:
  /// No vertices.
  vertex_names() : vertex_names(range{0, 0}) {}

  /// Vertices that are called first, first + 1 and so on, as matrices call their rows. O(1) memory.
  static vertex_names counted(std::int32_t count, std::int64_t first) {
    return vertex_names(range{count, first});
  }
  /// Of distinct names that ascend.
  static vertex_names of(std::vector<std::int64_t> numbers) {
    return vertex_names(std::move(numbers));
  }
  static vertex_names of(std::vector<std::string> texts) { return vertex_names(std::move(texts)); }

  std::int32_t size() const {
    if (const auto* const counted = std::get_if<range>(&names_)) return counted->count;
    return are_numbers() ? static_cast<std::int32_t>(numbers().size())
                         : static_cast<std::int32_t>(texts().size());
  }

  bool are_numbers() const { return !std::holds_alternative<std::vector<std::string>>(names_); }

  /// The name of vertex v. O(length).
  std::string name(std::int32_t v) const {
    std::string text;
    append_name(text, v);
    return text;
  }
  void append_name(std::string& text, std::int32_t v) const {
    if (const auto* const counted = std::get_if<range>(&names_)) {
      append_number(text, counted->first + v);
    } else if (are_numbers()) {
      append_number(text, numbers()[static_cast<std::size_t>(v)]);
    } else {
      text += texts()[static_cast<std::size_t>(v)];
    }
  }

  /// The vertex of that name, integers being compared by value. O(log size()).
  std::optional<std::int32_t> find(std::string_view name) const {
    if (!are_numbers()) return place_in(texts(), name);
    std::int64_t number = 0;
    if (parse_number(name, number) != std::errc{}) return std::nullopt;
    const auto* const counted = std::get_if<range>(&names_);
    if (counted == nullptr) return place_in(numbers(), number);
    if (number < counted->first || number - counted->first >= counted->count) return std::nullopt;
    return static_cast<std::int32_t>(number - counted->first);
  }

 private:
  struct range {
    std::int32_t count;
    std::int64_t first;
  };
  using content = std::variant<range, std::vector<std::int64_t>, std::vector<std::string>>;

  explicit vertex_names(content names) : names_(std::move(names)) {}

  const std::vector<std::int64_t>& numbers() const {
    return std::get<std::vector<std::int64_t>>(names_);
  }
  const std::vector<std::string>& texts() const {
    return std::get<std::vector<std::string>>(names_);
  }

  template <class T, class Key>
  static std::optional<std::int32_t> place_in(const std::vector<T>& sorted, const Key& key) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), key);
    if (found == sorted.end() || *found != key) return std::nullopt;
    return static_cast<std::int32_t>(found - sorted.begin());
  }

  content names_;
};

}  // namespace evenfold
