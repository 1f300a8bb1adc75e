#pragma once
// The aggregates of group_by that are folds: count_rows, count_of, sum_of, min_of, max_of,
// argmin_of, argmax_of, mean_of, variance_of, first_value_of and last_value_of.
//
// An aggregate has a state: none() is the state of no rows, state_of(row) the state of one row,
// join(a, b) the state of the rows of both, and finish(state) the result. One fold computes the
// states of several aggregates.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/algorithm/detail/indexed.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold {

/// Flags of nulls by which no row is null.
struct no_nulls {
  template <std::integral Size>
  EF_HD constexpr bool operator[](Size) const {
    return false;
  }
};

namespace detail {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The number of rows that are not null.
template <class Nulls>
struct count_aggregate {
  Nulls nulls;

  EF_HD static constexpr std::int64_t none() { return 0; }
  template <std::integral Size>
  EF_HD constexpr std::int64_t state_of(Size row) const {
    return nulls[row] ? 0 : 1;
  }
  EF_HD static constexpr std::int64_t join(std::int64_t a, std::int64_t b) { return a + b; }
  EF_HD constexpr std::int64_t finish(std::int64_t state) const { return state; }
};

/// The fold of the values, as T, by an operator with an identity.
template <class T, class Op, class Values, class Nulls>
struct fold_aggregate {
  Values values;
  Nulls nulls;

  EF_HD static constexpr T none() { return identity_of<Op, T>::value; }
  template <std::integral Size>
  EF_HD constexpr T state_of(Size row) const {
    return nulls[row] ? none() : static_cast<T>(values[row]);
  }
  EF_HD static constexpr T join(const T& a, const T& b) { return Op{}(a, b); }
  EF_HD constexpr T finish(const T& state) const { return state; }
};

/// The row with the value that comes first in the order `Before`, whose minimum is `Op`.
template <class Before, class Op, class Values, class Nulls>
struct arg_aggregate {
  using state = indexed<element_t<Values>>;
  Values values;
  Nulls nulls;

  EF_HD static constexpr state none() {
    return {identity_of<Op, element_t<Values>>::value, largest_number<std::int64_t>};
  }
  template <std::integral Size>
  EF_HD constexpr state state_of(Size row) const {
    return nulls[row] ? none() : state{values[row], static_cast<std::int64_t>(row)};
  }
  EF_HD static constexpr state join(const state& a, const state& b) {
    return first_of<Before>{}(a, b);
  }
  EF_HD constexpr std::int64_t finish(const state& found) const {
    return found.index == largest_number<std::int64_t> ? -1 : found.index;
  }
};

/// The value in the row that comes first (Op is minimum) or last (maximum).
template <class Op, class Values, class Nulls>
struct end_aggregate {
  Values values;
  Nulls nulls;

  EF_HD static constexpr std::int64_t none() { return identity_of<Op, std::int64_t>::value; }
  template <std::integral Size>
  EF_HD constexpr std::int64_t state_of(Size row) const {
    return nulls[row] ? none() : static_cast<std::int64_t>(row);
  }
  EF_HD static constexpr std::int64_t join(std::int64_t a, std::int64_t b) { return Op{}(a, b); }
  EF_HD constexpr element_t<Values> finish(std::int64_t row) const {
    return row == none() ? element_t<Values>{} : static_cast<element_t<Values>>(values[row]);
  }
};

/// The number of values, their mean, and the sum of the squares of their differences from the mean.
struct moments {
  double count, mean, squares;
};

template <class Values, class Nulls>
struct variance_aggregate {
  Values values;
  Nulls nulls;

  EF_HD static constexpr moments none() { return {0, 0, 0}; }
  template <std::integral Size>
  EF_HD constexpr moments state_of(Size row) const {
    if (nulls[row]) return none();
    const auto value = static_cast<double>(values[row]);
    // Infinity has no distance from a mean: its square is NaN, wherever it stands among the values.
    return {1, value, value - value};
  }
  /// Source: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing
  /// sample variances", COMPSTAT 1982.
  EF_HD static constexpr moments join(const moments& a, const moments& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double count = a.count + b.count;
    const double share = b.count / count;
    const double distance = b.mean - a.mean;
    return {count, a.mean + distance * share,
            a.squares + b.squares + distance * distance * (a.count * share)};
  }
  EF_HD constexpr double finish(const moments& all) const {
    return all.count < 2 ? not_a_number : all.squares / (all.count - 1);
  }
};

struct counted_sum {
  double count, sum;
};

template <class Values, class Nulls>
struct mean_aggregate {
  Values values;
  Nulls nulls;

