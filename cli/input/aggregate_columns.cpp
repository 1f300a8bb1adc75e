#include "cli/input/aggregate_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/input/rows.hpp"
#include "evenfold/core/radix_key.hpp"
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
  // Keys are made of the numbers of a column where it has been read for these.
  for (const bool numeric : {true, false}) {
    for (const wanted_aggregate& each : wanted) {
      if (!each.column.empty() && needs_numbers(each.kind) == numeric) {
        read(each, std::any_of(wanted.begin(), wanted.end(), [&](const wanted_aggregate& other) {
               return other.kind == kind::sum && other.column == each.column;
             }));
      }
    }
  }
}

void aggregate_columns::read(const wanted_aggregate& wanted, bool is_summed) {
  const std::size_t index = table_.column(wanted.column);
  const auto [found, is_new] = columns_.try_emplace(index);
  column& values = found->second;
  if (is_new) {
    values.index = index;
    values.nulls.resize(table_.num_rows());
  }
  if (needs_numbers(wanted.kind)) {
    if (!values.has_numbers) read_numbers(values, wanted, is_summed);
    const bool integers = !values.kinds.decimal;
    if (wanted.kind == kind::sum && integers) check_sum(values, wanted);
    if (wanted.kind != kind::sum && values.numbers.empty()) {
      values.numbers.resize(values.integers.size());
      for_each_row(ctx_, values.numbers.size(), [&](std::size_t row) {
        values.numbers[row] = static_cast<double>(values.integers[row]);
      });
    }
  } else if (is_new) {
    read_nulls(values);
  }
  if (needs_keys(wanted.kind) && values.keys.empty()) {
    read_keys(values);
  }
}

void aggregate_columns::read_keys(column& values) {
  const bool as_integers = !values.integers.empty();
  const bool as_doubles = !values.numbers.empty() && !values.kinds.wide;
  if (!as_integers && !as_doubles) {
    const column_of fields = from(values);
    return append_keys(values.keys, ctx_, {&fields, 1}, options_);
  }
  key_column keys;
  keys.codes.resize(table_.num_rows());
  keys.largest = std::numeric_limits<std::uint64_t>::max();
  for_each_row(ctx_, keys.codes.size(), [&](std::size_t row) {
    keys.codes[row] = as_integers ? detail::radix_key<less>(values.integers[row])
                                  : detail::radix_key<less>(values.numbers[row]);
  });
  values.keys.push_back(std::move(keys));
}

void aggregate_columns::read_nulls(column& values) {
  values.kinds.null = fold_rows(
      ctx_, values.nulls.size(),
      [&](std::size_t row) {
        return (values.nulls[row] = options_.is_null(table_.field(row, values.index))) != 0;
      },
      [](bool a, bool b) { return a || b; }, false);
}

template <class T>
void aggregate_columns::read_numbers(column& values, column_vector<T>& to) {
  to.resize(table_.num_rows());
  values.kinds =
      cli::read_numbers<T>(ctx_, from(values), options_, [&](std::size_t row, bool null, T value) {
        values.nulls[row] = null;
        to[row] = value;
      });
}

void aggregate_columns::read_numbers(column& values, const wanted_aggregate& wanted,
                                     bool is_summed) {
  const auto are_integers = [](const field_kinds& kinds) { return !kinds.decimal && !kinds.large; };
  values.kinds = kinds_at_begin(from(values), options_);
  // Sums of integers are exact; other aggregates take doubles.
  const bool as_integers = is_summed && are_integers(values.kinds);
  if (as_integers) read_numbers(values, values.integers);
  if (!as_integers || !are_integers(values.kinds)) {
    values.integers.clear();
    read_numbers(values, values.numbers);
  }
  if (values.kinds.text) {
    refuse_text(
        from(values), options_,
        fmt::format("--agg {} needs numbers; set --null if it is a null", shown(wanted.written)));
  }
  values.has_numbers = true;
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
  const auto there = [&engine]<class T>(const column_vector<T>& values) {
    return engine.local(runtime::array::borrowed(std::span(values)));
  };
  const column& values = columns_.at(table_.column(wanted.column));
  if (values.kinds.null) result.nulls = there(values.nulls);
  if (needs_keys(wanted.kind)) {
    for (const key_column& key : values.keys) {
      result.keys.push_back({there(key.codes), {}, key.largest});
    }
  }
  if (needs_numbers(wanted.kind)) {
    result.values = wanted.kind == kind::sum && !values.integers.empty() ? there(values.integers)
                                                                         : there(values.numbers);
  }
  return result;
}

}  // namespace evenfold::cli
