#pragma once
// The order in which `pagerank` keeps the contributions of the vertices.
//
// Idea: in many graphs few vertices have most of the edges. Their contributions are looked up again
// and again, but each lies among those of vertices that are hardly ever looked up, and fills a line
// of a cache with these. Ordered by degree, what is looked up often fits into a cache. Two degrees
// count as equal if they have the same number of bits: within such a class vertices keep the order
// of the graph, where neighbours are often near. The edges of a vertex keep their order, and with
// it the sums have the same bits.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/sparse/row_length.hpp"

namespace evenfold::detail {

/// The number of edges that a vertex has above a mean, or 0.
template <class Offset>
struct edges_above_mean {
  row_length<Offset> degree;
  Offset mean;

  template <std::integral Index>
  EF_HD Offset operator()(Index v) const {
    const Offset edges = degree(v);
    return edges > mean ? edges - mean : 0;
  }
};

/// The class of a vertex, by the number of bits of its degree: 0 has the largest degrees.
template <class Offset>
struct degree_class {
  static constexpr int num_classes = 8 * sizeof(Offset) + 1;
  row_length<Offset> degree;

  template <std::integral Index>
  EF_HD int operator()(Index v) const {
    return num_classes - 1 - bit_width(static_cast<std::uint64_t>(degree(v)));
  }
};

/// places[v] = k
template <class Index>
struct write_place {
  Index* places;

  template <std::integral Size>
  EF_HD void operator()(Size k, Index v) const {
    places[v] = static_cast<Index>(k);
  }
};

/// Where the contribution of each vertex lies, and for each edge the place of that of its source.
/// Both are empty if contribution v lies at v.
template <class Index>
struct pagerank_order {
  array<Index> places, sources;
};

/// Whether so many iterations are expected that an order pays, which takes as long as a product.
inline bool expects_many_iterations(std::int64_t max_iterations, double tolerance, double damping) {
  constexpr std::int64_t many = 10;
  // The change becomes smaller by the damping at least, and mostly by more.
  constexpr double faster = 3;
  return max_iterations >= many &&
         std::log(tolerance) <= faster * static_cast<double>(many) * std::log(damping);
}

/// The order for contributions of type T, where it pays: if they are too many for the cache of a
/// core, and half of the edges would have to leave their vertex to make all degrees equal. It needs
/// an Index per vertex and per edge; if there is no memory for these, there is no order. Waits.
template <class T, context Context, class Weight, class Index, class Offset>
pagerank_order<Index> order_by_degree(Context& ctx,
                                      const graph_view<const Weight, Index, Offset>& graph) {
  constexpr std::size_t cache = std::size_t{1} << 20;
  const Index n = graph.num_vertices();
  const Offset edges = graph.out.num_nonzeros;
  if (static_cast<std::size_t>(n) * sizeof(T) < cache || edges < n) return {};
  const row_length<Offset> degree{graph.out.row_offsets};
  const edges_above_mean<Offset> above{degree, static_cast<Offset>(edges / n)};
  if (transform_reduce(ctx, n, above, plus{}, Offset{0}) < edges / 2) return {};
  try {
    pagerank_order<Index> result{array<Index>(ctx, n), array<Index>(ctx, graph.in.num_nonzeros)};
    using classes = degree_class<Offset>;
    array<Index> begins(ctx, classes::num_classes + 1);
    bucket_sort(ctx, n, classes{degree}, index_item{}, classes::num_classes, begins.data(),
                no_order{}, write_place<Index>{result.places.data()});
    gather(ctx, result.places.data(), graph.in.columns, graph.in.num_nonzeros,
           result.sources.data());
    return result;
  } catch (const allocation_error&) {
    return {};
  }
}

}  // namespace evenfold::detail
