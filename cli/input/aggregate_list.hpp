#pragma once
// The option --agg: a list of aggregates such as sum(x),mean(y),count(),p95(z).

#include <string>
#include <string_view>
#include <vector>

#include "runtime/tables.hpp"

namespace evenfold::cli {

struct wanted_aggregate {
  runtime::aggregate_kind kind;
  /// The fraction of a quantile.
  double fraction = 0;
  /// Whether the result is the square root: the standard deviation.
  bool is_root = false;
  /// Empty for count().
  std::string column{};
  std::string written{};
};

/// Errors: option_error.
std::vector<wanted_aggregate> parse_aggregates(std::string_view text);

/// The columns of the aggregates.
std::vector<std::string> names_of(const std::vector<wanted_aggregate>& wanted);

}  // namespace evenfold::cli
