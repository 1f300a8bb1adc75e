#include "evenfold/graph/pagerank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank_verify.hpp"
#include "support/contexts.hpp"
#include "support/pages.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

/// For a graph that is too large for a dense oracle: no loop may be longer than the list of edges.
void expect_rank_equations(const page_question& q, const page_answer& got) {
  std::vector<double> pulled(got.ranks.size(), 0.);
  std::vector<int> degree(got.ranks.size());
  for (const weighted_link& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  double dangles = 0;
  for (std::size_t v = 0; v < degree.size(); ++v) dangles += degree[v] == 0 ? got.ranks[v] : 0;
  for (const weighted_link& e : q.edges) {
    const auto u = static_cast<std::size_t>(e.from);
    pulled[static_cast<std::size_t>(e.to)] += got.ranks[u] / degree[u];
  }
  const auto n = static_cast<double>(q.n);
  for (std::size_t v = 0; v < pulled.size(); ++v) {
    const double right = 0.15 / n + 0.85 * (pulled[v] + dangles / n);
    ASSERT_NEAR(got.ranks[v], right, 1e-12 * right) << v;
  }
}

/// The ranks of a graph of many vertices: they fulfil their equations, sum to 1 up to `rounding`,
/// and have the same bits for any number of threads and in every repetition.
template <class Context>
page_answer check_many_ranks(Context& ctx, const page_question& q, double rounding) {
  const page_answer got = ask_for_ranks(ctx, q);
  EXPECT_TRUE(got.converged);
  EXPECT_NEAR(got.sum(), 1, rounding);
  expect_rank_equations(q, got);
  for (auto& other : equal_contexts<Context>()) {
    const page_answer again = ask_for_ranks(*other, q);
    EXPECT_EQ(again.ranks, got.ranks);
    EXPECT_EQ(again.iterations, got.iterations);
    EXPECT_EQ(again.residual, got.residual);
  }
  return got;
}

template <class Context>
class pagerank_on : public on<Context> {};
TYPED_TEST_SUITE(pagerank_on, contexts);

TYPED_TEST(pagerank_on, eight_pages_of_a_web) {
  page_question q = eight_pages();
  check_ranks(this->ctx, q);
  const page_answer got = ask_for_ranks(this->ctx, q);
  EXPECT_EQ(std::max_element(got.ranks.begin(), got.ranks.end()) - got.ranks.begin(), 7);
  EXPECT_GT(got.iterations, 20);
  // The same web with the weights 1 / out-degree, and with others of the same ratios.
  std::vector<int> degree(8);
  for (const weighted_link& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  for (const double scale : {1., 3., 1e-200, 1e200}) {
    for (weighted_link& e : q.edges) e.weight = scale / degree[static_cast<std::size_t>(e.from)];
    expect_near_answer(ask_with_weights(this->ctx, q), answer_by_definition(eight_pages()));
  }
  for (const double damping : {0., 0.3, 0.99}) {
    q.damping = damping;
    q.max_iterations = 10000;
    check_ranks(this->ctx, q);
  }
}

TYPED_TEST(pagerank_on, verification_finds_wrong_ranks) {
  const page_question q = eight_pages();
  const auto g = graph_of_links(this->ctx, q.n, q.edges);
  const auto report_on = [&](const std::vector<double>& ranks, double residual,
                             const pagerank_options<double>& options = {}) {
    const array<double> there = to_context(this->ctx, ranks);
    return pagerank_verify(this->ctx, g.view(), there.data(), residual, options);
  };
  const page_answer right = ask_for_ranks(this->ctx, q);
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
  page_question early = q;
  early.max_iterations = 5;
  const page_answer fifth = ask_for_ranks(this->ctx, early);
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
  page_question q = eight_pages();
  std::erase_if(q.edges, [](const weighted_link& e) { return e.from == 4 || e.from == 7; });
  page_question larger = skewed_pages(7, 300);
  for (const bool with_vector : {false, true}) {
    if (with_vector) q.personalization = {0, 3, 0.5, 0, 0, 1, 0, 2};
    for (const dangling way : all_ways) {
      SCOPED_TRACE(static_cast<int>(way));
      q.dangling_mass = larger.dangling_mass = way;
      check_ranks(this->ctx, q);
      check_ranks(this->ctx, larger);
    }
  }
}

TYPED_TEST(pagerank_on, what_is_lost_is_what_personalize_gives_back) {
  page_question q = skewed_pages(8, 700);
  for (std::size_t v = 0; v < 256; ++v) q.personalization.push_back(static_cast<double>(v % 5));
  q.dangling_mass = dangling::lose;
  page_answer lost = ask_for_ranks(this->ctx, q);
  const double left = lost.sum();
  EXPECT_LT(left, 0.9);
  for (double& rank : lost.ranks) rank /= left;
  q.dangling_mass = dangling::personalize;
  expect_near_answer(lost, ask_for_ranks(this->ctx, q));
}

TYPED_TEST(pagerank_on, weights_loops_and_parallel_edges) {
  page_question q = skewed_pages(8, 3000);
  // Out-links with a weight of 0 do not count.
  for (weighted_link& e : q.edges) {
    if (e.from % 3 == 0) e.weight = 0;
  }
  for (const dangling way : all_ways) {
    q.dangling_mass = way;
    check_ranks(this->ctx, q, true);
  }
}

TYPED_TEST(pagerank_on, hubs_and_many_vertices) {
  page_question q = skewed_pages(14, 100000);
  const page_answer got = check_many_ranks(this->ctx, q, 1e-13);
  // Ranks in float: sums in double do not make them less accurate.
  q.tolerance = 1e-6;
  for (const page_answer& rough : {ask_for_ranks<float, float, pattern, int>(this->ctx, q),
                                   ask_for_ranks<float, double, pattern, int>(this->ctx, q)}) {
    EXPECT_TRUE(rough.converged);
    EXPECT_NEAR(rough.sum(), 1, 1e-6);
    expect_near_answer(rough, got, 1e-4);
  }
}

TYPED_TEST(pagerank_on, contributions_in_the_order_of_degrees) {
  const page_question q = skewed_pages(17, 400000);
  check_many_ranks(this->ctx, q, 1e-12);
  const auto g = graph_of_links(this->ctx, q.n, q.edges);
  const detail::pagerank_order<int> order = detail::order_by_degree<double>(this->ctx, g.view());
  const auto places = to_host(this->ctx, order.places);
  const auto sources = to_host(this->ctx, order.sources);
  const auto columns = to_host(this->ctx, g.in.columns);
  const auto offsets = to_host(this->ctx, g.out.row_offsets);
  ASSERT_EQ(places.size(), static_cast<std::size_t>(q.n));
  std::vector<int> vertex(places.size(), -1);
  for (std::size_t v = 0; v < places.size(); ++v) {
    vertex.at(static_cast<std::size_t>(places[v])) = static_cast<int>(v);
  }
  const auto bits = [&](int v) {
    const auto at = static_cast<std::size_t>(v);
    return std::bit_width(static_cast<unsigned>(offsets[at + 1] - offsets[at]));
  };
  for (std::size_t k = 0; k < vertex.size(); ++k) {
    ASSERT_GE(vertex[k], 0) << k;
    if (k == 0) continue;
    const int before = bits(vertex[k - 1]), here = bits(vertex[k]);
    ASSERT_TRUE(here < before || (here == before && vertex[k - 1] < vertex[k])) << k;
  }
  ASSERT_EQ(sources.size(), columns.size());
  for (std::size_t k = 0; k < sources.size(); ++k) {
    ASSERT_EQ(sources[k], places[static_cast<std::size_t>(columns[k])]) << k;
  }
}

TYPED_TEST(pagerank_on, no_order_where_it_would_gain_nothing) {
  const auto places_in = [&](int n, const std::vector<weighted_link>& edges) {
    const auto g = graph_of_links(this->ctx, n, edges);
    return detail::order_by_degree<double>(this->ctx, g.view()).places.size();
  };
  EXPECT_EQ(places_in(1 << 14, skewed_pages(14, 100000).edges), 0u);
  std::vector<weighted_link> cycle;
  for (int v = 0; v < 1 << 17; ++v) cycle.push_back({v, (v + 1) % (1 << 17)});
  EXPECT_EQ(places_in(1 << 17, cycle), 0u);
  EXPECT_TRUE(detail::expects_many_iterations(10, 0, 0.85));
  EXPECT_TRUE(detail::expects_many_iterations(100, 1e-6, 0.85));
  EXPECT_FALSE(detail::expects_many_iterations(9, 1e-6, 0.85));
  EXPECT_FALSE(detail::expects_many_iterations(100, 0.1, 0.85));
  EXPECT_FALSE(detail::expects_many_iterations(100, 1e-6, 0));
}

TYPED_TEST(pagerank_on, more_than_a_million_edges) {
  page_question q = skewed_pages(12, (1 << 20) + 100);
  q.max_iterations = 1;
  const page_answer got = ask_for_ranks(this->ctx, q);
  const auto n = static_cast<std::size_t>(q.n);
  std::vector<int> degree(n);
  for (const weighted_link& e : q.edges) ++degree[static_cast<std::size_t>(e.from)];
  std::vector<double> pulled(n);
  for (const weighted_link& e : q.edges) {
    pulled[static_cast<std::size_t>(e.to)] += 1. / degree[static_cast<std::size_t>(e.from)];
  }
  const auto dangling = static_cast<double>(std::count(degree.begin(), degree.end(), 0));
  for (std::size_t v = 0; v < n; ++v) {
    const double right = 0.15 + 0.85 * (pulled[v] + dangling / q.n);
    ASSERT_NEAR(got.ranks[v] * q.n, right, 1e-12 * right) << v;
  }
}

TYPED_TEST(pagerank_on, an_initial_guess) {
  page_question q = eight_pages();
  const page_answer cold = ask_for_ranks(this->ctx, q);
  q.initial = cold.ranks;
  for (double& guess : q.initial) guess *= 17;
  const page_answer warm = ask_for_ranks(this->ctx, q);
  EXPECT_EQ(warm.iterations, 1);
  expect_near_answer(warm, cold);
  q.initial = {0, 0, 0, 5, 0, 0, 0, 0};
  check_ranks(this->ctx, q);
  q.personalization = {1, 0, 0, 0, 0, 0, 0, 1};
  check_ranks(this->ctx, q);
}

TYPED_TEST(pagerank_on, stops_when_told) {
  page_question q = eight_pages();
  q.max_iterations = 0;
  const page_answer none = ask_for_ranks(this->ctx, q);
  EXPECT_EQ(none.ranks, std::vector<double>(8, 0.125));
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.residual, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(none.converged);
  for (const int most : {1, 2, 7}) {
    q.max_iterations = most;
    const page_answer some = ask_for_ranks(this->ctx, q);
    EXPECT_EQ(some.iterations, most);
    EXPECT_FALSE(some.converged);
    expect_near_answer(some, answer_by_definition(q));
    // With that residual as the tolerance, this iteration is the last one.
    page_question enough = q;
    enough.max_iterations = 100;
    enough.tolerance = some.residual;
    EXPECT_EQ(ask_for_ranks(this->ctx, enough).iterations, most);
    EXPECT_TRUE(ask_for_ranks(this->ctx, enough).converged);
    enough.tolerance = std::nextafter(some.residual, 0.);
    EXPECT_GT(ask_for_ranks(this->ctx, enough).iterations, most);
  }
  // The largest change becomes small before the sum of the changes does.
  q = eight_pages();
  q.tolerance = 1e-6;
  const std::int64_t by_sum = ask_for_ranks(this->ctx, q).iterations;
  q.stop = pagerank_change::maximum;
  EXPECT_LT(ask_for_ranks(this->ctx, q).iterations, by_sum);
  // Two pages that link to each other exchange their ranks in every iteration.
  page_question swing{2, {{0, 1}, {1, 0}}, 1, 1e-6, 50};
  swing.initial = {1, 0};
  const page_answer swung = ask_for_ranks(this->ctx, swing);
  EXPECT_FALSE(swung.converged);
  EXPECT_EQ(swung.iterations, 50);
  EXPECT_EQ(swung.residual, 2);
  EXPECT_EQ(swung.ranks, (std::vector<double>{1, 0}));
}

TYPED_TEST(pagerank_on, small_and_odd_graphs) {
  const page_answer empty = ask_for_ranks(this->ctx, {});
  EXPECT_TRUE(empty.ranks.empty());
  EXPECT_TRUE(empty.converged);
  EXPECT_EQ(empty.iterations, 0);
  for (const dangling way : all_ways) {
    SCOPED_TRACE(static_cast<int>(way));
    const auto with = [&](int n, std::vector<weighted_link> edges) {
      page_question q{n, std::move(edges)};
      q.dangling_mass = way;
      return q;
    };
    check_ranks(this->ctx, with(1, {}));
    check_ranks(this->ctx, with(1, {{0, 0}}));
    check_ranks(this->ctx, with(5, {}));
    check_ranks(this->ctx, with(3, {{0, 0}, {1, 1}, {2, 2}, {2, 2}}));
    check_ranks(this->ctx, with(6, {{0, 1}, {1, 0}, {3, 4}, {4, 5}, {5, 3}}));
    page_question star = with(301, {});
    for (int leaf = 1; leaf <= 300; ++leaf) star.edges.push_back({leaf, 0});
    check_ranks(this->ctx, star);
    for (weighted_link& e : star.edges) std::swap(e.from, e.to);
    check_ranks(this->ctx, star);
  }
}

template <class Context, class Bad>
void expect_refused(Context& ctx, const std::string& argument, Bad bad) {
  page_question q = eight_pages();
  bad(q);
  expect_refusal("pagerank", argument, [&] { ask_with_weights(ctx, q); });
}

TYPED_TEST(pagerank_on, refuses_what_makes_no_sense) {
  auto& context = this->ctx;
  for (const double damping : {-0.1, 1.1, double{NAN}}) {
    expect_refused(context, "damping", [&](page_question& q) { q.damping = damping; });
  }
  for (const double tolerance : {-1e-9, double{NAN}, double{INFINITY}}) {
    expect_refused(context, "tolerance", [&](page_question& q) { q.tolerance = tolerance; });
  }
  expect_refused(context, "max_iterations", [](page_question& q) { q.max_iterations = -1; });
  for (const double bad : {-1., double{NAN}, double{INFINITY}}) {
    expect_refused(context, "weights[2]", [&](page_question& q) { q.edges[2].weight = bad; });
    std::vector<double> vector(8, 1.);
    vector[5] = vector[6] = bad;
    expect_refused(context, "personalization[5]",
                   [&](page_question& q) { q.personalization = vector; });
    expect_refused(context, "initial[5]", [&](page_question& q) { q.initial = vector; });
  }
  const std::vector<double> zeros(8, 0.);
  expect_refused(context, "the sum of personalization",
                 [&](page_question& q) { q.personalization = zeros; });
  expect_refused(context, "the sum of initial", [&](page_question& q) { q.initial = zeros; });
  expect_refused(context, "the out-weight[1]",
                 [](page_question& q) { q.edges[2].weight = 1e-320; });
  expect_refused(context, "the out-weight[3]", [](page_question& q) {
    q.edges[5].weight = q.edges[6].weight = std::numeric_limits<double>::max();
  });

  const graph<pattern> g = graph_of_links(context, 8, eight_pages().edges);
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
