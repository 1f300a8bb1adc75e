#pragma once
// Options that take one of a few names, or the name of a file of a few kinds.

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/name_list.hpp"

namespace evenfold::cli {

/// The enumerator of a name; the names are in the order of the enumerators.
template <class Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Refuses a text that is not one of the names.
inline option_check one_of(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& text) {
    if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
    return fmt::format("'{}' is unknown, expected one of {}{}", text, fmt::join(names, ", "),
                       detail::suggestion(names, text));
  };
}

/// The same for the names of enumerators.
template <std::size_t N>
option_check one_of(const std::array<const char*, N>& names) {
  return one_of(std::vector<std::string>(names.begin(), names.end()));
}

/// Refuses a file to write whose name ends in none of these, .gz aside. Standard output and devices
/// need no ending.
inline option_check ends_in(std::vector<std::string> endings) {
  return [endings = std::move(endings)](const std::string& path) {
    const auto ends = [&](const std::string& ending) { return has_ending(path, ending); };
    const bool is_device = path == standard_stream || path.starts_with("/dev/");
    if (is_device || std::any_of(endings.begin(), endings.end(), ends)) {
      return std::string();
    }
    return fmt::format("'{}' has no known ending, expected {}, also with .gz", path,
                       fmt::join(endings, " or "));
  };
}

/// Adds --output: a file of one of these kinds to write.
inline option_spec* add_output_option(command_spec& command, std::string& output,
                                      const std::string& about, std::vector<std::string> endings) {
  return command.add_option("--output", output, about)
      ->type_name("FILE")
      ->check(ends_in(std::move(endings)));
}

}  // namespace evenfold::cli
