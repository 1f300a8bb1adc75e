// The operations on the rows of tables. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/tables.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/top_k.hpp"
#include "evenfold/table/join.hpp"
#include "runtime/backend.hpp"
#include "runtime/packed_keys.hpp"
#include "runtime/row_conditions.hpp"
#include "runtime/table_groups.hpp"
#include "runtime/table_joins.hpp"

namespace evenfold::runtime {

namespace {

using row_array = evenfold::array<std::int32_t>;
using key_array = evenfold::array<std::uint64_t>;

/// The first key that is less than the one before it, or `count`.
std::int32_t first_unsorted(backend_context& ctx, const std::uint64_t* keys, std::int32_t count) {
  return transform_reduce(
      ctx, count, EF_LAMBDA(std::int32_t i) { return i > 0 && keys[i] < keys[i - 1] ? i : count; },
      minimum{}, count);
}

/// One key per row, with the order and the equality of the rows, nulls last: the codes of a single
/// column without nulls, or packed codes.
class row_keys {
 public:
  row_keys() = default;
  row_keys(backend_context& ctx, const std::vector<key_codes>& columns, std::size_t count)
      : size_(count) {
    if (columns.size() == 1 && columns.front().nulls == nullptr) {
      keys_ = columns.front().codes;
    } else {
      packed_ = pack_keys(ctx, columns, count, null_policy::last);
      keys_ = packed_.data();
    }
  }

  const std::uint64_t* data() const { return keys_; }
  std::size_t size() const { return size_; }

 private:
  key_array packed_;
  const std::uint64_t* keys_ = nullptr;
  std::size_t size_ = 0;
};

class tables_here final : public table_operations, private family<backend_context> {
 public:
  using family::family;

  array sort(const std::vector<key_column>& keys) override {
    const row_keys packed = keys_of("sort", keys);
    row_array order(ctx, packed.size());
    sort_indices(ctx, packed.data(), order.data(), static_cast<std::int32_t>(packed.size()),
                 less{});
    return owning(std::move(order));
  }

  first_rows unique(const std::vector<key_column>& keys) override {
    const row_keys packed = keys_of("unique", keys);
    const table_groups groups =
        groups_of(ctx, packed.data(), packed.size(), group_order::appearance);
    return {owning(detail::first_rows_of(ctx, groups)),
            owning(lengths_of<std::int32_t>(ctx, groups))};
  }

  grouped_table group(const std::vector<key_column>& keys,
                      const std::vector<column_aggregate>& aggregates, group_order order) override {
    const row_keys packed = keys_of("group", keys);
    const table_groups groups = groups_of(ctx, packed.data(), packed.size(), order);
    grouped_table result;
    for (const column_aggregate& each : aggregates) {
      result.results.push_back(aggregated(groups, each));
    }
    result.first_rows = owning(detail::first_rows_of(ctx, groups));
    return result;
  }

  array top(const std::vector<key_column>& keys, const std::vector<key_column>& per,
            std::int64_t most) override {
    const row_keys sorted_by = keys_of("top", keys);
    const auto count = static_cast<std::int32_t>(sorted_by.size());
    const auto few = static_cast<std::int32_t>(std::min<std::int64_t>(most, count));
    if (per.empty()) {
      row_array rows(ctx, few);
      top_k_indices(ctx, sorted_by.data(), count, few, rows.data(), less{});
      return owning(std::move(rows));
    }
    const row_keys groups = keys_of("top", per);
    check_length("top", per.front().codes, sorted_by.size());
    return owning(first_of_groups(ctx, sorted_by.data(), groups.data(), count, few));
  }

