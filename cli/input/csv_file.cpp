#include "cli/input/csv_file.hpp"

namespace evenfold::cli {

csv_table read_csv_file(cpu_context& ctx, const std::string& name, const csv_options& options) {
  return csv_table::read_file(ctx, name, options);
}

csv_table read_csv_text(cpu_context& ctx, std::string_view text, const std::string& name,
                        const csv_options& options) {
  return csv_table::read_text(ctx, text, name, options);
}

}  // namespace evenfold::cli
