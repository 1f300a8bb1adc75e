#pragma once
// The options and the help texts that the commands on tables share.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/device.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/column_list.hpp"
#include "evenfold/io/csv/records.hpp"
#include "evenfold/io/text/null_texts.hpp"

namespace evenfold::cli {

/// The options of every command on tables.
struct table_options {
  common_options common;
  csv_options csv{.header = std::nullopt};
  null_texts nulls{""};
  /// Empty: standard output.
  std::string output;

  bool is_null(std::string_view field) const { return nulls.contains(field); }
};

/// Adds --output, --header, --null, --delimiter and the common options. `options` must live as
/// long as the command.
void add_table_options(command_spec& command, table_options& options);

/// Adds an argument that names a table to read.
void add_table_file(command_spec& command, const char* name, std::string& path,
                    const std::string& about);

/// Adds --by: the key columns of one table.
void add_by_option(command_spec& command, std::vector<sort_key>& by, const char* type_name,
                   const char* about);

/// Adds --on: the key columns of two tables.
void add_on_option(command_spec& command, std::vector<key_pair>& on);

/// The text about keys in the help of these commands.
inline constexpr const char* about_keys =
    "A column is compared as numbers if all its fields but nulls are numbers, and\n"
    "otherwise as text, byte by byte.\n";

}  // namespace evenfold::cli
