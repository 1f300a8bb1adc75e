// evenfold filter: the rows of a table that meet conditions.

#include <fmt/format.h>

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/table_run.hpp"
#include "cli/input/key_column.hpp"

namespace evenfold::cli {

namespace {

struct filter_options {
  table_options table;
  std::string file;
  std::vector<condition> where;
};

/// As runtime::code_condition, on the host.
struct code_condition {
  key_column column;
  comparison op;
  std::uint64_t bound;
};

/// Whether the comparison is an order. Texts are not ordered among numbers unless the user quotes
/// the value.
bool is_order(comparison op) { return op != comparison::equal && op != comparison::not_equal; }

[[noreturn]] void fail_at_text(const column_of& column, const condition& wanted,
                               const table_options& options) {
  std::size_t row = 0;
  while (options.is_null(column.field(row)) || !kind_of(column.field(row)).text) ++row;
  const std::string_view field = column.field(row);
  column.table.fail(
      row, column.column,
      fmt::format("{} in column {} {}, but --where {} compares numbers; quote its value to compare "
                  "text, or set --null",
                  shown(field), shown(wanted.column),
                  is_beyond_64_bits(field) ? "does not fit into 64 bits" : "is not a number",
                  shown(wanted.written)));
}

/// Of a field it may suffice to know whether it is before the value, 0, equal, 1, or behind it, 2.
std::uint64_t side_of(std::partial_ordering order) { return order < 0 ? 0 : order == 0 ? 1 : 2; }

/// The codes of a column and of a value, so that they compare as the fields do.
code_condition coded(table_run& run, const csv_table& table, const condition& wanted,
                     const table_options& options) {
  const column_of column{table, table.column(wanted.column)};
  const field_kinds kinds = kinds_in(run.ctx(), column, options);
  const field_kinds value_kind = wanted.quoted ? field_kinds{.text = true} : kind_of(wanted.value);
  if (!wanted.quoted && value_kind.text && !kinds.text && !kinds.only_nulls()) {
    throw input_error(table.name(), 1,
                      fmt::format("the column {} contains numbers, expected a number{} as the "
                                  "value of --where {}, or a text in quotes",
                                  shown(wanted.column),
                                  is_beyond_64_bits(wanted.value)
                                      ? " that fits into 64 bits (an integer, or a float64 such "
                                        "as 1e20)"
                                      : "",
                                  shown(wanted.written)));
  }

  if (!wanted.quoted && !value_kind.text && kinds.text && is_order(wanted.op)) {
    fail_at_text(column, wanted, options);
  }

  key_column codes;
  codes.codes.resize(table.num_rows());
  if (kinds.null) codes.nulls.resize(table.num_rows());
  const key_type type = type_of(kinds | value_kind);
  if (type == key_type::exact) {
    const exact_number value = exact_value(wanted.value);
    write_codes(run.ctx(), column, options, codes, 0, [&](std::size_t, std::string_view field) {
      return side_of(exact_value(field) <=> value);
    });
    return {std::move(codes), wanted.op, 1};
  }
  if (type != key_type::text) {
    write_codes(run.ctx(), column, options, codes, 0,
                [type](std::size_t, std::string_view field) { return number_code(field, type); });
    return {std::move(codes), wanted.op, number_code(wanted.value, type)};
  }
  const csv_text_column texts = table.texts(run.ctx(), column.column);
  write_codes(run.ctx(), column, options, codes, 0, [&](std::size_t row, std::string_view) {
    return side_of(texts[row] <=> std::string_view(wanted.value));
  });
  return {std::move(codes), wanted.op, 1};
}

void run(const filter_options& options) {
  table_run run(options.table, {{"FILE", options.file}});
  const csv_table table = run.read(options.file, names_of(options.where));
  run.work.begin("keys");
  std::vector<code_condition> conditions;
  conditions.reserve(options.where.size());
  for (const condition& wanted : options.where) {
    conditions.push_back(coded(run, table, wanted, options.table));
  }
  runtime::engine& engine = run.open("filter");
  std::vector<runtime::code_condition> there;
  for (const code_condition& wanted : conditions) {
    there.push_back({local(engine, wanted.column), wanted.op, wanted.bound});
  }
  const auto rows = runtime::to_vector<std::int32_t>(engine, engine.tables().filter(there));
  run.write({fields_of(table, rows, options.table)}, rows.size());
  run.finish();
}

}  // namespace

void add_filter(command_spec& program) {
  const auto options = std::make_shared<filter_options>();
  command_spec* const command =
      program.add_subcommand("filter", "Keep the rows of a table that satisfy conditions");
  command->footer(
      std::string(about_keys) +
      "A value in single or double quotes is text. Nulls satisfy no condition. For example:\n"
      "  evenfold filter data/capitals.csv --where 'latitude>=60' \\\n"
      "    --where 'continent=\"Europe\"'");
  add_table_file(*command, "FILE", options->file, "A table");
  command
      ->add_texts_option(
          "--where",
          [options](const std::vector<std::string>& texts) {
            options->where.clear();
            for (const auto& text : texts) options->where.push_back(parse_condition(text));
          },
          "A condition with = == != <> < <= > or >=; rows must satisfy all if there are several")
      ->required()
      ->allow_extra_args(false)
      ->type_name("'COL OP VALUE'");
  add_table_options(*command, options->table);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli
