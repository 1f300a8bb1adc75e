#pragma once
// group_by of the rows of a table that is distributed over ranks.
//
// Each rank computes the states of its rows. A stable sort brings the rows with equal keys together
// with their states, and `reduce_by_key` joins the states of each run of equal keys.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/reduce_by_key.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/sort.hpp"
#include "evenfold/table/group_by.hpp"

namespace evenfold {

/// One key per group, and get<I>(values) with the results of the I-th aggregate. All have the same
/// shards.
template <class Key, class... Results>
struct sharded_grouped_rows {
  sharded<Key> keys;
  tuple<sharded<Results>...> values;

  std::uint64_t size() const { return keys.size(); }
};

namespace detail {

/// Whether an aggregate is a fold of states that need no other rows in the end.
template <class Aggregate>
inline constexpr bool is_fold_of_states = !is_quantile<Aggregate>;
template <class Op, class Values, class Nulls>
inline constexpr bool is_fold_of_states<end_aggregate<Op, Values, Nulls>> = false;

/// The states of a row of the shard, whose first row has the global number `begin`.
template <class... Aggregates>
struct states_of_shard_row {
  using states = tuple<state_t<Aggregates>...>;
  std::int64_t begin;
  tuple<Aggregates...> aggregates;

  EF_HD constexpr states operator()(std::int64_t row) const {
    return of(row, std::index_sequence_for<Aggregates...>{});
  }

 private:
  template <std::size_t... I>
  EF_HD constexpr states of(std::int64_t row, std::index_sequence<I...>) const {
    return states(with_global_row(get<I>(aggregates).state_of(row))...);
  }
  template <class State>
  EF_HD constexpr State with_global_row(const State& state) const {
    return state;
  }
  template <class T>
  EF_HD constexpr indexed<T> with_global_row(const indexed<T>& state) const {
    if (state.index == largest_number<std::int64_t>) return state;
    return {state.value, state.index + begin};
  }
};

/// Whether neither of two sorted keys precedes the other.
struct is_same_key {
  template <class Key>
  EF_HD constexpr bool operator()(const Key& a, const Key& b) const {
    constexpr total_order<less> before{};
    return !before(a, b) && !before(b, a);
  }
};

}  // namespace detail

/// The aggregates of the rows with equal keys, as `group_by` on one context computes them, in the
/// order of the keys, with the same bits.
///
/// - `keys`: one per row, sorted by `less`.
/// - `aggregates`: count_rows(), count_of(nulls), or sum_of, min_of, max_of, argmin_of, argmax_of,
///   mean_of, variance_of(values), of iterators to one element per row of this rank. The results of
///   argmin_of and argmax_of are global row numbers. first_value_of, last_value_of and quantiles
///   are left to one context.
///
/// `sort_by_key` of the keys with the states of all aggregates, which have 8 to 24 bytes each, and
/// `reduce_by_key`: every rank joins the same number of states, however large the groups are.
/// Waits.
///
/// Errors: argument_error for a pointer on the wrong side, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Key, class... Aggregates>
  requires(sizeof...(Aggregates) > 0)
auto group_by(distributed_context<Local, Communicator>& ctx, const sharded<Key>& keys,
              Aggregates... aggregates) {
  static_assert((detail::is_fold_of_states<Aggregates> && ...),
                "group_by on several ranks: first_value_of, last_value_of and quantile_of are "
                "computed on one context");
  using op = detail::join_states<Aggregates...>;
  using states = typename op::states;
  return detail::run_on_all_ranks(ctx, "group_by", {{"keys", keys.size()}}, [&] {
    auto& local = ctx.local();
    const auto count = static_cast<std::int64_t>(keys.local_size());
    (detail::check_aggregate(local, aggregates, count), ...);
    sharded<Key> sorted(ctx, keys.map());
    copy(local, keys.data(), keys.local_size(), sorted.data());
    sharded<states> rows(ctx, keys.map());
    const detail::states_of_shard_row<Aggregates...> row{
        static_cast<std::int64_t>(keys.local_begin()), tuple<Aggregates...>(aggregates...)};
    transform(local, count, write_result{row, rows.data()});
    sort_by_key(ctx, sorted, rows, less{});
    auto groups = reduce_by_key(ctx, sorted, rows, detail::is_same_key{}, op{}, op::none());

    const auto num_groups = static_cast<std::int64_t>(groups.keys.local_size());
    sharded_grouped_rows<Key, detail::result_of_aggregate_t<Aggregates>...> result;
    const auto finish = [&]<std::size_t I, class Aggregate>(std::integral_constant<std::size_t, I>,
                                                            const Aggregate& aggregate) {
      auto& values = get<I>(result.values);
      values = sharded<detail::result_of_aggregate_t<Aggregate>>(ctx, groups.keys.map());
      const detail::finished<I, std::int64_t, states, Aggregate> of_group{
          {nullptr}, groups.values.data(), aggregate};
      transform(local, num_groups, write_result{of_group, values.data()});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (finish(std::integral_constant<std::size_t, I>{}, aggregates), ...);
    }(std::index_sequence_for<Aggregates...>{});
    result.keys = std::move(groups.keys);
    local.synchronize();
    return result;
  });
}

}  // namespace evenfold
