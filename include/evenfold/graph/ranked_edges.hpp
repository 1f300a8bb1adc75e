#pragma once
// The edges of a graph, each once, from the vertex of lower to the vertex of higher degree.

#include <concepts>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/neighbours.hpp"
#include "evenfold/sparse/degrees.hpp"

namespace evenfold::detail {

/// Whether an entry leads from a vertex of lower to one of higher rank.
template <std::integral Index>
struct ascends {
  const Index* begins;
  const Index* ends;
  const Index* ranks;
  template <std::integral Offset>
  EF_HD bool operator()(Offset k) const {
    return ranks[begins[k]] < ranks[ends[k]];
  }
};

/// The end of an edge, as a rank, and the number of directions (1 or 2) in which the graph has the
/// edge.
template <std::integral Index>
struct ranked_end {
  Index rank;
  unsigned char directions;
};

/// Copies an entry, with ranks instead of vertex numbers.
template <std::integral Index>
struct rank_entry {
  const Index* begins;
  const Index* ends;
  const Index* ranks;
  const unsigned char* directions;  ///< or nullptr
  Index* lower;
  ranked_end<Index>* higher;
  template <std::integral Offset>
  EF_HD void operator()(Offset to, Offset from) const {
    lower[to] = ranks[begins[from]];
    higher[to] = {ranks[ends[from]],
                  directions == nullptr ? static_cast<unsigned char>(2) : directions[from]};
  }
};

/// ranked_end -> rank
struct rank_of_end {
  template <class Index>
  EF_HD Index operator()(const ranked_end<Index>& end) const {
    return end.rank;
  }
};

/// Writes an entry of the sorted rows.
template <std::integral Index>
struct write_ranked {
  Index* columns;
  unsigned char* directions;
  template <std::integral Offset>
  EF_HD void operator()(Offset k, const ranked_end<Index>& end) const {
    columns[k] = end.rank;
    directions[k] = end.directions;
  }
};

/// Vertices by rank, which is their order by degree and then by number, and the edges between them:
/// row u has, in ascending order, the neighbours of u of higher rank. No row is longer than the
/// square root of twice the number of edges. The values are the numbers of directions.
template <std::integral Index, std::integral Offset>
struct ranked_edges {
  array<Index> vertices;  ///< the vertex of each rank
  csr<unsigned char, Index, Offset> rows;
};

template <context Context, std::integral Index, std::integral Offset>
ranked_edges<Index, Offset> rank_edges(Context& ctx, const neighbour_rows<Index, Offset>& g) {
  const Index n = g.rows.num_rows;
  ranked_edges<Index, Offset> result;
  result.vertices = array<Index>(ctx, n);
  array<Index> ranks(ctx, n);
  {
    array<Offset> degrees(ctx, n);
    transform(ctx, n, write_result{row_length<Offset>{g.rows.row_offsets}, degrees.data()});
    sort_indices(ctx, degrees.data(), result.vertices.data(), n, less{});
  }
  scatter(ctx, counting_iterator<Index>{}, result.vertices.data(), n, ranks.data());

  const array<Index> begins = rows_of_entries(ctx, g.rows);
  const compact_plan plan(ctx, g.rows.num_nonzeros,
                          ascends<Index>{begins.data(), g.rows.columns, ranks.data()});
  const Offset count = plan.num_kept();
  array<Index> lower(ctx, count);
  array<ranked_end<Index>> higher(ctx, count);
  plan.write(rank_entry<Index>{begins.data(), g.rows.columns, ranks.data(), g.directions,
                               lower.data(), higher.data()});
  result.rows = csr<unsigned char, Index, Offset>(ctx, n, n, count);
  bucket_sort(ctx, count, element_of<Index, const Index*>{lower.data()},
              element_of<ranked_end<Index>, const ranked_end<Index>*>{higher.data()}, n,
              result.rows.row_offsets.data(), number_order<rank_of_end, Index>{{}, n},
              write_ranked<Index>{result.rows.columns.data(), result.rows.values.data()});
  return result;
}

}  // namespace evenfold::detail
