// evenfold group: aggregates of the rows with equal keys.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/aggregate_columns.hpp"
#include "cli/input/aggregate_list.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::group {

namespace {

/// In the order of the enumerators of group_order.
constexpr std::array orders = {"keys", "appearance"};

struct group_options {
  table_options table;
  std::string file;
  std::vector<sort_key> by;
  std::vector<wanted_aggregate> aggregates;
  group_order order = group_order::keys;
};

/// The results of the aggregates as columns of the output, which refer to this object.
class group_columns {
 public:
  group_columns(runtime::engine& engine, const csv_table& table, const table_options& options)
      : engine_(engine), table_(table), options_(options) {}

  /// `counts` has the number of values of each group if some values are null, otherwise it is
  /// empty.
  output_columns column(const wanted_aggregate& wanted, const runtime::array& result,
                        std::vector<std::int64_t> counts) {
    using kind = runtime::aggregate_kind;
    switch (wanted.kind) {
      case kind::smallest:
      case kind::largest:
      case kind::first:
      case kind::last:
        return fields(wanted, runtime::to_vector<std::int64_t>(engine_, result));
      default:
        break;
    }
    if (result.type() == element_type::int64) {
      return numbers(wanted, runtime::to_vector<std::int64_t>(engine_, result), std::move(counts));
    }
    std::vector<double> values = runtime::to_vector<double>(engine_, result);
    if (wanted.is_root) {
      for (double& value : values) value = std::sqrt(value);
    }
    return numbers(wanted, std::move(values), std::move(counts));
  }

 private:
  output_columns fields(const wanted_aggregate& wanted, const std::vector<std::int64_t>& found) {
    std::vector<std::int32_t>& rows = rows_.emplace_back();
    for (const std::int64_t row : found) rows.push_back(static_cast<std::int32_t>(row));
    output_columns column = fields_of(table_, {table_.column(wanted.column)}, rows, options_);
    column.names = {wanted.written};
    return column;
  }

  template <class T>
  output_columns numbers(const wanted_aggregate& wanted, std::vector<T> values,
                         std::vector<std::int64_t> counts) {
    return numbers_of(
        wanted.written, std::move(values),
        [counts = std::move(counts)](std::size_t group, T value) {
          return value != value || (!counts.empty() && counts[group] == 0);
        },
        options_);
  }

  runtime::engine& engine_;
  const csv_table& table_;
  const table_options& options_;
  std::deque<std::vector<std::int32_t>> rows_;
};

void run(const group_options& options) {
  using kind = runtime::aggregate_kind;
  std::vector<std::string> asked = names_of(options.by);
  const std::vector<std::string> values = names_of(options.aggregates);
  asked.insert(asked.end(), values.begin(), values.end());
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, std::move(asked));
  const std::vector<key_column> keys = run.keys(table, options.by);
  const aggregate_columns inputs(run.ctx(), table, options.table, options.aggregates);

  runtime::engine& engine = run.open("group");
  std::vector<runtime::column_aggregate> there;
  for (const wanted_aggregate& wanted : options.aggregates) {
    there.push_back(inputs.local(engine, wanted));
    // The sum of no value is null.
    if (wanted.kind != kind::sum || !inputs.has_nulls(wanted)) continue;
    wanted_aggregate count = wanted;
    count.kind = kind::count;
    there.push_back(inputs.local(engine, count));
  }
  const runtime::grouped_table found =
      engine.tables().group(local(engine, keys), there, options.order);

  const auto rows = runtime::to_vector<std::int32_t>(engine, found.first_rows);
  std::vector<output_columns> columns;
  columns.reserve(options.by.size() + options.aggregates.size());
  for (const sort_key& key : options.by) {
    columns.push_back(fields_of(table, {table.column(key.column)}, rows, options.table));
  }
  group_columns results(engine, table, options.table);
  auto result = found.results.begin();
  for (const wanted_aggregate& wanted : options.aggregates) {
    const runtime::array& of_groups = *result++;
    std::vector<std::int64_t> counts;
    if (wanted.kind == kind::sum && inputs.has_nulls(wanted)) {
      counts = runtime::to_vector<std::int64_t>(engine, *result++);
    }
    columns.push_back(results.column(wanted, of_groups, std::move(counts)));
  }
  tell_names_apart(columns);
  run.write(columns, rows.size());
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<group_options>();
  command_spec* const command =
      program.add_subcommand("group", "Compute aggregates of the rows with equal keys");
  command->footer(
      std::string(about_keys) +
      "The aggregates are count(), count(COL), sum, min, max, mean, median, variance, stddev,\n"
      "first, last, and percentiles such as p95 or p99.9. They ignore nulls, but count()\n"
      "counts all rows. Variance and stddev are those of a sample. An aggregate without values\n"
      "is null. Null keys are equal to each other and come last. For example:\n"
      "  evenfold group data/capitals.csv --by continent \\\n"
      "    --agg 'count(),max(latitude),median(longitude)'");
  add_table_file(*command, "FILE", options->file, "A table");
  add_by_option(*command, options->by, "COL[:desc],...",
                "Columns of the key; COL:desc for a descending order of the groups");
  command
      ->add_text_option(
          "--agg",
          [options](const std::string& text) { options->aggregates = parse_aggregates(text); },
          "Aggregates to compute")
      ->required()
      ->type_name("NAME(COL),...");
  command
      ->add_text_option(
          "--order",
          [options](const std::string& text) { options->order = named<group_order>(orders, text); },
          "Order of the groups: keys, or appearance in the file")
      ->type_name("ORDER")
      ->default_str("keys")
      ->check(one_of(orders));
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::group
