#include "cli/input/text_pattern.hpp"

#include <re2/re2.h>

namespace evenfold::cli {

struct text_pattern::compiled {
  re2::RE2 of;
};

namespace {

re2::RE2::Options quiet() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

text_pattern::text_pattern(const std::string& expression)
    : compiled_(new compiled{re2::RE2(expression, quiet())}) {}
text_pattern::text_pattern(text_pattern&&) noexcept = default;
text_pattern::~text_pattern() = default;

std::string text_pattern::fault() const { return compiled_->of.ok() ? "" : compiled_->of.error(); }

bool text_pattern::is_in(std::string_view text) const {
  return re2::RE2::PartialMatch({text.data(), text.size()}, compiled_->of);
}

}  // namespace evenfold::cli
