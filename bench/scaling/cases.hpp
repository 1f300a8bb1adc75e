#pragma once
// The algorithms whose scaling is measured. A case names two classes, which make the same data from
// the global indices: `single` calls the algorithm on one context, `distributed` on all ranks.
//
// - prepare(): restores what run() overwrites; not timed.
// - run(): the call.
// - result(): what is compared, on the host. That of `distributed` is the part of this rank, which
//   begins at first().
//
// Sums of sparse rows and of segments are those of small integers, which are exact in any order.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/distributed/bfs.hpp"
#include "evenfold/distributed/histogram.hpp"
#include "evenfold/distributed/join.hpp"
#include "evenfold/distributed/pagerank.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/scan.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sort.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/distributed/transform.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "evenfold/table/join.hpp"

namespace bench {

namespace ef = evenfold;
using local_context = ef::default_context;

struct fractions {
  using type = float;
  EF_HD float operator()(std::uint64_t i) const { return ef::random_stream(1).uniform<float>(i); }
};
struct small_integers {
  using type = float;
  EF_HD float operator()(std::uint64_t i) const {
    return static_cast<float>(ef::random_stream(2).bits32(i) % 17u) - 8.f;
  }
};
struct keys {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const { return ef::random_stream(3).bits32(i); }
};
struct wide_keys {
  using type = std::uint64_t;
  EF_HD std::uint64_t operator()(std::uint64_t i) const { return ef::random_stream(3).bits64(i); }
};
/// Random columns of a matrix.
struct columns_below {
  using type = int;
  std::uint64_t bound;
  EF_HD int operator()(std::uint64_t i) const {
    return static_cast<int>(ef::random_stream(4).below(i, bound));
  }
};
/// Columns that are at most 2^16 rows away from the row of an entry, as those of a mesh.
struct columns_nearby {
  using type = int;
  std::uint64_t bound;
  EF_HD int operator()(std::uint64_t i) const {
    const std::uint64_t behind = i / 16 + ef::random_stream(4).bits32(i) % (1u << 17);
    const std::uint64_t column = behind < (1u << 16) ? 0 : behind - (1u << 16);
    return static_cast<int>(column < bound ? column : bound - 1);
  }
};
/// Segments of 1 to 31 items, 16 on average, and the end of the last one.
inline constexpr std::uint64_t items_per_segment = 16;
struct segment_begins {
  using type = std::int64_t;
  std::uint64_t num_segments;
  EF_HD std::int64_t operator()(std::uint64_t s) const {
    const bool is_inner = s > 0 && s < num_segments;
    const std::uint64_t more =
        is_inner ? ef::random_stream(5).bits32(s) % items_per_segment : std::uint64_t{0};
    return static_cast<std::int64_t>(s * items_per_segment + more);
  }
};
struct upper_byte {
  EF_HD int operator()(std::uint32_t key) const { return static_cast<int>(key >> 24); }
};

struct numbers {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
};
/// Ascending numbers at random distances, of which every second one is in a table, on average.
template <int Stream>
struct ascending {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(2 * i + ef::random_stream(Stream).bits32(i) % 2);
  }
};
struct halves {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(i / 2);
  }
};

/// The numbers f(0), f(1), ... on one context, and on all ranks.
template <class F>
ef::array<typename F::type> make(local_context& ctx, std::uint64_t count, F f) {
  ef::array<typename F::type> result(ctx, count);
  ef::transform(ctx, count, ef::write_result{f, result.data()});
  return result;
}
template <class Context, class F>
ef::sharded<typename F::type> make_sharded(Context& ctx, std::uint64_t count, F f) {
  ef::sharded<typename F::type> result(ctx, count);
  transform(ctx, result, f);
  return result;
}

struct reduce_case {
  static constexpr const char* name = "reduce";

  struct single {
    single(local_context& c, std::uint64_t count) : ctx(c), x(make(c, count, fractions{})) {}
    void prepare() {}
    void run() { sum = ef::reduce(ctx, x.data(), x.size(), ef::plus{}, 0.f); }
    std::vector<float> result() { return {sum}; }
    local_context& ctx;
    ef::array<float> x;
    float sum = 0;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, fractions{})) {}
    void prepare() {}
    void run() { sum = ef::reduce(ctx, x, ef::plus{}, 0.f); }
    std::vector<float> result() { return {sum}; }
    std::uint64_t first() const { return 0; }
    Context& ctx;
    ef::sharded<float> x;
    float sum = 0;
  };
};

struct scan_case {
  static constexpr const char* name = "inclusive_scan";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), x(make(c, count, fractions{})), out(c, count) {}
    void prepare() {}
    void run() { ef::inclusive_scan(ctx, x.data(), x.size(), out.data(), ef::plus{}); }
    std::vector<float> result() { return ef::to_host(ctx, out); }
    local_context& ctx;
    ef::array<float> x, out;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c), x(make_sharded(c, count, fractions{})), out(c, x.map()) {}
    void prepare() {}
    void run() { ef::inclusive_scan(ctx, x, out, ef::plus{}); }
    std::vector<float> result() { return ef::to_host(ctx.local(), out.local()); }
    std::uint64_t first() const { return out.local_begin(); }
    Context& ctx;
    ef::sharded<float> x, out;
  };
};

