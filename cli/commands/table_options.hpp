#pragma once
// What the commands on tables share: their options, and what their help says.

#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/device.hpp"
#include "cli/commands/options.hpp"
#include "evenfold/io/csv/records.hpp"

namespace evenfold::cli {

/// The options of every command on tables.
struct table_options {
  common_options common;
  csv_options csv{.header = std::nullopt};
  /// A field of these bytes in the file is null.
  std::string null;
  /// Empty: standard output.
  std::string output;

  bool is_null(std::string_view field) const { return field == null; }
};

/// Adds --output, --header, --null, --delimiter and the common options. `options` must live as
/// long as the command.
void add_table_options(command_spec& command, table_options& options);

/// What the help of each of these commands says of keys.
inline constexpr const char* about_keys =
    "A column is compared as numbers if all its fields but nulls are numbers, and\n"
    "otherwise as text, byte by byte.\n";

}  // namespace evenfold::cli
