#include "cli/input/row_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <string>
#include <string_view>
#include <utility>

#include "cli/input/table_keys.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

namespace {

using filter_kind = runtime::filter_step::kind;

/// Whether the comparison is an order. Texts are not ordered among numbers unless the user quotes
/// the value.
bool is_order(comparison op) { return op != comparison::equal && op != comparison::not_equal; }

/// The code of a field for a comparison with a value: 0 if it is less, 1 if it is equal, 2 if it is
/// greater.
std::uint64_t side_of(std::partial_ordering order) { return order < 0 ? 0 : order == 0 ? 1 : 2; }

/// Appends the codes of the steps of a condition.
class coder {
 public:
  coder(std::vector<coded_step>& steps, cpu_context& ctx, const csv_table& table,
        const table_options& options)
      : steps_(steps), ctx_(ctx), table_(table), options_(options) {}

  void append(const condition_step& step) {
    using step_kind = condition_step::kind;
    switch (step.what) {
      case step_kind::comparison:
        return comparison_of(step);
      case step_kind::membership:
        return membership(step);
      case step_kind::null_test:
        return null_test(step);
      case step_kind::match:
        return match(step);
      case step_kind::negation:
        return append(filter_kind::negation);
      case step_kind::conjunction:
        return append(filter_kind::conjunction);
      case step_kind::disjunction:
        return append(filter_kind::disjunction);
    }
  }

 private:
  void append(filter_kind what) { steps_.push_back({what}); }
  void compare(key_column codes, comparison op, std::uint64_t bound) {
    steps_.push_back({filter_kind::compare, std::move(codes), {}, op, bound});
  }

  column_of column(const std::string& name) const { return {table_, table_.column(name)}; }

  /// The codes of all fields of a column except nulls.
  template <class Code>
  key_column codes_of(const column_of& from, bool has_nulls, Code code) {
    key_column codes;
    codes.codes.resize(table_.num_rows());
    if (has_nulls) codes.nulls.resize(table_.num_rows());
    write_codes(ctx_, from, options_, codes, 0, code);
    return codes;
  }

  /// Whether a value is the name of a column.
  bool is_column(const condition_value& value) const {
    if (value.what != condition_value::kind::word)
      return value.what == condition_value::kind::column;
    if (!kind_of(value.text).text) return false;
    const auto& names = table_.columns();
    return std::find(names.begin(), names.end(), value.text) != names.end();
  }

  /// The kind of a value. Refuses a text without quotes if the column has only numbers.
  field_kinds kind_of_value(const condition_value& value, const field_kinds& of_column,
                            const condition_step& step) const {
    if (value.what == condition_value::kind::text) return {.text = true};
    const field_kinds found = kind_of(value.text);
    if (found.text && !of_column.text && !of_column.only_nulls()) {
      throw input_error(
          table_.name(), 1,
          fmt::format("the column {} contains numbers, expected a number{} as the value of --where "
                      "{}, or a text in quotes",
                      shown(step.column),
                      is_beyond_64_bits(value.text)
                          ? " that fits into 64 bits (an integer, or a float64 such as 1e20)"
                          : "",
                      shown(step.written)));
    }
    return found;
  }

  [[noreturn]] void fail_at_text(const column_of& from, const condition_step& step,
                                 const char* remedy) const {
    refuse_text(
        from, options_,
        fmt::format("--where {} compares numbers; {}, or set --null", shown(step.written), remedy));
  }

  void comparison_of(const condition_step& step) {
    const condition_value& value = step.values.front();
    if (is_column(value)) return columns(step);
    const column_of from = column(step.column);
    const bool is_text = value.what == condition_value::kind::text;
    coded_numbers read =
        read_codes(ctx_, {&from, 1}, options_, is_text ? field_kinds{} : kind_of(value.text));
    const field_kinds& kinds = read.kinds;
    const field_kinds of_value = kind_of_value(value, kinds, step);
    if (!of_value.text && kinds.text && is_order(step.op)) {
      fail_at_text(from, step, "quote its value to compare text");
    }
    const key_type type = type_of(kinds | of_value);
    if (read.holds(type)) {
      return compare(std::move(read.codes), step.op, number_code(value.text, type));
    }
    if (type == key_type::exact) {
      const exact_number bound = exact_value(value.text);
      return compare(codes_of(from, kinds.null,
                              [&](std::size_t, std::string_view field) {
                                return side_of(exact_value(field) <=> bound);
                              }),
                     step.op, 1);
    }
    if (type != key_type::text) {
      return compare(codes_of(from, kinds.null,
                              [type](std::size_t, std::string_view field) {
                                return number_code(field, type);
                              }),
                     step.op, number_code(value.text, type));
    }
    const csv_text_column texts = table_.texts(ctx_, from.column);
    compare(codes_of(from, kinds.null,
                     [&](std::size_t row, std::string_view) {
                       return side_of(texts[row] <=> std::string_view(value.text));
                     }),
            step.op, 1);
  }

