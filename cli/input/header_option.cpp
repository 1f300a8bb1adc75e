#include "cli/input/header_option.hpp"

#include <fmt/format.h>

#include "cli/commands/choice.hpp"
#include "cli/commands/options.hpp"
#include "cli/report/warning.hpp"

namespace evenfold::cli {

option_spec* add_header_option(command_spec& command, std::optional<bool>& header) {
  return command
      .add_text_option(
          "--header",
          [&header](const std::string& text) {
            header = text == "auto" ? std::nullopt : std::optional(text == "yes");
          },
          "Whether the first line of a CSV file or a list of edges is a header, with the names\n"
          "of the columns: yes, no or auto. auto looks at the file, and warns if the answer is\n"
          "a guess. Without a header the columns are called 1, 2, ...")
      ->type_name("WHEN")
      ->default_str("auto")
      ->check(one_of({"yes", "no", "auto"}));
}

void warn_of_guess(const std::string& file, const header_verdict& verdict) {
  warn(
      fmt::format("{}: the first line was read as {}, since it contains {}; --header {} confirms "
                  "this, --header {} denies it",
                  input_name(file), verdict.header ? "the names of the columns" : "data",
                  verdict.reason == header_reason::numbers ? "numbers" : "only texts",
                  verdict.header ? "yes" : "no", verdict.header ? "no" : "yes"));
}

}  // namespace evenfold::cli
