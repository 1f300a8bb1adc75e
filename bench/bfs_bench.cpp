// Breadth-first search on CPU threads, compared with two common loops: a queue, and levels whose
// vertices OpenMP threads claim by compare-and-swap.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/graphs.hpp"
#include "bench/harness.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/generators.hpp"

namespace bench {
namespace {

using evenfold::array;
using evenfold::bfs_method;

struct search {
  evenfold::cpu_context ctx;
  evenfold::graph<evenfold::pattern> g;
  std::vector<int> levels;
  /// Vertices of a large component. Each run starts at the next one.
  std::vector<int> sources;
  std::size_t runs = 0;

  template <class Edges>
  search(int threads, int vertices, int count, const Edges& edges)
      : ctx(threads),
        g(undirected(ctx, vertices, count, edges)),
        levels(static_cast<std::size_t>(vertices)) {
    const evenfold::random_stream random(5);
    for (std::uint64_t draw = 0; sources.size() < 16; ++draw) {
      const auto v = static_cast<int>(random.below(draw, levels.size()));
      if (evenfold::bfs(ctx, g.view(), {v}).reached > vertices / 4) sources.push_back(v);
    }
  }

  int next_source() { return sources[runs++ % sources.size()]; }
  array<int> ours(bfs_method method) {
    return evenfold::bfs(ctx, g.view(), {next_source()}, {.method = method}).levels;
  }

  void queue() {
    const int* const rows = g.out.row_offsets.data();
    std::fill(levels.begin(), levels.end(), -1);
    std::vector<int> found = {next_source()};
    levels[static_cast<std::size_t>(found[0])] = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const int u = found[i];
      for (int k = rows[u]; k < rows[u + 1]; ++k) {
        const int v = g.out.columns[static_cast<std::size_t>(k)];
        if (levels[static_cast<std::size_t>(v)] >= 0) continue;
        levels[static_cast<std::size_t>(v)] = levels[static_cast<std::size_t>(u)] + 1;
        found.push_back(v);
      }
    }
  }

  void shared_levels() {
    const int* const rows = g.out.row_offsets.data();
    const int* const columns = g.out.columns.data();
    std::vector<int> frontier = {next_source()};
#pragma omp parallel for schedule(static)
    for (int& level : levels) level = -1;
    levels[static_cast<std::size_t>(frontier[0])] = 0;
    for (int level = 1; !frontier.empty(); ++level) {
      std::vector<int> next;
#pragma omp parallel
      {
        std::vector<int> mine;
#pragma omp for schedule(dynamic, 64) nowait
        for (const int u : frontier) {
          for (int k = rows[u]; k < rows[u + 1]; ++k) {
            const std::atomic_ref<int> at(levels[static_cast<std::size_t>(columns[k])]);
            int none = -1;
            if (at.load(std::memory_order_relaxed) < 0 && at.compare_exchange_strong(none, level)) {
              mine.push_back(columns[k]);
            }
          }
        }
#pragma omp critical
        next.insert(next.end(), mine.begin(), mine.end());
      }
      frontier.swap(next);
    }
  }
};

prepared_case searches(std::shared_ptr<search> d, std::vector<mark> marks) {
  const double edges = d->g.out.num_nonzeros, vertices = d->g.out.num_rows;
  const auto ours = [d](bfs_method method) { return [=] { d->ours(method); }; };
  return {.bytes = 4 * edges + 8 * vertices,
          .contestants = {{"evenfold bfs", ours(bfs_method::direction)},
                          {"evenfold bfs, frontier", ours(bfs_method::frontier)},
                          {"evenfold bfs, bitmap", ours(bfs_method::bitmap)},
                          {"OpenMP, claimed levels", [=] { d->shared_levels(); }},
                          {"queue", [=] { d->queue(); }}},
          .check = [=]() -> std::string {
            d->runs = 0;
            const array<int> found = d->ours(bfs_method::direction);
            d->runs = 0;
            d->queue();
            return std::equal(found.begin(), found.end(), d->levels.begin()) ? ""
                                                                             : "the levels differ";
          },
          .marks = std::move(marks)};
}

const add_case cases[] = {
    {"bfs_kronecker_20",
     [](const options& o) {
       const int scale = o.quick ? 16 : 20;
       return searches(std::make_shared<search>(o.threads, 1 << scale, 16 << scale,
                                                evenfold::kronecker_edges(scale, 1)),
                       {at_most_best_peer(1.0), at_most_published(1.0, 17, "GAP, two threads")});
     }},
    {"bfs_grid",
     [](const options& o) {
       const evenfold::grid_edges grid{o.quick ? 100 : 400, o.quick ? 200 : 800};
       return searches(
           std::make_shared<search>(o.threads, static_cast<int>(grid.rows * grid.columns),
                                    static_cast<int>(grid.size()), grid),
           {at_most_best_peer(1.0)});
     }},
};

}  // namespace
}  // namespace bench
