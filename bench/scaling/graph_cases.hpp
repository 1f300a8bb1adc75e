#pragma once
// The cases of sparse matrices and graphs. cases.hpp says what a case is.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "bench/scaling/inputs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/bfs.hpp"
#include "evenfold/distributed/pagerank.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace bench {

/// A square matrix with `Columns`.
template <class Columns>
struct spmv_case {
  static constexpr const char* name =
      std::is_same_v<Columns, columns_below> ? "spmv_random" : "spmv_nearby";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c),
          rows(count / items_per_segment),
          offsets(make(c, rows, segment_begins{rows})),
          columns(make(c, count, Columns{rows})),
          values(make(c, count, small_integers{})),
          x(make(c, rows, small_integers{})),
          y(c, rows) {}
    void prepare() {}
    void run() {
      ef::spmv(ctx,
               ef::csr_view<const float, int, std::int64_t>{
                   static_cast<int>(rows), static_cast<int>(rows),
                   static_cast<std::int64_t>(columns.size()), offsets.data(), columns.data(),
                   values.data()},
               x.data(), y.data());
    }
    std::vector<float> result() { return ef::to_host(ctx, y); }
    local_context& ctx;
    std::uint64_t rows;
    ef::array<std::int64_t> offsets;
    ef::array<int> columns;
    ef::array<float> values, x, y;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c),
          rows(count / items_per_segment),
          a(c, rows, make_sharded(c, rows, segment_begins{rows}),
            make_sharded(c, count, Columns{rows}), make_sharded(c, count, small_integers{})),
          x(make_sharded(c, rows, small_integers{})) {}
    void prepare() {}
    void run() { y = ef::spmv<float>(ctx, a, x); }
    std::vector<float> result() { return ef::to_host(ctx.local(), y.local()); }
    std::uint64_t first() const { return y.local_begin(); }
    Context& ctx;
    std::uint64_t rows;
    ef::sharded_csr<float, int, std::int64_t> a;
    ef::sharded<float> x, y;
  };
};

using graph_view = ef::graph_view<const ef::pattern, int, std::int64_t>;
using sharded_graph = ef::sharded_graph<ef::pattern, int, std::int64_t>;
template <class Begins, class Ends, class Context>
sharded_graph make_sharded_graph(Context& ctx, std::uint64_t count) {
  const std::uint64_t n = count / items_per_segment;
  return {{ctx, n, make_sharded(ctx, n, Begins{n}), make_sharded(ctx, count, Ends{n})}, {}};
}

/// A graph on one context: `Begins` are the first edges of the vertices, `Ends` where edges lead
/// to.
template <class Begins, class Ends>
struct single_graph {
  single_graph(local_context& c, std::uint64_t count)
      : ctx(c),
        vertices(count / items_per_segment),
        offsets(make(c, vertices + 1, Begins{vertices})),
        columns(make(c, count, Ends{vertices})) {}
  graph_view view() const {
    const auto n = static_cast<int>(vertices);
    const ef::csr_view<const ef::pattern, int, std::int64_t> edges{
        n, n, static_cast<std::int64_t>(columns.size()), offsets.data(), columns.data()};
    return {edges, edges};
  }
  void prepare() {}
  local_context& ctx;
  std::uint64_t vertices;
  ef::array<std::int64_t> offsets;
  ef::array<int> columns;
};

/// 10 iterations on the matrix of `spmv` as both directions of the edges.
template <class Columns>
struct pagerank_case {
  static constexpr const char* name =
      std::is_same_v<Columns, columns_below> ? "pagerank_random" : "pagerank_nearby";

  static ef::pagerank_options<float> options() { return {.tolerance = 0, .max_iterations = 10}; }

  using graph_of_one = single_graph<segment_begins, Columns>;
  struct single : graph_of_one {
    using graph_of_one::graph_of_one;
    void run() { ranks = ef::pagerank<float>(this->ctx, this->view(), options()).ranks; }
    std::vector<float> result() { return ef::to_host(this->ctx, ranks); }
    ef::array<float> ranks;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c), graph(make_sharded_graph<segment_begins, Columns>(c, count)) {}
    void prepare() {}
    void run() { ranks = ef::pagerank<float>(ctx, graph, options()).ranks; }
    std::vector<float> result() { return ef::to_host(ctx.local(), ranks.local()); }
    std::uint64_t first() const { return ranks.local_begin(); }
    Context& ctx;
    sharded_graph graph;
    ef::sharded<float> ranks;
  };
};

/// The levels from vertex 0.
struct bfs_case {
  static constexpr const char* name = "bfs";

  using graph_of_one = single_graph<sixteen_each, neighbours>;
  struct single : graph_of_one {
    using graph_of_one::graph_of_one;
    void run() { levels = ef::bfs(ctx, view(), {0}).levels; }
    std::vector<int> result() { return ef::to_host(ctx, levels); }
    ef::array<int> levels;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c), graph(make_sharded_graph<sixteen_each, neighbours>(c, count)) {}
    void prepare() {}
    void run() { levels = ef::bfs(ctx, graph, {0}).levels; }
    std::vector<int> result() { return ef::to_host(ctx.local(), levels.local()); }
    std::uint64_t first() const { return levels.local_begin(); }
    Context& ctx;
    sharded_graph graph;
    ef::sharded<int> levels;
  };
};

}  // namespace bench
