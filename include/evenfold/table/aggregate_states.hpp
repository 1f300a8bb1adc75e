#pragma once
// The states of several aggregates, which group_by folds together: the states of a row, the
// operator that joins states, and the results for a group.

#include <concepts>
#include <cstddef>
#include <utility>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/table/aggregates.hpp"

namespace evenfold {

namespace detail {

template <class Aggregate>
inline constexpr bool is_quantile = false;
template <class Values, class Nulls>
inline constexpr bool is_quantile<quantile_aggregate<Values, Nulls>> = true;

template <class T>
inline constexpr bool is_aggregate = requires(const T& aggregate) { aggregate.nulls; };

/// The state of an aggregate that is not a fold.
struct no_state {};

template <class Aggregate>
struct aggregate_types {
  using state = decltype(Aggregate::none());
  using result = decltype(std::declval<const Aggregate&>().finish(std::declval<state>()));
};
template <class Values, class Nulls>
struct aggregate_types<quantile_aggregate<Values, Nulls>> {
  using state = no_state;
  using result = double;
};
template <class Aggregate>
using state_t = typename aggregate_types<Aggregate>::state;
template <class Aggregate>
using result_of_aggregate_t = typename aggregate_types<Aggregate>::result;

/// Joins the states of several aggregates.
template <class... Aggregates>
struct join_states {
  using states = tuple<state_t<Aggregates>...>;

  EF_HD constexpr states operator()(const states& a, const states& b) const {
    return join(a, b, std::index_sequence_for<Aggregates...>{});
  }
  EF_HD static constexpr states none() { return states(none_of<Aggregates>()...); }

 private:
  template <std::size_t... I>
  EF_HD static constexpr states join(const states& a, const states& b, std::index_sequence<I...>) {
    return states(join_one<Aggregates>(get<I>(a), get<I>(b))...);
  }
  template <class Aggregate>
  EF_HD static constexpr state_t<Aggregate> join_one(const state_t<Aggregate>& a,
                                                     const state_t<Aggregate>& b) {
    if constexpr (is_quantile<Aggregate>) {
      return {};
    } else {
      return Aggregate::join(a, b);
    }
  }
  template <class Aggregate>
  EF_HD static constexpr state_t<Aggregate> none_of() {
    if constexpr (is_quantile<Aggregate>) {
      return {};
    } else {
      return Aggregate::none();
    }
  }
};

}  // namespace detail

/// Mathematically, all aggregates commute.
template <class... Aggregates>
inline constexpr bool
    is_commutative<detail::join_states<Aggregates...>, tuple<detail::state_t<Aggregates>...>> =
        true;

namespace detail {

/// Whether the states of an aggregate have the same bits in any order of the rows.
template <class Aggregate>
inline constexpr bool is_exact_aggregate = false;
template <class Nulls>
inline constexpr bool is_exact_aggregate<count_aggregate<Nulls>> = true;
template <class T, class Op, class Values, class Nulls>
inline constexpr bool is_exact_aggregate<fold_aggregate<T, Op, Values, Nulls>> =
    is_exact_fold<Op, T>;

template <class... Aggregates>
inline constexpr bool is_exact_fold<join_states<Aggregates...>, tuple<state_t<Aggregates>...>> =
    (is_exact_aggregate<Aggregates> && ...);

/// k -> the states of the k-th row in the order of the groups.
template <class Rows, class... Aggregates>
struct states_of_row {
  using states = tuple<state_t<Aggregates>...>;
  Rows rows;
  tuple<Aggregates...> aggregates;

  template <std::integral Size>
  EF_HD constexpr states operator()(Size k) const {
    return of(rows[k], std::index_sequence_for<Aggregates...>{});
  }

 private:
  template <class Size, std::size_t... I>
  EF_HD constexpr states of(Size row, std::index_sequence<I...>) const {
    return states(of_one(get<I>(aggregates), row)...);
  }
  template <class Aggregate, class Size>
  EF_HD static constexpr state_t<Aggregate> of_one(const Aggregate& aggregate, Size row) {
    if constexpr (is_quantile<Aggregate>) {
      return {};
    } else {
      return aggregate.state_of(row);
    }
  }
};

/// The index of a group in the order of keys, from that in the order of the result.
template <class Size>
struct group_at {
  const Size* order;  // or nullptr
  EF_HD constexpr Size operator[](Size at) const { return order != nullptr ? order[at] : at; }
};

/// The result of aggregate `I` for a group.
template <std::size_t I, class Size, class States, class Aggregate>
struct finished {
  group_at<Size> group;
  const States* states;
  Aggregate aggregate;
  EF_HD constexpr auto operator()(Size at) const {
    return aggregate.finish(get<I>(states[group[at]]));
  }
};

}  // namespace detail

}  // namespace evenfold
