#pragma once
// Questions about the ranks of pages, and their answers by the definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/graph/pagerank_verify.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {

struct weighted_link {
  int from, to;
  double weight = 1;
};

/// The rows of a matrix with an entry for each edge, in the order of the edges, or of its
/// transpose.
template <class Weight, class Offset, class Context>
csr<Weight, int, Offset> rows_of_links(Context& ctx, int n, const std::vector<weighted_link>& edges,
                                       bool transpose) {
  std::vector<Offset> offsets(static_cast<std::size_t>(n) + 1);
  const auto row = [&](const weighted_link& e) { return transpose ? e.to : e.from; };
  for (const weighted_link& e : edges) ++offsets[static_cast<std::size_t>(row(e)) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Offset> next = offsets;
  std::vector<int> columns(edges.size());
  std::vector<Weight> values(is_pattern<Weight> ? 0 : edges.size());
  for (const weighted_link& e : edges) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(row(e))]++);
    columns[at] = transpose ? e.from : e.to;
    if constexpr (!is_pattern<Weight>) values[at] = static_cast<Weight>(e.weight);
  }
  const csr_view<const Weight, int, Offset> host{
      n, n, static_cast<Offset>(edges.size()), offsets.data(), columns.data(), values.data()};
  csr<Weight, int, Offset> result = to_context(ctx, host);
  ctx.synchronize();
  return result;
}

template <class Weight = pattern, class Offset = int, class Context>
graph<Weight, int, Offset> graph_of_links(Context& ctx, int n,
                                          const std::vector<weighted_link>& edges) {
  return {rows_of_links<Weight, Offset>(ctx, n, edges, false),
          rows_of_links<Weight, Offset>(ctx, n, edges, true), false};
}

/// The options of `pagerank`, with the vectors on the host.
struct page_question {
  int n = 0;
  std::vector<weighted_link> edges;
  double damping = 0.85;
  double tolerance = 1e-13;
  std::int64_t max_iterations = 1000;
  dangling dangling_mass = dangling::evenly;
  pagerank_change stop = pagerank_change::l1;
  std::vector<double> personalization = {}, initial = {};
};

struct page_answer {
  std::vector<double> ranks;
  std::int64_t iterations = 0;
  double residual = std::numeric_limits<double>::infinity();
  bool converged = false;

  double sum() const {
    return static_cast<double>(std::accumulate(ranks.begin(), ranks.end(), 0.L));
  }
};

/// The definition: repeated multiplication by a dense matrix of probabilities.
inline page_answer answer_by_definition(const page_question& q) {
  const auto n = static_cast<std::size_t>(q.n);
  const auto normalized = [n](std::vector<double> v) {
    if (v.empty()) v.assign(n, 1.);
    const double sum = std::accumulate(v.begin(), v.end(), 0.);
    for (double& x : v) x /= sum;
    return v;
  };
  const std::vector<double> p = normalized(q.personalization);
  std::vector<double> follow(n * n, 0.);  // follow[v * n + u]: from u to v
  std::vector<double> leaving(n, 0.);
  for (const weighted_link& e : q.edges) leaving[static_cast<std::size_t>(e.from)] += e.weight;
  for (const weighted_link& e : q.edges) {
    const auto u = static_cast<std::size_t>(e.from);
    if (leaving[u] > 0) follow[static_cast<std::size_t>(e.to) * n + u] += e.weight / leaving[u];
  }
  for (std::size_t u = 0; u < n; ++u) {
    if (leaving[u] > 0) continue;
    for (std::size_t v = 0; v < n; ++v) {
      double& to = follow[v * n + u];
      if (q.dangling_mass == dangling::evenly) to = 1. / static_cast<double>(n);
      if (q.dangling_mass == dangling::personalize) to = p[v];
      if (q.dangling_mass == dangling::self) to = u == v ? 1. : 0.;
    }
  }
  page_answer result{normalized(q.initial)};
  while (result.iterations < q.max_iterations && !result.converged) {
    const std::vector<double> before = result.ranks;
    double sum = 0;
    double most = 0;
    for (std::size_t v = 0; v < n; ++v) {
      double pulled = 0;
      for (std::size_t u = 0; u < n; ++u) pulled += follow[v * n + u] * before[u];
      result.ranks[v] = (1 - q.damping) * p[v] + q.damping * pulled;
      const double change = std::abs(result.ranks[v] - before[v]);
      sum += change;
      most = std::max(most, change);
    }
    ++result.iterations;
    result.residual = q.stop == pagerank_change::l1 ? sum : most;
    result.converged = result.residual <= q.tolerance;
  }
  return result;
}

