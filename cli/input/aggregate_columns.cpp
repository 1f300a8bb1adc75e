#include "cli/input/aggregate_columns.hpp"

#include <fmt/format.h>

#include <limits>

#include "cli/input/rows.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::cli {

namespace {

using kind = runtime::aggregate_kind;

bool needs_numbers(kind what) {
  return what == kind::sum || what == kind::mean || what == kind::variance ||
         what == kind::quantile;
}
bool needs_keys(kind what) { return what == kind::smallest || what == kind::largest; }

}  // namespace

aggregate_columns::aggregate_columns(cpu_context& ctx, const csv_table& table,
                                     const table_options& options,
                                     std::span<const wanted_aggregate> wanted)
    : ctx_(ctx), table_(table), options_(options) {
  for (const wanted_aggregate& each : wanted) {
    if (!each.column.empty()) read(each);
  }
}

void aggregate_columns::read(const wanted_aggregate& wanted) {
  const column_of from{table_, table_.column(wanted.column)};
  const auto [found, is_new] = columns_.try_emplace(from.column);
  column& values = found->second;
  if (is_new) {
    values.kinds = kinds_in(ctx_, from, options_);
    if (values.kinds.null) {
      values.nulls.resize(table_.num_rows());
      for_each_row(ctx_, values.nulls.size(),
                   [&](std::size_t row) { values.nulls[row] = options_.is_null(from.field(row)); });
    }
  }
  if (needs_keys(wanted.kind) && values.keys.empty()) {
    append_keys(values.keys, ctx_, {&from, 1}, options_);
  }
  if (!needs_numbers(wanted.kind)) return;
  check_numbers(from, wanted);
  const bool integers =
      wanted.kind == kind::sum && !values.kinds.decimal && !values.kinds.only_nulls();
  if (integers && values.integers.empty()) {
    values.integers = numbers_of<std::int64_t>(from);
    check_sum(values, wanted);
  } else if (!integers && values.numbers.empty()) {
    values.numbers = numbers_of<double>(from);
  }
}

template <class T>
std::vector<T> aggregate_columns::numbers_of(const column_of& from) const {
  std::vector<T> numbers(table_.num_rows());
  for_each_row(ctx_, numbers.size(), [&](std::size_t row) {
    const std::string_view field = from.field(row);
    if (!options_.is_null(field)) numbers[row] = number_in<T>(field);
  });
  return numbers;
}

void aggregate_columns::check_numbers(const column_of& from, const wanted_aggregate& wanted) const {
  if (!columns_.at(from.column).kinds.text) return;
  std::size_t row = 0;
  while (options_.is_null(from.field(row)) || !kind_of(from.field(row)).text) ++row;
  const std::string_view field = from.field(row);
  table_.fail(
      row, from.column,
      fmt::format("{} in column {} {}, but --agg {} needs numbers; set --null if it is a "
                  "null",
                  shown(field), shown(table_.columns()[from.column]),
                  is_beyond_64_bits(field) ? "does not fit into 64 bits" : "is not a number",
                  shown(wanted.written)));
}

void aggregate_columns::check_sum(const column& values, const wanted_aggregate& wanted) const {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t total = fold_rows(
      ctx_, values.integers.size(),
      [&](std::size_t row) {
        const auto bits = static_cast<std::uint64_t>(values.integers[row]);
        return values.integers[row] < 0 ? 0 - bits : bits;
      },
      [](std::uint64_t a, std::uint64_t b) { return a > most - b ? most : a + b; },
      std::uint64_t{0});
  if (!values.kinds.large && total <= std::numeric_limits<std::int64_t>::max()) return;
  throw input_error(table_.name(), 1,
                    fmt::format("--agg {} might not fit into 64 bits, expected integers whose "
                                "magnitudes add up to less than 2^63, or fractions",
                                shown(wanted.written)));
}

bool aggregate_columns::has_nulls(const wanted_aggregate& wanted) const {
  return !wanted.column.empty() && columns_.at(table_.column(wanted.column)).kinds.null;
}

runtime::column_aggregate aggregate_columns::local(runtime::engine& engine,
                                                   const wanted_aggregate& wanted) const {
  runtime::column_aggregate result;
  result.kind = wanted.kind;
  result.fraction = wanted.fraction;
  if (wanted.column.empty()) return result;
  const auto there = [&engine]<class T>(const std::vector<T>& values) {
    return engine.local(runtime::array::borrowed(std::span(values)));
  };
  const column& values = columns_.at(table_.column(wanted.column));
  if (!values.nulls.empty()) result.nulls = there(values.nulls);
  if (needs_keys(wanted.kind)) result.keys = cli::local(engine, values.keys);
  if (needs_numbers(wanted.kind)) {
    result.values = wanted.kind == kind::sum && !values.integers.empty() ? there(values.integers)
                                                                         : there(values.numbers);
  }
  return result;
}

}  // namespace evenfold::cli
