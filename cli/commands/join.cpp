// evenfold join: the rows of two tables that have the same key, side by side.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli::commands::join {

namespace {

/// In the order of the enumerators of join_kind.
constexpr std::array kinds = {"inner", "left", "right", "full", "semi", "anti"};

struct join_options {
  table_options table;
  std::string left, right;
  std::vector<key_pair> on;
  join_kind how = join_kind::inner;
  bool count = false;
};

/// The rows of the result: see runtime::joined_table_rows.
struct join_answer {
  std::vector<std::int32_t> left, right;
};

join_answer joined(const std::vector<runtime::key_column>& keys, std::int32_t left_count,
                   join_kind how, runtime::engine& engine) {
  try {
    const runtime::joined_table_rows rows = engine.tables().join(keys, left_count, how);
    return {runtime::to_vector<std::int32_t>(engine, rows.left),
            rows.right.empty() ? std::vector<std::int32_t>()
                               : runtime::to_vector<std::int32_t>(engine, rows.right)};
  } catch (const runtime::result_too_large& failure) {
    throw allocation_error(std::string(failure.what()) + ", or --count");
  }
}

/// For each left column the right one that is the same key under the same name: one of the two is
/// enough.
std::vector<std::optional<std::size_t>> shared_keys(const csv_table& left, const csv_table& right,
                                                    const std::vector<key_pair>& on) {
  std::vector<std::optional<std::size_t>> shared(left.num_columns());
  for (const key_pair& pair : on) {
    const std::size_t first = left.column(pair.first);
    const std::size_t second = right.column(pair.second);
    if (left.columns()[first] == right.columns()[second]) shared[first] = second;
  }
  return shared;
}

/// Names that are in both lists get a suffix, repeated until no two columns have the same name.
void part_names(std::vector<std::string>& left, std::vector<std::string>& right) {
  const std::set<std::string> in_left(left.begin(), left.end());
  const std::set<std::string> in_right(right.begin(), right.end());
  std::set<std::string> taken = in_left;
  taken.insert(in_right.begin(), in_right.end());
  const auto part = [&taken](std::vector<std::string>& names, const char* ending,
                             const std::set<std::string>& others) {
    for (std::string& name : names) {
      if (!others.contains(name)) continue;
      while (!taken.insert(name).second) name += ending;
    }
  };
  part(left, "_left", in_right);
  part(right, "_right", in_left);
}

std::vector<output_columns> both_sides(const csv_table& left, const csv_table& right,
                                       const join_answer& rows, const join_options& options) {
  const auto shared = shared_keys(left, right, options.on);
  std::vector<bool> is_shared(right.num_columns());
  for (const std::optional<std::size_t>& column : shared) {
    if (column) is_shared[*column] = true;
  }
  std::vector<std::size_t> kept;
  for (std::size_t column = 0; column < right.num_columns(); ++column) {
    if (!is_shared[column]) kept.push_back(column);
  }
  output_columns from_left = fields_of(left, rows.left, options.table);
  output_columns from_right = fields_of(right, kept, rows.right, options.table);
  part_names(from_left.names, from_right.names);
  // Where there is no left row, the right one has the keys.
  from_left.append = [&, shared, present = from_left.append](csv_writer& csv, std::size_t k) {
    if (rows.left[k] != no_row) return present(csv, k);
    for (const std::optional<std::size_t>& key : shared) {
      csv.raw_field(key ? right.field(static_cast<std::size_t>(rows.right[k]), *key)
                        : options.table.nulls.first());
    }
  };
  return {std::move(from_left), std::move(from_right)};
}

void run(const join_options& options) {
  table_run run(options.table, {{"LEFT", options.left}, {"RIGHT", options.right}});
  const csv_table left = run.read(options.left, first_names(options.on));
  const csv_table right = run.read(options.right, second_names(options.on));
  const std::vector<key_column> host_keys = run.keys(left, right, options.on);
  const auto left_count = static_cast<std::int32_t>(left.num_rows());
  runtime::engine& engine = run.open("sort");
  const std::vector<runtime::key_column> keys = local(engine, host_keys);
  if (options.count) {
    print(fmt::format("{}\n", engine.tables().join_count(keys, left_count, options.how)));
  } else {
    const join_answer rows = joined(keys, left_count, options.how, engine);
    const bool left_alone = options.how == join_kind::semi || options.how == join_kind::anti;
    run.write(left_alone ? std::vector<output_columns>{fields_of(left, rows.left, options.table)}
                         : both_sides(left, right, rows, options),
              rows.left.size());
  }
  run.finish();
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<join_options>();
  command_spec* const command = program.add_subcommand(
      "join", "Join two tables by keys: inner, left, right, full, semi or anti");
  command->footer(
      std::string(about_keys) +
      "A null matches no key. The rows are in the order of LEFT, then of RIGHT. A key column\n"
      "with the same name in both tables is written once; other columns of the same name get\n"
      "the suffixes _left and _right. For example:\n"
      "  evenfold join orders.csv customers.csv --on customer=id --how left\n"
      "  evenfold join a.csv b.csv --on year,month --count");
  add_table_file(*command, "LEFT", options->left, "A table");
  add_table_file(*command, "RIGHT", options->right, "Another table, or the same one");
  add_on_option(*command, options->on);
  command
      ->add_text_option(
          "--how",
          [options](const std::string& text) { options->how = named<join_kind>(kinds, text); },
          "Kind of join: inner, left, right, full, semi or anti")
      ->type_name("KIND")
      ->default_str("inner")
      ->check(one_of(kinds));
  option_spec* const count =
      command->add_flag("--count", options->count, "Print only the number of rows");
  add_table_options(*command, options->table);
  count->excludes("--output");
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::join
