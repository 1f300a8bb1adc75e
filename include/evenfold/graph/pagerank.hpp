#pragma once
// pagerank: how often a surfer who follows edges, and now and then jumps anywhere, is at each
// vertex.
//
// Idea: every vertex pulls. What an edge brings along is the rank of the vertex that it leaves over
// the weight of all that leave there, which is worked out once a vertex. An iteration is then a
// product with the transposed matrix, balanced whatever the degrees, and one pass over the
// vertices, which makes the new ranks and what their edges bring along next, and adds up the change
// and the mass on vertices without out-links on the way (graph/pagerank_pass.hpp).

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/graph/pagerank_pass.hpp"
#include "evenfold/graph/pagerank_rules.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace evenfold {

/// How `pagerank` works. The vectors lie in the context's memory and have one number a vertex, none
/// of them negative, not all 0; they need not sum to 1.
template <class T>
struct pagerank_options {
  /// The probability of following an edge instead of jumping: 0 to 1.
  double damping = 0.85;
  /// The change at which the ranks count as at rest: finite, at least 0.
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  dangling dangling_mass = dangling::evenly;
  pagerank_change stop = pagerank_change::l1;
  /// Where jumps go; nullptr: anywhere.
  const T* personalization = nullptr;
  /// Where the surfer begins; nullptr: anywhere.
  const T* initial = nullptr;
};

/// The answer of `pagerank`.
template <class T>
struct pagerank_result {
  /// One a vertex, in the memory of the context.
  array<T> ranks;
  std::int64_t iterations;
  /// The change that the last iteration made: infinity before the first, 0 without vertices.
  double residual;
  /// Whether the residual is at most the tolerance.
  bool converged;
};

/// Sums of weights between these have a reciprocal among the normal T.
template <class T>
inline constexpr double least_weight = 1. / double{std::numeric_limits<T>::max()};
template <class T>
inline constexpr double most_weight = 1. / double{std::numeric_limits<T>::min()};

/// How the passes over the vertices are folded: on a CPU, strips a tile; on a GPU, threads a block
/// and strips a thread.
struct pagerank_tuning {
  static constexpr std::size_t tile = 16;
  static constexpr int threads = 256;
  static constexpr int items = 4;
};

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

/// What to multiply a vector with so that it sums to 1.
template <context Context, class T, std::integral Index>
double normalizing(Context& ctx, const char* argument, const T* values, Index count) {
  check_between(ctx, argument, values, count, 0, std::numeric_limits<double>::max(),
                "it must be a finite number of at least 0", "pass weights or probabilities");
  const double sum = reduce(ctx, values, count, plus{}, 0.);
  if (!(sum >= least_weight<T> && sum <= most_weight<T>)) {
    refuse_argument("pagerank", std::string("the sum of ") + argument, sum,
                    "it is scaled to 1 by a number of the type of the ranks",
                    "pass numbers that are not all 0, and of moderate size");
  }
  return 1 / sum;
}

/// 1 / x, or 0 where x is 0.
template <class T>
struct reciprocal_or_zero {
  EF_HD T operator()(double x) const { return x == 0 ? T{0} : static_cast<T>(1. / x); }
};

/// The same of the number of edges from one offset to the next.
template <class T>
struct share_of_degree {
  template <std::integral Offset>
  EF_HD T operator()(Offset begin, Offset end) const {
    return reciprocal_or_zero<T>{}(static_cast<double>(end - begin));
  }
};

/// Writes the rank that a vertex has before the first iteration and what it brings along each edge;
/// returns the mass that dangles there.
template <class T>
struct first_ranks {
  const T* initial;  ///< or nullptr: `factor` is the rank of all
  double factor;
  const T* shares;
  T* ranks;
  T* contributions;

  template <std::integral Index>
  EF_HD double operator()(Index v) const {
    const T rank = static_cast<T>(initial == nullptr ? factor : factor * double{initial[v]});
    ranks[v] = rank;
    contributions[v] = rank * shares[v];
    return shares[v] == 0 ? double{rank} : 0.;
  }
};

/// 1 over the weight of all edges that leave each vertex, or 0 where that is 0.
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

/// Refuses a graph or options that make no sense, as far as that is known without reading arrays.
template <context Context, class Weight, class Index, class Offset, class T>
void check_pagerank(const Context& ctx, const graph_view<const Weight, Index, Offset>& graph,
                    const pagerank_options<T>& options) {
  check_graph(ctx, "pagerank", graph);
  check_optional(ctx, "pagerank", "personalization", options.personalization, graph.num_vertices());
  check_optional(ctx, "pagerank", "initial", options.initial, graph.num_vertices());
  if (!(options.damping >= 0 && options.damping <= 1)) {
    refuse_argument("pagerank", "damping", options.damping, "it is a probability",
                    "pass 0 to 1; 0.85 is usual");
  }
  if (!(options.tolerance >= 0) || std::isinf(options.tolerance)) {
    refuse_argument("pagerank", "tolerance", options.tolerance,
                    "it must be a finite number of at least 0",
                    "pass the change at which the ranks count as at rest");
  }
  check_count("pagerank", "max_iterations", options.max_iterations);
}

