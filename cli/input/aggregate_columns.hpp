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

/// Everything that is given must live as long.
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

  /// The aggregate, where an engine can reach it. Where that is the host it refers to this object.
  runtime::column_aggregate local(runtime::engine& engine, const wanted_aggregate& wanted) const;

 private:
  struct column {
    field_kinds kinds;
    std::vector<unsigned char> nulls;  ///< empty where none is
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
    std::vector<key_column> keys;
  };

  void read(const wanted_aggregate& wanted);
  void check_numbers(const column_of& from, const wanted_aggregate& wanted) const;
  void check_sum(const column& values, const wanted_aggregate& wanted) const;
  template <class T>
  std::vector<T> numbers_of(const column_of& from) const;

  cpu_context& ctx_;
  const csv_table& table_;
  const table_options& options_;
  std::map<std::size_t, column> columns_;
};

}  // namespace evenfold::cli
