#pragma once
// The steps of a condition over the columns of a table, as codes that the runtime compares.

#include <cstdint>
#include <vector>

#include "cli/commands/table_options.hpp"
#include "cli/input/key_column.hpp"
#include "cli/input/row_condition.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "runtime/tables.hpp"

namespace evenfold::cli {

/// As runtime::filter_step, on the host.
struct coded_step {
  runtime::filter_step::kind what;
  key_column left{}, right{};
  comparison op = comparison::equal;
  std::uint64_t bound = 0;
};

/// Appends the steps of a condition. A column and a value, or two columns, are compared as numbers
/// if both are numbers, and otherwise as text.
///
/// Errors: input_error for a column that is not there, for a value that is no number beside a
/// column of numbers, and for an order between numbers and a column of text.
void append_codes(std::vector<coded_step>& steps, cpu_context& ctx, const csv_table& table,
                  const std::vector<condition_step>& condition, const table_options& options);

/// The steps in memory that an engine can reach, which may be that of `steps`: they must live as
/// long.
std::vector<runtime::filter_step> local(runtime::engine& engine,
                                        const std::vector<coded_step>& steps);

}  // namespace evenfold::cli