/// The PageRank of every vertex: the ranks r, not negative and with sum 1, for which
///
///     r(v) = (1 - d) p(v) + d (sum over edges u -> v of w(u, v) r(u) / W(u) + m q(v)),
///
/// where d is the damping, W(u) the weight of all edges that leave u, p the personalisation (1 / n
/// for each of n vertices where there is none), and m the sum of r(u) over the dangling vertices,
/// those with W(u) = 0. They are found by iterating that formula from `initial` until the ranks
/// change by at most the tolerance: the sum of |r'(v) - r(v)|, or the largest one. The true ranks
/// are then no farther, in that sum, than d / (1 - d) times the sum.
///
/// Of dangling mass, `evenly` means q(v) = 1 / n, `personalize` q = p, and `self` that it stays
/// where it is, as if each dangling vertex had a loop. With `lose` it is gone (q = 0): the ranks
/// then sum to less than 1, namely to what is left; over their sum they are those of `personalize`.
///
/// - `T`: float or double, the type of the ranks. `Sum`: the type in which contributions are added;
///   double makes ranks in float more accurate.
/// - `graph`: where it has values, they are weights, at least 0; edges of a `pattern` weigh 1 each.
///   Self-loops are edges like any other, and parallel edges count each. To rank a weighted graph
///   without its weights, pass {graph.out.where(), graph.in.where()}.
///
/// Where `max_iterations` do not suffice, the ranks so far are returned, with their residual and
/// converged = false. In float the rounding of the ranks alone changes them by about 1e-7 in sum.
///
/// An iteration: work O(edges + vertices), span that of spmv; reads the edges' sources
/// (and weights), one contribution an edge, and moves about 6 T a vertex. Scratch: 2 T and one Sum
/// a vertex, with weights a double a vertex at the start, and that of spmv. Deterministic; on the
/// CPU whatever the number of threads. Waits for the change of every iteration, and before the
/// first one for a few checks.
///
/// Errors: argument_error for a damping outside [0, 1], a tolerance that is negative or not finite,
/// a negative max_iterations, a weight or an element of a vector that is negative or not finite, a
/// vector that is 0 everywhere, sums so small or large that T has no reciprocal of them, a graph
/// that is not square, pointers on the wrong side; allocation_error.
///
/// Example: examples/pagerank.cpp.
/// Source: Page, Brin, Motwani, Winograd, "The PageRank citation ranking", Stanford 1999; for
/// dangling vertices Langville and Meyer, "Deeper inside PageRank", Internet Mathematics 1, 2004.
/// Names elsewhere: networkx.pagerank, igraph_pagerank, cugraph.pagerank.
template <std::floating_point T, std::floating_point Sum = T, context Context, class Weight,
          class Index, class Offset>
pagerank_result<T> pagerank(Context& ctx, const graph_view<const Weight, Index, Offset>& graph,
                            const std::type_identity_t<pagerank_options<T>>& options = {}) {
  check_pagerank(ctx, graph, options);
  const Index n = graph.num_vertices();
  if (n == 0) return {array<T>(), 0, 0., true};
  const T* const p = options.personalization;
  const T* const initial = options.initial;
  const double each = 1. / static_cast<double>(n);
  const double of_p = p == nullptr ? 0. : normalizing(ctx, "personalization", p, n);
  const double of_initial = initial == nullptr ? 0. : normalizing(ctx, "initial", initial, n);
  const array<T> shares = out_shares<T>(ctx, graph.out);
  pagerank_result<T> result{array<T>(ctx, n), 0, std::numeric_limits<double>::infinity(), false};
  array<T> contributions(ctx, n);
  array<Sum> pulled(ctx, n);

  // The start: nothing changes yet, but mass may dangle.
  T* const ranks = result.ranks.data();
  T* const brought = contributions.data();
  const T* const share = shares.data();
  const first_ranks<T> begin{initial, initial == nullptr ? each : of_initial, share, ranks,
                             brought};
  double dangling_mass = transform_reduce(ctx, n, begin, plus{}, 0.);

  using pass_type = pagerank_pass<T, Sum, pagerank_strip_for(Context::traits.shape)>;
  const join_pagerank_change join{options.stop};
  pass_type pass{.vertices = n,
                 .pulled = pulled.data(),
                 .shares = share,
                 .personalization = p,
                 .ranks = ranks,
                 .contributions = brought,
                 .damping = static_cast<Sum>(options.damping),
                 .kept = options.dangling_mass == dangling::self ? Sum{1} : Sum{0},
                 .join = join};
  while (result.iterations < options.max_iterations && !result.converged) {
    spmv(ctx, graph.in, brought, pulled.data(), multiply_as<Sum>{}, plus{}, Sum{0});
    const double lost = options.damping * dangling_mass;
    double everywhere = options.dangling_mass == dangling::evenly ? lost : 0.;
    double jumps = 1. - options.damping;
    if (options.dangling_mass == dangling::personalize) jumps += lost;
    if (p == nullptr) everywhere += jumps;
    pass.everywhere = static_cast<Sum>(everywhere * each);
    pass.jumps = static_cast<Sum>(jumps * of_p);
    const pagerank_totals totals = transform_reduce<pagerank_tuning>(
        ctx, pass.strips(), pass, join_pagerank_totals{join}, pagerank_totals{});
    dangling_mass = totals.dangling_mass;
    ++result.iterations;
    result.residual = totals.change;
    result.converged = result.residual <= options.tolerance;
  }
  return result;
}

}  // namespace evenfold
