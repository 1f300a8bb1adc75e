#include "cli/commands/choice.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "evenfold/io/text/file_name.hpp"
#include "evenfold/io/text/name_list.hpp"

namespace evenfold::cli {

std::string suggested(const std::vector<std::string>& names, const std::string& text) {
  constexpr std::pair<const char*, const char*> elsewhere[] = {
      {"avg", "mean"},     {"average", "mean"}, {"std", "stddev"},
      {"stdev", "stddev"}, {"var", "variance"}, {"outer", "full"}};
  for (const auto& [there, here] : elsewhere) {
    if (text == there && std::find(names.begin(), names.end(), here) != names.end()) {
      return detail::suggestion(names, here);
    }
  }
  return detail::suggestion(names, text);
}

option_check one_of(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& text) {
    if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
    return fmt::format("'{}' is unknown, expected one of {}{}", text, fmt::join(names, ", "),
                       suggested(names, text));
  };
}

option_check ends_in(std::vector<std::string> endings) {
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

option_spec* add_output_option(command_spec& command, std::string& output, const std::string& about,
                               std::vector<std::string> endings) {
  return command.add_option("--output", output, about)
      ->type_name("FILE")
      ->check(ends_in(std::move(endings)));
}

}  // namespace evenfold::cli
