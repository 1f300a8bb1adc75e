// Triangles, betweenness and minimum spanning forests on CPU threads, compared with common loops:
// merges of the rows of both ends of every edge, Brandes' algorithm with a queue, and Kruskal's
// algorithm.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/graphs.hpp"
#include "bench/harness.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/graph/betweenness.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/spanning_forest.hpp"
#include "evenfold/graph/triangle_count.hpp"

namespace bench {
namespace {

/// An undirected Kronecker graph.
struct kronecker {
  evenfold::cpu_context ctx;
  evenfold::graph<evenfold::pattern> g;

  kronecker(int threads, int scale)
      : ctx(threads),
        g(undirected(ctx, 1 << scale, 16 << scale, evenfold::kronecker_edges(scale, 1))) {}

  const int* begin(int u) const { return g.out.columns.data() + g.out.row_offsets[u]; }
  const int* end(int u) const { return begin(u + 1); }
};

/// For every edge u > v, the common neighbours below v.
std::int64_t merge_rows(const kronecker& d) {
  std::int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : total)
  for (int u = 0; u < d.g.out.num_rows; ++u) {
    for (const int* v = d.begin(u); v != d.end(u) && *v < u; ++v) {
      const int* other = d.begin(*v);
      for (const int* w = d.begin(u); *w < *v; ++w) {
        while (other != d.end(*v) && *other < *w) ++other;
        if (other == d.end(*v)) break;
        total += *other == *w;
      }
    }
  }
  return total;
}

prepared_case triangles(const options& chosen) {
  const auto d = std::make_shared<kronecker>(chosen.threads, chosen.quick ? 13 : 18);
  const auto ours = [=] { return evenfold::triangle_count(d->ctx, d->g.view()).total; };
  return {.bytes = 4. * d->g.out.num_nonzeros,
          .contestants = {{"evenfold triangle_count", [=] { ours(); }, {}, 5},
                          {"OpenMP, merges by name", [=] { merge_rows(*d); }, {}, 3}},
          .check = [=]() -> std::string {
            return ours() == merge_rows(*d) ? "" : "the numbers of triangles differ";
          },
          .marks = {at_most_best_peer(1.0)}};
}

/// Sums of dependencies, of one source after the other.
struct brandes {
  kronecker d;
  std::vector<int> sources;
  evenfold::array<double> ours;
  std::vector<double> theirs;

  brandes(int threads, int scale)
      : d(threads, scale), ours(d.ctx, d.g.out.num_rows), theirs(ours.size()) {
    const evenfold::random_stream random(5);
    for (std::uint64_t draw = 0; sources.size() < 4; ++draw) {
      const auto v = static_cast<int>(random.below(draw, theirs.size()));
      if (d.begin(v) != d.end(v)) sources.push_back(v);
    }
  }

  void with_queue() {
    const std::size_t n = theirs.size();
    theirs.assign(n, 0.);
    for (const int source : sources) {
      std::vector<int> levels(n, -1), queue = {source};
      std::vector<double> paths(n), dependencies(n);
      levels[static_cast<std::size_t>(source)] = 0;
      paths[static_cast<std::size_t>(source)] = 1;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        const int u = queue[i];
        for (const int* v = d.begin(u); v != d.end(u); ++v) {
          if (levels[*v] < 0) {
            levels[*v] = levels[u] + 1;
            queue.push_back(*v);
          }
          if (levels[*v] == levels[u] + 1) paths[*v] += paths[u];
        }
      }
      for (std::size_t i = queue.size(); i-- > 1;) {
        const int u = queue[i];
        for (const int* v = d.begin(u); v != d.end(u); ++v) {
          if (levels[*v] == levels[u] + 1) {
            dependencies[u] += paths[u] / paths[*v] * (1 + dependencies[*v]);
          }
        }
        theirs[u] += dependencies[u];
      }
    }
  }
};

prepared_case dependencies(const options& chosen) {
  const auto b = std::make_shared<brandes>(chosen.threads, chosen.quick ? 14 : 20);
  const auto ours = [=] {
    evenfold::sum_dependencies(b->d.ctx, b->d.g.view(), b->sources, b->ours.data());
  };
  const auto theirs = [=] { b->with_queue(); };
  return {.bytes = 8. * b->d.g.out.num_nonzeros * static_cast<double>(b->sources.size()),
          .contestants = {{"evenfold sum_dependencies, 4 sources", ours, {}, 5},
                          {"Brandes with a queue", theirs, {}, 3}},
          .check = [=]() -> std::string {
            ours();
            theirs();
            for (std::size_t v = 0; v < b->theirs.size(); ++v) {
              if (!(std::abs(b->ours[v] - b->theirs[v]) <= 1e-9 * (1 + b->theirs[v]))) {
                return "the dependencies on vertex " + std::to_string(v) + " differ";
              }
            }
            return "";
          },
          .marks = {at_most_best_peer(1.0)}};
}

/// The weights of edges, from 0 to 999, the same in both directions.
struct weighted_kronecker : kronecker {
  std::vector<float> weights;

  weighted_kronecker(int threads, int scale) : kronecker(threads, scale) {
    const evenfold::random_stream random(9);
    for (int u = 0; u < g.out.num_rows; ++u) {
      for (const int* v = begin(u); v != end(u); ++v) {
        const auto low = static_cast<std::uint64_t>(std::min(u, *v));
        const auto high = static_cast<std::uint64_t>(std::max(u, *v));
        weights.push_back(static_cast<float>(random.below(low << 32 | high, 1000)));
      }
    }
  }

  evenfold::graph_view<const float> view() const {
    const auto where = g.out.view().structure();
    const evenfold::csr_view<const float> out{where.num_rows,     where.num_columns,
                                              where.num_nonzeros, where.row_offsets,
                                              where.columns,      weights.data()};
    return {out, out};
  }
};

double kruskal(const weighted_kronecker& d) {
  struct edge {
    float weight;
    int u, v;
  };
  std::vector<edge> edges;
  for (int u = 0; u < d.g.out.num_rows; ++u) {
    for (const int* v = d.begin(u); v != d.end(u); ++v) {
      if (u < *v) edges.push_back({d.weights[v - d.g.out.columns.data()], u, *v});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const edge& a, const edge& b) { return a.weight < b.weight; });
  std::vector<int> parents(static_cast<std::size_t>(d.g.out.num_rows));
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](int v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  double total = 0;
  for (const edge& e : edges) {
    const int u = root(e.u);
    const int v = root(e.v);
    if (u == v) continue;
    parents[u] = v;
    total += e.weight;
  }
  return total;
}

prepared_case spanning_forests(const options& chosen) {
  const auto d = std::make_shared<weighted_kronecker>(chosen.threads, chosen.quick ? 13 : 18);
  const auto ours = [=] {
    return evenfold::minimum_spanning_forest(d->ctx, d->view()).total_weight;
  };
  return {.bytes = 8. * d->g.out.num_nonzeros,
          .contestants = {{"evenfold minimum_spanning_forest", [=] { ours(); }, {}, 5},
                          {"Kruskal, one thread", [=] { kruskal(*d); }, {}, 3}},
          .check = [=]() -> std::string {
            return ours() == kruskal(*d) ? "" : "the weights of the forests differ";
          },
          .marks = {at_most_best_peer(1.0)}};
}

const add_case cases[] = {{"triangles_kronecker", triangles},
                          {"betweenness_kronecker", dependencies},
                          {"spanning_forest_kronecker", spanning_forests}};

}  // namespace
}  // namespace bench
