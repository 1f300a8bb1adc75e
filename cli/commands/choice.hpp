#pragma once
// Options that take one of a few names, or the name of a file of a few kinds.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/commands/options.hpp"

namespace evenfold::cli {

/// The enumerator of a name; the names are in the order of the enumerators.
template <class Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// "; did you mean 'NAME'?" with the name here of what has another one in SQL or in Python, or else
/// with the most similar of the names.
std::string suggested(const std::vector<std::string>& names, const std::string& text);

/// Refuses a text that is not one of the names.
option_check one_of(std::vector<std::string> names);

/// The same for the names of enumerators.
template <std::size_t N>
option_check one_of(const std::array<const char*, N>& names) {
  return one_of(std::vector<std::string>(names.begin(), names.end()));
}

/// Refuses a file to write whose name ends in none of these, .gz aside. Standard output and devices
/// need no ending.
option_check ends_in(std::vector<std::string> endings);

/// Adds --output: a file of one of these kinds to write.
option_spec* add_output_option(command_spec& command, std::string& output, const std::string& about,
                               std::vector<std::string> endings);

}  // namespace evenfold::cli