  array filter(const std::vector<filter_step>& condition) override {
    using kind = filter_step::kind;
    const std::size_t count = condition.empty() ? 0 : condition.front().left.codes.size();
    const auto column = [&](const key_column& of) -> operand {
      const key_codes codes = codes_of("filter", of, count);
      return {codes.codes, codes.nulls, 0};
    };
    condition_stack truths(ctx, count);
    for (const filter_step& step : condition) {
      switch (step.what) {
        case kind::compare:
          truths.compare(column(step.left), step.op, {nullptr, nullptr, step.bound});
          break;
        case kind::compare_columns:
          truths.compare(column(step.left), step.op, column(step.right));
          break;
        case kind::negation:
          truths.negate();
          break;
        case kind::conjunction:
          truths.combine(minimum{});
          break;
        default:
          truths.combine(maximum{});
      }
    }
    return owning(truths.true_rows());
  }

  found_rows search(const std::vector<key_column>& keys, std::int32_t num_needles) override {
    const row_keys packed = keys_of("search", keys);
    const std::uint64_t* const needles = packed.data();
    const std::uint64_t* const haystack = needles + num_needles;
    const auto count = static_cast<std::int32_t>(packed.size()) - num_needles;
    const std::int32_t unsorted = first_unsorted(ctx, haystack, count);
    if (unsorted < count) return {array(), array(), unsorted};
    row_array lower(ctx, num_needles);
    row_array upper(ctx, num_needles);
    evenfold::search<bounds::lower>(ctx, needles, num_needles, haystack, count, lower.data(),
                                    less{});
    evenfold::search<bounds::upper>(ctx, needles, num_needles, haystack, count, upper.data(),
                                    less{});
    return {owning(std::move(lower)), owning(std::move(upper)), unsorted};
  }

  joined_table_rows join(const std::vector<key_column>& keys, std::int32_t left_count,
                         join_kind how) override {
    key_array packed = packed_keys("join", keys, null_policy::never_match);
    const auto right_count = static_cast<std::int32_t>(packed.size()) - left_count;
    const sorted_side left(ctx, packed.data(), left_count);
    const sorted_side right(ctx, packed.data() + left_count, right_count);
    begin("join");
    check_memory(ctx, evenfold::join_count(ctx, how, left.keys, left.count, right.keys, right.count,
                                           less{}, is_null_key{}));
    const auto sides = [&](auto join) {
      return join(ctx, left.keys, left.count, right.keys, right.count, less{}, is_null_key{});
    };
    const auto both = [&](joined_rows<std::int32_t> joined) -> joined_table_rows {
      joined = in_table_order(ctx, std::move(joined), left, right);
      return {owning(std::move(joined.left)), owning(std::move(joined.right))};
    };
    const auto left_alone = [&](row_array rows) -> joined_table_rows {
      return {owning(in_table_order(ctx, std::move(rows), left)), {}};
    };
    switch (how) {
      case join_kind::inner:
        return both(sides([](auto&&... all) { return inner_join(all...); }));
      case join_kind::left:
        return both(sides([](auto&&... all) { return left_join(all...); }));
      case join_kind::right:
        return both(sides([](auto&&... all) { return right_join(all...); }));
      case join_kind::full:
        return both(sides([](auto&&... all) { return full_join(all...); }));
      case join_kind::semi:
        return left_alone(sides([](auto&&... all) { return semi_join(all...); }));
      default:
        return left_alone(sides([](auto&&... all) { return anti_join(all...); }));
    }
  }

  std::int64_t join_count(const std::vector<key_column>& keys, std::int32_t left_count,
                          join_kind how) override {
    key_array packed = packed_keys("join_count", keys, null_policy::never_match);
    std::uint64_t* const left = packed.data();
    std::uint64_t* const right = left + left_count;
    const auto right_count = static_cast<std::int32_t>(packed.size()) - left_count;
    evenfold::sort(ctx, left, left_count, less{});
    evenfold::sort(ctx, right, right_count, less{});
    begin("join");
    return evenfold::join_count(ctx, how, left, left_count, right, right_count, less{},
                                is_null_key{});
  }

 private:
  [[noreturn]] static void refuse_empty(const char* operation, const char* argument) {
    detail::refuse_argument(operation, argument, "an empty list", "it needs at least one element",
                            "pass one or more");
  }

