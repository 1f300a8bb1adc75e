#pragma once
// Options that take a number within bounds.

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

/// Refuses a text that is not a finite number from `least` to `most`.
inline option_check finite(double least = std::numeric_limits<double>::lowest(),
                           double most = std::numeric_limits<double>::max()) {
  return [least, most](const std::string& text) {
    double value = 0;
    const bool good = parse_number(text, value) == std::errc{} && std::isfinite(value) &&
                      value >= least && value <= most;
    if (good) return std::string();
    const bool low = least != std::numeric_limits<double>::lowest();
    const bool high = most != std::numeric_limits<double>::max();
    return fmt::format("'{}' is not valid, expected a finite number{}{}", text,
                       low ? fmt::format(" of at least {}", least) : "",
                       high ? fmt::format(" and at most {}", most) : "");
  };
}

}  // namespace evenfold::cli
