// pagerank on CPU threads, compared with a common pull loop, which uses new values as soon as they
// are computed and loses the ranks of dangling vertices.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/graphs.hpp"
#include "bench/harness.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/pagerank.hpp"

namespace bench {
namespace {

constexpr int iterations = 20;

struct ranking {
  evenfold::cpu_context ctx;
  evenfold::graph<evenfold::pattern> g;
  evenfold::pagerank_result<float> ours = {};
  std::vector<float> theirs, brought;
  double change = 0;

  ranking(int threads, int scale)
      : ctx(threads),
        g(undirected(ctx, 1 << scale, 16 << scale, evenfold::kronecker_edges(scale, 1))),
        theirs(g.out.num_rows),
        brought(theirs.size()) {}

  void pull_in_place() {
    const int n = g.out.num_rows;
    const int* const offsets = g.out.row_offsets.data();
    const int* const columns = g.out.columns.data();
    float* const rank = theirs.data();
    float* const x = brought.data();
#pragma omp parallel for schedule(static)
    for (int v = 0; v < n; ++v) {
      rank[v] = 1.f / static_cast<float>(n);
      x[v] = rank[v] / static_cast<float>(offsets[v + 1] - offsets[v]);
    }
    for (int k = 0; k < iterations; ++k) {
      double changed = 0;
#pragma omp parallel for schedule(dynamic, 16384) reduction(+ : changed)
      for (int v = 0; v < n; ++v) {
        float sum = 0;
        for (int i = offsets[v]; i < offsets[v + 1]; ++i) sum += x[columns[i]];
        const float before = rank[v];
        rank[v] = 0.15f / static_cast<float>(n) + 0.85f * sum;
        changed += std::abs(rank[v] - before);
        x[v] = rank[v] / static_cast<float>(offsets[v + 1] - offsets[v]);
      }
      change = changed;
    }
  }
};

prepared_case ranks(const options& chosen) {
  const auto d = std::make_shared<ranking>(chosen.threads, chosen.quick ? 16 : 20);
  const auto ours = [=] {
    d->ours = evenfold::pagerank<float>(
        d->ctx, d->g.view(),
        {.tolerance = 0, .max_iterations = iterations, .dangling_mass = evenfold::dangling::lose});
  };
  const auto theirs = [=] { d->pull_in_place(); };
  const double edges = d->g.out.num_nonzeros, vertices = d->g.out.num_rows;
  return {.bytes = iterations * (4 * edges + 32 * vertices),
          .contestants =
              {{"evenfold pagerank, " + std::to_string(iterations) + " iterations", ours, {}, 5},
               {"pull loop in place", theirs, {}, 5}},
          .check = [=]() -> std::string {
            ours();
            theirs();
            // The two have not converged yet and approach the ranks on different paths.
            double apart = 0;
            for (std::size_t v = 0; v < d->theirs.size(); ++v) {
              apart += std::abs(d->ours.ranks[v] - d->theirs[v]);
            }
            if (!(apart <= 1e-3)) return "the ranks differ by " + std::to_string(apart);
            return "";
          },
          .marks = {at_most_best_peer(0.9)}};
}

const add_case cases[] = {{"pagerank_kronecker", ranks}};

}  // namespace
}  // namespace bench
