#include "cli/input/sources.hpp"

#include "cli/input/column_list.hpp"

namespace evenfold::cli {

void add_source_option(command_spec& command, std::vector<std::string>& names) {
  command
      .add_texts_option(
          "--source",
          [&names](const std::vector<std::string>& texts) {
            names.clear();
            for (const std::string& text : texts) {
              const std::vector<std::string> more = parse_names("--source", text);
              names.insert(names.end(), more.begin(), more.end());
            }
          },
          "The vertices to start from, by their names in the file; quote a name with a comma")
      ->required()
      ->type_name("V[,V...]");
}

std::vector<std::int32_t> source_vertices(const graph_input& input,
                                          const std::vector<std::string>& names,
                                          const graph_options& options) {
  const char* const option =
      names.size() > 1 ? "--source (a name with a comma is written in quotes)" : "--source";
  std::vector<std::int32_t> sources;
  sources.reserve(names.size());
  for (const std::string& name : names) {
    sources.push_back(vertex_named(input, name, options, option));
  }
  return sources;
}

}  // namespace evenfold::cli