  static void check_length(const char* operation, const array& column, std::size_t count) {
    if (column.size() == count) return;
    detail::refuse_argument(operation, "the size of a column", column.size(),
                            "another column has " + std::to_string(count) + " rows",
                            "pass columns of one table");
  }

  /// The addresses of the codes of a column of `count` rows.
  key_codes codes_of(const char* operation, const key_column& column, std::size_t count) const {
    const bool has_nulls = !column.nulls.empty();
    check_length(operation, column.codes, count);
    if (has_nulls) check_length(operation, column.nulls, count);
    return {read<std::uint64_t>(operation, "codes", column.codes),
            has_nulls ? read<std::uint8_t>(operation, "nulls", column.nulls) : nullptr,
            column.largest};
  }

  /// The addresses of the codes of the columns of one table.
  std::vector<key_codes> columns_of(const char* operation,
                                    const std::vector<key_column>& keys) const {
    if (keys.empty()) refuse_empty(operation, "keys");
    std::vector<key_codes> columns;
    columns.reserve(keys.size());
    for (const key_column& key : keys) {
      columns.push_back(codes_of(operation, key, keys.front().codes.size()));
    }
    return columns;
  }

  /// One key per row, with the order and the equality of the rows, nulls last.
  row_keys keys_of(const char* operation, const std::vector<key_column>& keys) const {
    const std::vector<key_codes> columns = columns_of(operation, keys);
    const std::size_t count = keys.front().codes.size();
    return row_keys(ctx, columns, count);
  }

  key_array packed_keys(const char* operation, const std::vector<key_column>& keys,
                        null_policy policy) const {
    const std::vector<key_codes> columns = columns_of(operation, keys);
    return pack_keys(ctx, columns, keys.front().codes.size(), policy);
  }

  array aggregated(const table_groups& groups, const column_aggregate& wanted) const {
    using kind = aggregate_kind;
    const array& values = wanted.values;
    const auto elements = [&]<class T>(std::type_identity<T>, const array& of) {
      check_length("group", of, groups.rows.size());
      return read<T>("group", "a column", of);
    };
    null_flags nulls{nullptr};
    if (!wanted.nulls.empty())
      nulls.flags = elements(std::type_identity<std::uint8_t>(), wanted.nulls);
    const auto doubles = [&] { return elements(std::type_identity<double>(), values); };
    row_keys packed;
    const auto row = [&](std::uint64_t flip) {
      deciding_number number{nullptr, flip};
      if (!wanted.keys.empty()) {
        packed = keys_of("group", wanted.keys);
        number.column = packed.data();
      }
      return owning(result_of(ctx, groups, argmin_of(number, nulls)));
    };
    switch (wanted.kind) {
      case kind::count:
        if (wanted.nulls.empty()) return owning(lengths_of(ctx, groups));
        return owning(result_of(ctx, groups, count_of(nulls)));
      case kind::sum:
        if (values.type() == element_type::int64) {
          const std::int64_t* const integers = elements(std::type_identity<std::int64_t>(), values);
          return owning(result_of(ctx, groups, sum_of(integers, nulls)));
        }
        return owning(result_of(ctx, groups, sum_of(doubles(), nulls)));
      case kind::mean:
        return owning(result_of(ctx, groups, mean_of(doubles(), nulls)));
      case kind::variance:
        return owning(result_of(ctx, groups, variance_of(doubles(), nulls)));
      case kind::quantile:
        return owning(result_of(ctx, groups, quantile_of(doubles(), wanted.fraction, nulls)));
      case kind::smallest:
      case kind::first:
        return row(0);
      default:
        return row(~std::uint64_t{0});
    }
  }
};

}  // namespace

std::unique_ptr<table_operations> make_tables(const backend_state& state) {
  return std::make_unique<tables_here>(state);
}

}  // namespace evenfold::runtime
