#pragma once
// The steps of `pagerank` before its first iteration: the check of weights, the out-weights, the
// first ranks.

#include <concepts>
#include <limits>
#include <string>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold::detail {

/// The reciprocals of sums between these bounds are normal numbers of type T.
template <class T>
inline constexpr double least_weight = 1. / double{std::numeric_limits<T>::max()};
template <class T>
inline constexpr double most_weight = 1. / double{std::numeric_limits<T>::min()};

/// The index of a number that is neither 0 nor between `least` and `most`, or `count`.
template <class Value, std::integral Size>
struct number_outside_range {
  const Value* values;
  Size count;
  double least, most;

  EF_HD Size operator()(Size i) const {
    const auto value = static_cast<double>(values[i]);
    return value == 0 || (value >= least && value <= most) ? count : i;
  }
};

/// Refuses the first of `count` numbers that is neither 0 nor between `least` and `most`.
template <context Context, class Value, std::integral Size>
void check_between(Context& ctx, const char* argument, const Value* values, Size count,
                   double least, double most, const char* rule, const char* remedy) {
  const Size first_bad = transform_reduce(
      ctx, count, number_outside_range<Value, Size>{values, count, least, most}, minimum{}, count);
  if (first_bad == count) return;
  refuse_argument("pagerank", argument + ("[" + std::to_string(first_bad) + "]"),
                  to_host(ctx, values + first_bad, 1)[0], rule, remedy);
}

/// The factor that scales a vector to the sum 1.
template <context Context, class T, std::integral Index>
double normalizing(Context& ctx, const char* argument, const T* values, Index count) {
  check_between(ctx, argument, values, count, 0, std::numeric_limits<double>::max(),
                "it must be a finite number of at least 0", "pass weights or probabilities");
  const double sum = reduce(ctx, values, count, plus{}, 0.);
  if (!(sum >= least_weight<T> && sum <= most_weight<T>)) {
    refuse_argument("pagerank", std::string("the sum of ") + argument, sum,
                    "its reciprocal must be a number of the type of the ranks",
                    "pass numbers that are not all 0, and of moderate size");
  }
  return 1 / sum;
}

/// 1 / x, or 0 where x is 0.
template <class T>
struct reciprocal_or_zero {
  EF_HD T operator()(double x) const { return x == 0 ? T{0} : static_cast<T>(1. / x); }
};

/// 1 over the number of edges between two offsets, or 0 where there are none.
template <class T>
struct share_of_degree {
  template <std::integral Offset>
  EF_HD T operator()(Offset begin, Offset end) const {
    return reciprocal_or_zero<T>{}(static_cast<double>(end - begin));
  }
};

/// Contributions: that of vertex v lies at places[v], or at v if there are no places.
template <class T, class Index>
struct contribution_output {
  T* data;
  const Index* places;

  template <std::integral Vertex>
  EF_HD T& operator[](Vertex v) const {
    return places == nullptr ? data[v] : data[places[v]];
  }
};

/// Writes the first rank of a vertex and its contribution; returns its rank if it dangles, else 0.
template <class T, class Index>
struct first_ranks {
  using heavy = void;
  const T* initial;  ///< or nullptr, if `factor` is the rank of every vertex
  double factor;
  const T* shares;
  T* ranks;
  contribution_output<T, Index> contributions;

  EF_HD double operator()(Index v) const {
    const T rank = static_cast<T>(initial == nullptr ? factor : factor * double{initial[v]});
    ranks[v] = rank;
    contributions[v] = rank * shares[v];
    return shares[v] == 0 ? double{rank} : 0.;
  }
};

/// 1 over the weight of all edges that leave each vertex, or 0 where this weight is 0.
template <class T, context Context, class Weight, class Index, class Offset>
array<T> out_shares(Context& ctx, const csr_view<const Weight, Index, Offset>& out) {
  array<T> result(ctx, out.num_rows);
  if constexpr (is_pattern<Weight>) {
    const Offset* const offsets = out.row_offsets;
    transform(ctx, out.num_rows,
              write_result{elementwise(share_of_degree<T>{}, offsets, offsets + 1), result.data()});
  } else {
    check_between(ctx, "weights", out.values, out.num_nonzeros, 0,
                  std::numeric_limits<double>::max(), "it must be a finite number of at least 0",
                  "drop or shift the weights, or rank without them");
    array<double> sums(ctx, out.num_rows);
    segreduce(ctx, out.values, out.num_nonzeros, out.row_offsets, out.num_rows, sums.data(), plus{},
              0.);
    check_between(ctx, "the out-weight", sums.data(), out.num_rows, least_weight<T>, most_weight<T>,
                  "its reciprocal must be a number of the type of the ranks",
                  "scale the weights: only their ratios matter");
    transform(ctx, out.num_rows,
              write_result{elementwise(reciprocal_or_zero<T>{}, sums.data()), result.data()});
  }
  return result;
}

}  // namespace evenfold::detail