struct histogram_case {
  static constexpr const char* name = "histogram";
  static constexpr int bins = 256;

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), x(make(c, count, keys{})), counts(c, bins) {}
    void prepare() {}
    void run() {
      ef::histogram(ctx, std::uint64_t{x.size()}, bins, ef::elementwise(upper_byte{}, x.data()),
                    counts.data());
    }
    std::vector<std::uint64_t> result() { return ef::to_host(ctx, counts); }
    local_context& ctx;
    ef::array<std::uint32_t> x;
    ef::array<std::uint64_t> counts;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, keys{})) {}
    void prepare() {}
    void run() { counts = ef::histogram(ctx, x, bins, upper_byte{}); }
    std::vector<std::uint64_t> result() { return ef::to_host(ctx.local(), counts); }
    std::uint64_t first() const { return 0; }
    Context& ctx;
    ef::sharded<std::uint32_t> x;
    ef::array<std::uint64_t> counts;
  };
};

struct segreduce_case {
  static constexpr const char* name = "segreduce";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c),
          x(make(c, count, small_integers{})),
          offsets(make(c, count / items_per_segment, segment_begins{count / items_per_segment})),
          out(c, offsets.size()) {}
    void prepare() {}
    void run() {
      ef::segreduce(ctx, x.data(), std::uint64_t{x.size()}, offsets.data(), offsets.size(),
                    out.data(), ef::plus{}, 0.f);
    }
    std::vector<float> result() { return ef::to_host(ctx, out); }
    local_context& ctx;
    ef::array<float> x;
    ef::array<std::int64_t> offsets;
    ef::array<float> out;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c),
          segments(c, count,
                   make_sharded(c, count / items_per_segment,
                                segment_begins{count / items_per_segment})),
          x(c, segments.items()) {
      transform(c, x, small_integers{});
    }
    void prepare() {}
    void run() { out = ef::segreduce(ctx, x, segments, ef::plus{}, 0.f); }
    std::vector<float> result() { return ef::to_host(ctx.local(), out.local()); }
    std::uint64_t first() const { return out.local_begin(); }
    Context& ctx;
    ef::sharded_segments<std::int64_t> segments;
    ef::sharded<float> x, out;
  };
};

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

template <class Keys>
struct sort_case {
  using key = typename Keys::type;
  static constexpr const char* name = sizeof(key) == 4 ? "sort_32" : "sort_64";

  struct single {
    single(local_context& c, std::uint64_t count) : ctx(c), x(make(c, count, Keys{})) {}
    void prepare() { x = make(ctx, x.size(), Keys{}); }
    void run() { ef::sort(ctx, x.data(), x.size(), ef::less{}); }
    std::vector<key> result() { return ef::to_host(ctx, x); }
    local_context& ctx;
    ef::array<key> x;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, Keys{})) {}
    void prepare() { transform(ctx, x, Keys{}); }
    void run() { ef::sort(ctx, x, ef::less{}); }
    std::vector<key> result() { return ef::to_host(ctx.local(), x.local()); }
    std::uint64_t first() const { return x.local_begin(); }
    Context& ctx;
    ef::sharded<key> x;
  };
};

/// 16 neighbours of each vertex, at 8 random distances in both directions around a circle.
struct neighbours {
  using type = int;
  std::uint64_t vertices;
  EF_HD int operator()(std::uint64_t edge) const {
    const std::uint64_t distance = ef::random_stream(6).below(edge % 16 / 2, vertices);
    const std::uint64_t v = edge / 16 + (edge % 2 == 0 ? distance : vertices - distance);
    return static_cast<int>(v % vertices);
  }
};
struct sixteen_each {
  using type = std::int64_t;
  std::uint64_t vertices;
  EF_HD std::int64_t operator()(std::uint64_t v) const { return static_cast<std::int64_t>(16 * v); }
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

/// An inner join. With `halves` and `numbers` every left row has one partner, and the first half of
/// the right rows has two each, so that the ranks exchange many rows.
template <class LeftKeys, class RightKeys>
struct join_case {
  static constexpr const char* name =
      std::is_same_v<LeftKeys, halves> ? "inner_join_shifted" : "inner_join_random";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), left(make(c, count / 2, LeftKeys{})), right(make(c, count / 2, RightKeys{})) {}
    void prepare() {}
    void run() {
      rows = ef::inner_join(ctx, left.data(), left.size(), right.data(), right.size(), ef::less{});
    }
    std::vector<std::int64_t> result() { return ef::to_host(ctx, rows.right); }
    local_context& ctx;
    ef::array<std::uint32_t> left, right;
    ef::joined_rows<std::int64_t> rows;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c),
          left(make_sharded(c, count / 2, LeftKeys{})),
          right(make_sharded(c, count / 2, RightKeys{})) {}
    void prepare() {}
    void run() { rows = ef::inner_join(ctx, left, right, ef::less{}); }
    std::vector<std::int64_t> result() { return ef::to_host(ctx.local(), rows.right.local()); }
    std::uint64_t first() const { return rows.right.local_begin(); }
    Context& ctx;
    ef::sharded<std::uint32_t> left, right;
    ef::sharded_joined_rows rows;
  };
};

}  // namespace bench
