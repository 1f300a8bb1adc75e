#pragma once
// The columns of a table as the numbers, keys and nulls that aggregates take.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cli/commands/table_options.hpp"
#include "cli/input/aggregate_list.hpp"
#include "cli/input/key_column.hpp"
#include "cli/input/table_keys.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "runtime/tables.hpp"

namespace evenfold::cli {

/// The values of aggregates. All arguments of the constructor must outlive the object.
class aggregate_columns {
 public:
  /// Reads the columns of the aggregates.
  ///
  /// Errors: those of csv_table::column; input_error for a text where an aggregate needs numbers,
  /// and for integers whose sum might not fit into 64 bits.
  aggregate_columns(cpu_context& ctx, const csv_table& table, const table_options& options,
                    std::span<const wanted_aggregate> wanted);

  /// Whether the column of an aggregate has nulls.
  bool has_nulls(const wanted_aggregate& wanted) const;

  /// The aggregate in memory that an engine can reach. On the host it refers to this object.
  runtime::column_aggregate local(runtime::engine& engine, const wanted_aggregate& wanted) const;

 private:
  struct column {
    std::size_t index;
    field_kinds kinds;
    bool has_numbers = false;
    column_vector<unsigned char> nulls;
    /// The numbers if all are integers and are summed.
    column_vector<std::int64_t> integers;
    column_vector<double> numbers;
    std::vector<key_column> keys;
  };

  void read(const wanted_aggregate& wanted, bool is_summed);
  void read_nulls(column& values);
  void read_keys(column& values);
  void read_numbers(column& values, const wanted_aggregate& wanted, bool is_summed);
  template <class T>
  void read_numbers(column& values, column_vector<T>& numbers);
  void check_sum(const column& values, const wanted_aggregate& wanted) const;
  column_of from(const column& values) const { return {table_, values.index}; }

  cpu_context& ctx_;
  const csv_table& table_;
  const table_options& options_;
  std::map<std::size_t, column> columns_;
};

}  // namespace evenfold::cli
