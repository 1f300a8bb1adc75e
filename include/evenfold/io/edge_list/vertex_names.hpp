#pragma once
// `vertex_names`: the names of vertices, and the vertex of a name.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evenfold/io/text/number_text.hpp"

namespace evenfold {

/// The names of the vertices 0 to size() - 1: consecutive integers, other integers, or texts. They
/// are distinct and ascend, integers by value and texts by their bytes.
class vertex_names {
 public:
  /// No vertices.
  vertex_names() = default;

  /// Vertices with the names first, first + 1 and so on, like the rows of a matrix. O(1) memory.
  static vertex_names counted(std::int32_t count, std::int64_t first) {
    vertex_names names;
    names.size_ = count;
    names.first_ = first;
    return names;
  }
  /// Vertices with these names, which are distinct and ascend.
  static vertex_names of(std::vector<std::int64_t> numbers) {
    vertex_names names;
    names.size_ = static_cast<std::int32_t>(numbers.size());
    names.numbers_ = std::move(numbers);
    return names;
  }
  static vertex_names of(std::vector<std::string> texts) {
    vertex_names names;
    names.size_ = static_cast<std::int32_t>(texts.size());
    names.texts_ = std::move(texts);
    return names;
  }

  std::int32_t size() const { return size_; }
  bool are_numbers() const { return texts_.empty(); }

  /// The name of vertex v, where the names are numbers.
  std::int64_t number(std::int32_t v) const {
    return numbers_.empty() ? first_ + v : numbers_[static_cast<std::size_t>(v)];
  }
  /// The name of vertex v. O(length).
  std::string name(std::int32_t v) const {
    std::string text;
    append_name(text, v);
    return text;
  }
  void append_name(std::string& text, std::int32_t v) const {
    if (!are_numbers()) {
      text += texts_[static_cast<std::size_t>(v)];
    } else {
      append_number(text, number(v));
    }
  }

  /// The vertex with this name. Integers are compared by value. O(log size()).
  std::optional<std::int32_t> find(std::string_view name) const {
    if (!are_numbers()) return index_in(texts_, name);
    std::int64_t number = 0;
    if (parse_number(name, number) != std::errc{}) return std::nullopt;
    if (!numbers_.empty()) return index_in(numbers_, number);
    if (number < first_ || number > first_ + (size_ - 1)) return std::nullopt;
    return static_cast<std::int32_t>(number - first_);
  }

 private:
  template <class T, class Key>
  static std::optional<std::int32_t> index_in(const std::vector<T>& sorted, const Key& key) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), key);
    if (found == sorted.end() || *found != key) return std::nullopt;
    return static_cast<std::int32_t>(found - sorted.begin());
  }

  std::int32_t size_ = 0;
  // The names are texts_ or numbers_; if both are empty, they are the integers from first_ on.
  std::int64_t first_ = 0;
  std::vector<std::int64_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace evenfold
