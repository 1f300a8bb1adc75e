#pragma once
// group_by: aggregates of the rows with equal keys.
//
// group_rows sorts the rows by their keys. Then one fold of the runs of equal keys computes all
// aggregates that are folds, and for each quantile a segmented sort orders the values of each
// group.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/table/aggregate_states.hpp"
#include "evenfold/table/aggregates.hpp"
#include "evenfold/table/moved_values.hpp"
#include "evenfold/table/row_groups.hpp"

namespace evenfold {

/// One row per group: the first row of each group, with which `gather` finds its keys, and
/// get<I>(values)[g] = the result of the I-th aggregate for group g.
template <class Size, class... Results>
struct grouped_rows {
  array<Size> first_rows;
  tuple<array<Results>...> values;

  std::size_t size() const { return first_rows.size(); }
};

namespace detail {

/// Whether two neighbouring rows are in one group: no group begins with the second one.
struct continues_group {
  using heavy = void;
  const unsigned char* begins;
  template <std::integral Size>
  EF_HD constexpr bool operator()(Size, Size k) const {
    return begins[k] == 0;
  }
};

/// Whether the value of the k-th row is not null.
template <class Nulls, class Size>
struct has_value {
  Nulls nulls;
  const Size* rows;
  EF_HD constexpr bool operator()(Size k) const { return !nulls[rows[k]]; }
};

/// The quantile of the sorted values of a group.
template <class T, class Size>
struct quantile_of_group {
  group_at<Size> group;
  const T* values;
  Size count;
  const Size* offsets;
  Size num_groups;
  double fraction;

