#pragma once
// pagerank: the probability that a random surfer, who follows edges and sometimes jumps to any
// vertex, is at each vertex.
//
// Idea: every vertex pulls contributions along the edges that lead to it. The contribution of a
// vertex, its rank divided by the weight of all edges that leave it, is computed once per vertex.
// An iteration is then a product of the transposed matrix and the contributions, balanced whatever
// the degrees, and a pass over the vertices, which computes the new ranks and contributions and
// folds the changes and the mass on vertices without out-links (graph/pagerank_pass.hpp). Where few
// vertices have most of the edges, their contributions lie together (graph/pagerank_order.hpp).

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/graph/pagerank_order.hpp"
#include "evenfold/graph/pagerank_parts.hpp"
#include "evenfold/graph/pagerank_pass.hpp"
#include "evenfold/graph/pagerank_rules.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace evenfold {

/// The options of `pagerank`. The vectors lie in the context's memory and have one number per
/// vertex, none of them negative and not all 0; they need not sum to 1.
template <class T>
struct pagerank_options {
  /// The probability of following an edge instead of jumping: 0 to 1.
  double damping = 0.85;
  /// The ranks have converged when they change by at most this much: finite, at least 0.
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  dangling dangling_mass = dangling::evenly;
  pagerank_change stop = pagerank_change::l1;
  /// The probabilities of the targets of jumps; nullptr: uniform.
  const T* personalization = nullptr;
  /// The first ranks; nullptr: uniform.
  const T* initial = nullptr;
};

/// The result of `pagerank`.
template <class T>
struct pagerank_result {
  /// One per vertex, in the memory of the context.
  array<T> ranks;
  std::int64_t iterations;
  /// The change by the last iteration: infinity before the first, 0 without vertices.
  double residual;
  /// Whether the residual is at most the tolerance.
  bool converged;
};

namespace detail {

/// Refuses invalid numbers.
template <class T>
void check_pagerank_options(const pagerank_options<T>& options) {
  if (!(options.damping >= 0 && options.damping <= 1)) {
    refuse_argument("pagerank", "damping", options.damping, "it is a probability",
                    "pass 0 to 1; 0.85 is usual");
  }
  if (!(options.tolerance >= 0) || std::isinf(options.tolerance)) {
    refuse_argument("pagerank", "tolerance", options.tolerance,
                    "it must be a finite number of at least 0",
                    "pass the change at which the ranks have converged");
  }
  check_count("pagerank", "max_iterations", options.max_iterations);
}

/// Refuses invalid graphs and options, without reading elements.
template <context Context, class Weight, class Index, class Offset, class T>
void check_pagerank(const Context& ctx, const graph_view<const Weight, Index, Offset>& graph,
                    const pagerank_options<T>& options) {
  check_graph(ctx, "pagerank", graph);
  check_optional(ctx, "pagerank", "personalization", options.personalization, graph.num_vertices());
  check_optional(ctx, "pagerank", "initial", options.initial, graph.num_vertices());
  check_pagerank_options(options);
}

/// The mass that goes to targets of jumps, and the mass that goes to all vertices.
struct moved_mass {
  double jumps, everywhere;
};
template <class T>
moved_mass mass_of_iteration(const pagerank_options<T>& options, double dangling_mass) {
  const double lost = options.damping * dangling_mass;
  double everywhere = options.dangling_mass == dangling::evenly ? lost : 0.;
  double jumps = 1. - options.damping;
  if (options.dangling_mass == dangling::personalize) jumps += lost;
  if (options.personalization == nullptr) everywhere += jumps;
  return {jumps, everywhere};
}

/// What the next iteration will probably change: less than the last one, by the same factor as that
/// one changed less than the one before it.
class change_forecast {
 public:
  explicit change_forecast(double damping) : factor_(damping) {}

  double next() const { return last_ * factor_; }
  void add(double change) {
    if (!std::isinf(last_)) factor_ = change / last_;
    last_ = change;
  }

 private:
  double last_ = std::numeric_limits<double>::infinity();
  double factor_;
};

}  // namespace detail

