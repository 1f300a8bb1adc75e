// Shortest paths and connected components on CPU threads, compared with Dijkstra's algorithm and
// with union-find on one thread.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "bench/graphs.hpp"
#include "bench/harness.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/graph/components.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/sssp.hpp"

namespace bench {
namespace {

using evenfold::array;

struct paths {
  evenfold::cpu_context ctx;
  evenfold::graph<evenfold::pattern> g;
  /// From 1 to 255, as in GAP. They differ between the two directions of an edge.
  std::vector<int> weights;
  int source = 0;
  std::vector<int> distances, labels;

  template <class Edges>
  paths(int threads, int vertices, int count, const Edges& edges)
      : ctx(threads),
        g(undirected(ctx, vertices, count, edges)),
        weights(g.out.columns.size()),
        distances(static_cast<std::size_t>(vertices)),
        labels(distances.size()) {
    const evenfold::random_stream random(5);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      weights[k] = static_cast<int>(random.below(k, 255)) + 1;
    }
    const int* const rows = g.out.row_offsets.data();
    while (rows[source + 1] == rows[source]) ++source;
  }

  evenfold::graph_view<const int> weighted() const {
    const auto where = g.out.view();
    const evenfold::csr_view<const int> out{where.num_rows,     where.num_columns,
                                            where.num_nonzeros, where.row_offsets,
                                            where.columns,      weights.data()};
    return {out, out};
  }
  array<int> ours() { return evenfold::sssp<int>(ctx, weighted(), {source}).distances; }
  array<int> our_labels() {
    array<int> result(ctx, g.out.num_rows);
    evenfold::connected_components(ctx, g.view(), result.data());
    return result;
  }

  void dijkstra() {
    using entry = std::pair<int, int>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    std::fill(distances.begin(), distances.end(), evenfold::no_path<int>);
    const auto reach = [&](int v, int distance) {
      if (distance >= distances[static_cast<std::size_t>(v)]) return;
      distances[static_cast<std::size_t>(v)] = distance;
      queue.emplace(distance, v);
    };
    reach(source, 0);
    while (!queue.empty()) {
      const auto [distance, u] = queue.top();
      queue.pop();
      if (distance > distances[static_cast<std::size_t>(u)]) continue;
      const auto at = static_cast<std::size_t>(u);
      for (auto k = static_cast<std::size_t>(g.out.row_offsets[at]);
           k < static_cast<std::size_t>(g.out.row_offsets[at + 1]); ++k) {
        reach(g.out.columns[k], distance + weights[k]);
      }
    }
  }

  void union_find() {
    std::iota(labels.begin(), labels.end(), 0);
    const auto root = [&](int v) {
      const auto parent = [&](int u) -> int& { return labels[static_cast<std::size_t>(u)]; };
      while (parent(v) != v) v = parent(v) = parent(parent(v));
      return v;
    };
    for (int u = 0; u < g.out.num_rows; ++u) {
      const auto at = static_cast<std::size_t>(u);
      for (int k = g.out.row_offsets[at]; k < g.out.row_offsets[at + 1]; ++k) {
        const int a = root(u), b = root(g.out.columns[static_cast<std::size_t>(k)]);
        labels[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
      }
    }
    for (int v = 0; v < g.out.num_rows; ++v) labels[static_cast<std::size_t>(v)] = root(v);
  }
};

std::shared_ptr<paths> kronecker(const options& o) {
  const int scale = o.quick ? 16 : 20;
  return std::make_shared<paths>(o.threads, 1 << scale, 16 << scale,
                                 evenfold::kronecker_edges(scale, 1));
}

std::shared_ptr<paths> grid(const options& o) {
  const evenfold::grid_edges edges{o.quick ? 256 : 1024, o.quick ? 256 : 1024};
  return std::make_shared<paths>(o.threads, static_cast<int>(edges.rows * edges.columns),
                                 static_cast<int>(edges.size()), edges);
}

prepared_case searches(std::shared_ptr<paths> d) {
  const double edges = d->g.out.num_nonzeros, vertices = d->g.out.num_rows;
  return {.bytes = 8 * edges + 8 * vertices,
          .contestants = {{"evenfold sssp", [=] { d->ours(); }},
                          {"Dijkstra, one thread", [=] { d->dijkstra(); }}},
          .check = [=]() -> std::string {
            const array<int> found = d->ours();
            d->dijkstra();
            return std::equal(found.begin(), found.end(), d->distances.begin())
                       ? ""
                       : "the distances differ";
          },
          .marks = {at_most_best_peer(1.0)}};
}

prepared_case labellings(std::shared_ptr<paths> d) {
  const double edges = d->g.out.num_nonzeros, vertices = d->g.out.num_rows;
  return {.bytes = 4 * edges + 8 * vertices,
          .contestants = {{"evenfold connected_components", [=] { d->our_labels(); }},
                          {"union-find, one thread", [=] { d->union_find(); }}},
          .check = [=]() -> std::string {
            const array<int> found = d->our_labels();
            d->union_find();
            return std::equal(found.begin(), found.end(), d->labels.begin()) ? ""
                                                                             : "the labels differ";
          },
          .marks = {at_most_best_peer(1.0)}};
}

const add_case cases[] = {
    {"sssp_kronecker_20", [](const options& o) { return searches(kronecker(o)); }},
    {"sssp_grid", [](const options& o) { return searches(grid(o)); }},
    {"components_kronecker_20", [](const options& o) { return labellings(kronecker(o)); }},
    {"components_grid", [](const options& o) { return labellings(grid(o)); }},
};

}  // namespace
}  // namespace bench
