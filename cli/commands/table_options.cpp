#include "cli/commands/table_options.hpp"

#include "cli/commands/options.hpp"
#include "cli/input/csv_form.hpp"

namespace evenfold::cli {

void add_table_options(command_spec& command, table_options& options) {
  command
      .add_option("--output", options.output,
                  "Write the rows to this file (CSV) instead of standard output")
      ->type_name("FILE");
  add_header_options(command, options.csv.header, "Tables");
  add_null_option(command, options.nulls,
                  "A field with exactly this text is null; by default, an empty field is",
                  "Tables");
  add_delimiter_option(
      command, [&options](char delimiter) { options.csv.delimiter = delimiter; }, "Tables");
  add_common_options(command, options.common);
  // The rows are CSV as the files are; there is no report.
  command.remove_option("--format");
}

void add_table_file(command_spec& command, const char* name, std::string& path,
                    const std::string& about) {
  command.add_option(name, path, about + ": CSV, also as .gz; - reads standard input")
      ->required()
      ->type_name("");
}

void add_by_option(command_spec& command, std::vector<sort_key>& by, const char* type_name,
                   const char* about) {
  command
      .add_text_option(
          "--by", [&by](const std::string& text) { by = parse_sort_keys("--by", text); }, about)
      ->required()
      ->type_name(type_name);
}

void add_on_option(command_spec& command, std::vector<key_pair>& on) {
  command
      .add_text_option(
          "--on", [&on](const std::string& text) { on = parse_key_pairs(text); },
          "Columns of the key; COL=COL2 if their names differ")
      ->required()
      ->type_name("COL[=COL2],...");
}

}  // namespace evenfold::cli
