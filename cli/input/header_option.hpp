#pragma once
// --header: whether the first line of a CSV file or of a list of edges names the columns.

#include <optional>
#include <string>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/header_rule.hpp"

namespace evenfold::cli {

/// Adds --header yes|no|auto; std::nullopt is auto. `header` must live as long as the command.
option_spec* add_header_option(command_spec& command, std::optional<bool>& header);

/// Warns that the first line was read as names, or as data, by a guess.
void warn_of_guess(const std::string& file, const header_verdict& verdict);

}  // namespace evenfold::cli
