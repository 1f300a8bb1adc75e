#pragma once
// The texts that stand for null in a file.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evenfold {

/// Texts of which a field with exactly the same bytes is null: none, one, or several.
class null_texts {
 public:
  null_texts() = default;
  null_texts(const char* text) : texts_{text} {}
  explicit null_texts(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  bool empty() const { return texts_.empty(); }
  /// The first text, which stands for null where a file is written; there is one.
  const std::string& first() const { return texts_.front(); }
  bool contains(std::string_view field) const {
    return std::find(texts_.begin(), texts_.end(), field) != texts_.end();
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace evenfold
