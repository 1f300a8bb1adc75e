#pragma once
// The options about the form of CSV files, which every command that reads them has.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/header_rule.hpp"
#include "evenfold/io/text/null_texts.hpp"

namespace evenfold::cli {

/// The form of the CSV files that a command reads.
struct csv_form {
  /// Whether the first line names the columns; std::nullopt leaves it to the file.
  std::optional<bool> header{};
  /// A comma unless the options name another one.
  std::optional<char> delimiter{};
  null_texts nulls{};

  bool is_null(std::string_view field) const { return nulls.contains(field); }
};

/// Adds --header yes|no|auto, where std::nullopt is auto, and --no-header, under a heading of the
/// help. The variables of these functions must live as long as the command.
void add_header_options(command_spec& command, std::optional<bool>& header,
                        const std::string& heading);
/// Adds --delimiter, whose byte goes to a function.
void add_delimiter_option(command_spec& command, std::function<void(char)> take,
                          const std::string& heading);

/// Adds --null, which may be repeated, to a group of the help. By default, `nulls` stay as they
/// are.
void add_null_option(command_spec& command, null_texts& nulls, const std::string& about,
                     const std::string& group);

/// The rule for nulls of a command on numbers: it leaves out the row, or refuses the file.
enum class null_rule { leave_out, refuse };

/// Adds the options of a command that reads CSV among other files of numbers: those above, and
/// --null.
void add_csv_options(command_spec& command, csv_form& form, null_rule rule);

/// Warns that the first line was read as names, or as data, by a guess.
void warn_of_guess(const std::string& file, const header_verdict& verdict);

}  // namespace evenfold::cli
