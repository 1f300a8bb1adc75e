#include "cli/report/plot.hpp"

#include "cli/commands/choice.hpp"
#include "cli/draw/svg_to_png.hpp"
#include "evenfold/io/text/file_name.hpp"

namespace evenfold::cli {

void add_plot_option(command_spec& command, std::string& path, const std::string& about) {
  command.add_option("--plot", path, about + " (.svg or .png)")
      ->type_name("FILE")
      ->check(ends_in({".svg", ".png"}));
}

void write_plot(output_file& file, const std::string& svg) {
  file.write(is_written_as(file.name(), ".png") ? svg_to_png(svg) : svg);
}

}  // namespace evenfold::cli