/// The PageRank of every vertex: the ranks r, not negative and with sum 1, for which
///
///     r(v) = (1 - d) p(v) + d (sum over edges u -> v of w(u, v) r(u) / W(u) + m q(v)),
///
/// where d is the damping, W(u) the weight of all edges that leave u, p the personalisation (1 / n
/// for each of n vertices by default), and m the sum of r(u) over the dangling vertices, those with
/// W(u) = 0. This formula is iterated from `initial` until the change of the ranks, the sum or the
/// maximum of |r'(v) - r(v)|, is at most the tolerance. The sum of their differences from the true
/// ranks is then at most d / (1 - d) times the sum of the changes.
///
/// The mass of dangling vertices goes to all vertices with `evenly`, q(v) = 1 / n, and where jumps
/// go with `personalize`, q = p. It stays at the dangling vertex with `self`, as if the vertex had
/// a self-loop. With `lose` it is lost, q = 0: the ranks then sum to less than 1; divided by their
/// sum they are those of `personalize`.
///
/// - `T`: float or double, the type of the ranks. `Sum`: the type in which contributions are added;
///   double makes ranks in float more accurate.
/// - `graph`: its values, if it has any, are weights of at least 0; each edge of a `pattern` has
///   weight 1. Self-loops are edges like any other, and parallel edges count each. To rank a
///   weighted graph without its weights, pass {graph.out.structure(), graph.in.structure()}.
///
/// If `max_iterations` do not suffice, the ranks so far are returned, with their residual and
/// converged = false. In float, rounding alone changes the ranks by about 1e-7 in sum.
///
/// Per iteration: work O(edges + vertices), span that of spmv; reads the source of each edge (and
/// its weight) and one contribution per edge, and moves about 9 T per vertex on the CPU, 7 T on a
/// GPU. Scratch: 2 T and two Sum per vertex on the CPU, 2 T and one Sum on a GPU, one double per
/// vertex at the start if there are weights, and that of spmv; for a large graph, half of whose
/// edges are more than the mean at their source, one Index per vertex and per edge, if there is
/// memory for these.
/// Deterministic: the sums are folds in the canonical order; those of the change and the dangling
/// mass are in double.
/// Waits for the change of every iteration, and before the first one for a few checks. A GPU begins
/// the next product meanwhile, unless the forecast is that the ranks have converged: a forecast
/// that errs wastes one product.
///
/// Errors: argument_error for a damping outside [0, 1], a tolerance that is negative or not finite,
/// a negative max_iterations, a weight or an element of a vector that is negative or not finite, a
/// vector that is 0 everywhere, sums whose reciprocal is out of the range of T, a graph
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
  detail::check_pagerank(ctx, graph, options);
  const Index n = graph.num_vertices();
  if (n == 0) return {array<T>(), 0, 0., true};
  const T* const p = options.personalization;
  const T* const initial = options.initial;
  const double each = 1. / static_cast<double>(n);
  const double of_p = p == nullptr ? 0. : detail::normalizing(ctx, "personalization", p, n);
  const double of_initial =
      initial == nullptr ? 0. : detail::normalizing(ctx, "initial", initial, n);
  const array<T> shares = detail::out_shares<T>(ctx, graph.out);
  pagerank_result<T> result{array<T>(ctx, n), 0, std::numeric_limits<double>::infinity(), false};
  array<T> contributions(ctx, n);
  array<Sum> pulled(ctx, n);
  array<Sum> changes(ctx, Context::traits.shape == work_shape::runs ? n : 0);
  detail::pagerank_order<Index> order;
  if (detail::expects_many_iterations(options.max_iterations, options.tolerance, options.damping)) {
    order = detail::order_by_degree<T>(ctx, graph);
  }
  const Index* const places = order.places.data();
  csr_view<const Weight, Index, Offset> in = graph.in;
  if (places != nullptr) in.columns = order.sources.data();

  T* const brought = contributions.data();
  const T* const share = shares.data();
  const detail::first_ranks<T, Index> begin{initial,
                                            initial == nullptr ? each : of_initial,
                                            share,
                                            result.ranks.data(),
                                            {brought, places}};
  const auto multiply = [&] {
    spmv(ctx, in, brought, pulled.data(), detail::multiply_as<Sum>{}, plus{}, Sum{0});
  };
  // The first ranks, and the mass on dangling vertices, which the first product does not need.
  bool multiplied = options.max_iterations > 0;
  double dangling_mass = detail::fold_and_submit(ctx, n, begin, plus{}, 0., [&] {
    if (multiplied) multiply();
  });

  using pass_type =
      detail::pagerank_pass<T, Sum, Index, detail::pagerank_strip_for(Context::traits.shape)>;
  pass_type pass{.vertices = n,
                 .pulled = pulled.data(),
                 .changes = changes.data(),
                 .shares = share,
                 .personalization = p,
                 .ranks = result.ranks.data(),
                 .contributions = {brought, places},
                 .damping = static_cast<Sum>(options.damping),
                 .kept = options.dangling_mass == dangling::self ? Sum{1} : Sum{0}};
  detail::change_forecast forecast(options.damping);
  while (result.iterations < options.max_iterations && !result.converged) {
    if (!std::exchange(multiplied, false)) multiply();
    const detail::moved_mass moved = detail::mass_of_iteration(options, dangling_mass);
    pass.everywhere = static_cast<Sum>(moved.everywhere * each);
    pass.jumps = static_cast<Sum>(moved.jumps * of_p);
    // The product of the next iteration needs no total of this one.
    const auto begin_next = [&] {
      multiplied =
          result.iterations + 1 < options.max_iterations && forecast.next() > options.tolerance;
      if (multiplied) multiply();
    };
    const detail::pagerank_totals totals = options.stop == pagerank_change::l1
                                               ? detail::make_ranks<plus>(ctx, pass, begin_next)
                                               : detail::make_ranks<maximum>(ctx, pass, begin_next);
    result.residual = totals.change;
    forecast.add(totals.change);
    dangling_mass = totals.mass;
    ++result.iterations;
    result.converged = result.residual <= options.tolerance;
  }
  return result;
}

}  // namespace evenfold