  EF_HD static constexpr counted_sum none() { return {0, 0}; }
  template <std::integral Size>
  EF_HD constexpr counted_sum state_of(Size row) const {
    return nulls[row] ? none() : counted_sum{1, static_cast<double>(values[row])};
  }
  EF_HD static constexpr counted_sum join(const counted_sum& a, const counted_sum& b) {
    return {a.count + b.count, a.sum + b.sum};
  }
  EF_HD constexpr double finish(const counted_sum& all) const {
    return all.count == 0 ? not_a_number : all.sum / all.count;
  }
};

/// Sums are computed in this type: integers in 64 bits, as by numpy.sum.
template <class T>
using sum_t =
    std::conditional_t<std::floating_point<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

/// The element of a sequence at a fraction of its length.
template <class Values, class Nulls>
struct quantile_aggregate {
  Values values;
  double fraction;
  Nulls nulls;
};

}  // namespace detail

/// The number of rows of a group, int64.
inline detail::count_aggregate<no_nulls> count_rows() { return {}; }

/// The number of rows that are not null, int64. For a group in which a column has only nulls it is
/// 0, and its other aggregates have the results of no value.
template <class Nulls>
detail::count_aggregate<Nulls> count_of(Nulls nulls) {
  return {nulls};
}

/// The sum, int64 or uint64 of integers, where an overflow wraps around; 0 if there is no value.
template <class Values, class Nulls = no_nulls>
detail::fold_aggregate<detail::sum_t<element_t<Values>>, plus, Values, Nulls> sum_of(
    Values values, Nulls nulls = {}) {
  return {values, nulls};
}

/// The smallest or the largest value, as by `minimum` and `maximum`; if there is no value, their
/// identity, which is an infinity for floating-point numbers.
template <class Values, class Nulls = no_nulls>
detail::fold_aggregate<element_t<Values>, minimum, Values, Nulls> min_of(Values values,
                                                                         Nulls nulls = {}) {
  return {values, nulls};
}
template <class Values, class Nulls = no_nulls>
detail::fold_aggregate<element_t<Values>, maximum, Values, Nulls> max_of(Values values,
                                                                         Nulls nulls = {}) {
  return {values, nulls};
}

/// The row of the smallest or the largest value, int64; the first of several; the first NaN if
/// there is one; -1 if there is no value.
template <class Values, class Nulls = no_nulls>
detail::arg_aggregate<less, minimum, Values, Nulls> argmin_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}
template <class Values, class Nulls = no_nulls>
detail::arg_aggregate<greater, maximum, Values, Nulls> argmax_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}

/// The mean of the values as doubles; NaN if there is no value.
template <class Values, class Nulls = no_nulls>
detail::mean_aggregate<Values, Nulls> mean_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}

/// The sample variance of the values as doubles: the sum of the squared distances from the mean,
/// divided by the number of values less 1; NaN if there are fewer than two values, or one that is
/// infinite.
template <class Values, class Nulls = no_nulls>
detail::variance_aggregate<Values, Nulls> variance_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}

/// The value in the first or in the last row that is not null; a value-initialized element if there
/// is none.
template <class Values, class Nulls = no_nulls>
detail::end_aggregate<minimum, Values, Nulls> first_value_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}
template <class Values, class Nulls = no_nulls>
detail::end_aggregate<maximum, Values, Nulls> last_value_of(Values values, Nulls nulls = {}) {
  return {values, nulls};
}

/// The quantile of the values, which are arithmetic, as a double: of the n sorted values, NaN last,
/// the one at index h = fraction * (n - 1), interpolated linearly if h is not an integer; NaN if
/// there is no value. `fraction` is from 0 to 1.
template <class Values, class Nulls = no_nulls>
detail::quantile_aggregate<Values, Nulls> quantile_of(Values values, double fraction,
                                                      Nulls nulls = {}) {
  return {values, fraction, nulls};
}

/// The quantile at the fraction 0.5.
template <class Values, class Nulls = no_nulls>
detail::quantile_aggregate<Values, Nulls> median_of(Values values, Nulls nulls = {}) {
  return {values, 0.5, nulls};
}

}  // namespace evenfold