template <class T, class Sum, class Weight, class Offset, class Context>
page_answer ask_for_ranks(Context& ctx, const page_question& q) {
  const auto vector_of = [&](const std::vector<double>& v) {
    return to_context(ctx, std::vector<T>(v.begin(), v.end()));
  };
  const array<T> personalization = vector_of(q.personalization);
  const array<T> initial = vector_of(q.initial);
  const graph<Weight, int, Offset> g = graph_of_links<Weight, Offset>(ctx, q.n, q.edges);
  const pagerank_options<T> options{.damping = q.damping,
                                    .tolerance = q.tolerance,
                                    .max_iterations = q.max_iterations,
                                    .dangling_mass = q.dangling_mass,
                                    .stop = q.stop,
                                    .personalization = personalization.data(),
                                    .initial = initial.data()};
  const pagerank_result<T> result = pagerank<T, Sum>(ctx, g.view(), options);
  if constexpr (std::is_same_v<T, double>) {
    const pagerank_report report =
        pagerank_verify(ctx, g.view(), result.ranks.data(), result.residual, options);
    EXPECT_TRUE(report.ok()) << report.sum << ", " << report.lowest << ", " << report.change
                             << " > " << report.most_change;
  }
  const std::vector<T> ranks = to_host(ctx, result.ranks);
  return {{ranks.begin(), ranks.end()}, result.iterations, result.residual, result.converged};
}

/// The ranks in double, with a weight of 1 per edge.
template <class Context>
page_answer ask_for_ranks(Context& ctx, const page_question& q) {
  return ask_for_ranks<double, double, pattern, int>(ctx, q);
}
/// The ranks in double, with the weights.
template <class Context>
page_answer ask_with_weights(Context& ctx, const page_question& q) {
  return ask_for_ranks<double, double, double, std::int64_t>(ctx, q);
}

inline void expect_near_answer(const page_answer& got, const page_answer& right,
                               double relative = 1e-12) {
  ASSERT_EQ(got.ranks.size(), right.ranks.size());
  for (std::size_t v = 0; v < got.ranks.size(); ++v) {
    ASSERT_NEAR(got.ranks[v], right.ranks[v], relative * right.ranks[v]) << "vertex " << v;
  }
}

/// Compares with the definition after a fixed number of iterations, and after convergence.
template <class Context>
void check_ranks(Context& ctx, page_question q, bool weighted = false) {
  if (!weighted) {
    for (weighted_link& e : q.edges) e.weight = 1;
  }
  const auto asked = [&] { return weighted ? ask_with_weights(ctx, q) : ask_for_ranks(ctx, q); };
  for (const pagerank_change stop : {pagerank_change::l1, pagerank_change::maximum}) {
    q.stop = stop;
    const page_answer got = asked();
    const page_answer right = answer_by_definition(q);
    expect_near_answer(got, right);
    EXPECT_TRUE(got.converged);
    EXPECT_LE(got.residual, q.tolerance);
    if (q.dangling_mass != dangling::lose) {
      EXPECT_NEAR(got.sum(), 1, 1e-13);
    }
  }
  q.tolerance = 0;
  q.max_iterations = 3;
  const page_answer got = asked();
  const page_answer right = answer_by_definition(q);
  expect_near_answer(got, right);
  EXPECT_NEAR(got.residual, right.residual, 1e-14);
  // If ranks have converged up to rounding, the iteration may stop at once.
  if (right.residual > 1e-13) {
    EXPECT_EQ(got.iterations, 3);
  }
}

inline page_question eight_pages() {
  return {8,
          {{0, 1},
           {0, 2},
           {1, 3},
           {2, 1},
           {2, 4},
           {3, 1},
           {3, 4},
           {3, 5},
           {4, 5},
           {4, 6},
           {4, 7},
           {5, 7},
           {6, 0},
           {6, 4},
           {6, 7},
           {7, 5},
           {7, 6}}};
}

/// A skewed_pages graph with self-loops, parallel edges, weights and many vertices without
/// out-links.
inline page_question skewed_pages(int scale, int count) {
  page_question q{1 << scale, {}};
  const rmat_edges recipe(scale, 5);
  const random_stream random(6);
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    const edge e = recipe(at);
    q.edges.push_back({static_cast<int>(e.from), static_cast<int>(e.to),
                       i % 7 == 0 ? 0 : random.uniform<double>(at)});
  }
  return q;
}

constexpr dangling all_ways[] = {dangling::evenly, dangling::personalize, dangling::self,
                                 dangling::lose};

}  // namespace evenfold::testing
