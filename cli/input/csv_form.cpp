#include "cli/input/csv_form.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/options.hpp"
#include "cli/report/warning.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold::cli {

void add_header_options(command_spec& command, std::optional<bool>& header,
                        const std::string& heading) {
  command
      .add_text_option(
          "--header",
          [&header](const std::string& text) {
            header = text == "auto" ? std::nullopt : std::optional(text == "yes");
          },
          "Whether the first line of a CSV file or an edge list is a header, with the names\n"
          "of the columns: yes, no or auto. auto looks at the file, and warns if the answer is\n"
          "a guess. Without a header the columns are called 1, 2, ...")
      ->type_name("WHEN")
      ->default_str("auto")
      ->check(one_of({"yes", "no", "auto"}))
      ->group(heading);
  command
      .add_action(
          "--no-header", [&header] { header = false; }, "The same as --header no")
      ->excludes("--header")
      ->group(heading);
}

void add_delimiter_option(command_spec& command, std::function<void(char)> take,
                          const std::string& heading) {
  command
      .add_text_option(
          "--delimiter",
          [take = std::move(take)](const std::string& text) {
            take(text == "\\t" ? '\t' : text[0]);
          },
          "The byte between two fields; \\t is a tab")
      ->type_name("CHAR")
      ->default_str(",")
      ->check([](const std::string& text) {
        const bool good =
            text == "\\t" || (text.size() == 1 && text != "\"" && text != "\r" && text != "\n");
        return good ? std::string()
                    : "'" + text +
                          "' is not a delimiter, expected one byte other than a quote, or \\t";
      })
      ->group(heading);
}

void add_null_option(command_spec& command, null_texts& nulls, const std::string& about,
                     const std::string& group) {
  command
      .add_texts_option(
          "--null", [&nulls](const std::vector<std::string>& texts) { nulls = null_texts(texts); },
          about + ".\nThe option may be repeated")
      ->type_name("TEXT")
      ->group(group);
}

void add_csv_options(command_spec& command, csv_form& form, null_rule rule) {
  add_header_options(command, form.header, "CSV files");
  add_delimiter_option(
      command, [&form](char delimiter) { form.delimiter = delimiter; }, "CSV files");
  add_null_option(
      command, form.nulls,
      rule == null_rule::leave_out
          ? "A field with exactly this text is null, and rows with a null among the columns\n"
            "that are read are left out; by default, every row must have all numbers"
          : "A field with exactly this text is null, and is refused even if it is a number,\n"
            "such as -999: this command needs the numbers of all rows",
      "CSV files");
}

void warn_of_guess(const std::string& file, const header_verdict& verdict) {
  warn(
      fmt::format("{}: the first line was read as {}, since it contains {}; --header {} confirms "
                  "this, --header {} denies it",
                  input_name(file), verdict.header ? "the names of the columns" : "data",
                  verdict.reason == header_reason::mixed     ? "numbers and texts"
                  : verdict.reason == header_reason::numbers ? "only numbers"
                                                             : "only texts",
                  verdict.header ? "yes" : "no", verdict.header ? "no" : "yes"));
}

}  // namespace evenfold::cli
