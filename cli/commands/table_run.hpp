#pragma once
// One run of a command on tables: reads, makes keys, works, writes, and says how long each phase
// took.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/table_options.hpp"
#include "cli/input/column_list.hpp"
#include "cli/input/table_keys.hpp"
#include "cli/on_phase.hpp"
#include "cli/report/output.hpp"
#include "cli/report/table_writer.hpp"

namespace evenfold::cli {

/// `options` must live as long. The phase `read` begins at once.
class table_run {
 public:
  explicit table_run(const table_options& options);

  /// Errors: those of csv_table; input_error for 2^31 rows or more.
  csv_table read(const std::string& file);

  /// The keys of the named columns, one after the other. Errors: those of csv_table::column.
  std::vector<key_column> keys(const csv_table& table, const std::vector<sort_key>& columns);

  /// The same for pairs of columns: keys of the rows of `first`, then of those of `second`.
  ///
  /// Errors: as above; input_error where both tables have 2^31 rows or more.
  std::vector<key_column> keys(const csv_table& first, const csv_table& second,
                               const std::vector<key_pair>& columns);

  /// Writes the rows of the result; see write_rows. The last phase but for say_times().
  void write(const std::vector<output_columns>& columns, std::size_t num_rows);

  /// To be called last.
  void say_times();

  const device where;
  phases work;
  const on_phase begin = [this](std::string name) { work.begin(std::move(name)); };
  cpu_context ctx;

 private:
  const table_options& options_;
};

}  // namespace evenfold::cli
