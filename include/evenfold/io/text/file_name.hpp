#pragma once
// The meaning of file names: standard input and output, and the format by the ending.

#include <string>
#include <string_view>

namespace evenfold {

/// The name of standard input where a file is read, and of standard output where one is written. A
/// file that is called - can be named ./- instead.
inline constexpr std::string_view standard_stream = "-";

/// Whether the name of a file has this ending, or has it before .gz.
constexpr bool has_ending(std::string_view name, std::string_view ending) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(ending);
}

/// Whether an output of this name has the format with this ending. Standard output, whose name has
/// none, is CSV.
constexpr bool is_written_as(std::string_view name, std::string_view ending) {
  return name == standard_stream ? ending == ".csv" : has_ending(name, ending);
}

/// The name of an input in messages.
inline std::string input_name(std::string_view name) {
  return std::string(name == standard_stream ? "standard input" : name);
}

}  // namespace evenfold
