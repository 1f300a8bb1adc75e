#pragma once
// The readers of CSV files on the CPU, compiled once for all commands.

#include <string>
#include <string_view>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"

namespace evenfold::cli {

/// csv_table::read_file, with the same errors.
csv_table read_csv_file(cpu_context& ctx, const std::string& name, const csv_options& options);

/// csv_table::read_text, with the same errors. The text must outlive the table.
csv_table read_csv_text(cpu_context& ctx, std::string_view text, const std::string& name,
                        const csv_options& options);

}  // namespace evenfold::cli
