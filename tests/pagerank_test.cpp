#include "evenfold/graph/pagerank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank_verify.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

struct weighted_edge {
  int from, to;
  double weight = 1;
};

/// The rows of a matrix with an entry for each edge, in the order of the edges, or of its
/// transpose.
template <class Weight, class Offset, class Context>
csr<Weight, int, Offset> rows_of(Context& ctx, int n, const std::vector<weighted_edge>& edges,
                                 bool transpose) {
  std::vector<Offset> offsets(static_cast<std::size_t>(n) + 1);
  const auto row = [&](const weighted_edge& e) { return transpose ? e.to : e.from; };
  for (const weighted_edge& e : edges) ++offsets[static_cast<std::size_t>(row(e)) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Offset> next = offsets;
  std::vector<int> columns(edges.size());
  std::vector<Weight> values(is_pattern<Weight> ? 0 : edges.size());
  for (const weighted_edge& e : edges) {
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
graph<Weight, int, Offset> graph_of(Context& ctx, int n, const std::vector<weighted_edge>& edges) {
  return {rows_of<Weight, Offset>(ctx, n, edges, false),
          rows_of<Weight, Offset>(ctx, n, edges, true), false};
}

/// The options of `pagerank`, with the vectors on the host.
struct question {
  int n = 0;
  std::vector<weighted_edge> edges;
  double damping = 0.85;
  double tolerance = 1e-13;
  std::int64_t max_iterations = 1000;
  dangling dangling_mass = dangling::evenly;
  pagerank_change stop = pagerank_change::l1;
  std::vector<double> personalization = {}, initial = {};
};

struct answer {
  std::vector<double> ranks;
  std::int64_t iterations = 0;
  double residual = std::numeric_limits<double>::infinity();
  bool converged = false;

  double sum() const {
    return static_cast<double>(std::accumulate(ranks.begin(), ranks.end(), 0.L));
  }
};

/// The definition: repeated multiplication by a dense matrix of probabilities.
answer by_definition(const question& q) {
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
  for (const weighted_edge& e : q.edges) leaving[static_cast<std::size_t>(e.from)] += e.weight;
  for (const weighted_edge& e : q.edges) {
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
  answer result{normalized(q.initial)};
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
answer ask(Context& ctx, const question& q) {
  const auto vector_of = [&](const std::vector<double>& v) {
    return to_context(ctx, std::vector<T>(v.begin(), v.end()));
  };
  const array<T> personalization = vector_of(q.personalization);
  const array<T> initial = vector_of(q.initial);
  const graph<Weight, int, Offset> g = graph_of<Weight, Offset>(ctx, q.n, q.edges);
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
answer ask(Context& ctx, const question& q) {
  return ask<double, double, pattern, int>(ctx, q);
}
/// The ranks in double, with the weights.
template <class Context>
answer ask_weighted(Context& ctx, const question& q) {
  return ask<double, double, double, std::int64_t>(ctx, q);
}

void expect_near(const answer& got, const answer& right, double relative = 1e-12) {
  ASSERT_EQ(got.ranks.size(), right.ranks.size());
  for (std::size_t v = 0; v < got.ranks.size(); ++v) {
    ASSERT_NEAR(got.ranks[v], right.ranks[v], relative * right.ranks[v]) << "vertex " << v;
  }
}

/// Compares with the definition after a fixed number of iterations, and after convergence.
template <class Context>
void check(Context& ctx, question q, bool weighted = false) {
  if (!weighted) {
    for (weighted_edge& e : q.edges) e.weight = 1;
  }
  const auto asked = [&] { return weighted ? ask_weighted(ctx, q) : ask(ctx, q); };
  for (const pagerank_change stop : {pagerank_change::l1, pagerank_change::maximum}) {
    q.stop = stop;
    const answer got = asked();
    const answer right = by_definition(q);
    expect_near(got, right);
    EXPECT_TRUE(got.converged);
    EXPECT_LE(got.residual, q.tolerance);
    if (q.dangling_mass != dangling::lose) {
      EXPECT_NEAR(got.sum(), 1, 1e-13);
    }
  }
  q.tolerance = 0;
  q.max_iterations = 3;
  const answer got = asked();
  const answer right = by_definition(q);
  expect_near(got, right);
  EXPECT_NEAR(got.residual, right.residual, 1e-14);
  // If ranks have converged up to rounding, the iteration may stop at once.
  if (right.residual > 1e-13) {
    EXPECT_EQ(got.iterations, 3);
  }
}

question eight_pages() {
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

/// A skewed graph with self-loops, parallel edges, weights and many vertices without out-links.
question skewed(int scale, int count) {
  question q{1 << scale, {}};
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

template <class Context>
class pagerank_on : public on<Context> {};
TYPED_TEST_SUITE(pagerank_on, contexts);

TYPED_TEST(pagerank_on, eight_pages_of_a_web) {
  question q = eight_pages();
  check(this->ctx, q);
  const answer got = ask(this->ctx, q);
  EXPECT_EQ(std::max_element(got.ranks.begin(), got.ranks.end()) - got.ranks.begin(), 7);
  EXPECT_GT(got.iterations, 20);
  // The same web with the weights 1 / out-degree, and with others of the same ratios.
  std::vector<int> degree(8);
  for (const weighted_edge& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  for (const double scale : {1., 3., 1e-200, 1e200}) {
    for (weighted_edge& e : q.edges) e.weight = scale / degree[static_cast<std::size_t>(e.from)];
    expect_near(ask_weighted(this->ctx, q), by_definition(eight_pages()));
  }
  for (const double damping : {0., 0.3, 0.99}) {
    q.damping = damping;
    q.max_iterations = 10000;
    check(this->ctx, q);
  }
}

TYPED_TEST(pagerank_on, verification_finds_wrong_ranks) {
  const question q = eight_pages();
  const auto g = graph_of(this->ctx, q.n, q.edges);
  const auto report_on = [&](const std::vector<double>& ranks, double residual,
                             const pagerank_options<double>& options = {}) {
    const array<double> there = to_context(this->ctx, ranks);
    return pagerank_verify(this->ctx, g.view(), there.data(), residual, options);
  };
  const answer right = ask(this->ctx, q);
  EXPECT_TRUE(report_on(right.ranks, right.residual).ok());

  std::vector<double> ranks = right.ranks;
  std::swap(ranks[0], ranks[7]);
  EXPECT_FALSE(report_on(ranks, right.residual).has_converged_as_said());
  EXPECT_TRUE(report_on(ranks, right.residual).is_distribution());
  EXPECT_FALSE(report_on(ranks, right.residual, {.stop = pagerank_change::maximum}).ok());
  // The same ranks are right before the first iteration, and for other options not even then.
  EXPECT_TRUE(report_on(ranks, std::numeric_limits<double>::infinity()).ok());
  EXPECT_FALSE(report_on(right.ranks, right.residual, {.damping = 0.8}).ok());
  // The change of an earlier iteration cannot be that of a later one.
  question early = q;
  early.max_iterations = 5;
  const answer fifth = ask(this->ctx, early);
  EXPECT_FALSE(report_on(fifth.ranks, fifth.residual / 10).ok());

  for (double& rank : ranks = right.ranks) rank *= 1.001;
  EXPECT_FALSE(report_on(ranks, 1).is_distribution());
  EXPECT_FALSE(report_on(ranks, 1, {.dangling_mass = dangling::lose}).is_distribution());
  for (double& rank : ranks) rank *= 0.9;
  EXPECT_FALSE(report_on(ranks, 1).is_distribution());
  EXPECT_TRUE(report_on(ranks, 1, {.dangling_mass = dangling::lose}).is_distribution());
  ranks = right.ranks;
  ranks[3] -= 1;
  ranks[5] += 1;
  EXPECT_FALSE(report_on(ranks, 1).is_in_range());
  ranks[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(report_on(ranks, 1).ok());
}

TYPED_TEST(pagerank_on, dangling_mass_in_all_four_ways) {
  question q = eight_pages();
  std::erase_if(q.edges, [](const weighted_edge& e) { return e.from == 4 || e.from == 7; });
  question larger = skewed(7, 300);
  for (const bool with_vector : {false, true}) {
    if (with_vector) q.personalization = {0, 3, 0.5, 0, 0, 1, 0, 2};
    for (const dangling way : all_ways) {
      SCOPED_TRACE(static_cast<int>(way));
      q.dangling_mass = larger.dangling_mass = way;
      check(this->ctx, q);
      check(this->ctx, larger);
    }
  }
}

TYPED_TEST(pagerank_on, what_is_lost_is_what_personalize_gives_back) {
  question q = skewed(8, 700);
  for (std::size_t v = 0; v < 256; ++v) q.personalization.push_back(static_cast<double>(v % 5));
  q.dangling_mass = dangling::lose;
  answer lost = ask(this->ctx, q);
  const double left = lost.sum();
  EXPECT_LT(left, 0.9);
  for (double& rank : lost.ranks) rank /= left;
  q.dangling_mass = dangling::personalize;
  expect_near(lost, ask(this->ctx, q));
}

TYPED_TEST(pagerank_on, weights_loops_and_parallel_edges) {
  question q = skewed(8, 3000);
  // Out-links with a weight of 0 do not count.
  for (weighted_edge& e : q.edges) {
    if (e.from % 3 == 0) e.weight = 0;
  }
  for (const dangling way : all_ways) {
    q.dangling_mass = way;
    check(this->ctx, q, true);
  }
}

TYPED_TEST(pagerank_on, hubs_and_many_vertices) {
  // The graph is too large for a dense oracle: no loop of the test may be longer than the list of
  // edges.
  question q = skewed(14, 100000);
  const answer got = ask(this->ctx, q);
  EXPECT_TRUE(got.converged);
  EXPECT_NEAR(got.sum(), 1, 1e-13);
  std::vector<double> pulled(got.ranks.size(), 0.);
  std::vector<int> degree(got.ranks.size());
  for (const weighted_edge& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  double dangles = 0;
  for (std::size_t v = 0; v < degree.size(); ++v) dangles += degree[v] == 0 ? got.ranks[v] : 0;
  for (const weighted_edge& e : q.edges) {
    const auto u = static_cast<std::size_t>(e.from);
    pulled[static_cast<std::size_t>(e.to)] += got.ranks[u] / degree[u];
  }
  const auto n = static_cast<double>(q.n);
  for (std::size_t v = 0; v < pulled.size(); ++v) {
    const double right = 0.15 / n + 0.85 * (pulled[v] + dangles / n);
    ASSERT_NEAR(got.ranks[v], right, 1e-12 * right) << v;
  }
  // Any number of threads, and every repetition, gives the same bits.
  for (auto& other : equal_contexts<TypeParam>()) {
    const answer again = ask(*other, q);
    EXPECT_EQ(again.ranks, got.ranks);
    EXPECT_EQ(again.iterations, got.iterations);
    EXPECT_EQ(again.residual, got.residual);
  }
  // Ranks in float: sums in double do not make them less accurate.
  q.tolerance = 1e-6;
  for (const answer& rough : {ask<float, float, pattern, int>(this->ctx, q),
                              ask<float, double, pattern, int>(this->ctx, q)}) {
    EXPECT_TRUE(rough.converged);
    EXPECT_NEAR(rough.sum(), 1, 1e-6);
    expect_near(rough, got, 1e-4);
  }
}

TYPED_TEST(pagerank_on, more_than_a_million_edges) {
  question q = skewed(12, (1 << 20) + 100);
  q.max_iterations = 1;
  const answer got = ask(this->ctx, q);
  const auto n = static_cast<std::size_t>(q.n);
  std::vector<int> degree(n);
  for (const weighted_edge& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  std::vector<double> pulled(n);
  for (const weighted_edge& e : q.edges) {
    pulled[static_cast<std::size_t>(e.to)] += 1. / degree[static_cast<std::size_t>(e.from)];
  }
  const auto dangling = static_cast<double>(std::count(degree.begin(), degree.end(), 0));
  for (std::size_t v = 0; v < n; ++v) {
    const double right = 0.15 + 0.85 * (pulled[v] + dangling / q.n);
    ASSERT_NEAR(got.ranks[v] * q.n, right, 1e-12 * right) << v;
  }
}

TYPED_TEST(pagerank_on, an_initial_guess) {
  question q = eight_pages();
  const answer cold = ask(this->ctx, q);
  q.initial = cold.ranks;
  for (double& guess : q.initial) guess *= 17;
  const answer warm = ask(this->ctx, q);
  EXPECT_EQ(warm.iterations, 1);
  expect_near(warm, cold);
  q.initial = {0, 0, 0, 5, 0, 0, 0, 0};
  check(this->ctx, q);
  q.personalization = {1, 0, 0, 0, 0, 0, 0, 1};
  check(this->ctx, q);
}

TYPED_TEST(pagerank_on, stops_when_told) {
  question q = eight_pages();
  q.max_iterations = 0;
  const answer none = ask(this->ctx, q);
  EXPECT_EQ(none.ranks, std::vector<double>(8, 0.125));
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.residual, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(none.converged);
  for (const int most : {1, 2, 7}) {
    q.max_iterations = most;
    const answer some = ask(this->ctx, q);
    EXPECT_EQ(some.iterations, most);
    EXPECT_FALSE(some.converged);
    expect_near(some, by_definition(q));
    // With that residual as the tolerance, this iteration is the last one.
    question enough = q;
    enough.max_iterations = 100;
    enough.tolerance = some.residual;
    EXPECT_EQ(ask(this->ctx, enough).iterations, most);
    EXPECT_TRUE(ask(this->ctx, enough).converged);
    enough.tolerance = std::nextafter(some.residual, 0.);
    EXPECT_GT(ask(this->ctx, enough).iterations, most);
  }
  // The largest change becomes small before the sum of the changes does.
  q = eight_pages();
  q.tolerance = 1e-6;
  const std::int64_t by_sum = ask(this->ctx, q).iterations;
  q.stop = pagerank_change::maximum;
  EXPECT_LT(ask(this->ctx, q).iterations, by_sum);
  // Two pages that link to each other exchange their ranks in every iteration.
  question swing{2, {{0, 1}, {1, 0}}, 1, 1e-6, 50};
  swing.initial = {1, 0};
  const answer swung = ask(this->ctx, swing);
  EXPECT_FALSE(swung.converged);
  EXPECT_EQ(swung.iterations, 50);
  EXPECT_EQ(swung.residual, 2);
  EXPECT_EQ(swung.ranks, (std::vector<double>{1, 0}));
}

TYPED_TEST(pagerank_on, small_and_odd_graphs) {
  const answer empty = ask(this->ctx, {});
  EXPECT_TRUE(empty.ranks.empty());
  EXPECT_TRUE(empty.converged);
  EXPECT_EQ(empty.iterations, 0);
  for (const dangling way : all_ways) {
    SCOPED_TRACE(static_cast<int>(way));
    const auto with = [&](int n, std::vector<weighted_edge> edges) {
      question q{n, std::move(edges)};
      q.dangling_mass = way;
      return q;
    };
    check(this->ctx, with(1, {}));
    check(this->ctx, with(1, {{0, 0}}));
    check(this->ctx, with(5, {}));
    check(this->ctx, with(3, {{0, 0}, {1, 1}, {2, 2}, {2, 2}}));
    check(this->ctx, with(6, {{0, 1}, {1, 0}, {3, 4}, {4, 5}, {5, 3}}));
    question star = with(301, {});
    for (int leaf = 1; leaf <= 300; ++leaf) star.edges.push_back({leaf, 0});
    check(this->ctx, star);
    for (weighted_edge& e : star.edges) std::swap(e.from, e.to);
    check(this->ctx, star);
  }
}

template <class Context, class Bad>
void expect_refused(Context& ctx, const std::string& argument, Bad bad) {
  question q = eight_pages();
  bad(q);
  expect_refusal("pagerank", argument, [&] { ask_weighted(ctx, q); });
}

TYPED_TEST(pagerank_on, refuses_what_makes_no_sense) {
  auto& context = this->ctx;
  for (const double damping : {-0.1, 1.1, double{NAN}}) {
    expect_refused(context, "damping", [&](question& q) { q.damping = damping; });
  }
  for (const double tolerance : {-1e-9, double{NAN}, double{INFINITY}}) {
    expect_refused(context, "tolerance", [&](question& q) { q.tolerance = tolerance; });
  }
  expect_refused(context, "max_iterations", [](question& q) { q.max_iterations = -1; });
  for (const double bad : {-1., double{NAN}, double{INFINITY}}) {
    expect_refused(context, "weights[2]", [&](question& q) { q.edges[2].weight = bad; });
    std::vector<double> vector(8, 1.);
    vector[5] = vector[6] = bad;
    expect_refused(context, "personalization[5]", [&](question& q) { q.personalization = vector; });
    expect_refused(context, "initial[5]", [&](question& q) { q.initial = vector; });
  }
  const std::vector<double> zeros(8, 0.);
  expect_refused(context, "the sum of personalization",
                 [&](question& q) { q.personalization = zeros; });
  expect_refused(context, "the sum of initial", [&](question& q) { q.initial = zeros; });
  expect_refused(context, "the out-weight[1]", [](question& q) { q.edges[2].weight = 1e-320; });
  expect_refused(context, "the out-weight[3]", [](question& q) {
    q.edges[5].weight = q.edges[6].weight = std::numeric_limits<double>::max();
  });

  const graph<pattern> g = graph_of(context, 8, eight_pages().edges);
  graph_view<const pattern> oblong = g.view();
  oblong.in.num_columns = 9;
  expect_refusal("pagerank", "graph", [&] { pagerank<double>(context, oblong); });
  misplaced<TypeParam::side> wrong;
  expect_refusal("pagerank", "initial", [&] {
    pagerank<float>(context, g.view(),
                    {.initial = reinterpret_cast<const float*>(wrong.address())});
  });
}

}  // namespace
}  // namespace evenfold::testing