  EF_HD constexpr double operator()(Size at) const {
    const Size g = group[at];
    const Size begin = offsets[g];
    const Size length = static_cast<Size>((g + 1 < num_groups ? offsets[g + 1] : count) - begin);
    if (length == 0) return not_a_number;
    const double index = fraction * static_cast<double>(length - 1);
    const auto below = static_cast<Size>(index);
    const double part = index - static_cast<double>(below);
    const auto low = static_cast<double>(values[begin + below]);
    if (part == 0) return low;
    const auto high = static_cast<double>(values[begin + below + 1]);
    // Equal values may be infinite, which have no difference.
    if (low == high) return low;
    const double range = high - low;
    // The difference of numbers of both signs may be too large for a double.
    return range <= largest_number<double> ? low + range * part : low * (1 - part) + high * part;
  }
};

template <context Context, std::integral Size, class Values, class Nulls>
array<double> quantiles_of(Context& ctx, const row_groups<Size>& groups,
                           const quantile_aggregate<Values, Nulls>& wanted) {
  using T = element_t<Values>;
  const auto count = static_cast<Size>(groups.rows.size());
  const auto num_groups = static_cast<Size>(groups.size());
  array<Size> kept;
  array<Size> kept_offsets;
  const Size* rows = groups.rows.data();
  const Size* offsets = groups.offsets.data();
  Size num_values = count;
  if constexpr (!std::same_as<Nulls, no_nulls>) {
    array<Size> indices(ctx, count);
    kept_offsets = array<Size>(ctx, num_groups);
    num_values =
        compact_indices(ctx, count, has_value<Nulls, Size>{wanted.nulls, rows}, indices.data());
    search<bounds::lower>(ctx, offsets, num_groups, indices.data(), num_values, kept_offsets.data(),
                          less{});
    kept = array<Size>(ctx, num_values);
    gather(ctx, rows, indices.data(), num_values, kept.data());
    rows = kept.data();
    offsets = kept_offsets.data();
  }
  array<T> values(ctx, num_values);
  gather(ctx, wanted.values, rows, num_values, values.data());
  segmented_sort(ctx, values.data(), num_values, offsets, num_groups, total_order<less>{});
  array<double> result(ctx, num_groups);
  transform(ctx, num_groups,
            write_result{quantile_of_group<T, Size>{{groups.order.data()},
                                                    values.data(),
                                                    num_values,
                                                    offsets,
                                                    num_groups,
                                                    wanted.fraction},
                         result.data()});
  return result;
}

template <context Context, class Aggregate, std::integral Size>
void check_aggregate(const Context& ctx, const Aggregate& aggregate, Size count) {
  check_pointer(ctx, "group_by", "nulls", aggregate.nulls, count);
  if constexpr (requires { aggregate.values; }) {
    check_pointer(ctx, "group_by", "values", aggregate.values, count);
  }
  if constexpr (is_quantile<Aggregate>) {
    if (!(aggregate.fraction >= 0 && aggregate.fraction <= 1)) {
      refuse_argument("group_by", "fraction", aggregate.fraction, "a quantile is from 0 to 1",
                      "divide percentages by 100");
    }
  }
}

/// The first row of each group.
template <context Context, std::integral Size>
array<Size> first_rows_of(Context& ctx, const row_groups<Size>& groups) {
  array<Size> rows(ctx, groups.size());
  gather(ctx, first_row<Size>{groups.rows.data(), groups.offsets.data()},
         group_at<Size>{groups.order.data()}, static_cast<Size>(groups.size()), rows.data());
  return rows;
}

template <context Context, std::integral Size, class... Aggregates>
tuple<array<result_of_aggregate_t<Aggregates>>...> results_of(Context& ctx,
                                                              const row_groups<Size>& groups,
                                                              const Aggregates&... aggregates) {
  using op = join_states<Aggregates...>;
  using states = typename op::states;
  const auto count = static_cast<Size>(groups.rows.size());
  const auto num_groups = static_cast<Size>(groups.size());
  array<states> folded;
  if constexpr (!(is_quantile<Aggregates> && ...)) {
    folded = array<states>(ctx, num_groups);
    array<Size> heads(ctx, num_groups);
    const states_of_row<const Size*, Aggregates...> row{groups.rows.data(),
                                                        tuple<Aggregates...>(aggregates...)};
    transform_reduce_by_key(ctx, counting_iterator<Size>{}, count, row,
                            continues_group{groups.begins.data()}, heads.data(), folded.data(),
                            op{}, op::none(), nullptr);
  }
  tuple<array<result_of_aggregate_t<Aggregates>>...> results;
  const auto finish = [&]<std::size_t I, class Aggregate>(std::integral_constant<std::size_t, I>,
                                                          const Aggregate& aggregate) {
    auto& result = get<I>(results);
    if constexpr (is_quantile<Aggregate>) {
      result = quantiles_of(ctx, groups, aggregate);
    } else {
      result = array<result_of_aggregate_t<Aggregate>>(ctx, num_groups);
      const finished<I, Size, states, Aggregate> of_group{
          {groups.order.data()}, folded.data(), aggregate};
      transform(ctx, num_groups, write_result{of_group, result.data()});
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (finish(std::integral_constant<std::size_t, I>{}, aggregates), ...);
  }(std::index_sequence_for<Aggregates...>{});
  return results;
}

#if defined(__CUDACC__)
/// group_by of rows whose packed keys have few bits, with aggregates of one column of values.
template <group_order Order, context Context, class Columns, class Ranges, std::integral Size,
          class First, class... Others>
grouped_rows<Size, result_of_aggregate_t<First>, result_of_aggregate_t<Others>...>
group_moved_values(Context& ctx, const Columns& columns, const Ranges& ranges, Size count,
                   const First& first, const Others&... others) {
  using op = join_states<First, Others...>;
  using states = typename op::states;
  auto sorted = sort_values(ctx, columns, ranges, count, first.values);
  const states_of_row<counting_iterator<Size>, First, Others...> row{
      {}, {with_values(first, sorted.values.data()), with_values(others, sorted.values.data())...}};
  using key = element_t<decltype(sorted.keys)>;
  const std::size_t most = std::min(std::uint64_t{1} << ranges.bits(), std::uint64_t(count));
  array<key> group_keys(ctx, most);
  array<states> folded(ctx, most);
  array<Size> found(ctx, 1);
  transform_reduce_by_key(ctx, sorted.keys.data(), count, row, equal_to{}, group_keys.data(),
                          folded.data(), op{}, op::none(), found.data());
  const Size num_groups = to_host(ctx, found)[0];
  grouped_rows<Size, result_of_aggregate_t<First>, result_of_aggregate_t<Others>...> result;
  result.first_rows =
      first_rows_of_keys(ctx, packed_rows(columns, ranges), ranges.bits(), count,
                         packed_keys<key>{group_keys.data(), sorted.first}, num_groups);
  array<Size> order;
  if constexpr (Order == group_order::appearance) {
    order = array<Size>(ctx, num_groups);
    transform(ctx, num_groups,
              write_result{element_of<Size, counting_iterator<Size>>{}, order.data()});
    sort_by_key(ctx, result.first_rows.data(), order.data(), num_groups, less{});
  }
  [&]<std::size_t... I>(std::index_sequence<I...>, const auto&... aggregates) {
    const auto finish = [&]<std::size_t K, class Aggregate>(std::integral_constant<std::size_t, K>,
                                                            const Aggregate& aggregate) {
      auto& values = get<K>(result.values);
      values = array<result_of_aggregate_t<Aggregate>>(ctx, num_groups);
      const finished<K, Size, states, Aggregate> of_group{{order.data()}, folded.data(), aggregate};
      transform(ctx, num_groups, write_result{of_group, values.data()});
    };
    (finish(std::integral_constant<std::size_t, I>{}, aggregates), ...);
  }(std::make_index_sequence<1 + sizeof...(Others)>{}, first, others...);
  return result;
}
#endif

}  // namespace detail

/// The aggregates of groups that group_rows made of the rows 0, ..., count - 1. Work, scratch,
/// promises and errors as group_by, without those of group_rows.
template <context Context, std::integral Size, class... Aggregates>
  requires(sizeof...(Aggregates) > 0)
grouped_rows<Size, detail::result_of_aggregate_t<Aggregates>...> aggregate_groups(
    Context& ctx, const row_groups<Size>& groups, Aggregates... aggregates) {
  (detail::check_aggregate(ctx, aggregates, static_cast<Size>(groups.rows.size())), ...);
  return {detail::first_rows_of(ctx, groups), detail::results_of(ctx, groups, aggregates...)};
}

/// The aggregates of the groups of rows with equal keys:
///
///     group_by(ctx, keys, count, sum_of(x), mean_of(y), quantile_of(z, 0.95))
///
/// - `keys`, `Order`: as for group_rows; groups are in the order of their keys, or of their first
///   rows.
/// - `aggregates`: count_rows(), count_of(nulls), or sum_of, min_of, max_of, argmin_of, argmax_of,
///   mean_of, variance_of, first_value_of, last_value_of, median_of(values) and
///   quantile_of(values, fraction), of an iterator to `count` elements each. With a second
///   iterator, to `count` flags, the values whose flag is not 0 are null.
///
/// As in SQL, nulls are no values: aggregates ignore them, and aggregates.hpp states the result for
/// a group without any value. Keys have no nulls; add a column of flags to the keys to make nulls a
/// group of their own.
///
/// Work and span as group_rows, and O(count / workers + log workers) for the fold of all aggregates
/// together, however uneven the groups; each quantile is a `segmented_sort` of its values. Each
/// value is read once, in the order of the groups. On a GPU, where the keys have few bits, as
/// group_rows says, and all aggregates are sums, extremes, means and variances of one column of up
/// to 8 bytes without nulls, its values are sorted instead of the rows, which saves the random
/// reads of the column; scratch is two copies of the keys, or one of a column of integers, one of
/// the values, and the table of a `Size` per possible key then. Scratch otherwise: that of
/// group_rows and of `transform_reduce_by_key`; the states of the aggregates of each group, which
/// have 8 to 24 bytes; for a quantile a copy of its values, and with nulls two `Size` per row.
/// Deterministic: the rows of a group are folded in their order, in the canonical order of folds
/// (balance/fold_order.hpp) of all rows in the order of the keys, so that sums of floating-point
/// numbers have the same bits on every backend. Waits, for the number of groups.
///
/// Errors: those of group_rows; argument_error for a pointer on the wrong side, or a fraction that
/// is not from 0 to 1; allocation_error.
///
/// Example: examples/group_by.cpp.
/// Names elsewhere: pandas.DataFrame.groupby(keys).agg, GROUP BY in SQL; thrust::reduce_by_key and
/// cub::DeviceReduce::ReduceByKey of sorted keys.
template <group_order Order = group_order::keys, context Context, class Keys, std::integral Size,
          class... Aggregates>
  requires(sizeof...(Aggregates) > 0)
auto group_by(Context& ctx, Keys keys, Size count, Aggregates... aggregates) {
  static_assert((detail::is_aggregate<Aggregates> && ...),
                "after keys and count, group_by takes aggregates: sum_of(x), mean_of(y), ...");
  (detail::check_aggregate(ctx, aggregates, count), ...);
#if defined(__CUDACC__)
  const auto columns = detail::key_columns(keys);
  using columns_type = std::remove_const_t<decltype(columns)>;
  if constexpr (Context::traits.shape == work_shape::lanes &&
                detail::have_radix_keys<columns_type> && detail::take_moved_values<Aggregates...>) {
    detail::check_count("group_by", "count", count);
    detail::check_columns(ctx, "group_by", columns, count);
    if (detail::are_of_one_column(aggregates...)) {
      const auto ranges = detail::find_ranges(ctx, columns, count);
      if (count > 0 && detail::are_few_buckets(ranges.bits(), count)) {
        return detail::group_moved_values<Order>(ctx, columns, ranges, count, aggregates...);
      }
    }
  }
#endif
  return aggregate_groups(ctx, group_rows<Order>(ctx, keys, count), aggregates...);
}

/// The same for a range of keys.
template <group_order Order = group_order::keys, context Context, sized_range Keys,
          class... Aggregates>
  requires(sizeof...(Aggregates) > 0 && (detail::is_aggregate<Aggregates> && ...))
auto group_by(Context& ctx, const Keys& keys, Aggregates... aggregates) {
  return evenfold::group_by<Order>(ctx, detail::begin_of(keys), detail::size_of(keys),
                                   aggregates...);
}

}  // namespace evenfold