  /// Compares two columns, by two columns of codes if one gives different numbers the same code.
  void columns(const condition_step& step) {
    const std::array<column_of, 2> sides = {column(step.column), column(step.values.front().text)};
    if (is_order(step.op)) {
      const field_kinds first = kinds_in(ctx_, sides[0], options_);
      const field_kinds second = kinds_in(ctx_, sides[1], options_);
      const auto has_numbers = [](const field_kinds& kinds) {
        return !kinds.text && !kinds.only_nulls();
      };
      constexpr const char* remedy = "expected two columns of numbers or two of text";
      if (first.text && has_numbers(second)) fail_at_text(sides[0], step, remedy);
      if (second.text && has_numbers(first)) fail_at_text(sides[1], step, remedy);
    }
    std::vector<key_column> keys;
    append_keys(keys, ctx_, sides, options_);
    const auto count = static_cast<std::ptrdiff_t>(table_.num_rows());
    const auto half = [&]<class T>(const column_vector<T>& both, int side) {
      if (both.empty()) return column_vector<T>();
      const auto begin = both.begin() + side * count;
      return column_vector<T>(begin, begin + count);
    };
    const auto compare_key = [&](std::size_t key, comparison op) {
      const auto side = [&](int k) {
        return key_column{half(keys[key].codes, k), half(keys[key].nulls, k), keys[key].largest};
      };
      steps_.push_back({filter_kind::compare_columns, side(0), side(1), op});
    };
    if (keys.size() == 1) return compare_key(0, step.op);
    switch (step.op) {
      case comparison::equal:
        compare_key(0, comparison::equal);
        compare_key(1, comparison::equal);
        return append(filter_kind::conjunction);
      case comparison::not_equal:
        compare_key(0, comparison::not_equal);
        compare_key(1, comparison::not_equal);
        return append(filter_kind::disjunction);
      default: {
        const bool down = step.op == comparison::greater || step.op == comparison::greater_equal;
        compare_key(0, down ? comparison::greater : comparison::less);
        compare_key(0, comparison::equal);
        compare_key(1, step.op);
        append(filter_kind::conjunction);
        append(filter_kind::disjunction);
      }
    }
  }

  void membership(const condition_step& step) {
    const column_of from = column(step.column);
    const field_kinds kinds = kinds_in(ctx_, from, options_);
    field_kinds all = kinds;
    for (const condition_value& value : step.values) {
      if (is_column(value)) {
        throw input_error(table_.name(), 1,
                          fmt::format("{} in --where {} is the name of a column, expected values; "
                                      "quote it to compare text",
                                      shown(value.text), shown(step.written)));
      }
      all = all | kind_of_value(value, kinds, step);
    }
    if (type_of(all) == key_type::text) {
      std::vector<std::string_view> wanted;
      wanted.reserve(step.values.size());
      for (const condition_value& value : step.values) wanted.push_back(value.text);
      std::sort(wanted.begin(), wanted.end());
      const csv_text_column texts = table_.texts(ctx_, from.column);
      return compare(codes_of(from, kinds.null,
                              [&](std::size_t row, std::string_view) -> std::uint64_t {
                                return std::binary_search(wanted.begin(), wanted.end(), texts[row]);
                              }),
                     comparison::equal, 1);
    }
    std::vector<exact_number> wanted;
    wanted.reserve(step.values.size());
    for (const condition_value& value : step.values) wanted.push_back(exact_value(value.text));
    const auto before = [](const exact_number& a, const exact_number& b) { return a < b; };
    std::sort(wanted.begin(), wanted.end(), before);
    compare(codes_of(from, kinds.null,
                     [&](std::size_t, std::string_view field) -> std::uint64_t {
                       return std::binary_search(wanted.begin(), wanted.end(), exact_value(field),
                                                 before);
                     }),
            comparison::equal, 1);
  }

  void null_test(const condition_step& step) {
    const column_of from = column(step.column);
    key_column codes;
    codes.codes.resize(table_.num_rows());
    for_each_row(ctx_, table_.num_rows(),
                 [&](std::size_t row) { codes.codes[row] = options_.is_null(from.field(row)); });
    compare(std::move(codes), comparison::equal, 1);
  }

  void match(const condition_step& step) {
    const column_of from = column(step.column);
    const csv_text_column texts = table_.texts(ctx_, from.column);
    compare(codes_of(from, true,
                     [&](std::size_t row, std::string_view) -> std::uint64_t {
                       return step.pattern->is_in(texts[row]);
                     }),
            comparison::equal, 1);
  }

  std::vector<coded_step>& steps_;
  cpu_context& ctx_;
  const csv_table& table_;
  const table_options& options_;
};

}  // namespace

void append_codes(std::vector<coded_step>& steps, cpu_context& ctx, const csv_table& table,
                  const std::vector<condition_step>& condition, const table_options& options) {
  coder code(steps, ctx, table, options);
  for (const condition_step& step : condition) code.append(step);
}

std::vector<runtime::filter_step> local(runtime::engine& engine,
                                        const std::vector<coded_step>& steps) {
  std::vector<runtime::filter_step> result;
  result.reserve(steps.size());
  for (const coded_step& step : steps) {
    result.push_back(
        {step.what, local(engine, step.left), local(engine, step.right), step.op, step.bound});
  }
  return result;
}

}  // namespace evenfold::cli
