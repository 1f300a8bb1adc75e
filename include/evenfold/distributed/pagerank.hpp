#pragma once
// pagerank of a graph whose edges are distributed over ranks.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/graph/pagerank.hpp"

namespace evenfold {

/// The result of `pagerank`, as pagerank_result; the ranks are those of the vertices whose in-edges
/// end on this rank, in shards of graph.in_edges().rows.segments().
template <class T>
struct sharded_pagerank_result {
  sharded<T> ranks;
  std::int64_t iterations = 0;
  double residual = std::numeric_limits<double>::infinity();
  bool converged = false;
};

namespace detail {

/// 1 over the number of entries of a row.
template <class T, class Offset>
struct share_of_row {
  const Offset* offsets;
  std::uint64_t count, next;

  EF_HD constexpr T operator()(std::uint64_t r) const {
    const std::uint64_t end = r + 1 < count ? static_cast<std::uint64_t>(offsets[r + 1]) : next;
    return share_of_degree<T>{}(static_cast<std::uint64_t>(offsets[r]), end);
  }
};

/// 1 over the weight of all edges that leave each vertex, in the shards of `map`.
template <class T, class Context, class Weight, class Index, class Offset>
sharded<T> out_shares(Context& ctx, const sharded_csr<Weight, Index, Offset>& out,
                      const shard_map& map) {
  const shard_map& rows = out.rows.segments();
  sharded<T> result(ctx, rows);
  if constexpr (is_pattern<Weight>) {
    transform(ctx.local(), result.local_size(),
              write_result{share_of_row<T, Offset>{out.rows.offsets().data(), result.local_size(),
                                                   out.rows.next_offset(ctx.rank())},
                           result.data()});
  } else {
    const sharded<double> sums = segreduce(ctx, out.values, out.rows, plus{}, 0.);
    transform(ctx.local(), sums.data(), sums.local_size(), result.data(), reciprocal_or_zero<T>{});
  }
  return redistribute(ctx, result, map);
}

}  // namespace detail

/// The PageRank of every vertex, as `pagerank` on one context computes it, with the same bits. All
/// options but `personalization` and `initial` are those of one context.
///
/// Each iteration is an `spmv`, which sends every contribution to every rank, a pass over the
/// vertices of the rank, and two `reduce`. Weights are at least 0 and finite; this is not checked.
/// Waits.
///
/// Errors: argument_error for options that one context refuses, for vectors of the options, for a
/// graph that is not square, or if the ranks pass different arguments; communication_error if
/// another rank fails; allocation_error.
template <std::floating_point T, std::floating_point Sum = T, context Local, class Communicator,
          class Weight, class Index, class Offset>
sharded_pagerank_result<T> pagerank(distributed_context<Local, Communicator>& ctx,
                                    const sharded_graph<Weight, Index, Offset>& graph,
                                    const std::type_identity_t<pagerank_options<T>>& options = {}) {
  detail::check_pagerank_options(options);
  detail::check_graph("pagerank", graph);
  if (options.personalization != nullptr || options.initial != nullptr) {
    detail::refuse_argument("pagerank", "personalization or initial", "a vector",
                            "the ranks of several contexts begin and jump uniformly",
                            "pass no vectors, or rank on one context");
  }
  const auto run = [&] {
    auto& local = ctx.local();
    const std::uint64_t n = graph.num_vertices();
    const shard_map& map = graph.in_edges().rows.segments();
    sharded_pagerank_result<T> result{sharded<T>(ctx, map)};
    if (n == 0) {
      result.residual = 0;
      result.converged = true;
      return result;
    }
    const double each = 1. / static_cast<double>(n);
    const sharded<T> shares = detail::out_shares<T>(ctx, graph.out, map);
    sharded<T> contributions(ctx, map);
    sharded<Sum> changes(ctx, map);
    sharded<double> dangling_ranks(ctx, map);
    const auto own = static_cast<std::int64_t>(map.size(ctx.rank()));
    const detail::contribution_output<T, Index> brought{contributions.data(), nullptr};
    transform(local, own,
              write_result{detail::first_ranks<T, Index>{nullptr, each, shares.data(),
                                                         result.ranks.data(), brought},
                           dangling_ranks.data()});
    double dangling_mass = reduce(ctx, dangling_ranks, plus{}, 0.);

    using pass_type =
        detail::pagerank_pass<T, Sum, Index, detail::pagerank_strip_for(Local::traits.shape)>;
    pass_type pass{.vertices = own,
                   .pulled = nullptr,
                   .changes = changes.data(),
                   .shares = shares.data(),
                   .personalization = nullptr,
                   .ranks = result.ranks.data(),
                   .contributions = brought,
                   .damping = static_cast<Sum>(options.damping),
                   .kept = options.dangling_mass == dangling::self ? Sum{1} : Sum{0}};
    while (result.iterations < options.max_iterations && !result.converged) {
      sharded<Sum> pulled = spmv<Sum>(ctx, graph.in_edges(), contributions);
      pass.pulled = pulled.data();
      pass.everywhere =
          static_cast<Sum>(detail::mass_of_iteration(options, dangling_mass).everywhere * each);
      transform(local, pass.strips(), pass);
      result.residual = options.stop == pagerank_change::l1 ? reduce(ctx, changes, plus{}, 0.)
                                                            : reduce(ctx, changes, maximum{}, 0.);
      dangling_mass = reduce(ctx, pulled, plus{}, 0.);
      ++result.iterations;
      result.converged = result.residual <= options.tolerance;
    }
    return result;
  };
  return detail::run_on_all_ranks(
      ctx, "pagerank",
      {{"vertices", graph.num_vertices()},
       {"edges", graph.num_edges()},
       {"damping", detail::fingerprint(options.damping)},
       {"max_iterations", static_cast<std::uint64_t>(options.max_iterations)}},
      run);
}

}  // namespace evenfold
