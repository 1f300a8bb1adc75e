#pragma once
// --header: whether the first line of a CSV file or of a list of edges names the columns.

#include <optional>
#include <string>

#include "evenfold/io/text/header_rule.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evenfold::cli {

/// Adds --header yes|no|auto; std::nullopt is auto. `header` must live as long as the command.
CLI::Option* add_header_option(CLI::App& command, std::optional<bool>& header);

/// Warns that the first line was taken for names, or for data, without being certain.
void warn_of_guess(const std::string& file, const header_verdict& verdict);

}  // namespace evenfold::cli
