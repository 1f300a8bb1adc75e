#pragma once
// pagerank_verify: whether ranks are those of PageRank.
//
// Idea: an iteration is r' = A r + b with a matrix A, so that two changes of the ranks, one after
// the other, differ by the factor A. The sum of the changes shrinks to at most d times that of the
// last iteration, and the largest change grows by at most the largest sum of a row of A.

#include <concepts>
#include <limits>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/graph/pagerank_parts.hpp"
#include "evenfold/graph/pagerank_rules.hpp"

namespace evenfold {

namespace detail {

/// edge -> the part of the rank of its source that goes along the edge.
template <class Weight, std::integral Index>
struct rank_along_edge {
  using heavy = void;
  const Weight* weights;
  const Index* sources;
  const double* shares;
  const double* ranks;

  template <std::integral Offset>
  EF_HD double operator()(Offset edge) const {
    const Index u = sources[edge];
    return ranks[u] * shares[u] * static_cast<double>(value_at(weights, edge));
  }
};

/// The rank of a dangling vertex, else 0.
struct dangling_rank {
  using heavy = void;
  const double* shares;
  const double* ranks;
  template <std::integral Index>
  EF_HD double operator()(Index v) const {
    return shares[v] == 0 ? ranks[v] : 0.;
  }
};

/// v -> its rank after an iteration.
struct iterated_rank {
  const double* pulled;  ///< what the edges bring
  const double* shares;
  const double* ranks;
  const double* personalization;  ///< or nullptr
  double damping, everywhere, jumps;
  bool kept;  ///< whether dangling vertices keep their rank

  template <std::integral Index>
  EF_HD double operator()(Index v) const {
    const double brought = pulled[v] + (kept && shares[v] == 0 ? ranks[v] : 0.);
    const double jumped = personalization == nullptr ? 0. : jumps * personalization[v];
    return everywhere + jumped + damping * brought;
  }
};

/// v -> by how much an iteration changes its rank.
struct change_of_rank {
  using heavy = void;
  iterated_rank next;
  template <std::integral Index>
  EF_HD double operator()(Index v) const {
    const double change = next(v) - next.ranks[v];
    return change < 0 ? -change : change;
  }
};

}  // namespace detail

/// Whether `ranks` and `residual` can be a result of `pagerank` in double with the same graph and
/// options, by these laws: no rank is negative; the ranks sum to 1, or to at most 1 if the mass of
/// dangling vertices is lost; one more iteration changes the ranks by no more than follows from the
/// residual.
///
/// - `ranks`: one number per vertex, in the context's memory; any numbers.
/// - `residual`: the change by the last iteration, in the measure of `options.stop`.
///
/// The iteration is computed edge by edge, by other steps than those of `pagerank`. Work O(edges +
/// vertices), span that of `segreduce`. Scratch: four doubles per vertex. Deterministic. Waits.
///
/// Errors: those of `pagerank`.
template <context Context, class Weight, class Index, class Offset>
pagerank_report pagerank_verify(Context& ctx, const graph_view<const Weight, Index, Offset>& graph,
                                const double* ranks, double residual,
                                const pagerank_options<double>& options = {}) {
  detail::check_pagerank(ctx, graph, options);
  const Index n = graph.num_vertices();
  detail::check_pointer(ctx, "pagerank_verify", "ranks", ranks, n);
  if (n == 0) return {};
  const double* const p = options.personalization;
  const double of_p = p == nullptr ? 0. : detail::normalizing(ctx, "personalization", p, n);
  const array<double> shares = detail::out_shares<double>(ctx, graph.out);
  array<double> pulled(ctx, n);

  // The iteration of any vector, with or without jumps by the probability 1 - d.
  const auto iteration_of = [&](const double* x, bool with_jumps) {
    const detail::rank_along_edge<Weight, Index> along{graph.in.values, graph.in.columns,
                                                       shares.data(), x};
    transform_segreduce(ctx, graph.num_edges(), along, graph.in.row_offsets, n, pulled.data(),
                        plus{}, 0.);
    const double lost =
        options.damping *
        transform_reduce(ctx, n, detail::dangling_rank{shares.data(), x}, plus{}, 0.);
    double jumps = with_jumps ? 1. - options.damping : 0.;
    if (options.dangling_mass == dangling::personalize) jumps += lost;
    const double everywhere =
        (options.dangling_mass == dangling::evenly ? lost : 0.) + (p == nullptr ? jumps : 0.);
    return detail::iterated_rank{.pulled = pulled.data(),
                                 .shares = shares.data(),
                                 .ranks = x,
                                 .personalization = p,
                                 .damping = options.damping,
                                 .everywhere = everywhere / static_cast<double>(n),
                                 .jumps = jumps * of_p,
                                 .kept = options.dangling_mass == dangling::self};
  };

  pagerank_report report;
  report.may_lose = options.dangling_mass == dangling::lose;
  report.sum = reduce(ctx, ranks, n, plus{}, 0.);
  report.lowest = reduce(ctx, ranks, n, minimum{}, std::numeric_limits<double>::infinity());
  const detail::change_of_rank change{iteration_of(ranks, true)};
  double factor = options.damping;
  if (options.stop == pagerank_change::l1) {
    report.change = transform_reduce(ctx, n, change, plus{}, 0.);
  } else {
    report.change = transform_reduce(ctx, n, change, maximum{}, 0.);
    array<double> ones(ctx, n);
    fill(ctx, ones.data(), n, 1.);
    factor = transform_reduce(ctx, n, iteration_of(ones.data(), false), maximum{}, 0.);
  }
  report.most_change = factor * residual + pagerank_report::rounding;
  return report;
}

}  // namespace evenfold
