#pragma once
// The function objects and the delta of `sssp` of a graph whose edges are distributed over ranks.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/sssp.hpp"

namespace evenfold::detail {

/// Whether an edge is the first of this step by which the shortest path to v becomes shorter.
template <class Value, class Distance, class Index>
struct shorten_path_to {
  const Value* weights;
  const Distance* distances;  ///< of the rows of this rank
  Distance* shortest;         ///< of all vertices
  vertex_bitmap<Index> found;

  template <class Offset>
  EF_HD bool operator()(Offset edge, Index row, Index v) const {
    const auto weight = static_cast<Distance>(value_at(weights, edge));
    return atomic_lower(shortest[v], add_up_to_most(distances[row], weight)) && found.set(v);
  }
};

/// Lowers the distance of a vertex of this rank.
template <class Distance, class Index>
struct lower_distance {
  const Index* vertices;
  const Distance* lengths;
  Index begin;
  Distance* distances;
  vertex_bitmap<Index> lowered;

  EF_HD void operator()(std::uint64_t i) const {
    const Index row = vertices[i] - begin;
    if (atomic_lower(distances[row], lengths[i])) lowered.set(row);
  }
};

/// Whether the distance of a row has become lower, and is at most the limit.
template <class Distance, class Index>
struct is_near {
  vertex_bitmap<Index> lowered;
  const Distance* distances;
  Distance limit;

  EF_HD bool operator()(Index row) const { return lowered.test(row) && distances[row] <= limit; }
};

/// The distance of a row that has become lower, else no_path.
template <class Distance, class Index>
struct lowered_distance {
  vertex_bitmap<Index> lowered;
  const Distance* distances;

  EF_HD Distance operator()(Index row) const {
    return lowered.test(row) ? distances[row] : no_path<Distance>;
  }
};

/// Weights at equal intervals from the first one on.
template <class Value>
struct strided_weight {
  const Value* weights;
  std::uint64_t first, stride;

  EF_HD double operator()(std::uint64_t i) const {
    return static_cast<double>(value_at(weights, first + i * stride));
  }
};

/// The difference of distances that sssp_delta() chooses on one context: from the same weights,
/// which are gathered from the ranks that have them.
template <class Distance, class Context, class Value, class Index, class Offset>
Distance sssp_delta(Context& ctx, const sharded_graph<Value, Index, Offset>& g, double asked) {
  double mean = 0;
  const std::uint64_t edges = g.num_edges();
  auto& local = ctx.local();
  if (asked == 0 && edges > 0) {
    const std::uint64_t samples = std::min<std::uint64_t>(edges, most_sampled_weights);
    const std::uint64_t stride = edges / samples;
    const std::uint64_t begin = g.out.columns.local_begin(), end = g.out.columns.local_end();
    const std::uint64_t first = ceil_div(begin, stride);
    const std::uint64_t past = std::min(samples, std::max(first, ceil_div(end, stride)));
    const std::uint64_t own = past > first ? past - first : 0;
    array<double> weights(local, own);
    transform(
        local, own,
        write_result{strided_weight<Value>{g.out.values.data(), first * stride - begin, stride},
                     weights.data()});
    const array<double> all = gather(ctx, sharded<double>(ctx, std::move(weights)));
    mean = reduce(local, all.data(), samples, plus{}, 0.) / static_cast<double>(samples);
  }
  constexpr work_shape shape = std::remove_reference_t<decltype(local)>::traits.shape;
  return sssp_delta<Distance, shape, std::uint64_t>(asked, mean, g.num_vertices(), edges);
}

}  // namespace evenfold::detail
