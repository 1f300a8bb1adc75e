#pragma once
// Regular expressions over the fields of a column. Only text_pattern.cpp includes the library, RE2.

#include <memory>
#include <string>
#include <string_view>

namespace evenfold::cli {

/// A regular expression in the syntax of RE2, which finds it in time proportional to the text. Any
/// number of threads may use it at the same time.
class text_pattern {
 public:
  explicit text_pattern(const std::string& expression);
  text_pattern(text_pattern&&) noexcept;
  ~text_pattern();

  /// The error of the expression; empty if it is valid.
  std::string fault() const;

  /// Whether some part of the text matches.
  bool is_in(std::string_view text) const;

 private:
  struct compiled;
  std::unique_ptr<compiled> compiled_;
};

}  // namespace evenfold::cli
