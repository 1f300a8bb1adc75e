#pragma once
// One run of a command on tables: reads, makes keys, works, writes, and says how long each phase
// took.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/engine.hpp"
#include "cli/commands/table_options.hpp"
#include "cli/input/column_list.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/input/table_keys.hpp"
#include "cli/report/output.hpp"
#include "cli/report/table_writer.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

/// One run of a command. `options` must outlive it. The phase `read` begins at once.
class table_run {
 public:
  /// For a command that reads these files. Errors: option_error where --output is one of them.
  table_run(const table_options& options, const std::vector<named_file>& files);

  /// Reads a table. `asked` are the columns that will be requested. Warns if it is a guess whether
  /// the first line names the columns.
  ///
  /// Errors: those of csv_table; input_error for 2^31 rows or more.
  csv_table read(const std::string& file, std::vector<std::string> asked);

  /// The keys of the named columns, column by column. Errors: those of csv_table::column.
  std::vector<key_column> keys(const csv_table& table, const std::vector<sort_key>& columns);

  /// The same for pairs of columns: keys of the rows of `first`, then of those of `second`.
  ///
  /// Errors: as above; input_error where both tables have 2^31 rows or more.
  std::vector<key_column> keys(const csv_table& first, const csv_table& second,
                               const std::vector<key_pair>& columns);

  /// Writes the rows of the result, under the names of the columns where a file that was read has
  /// names; see write_rows. A file gets its name in finish().
  void write(const std::vector<output_columns>& columns, std::size_t num_rows);

  /// Prints the times if asked for, then gives the output file its name. To be called last.
  ///
  /// Errors: output_error; the file is then as it was.
  void finish();

  /// The engine that the command works on. Begins the phase `phase`.
  runtime::engine& open(const char* phase);

  /// The context that reads the tables and makes their keys.
  cpu_context& ctx() { return ctx_; }

  phases work;

 private:
  const table_options& options_;
  command_engine device_;
  cpu_context ctx_;
  output_set files_;
  bool has_names_ = false;
};

}  // namespace evenfold::cli
