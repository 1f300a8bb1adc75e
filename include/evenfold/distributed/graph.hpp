#pragma once
// `sharded_graph`: the edges of a graph, distributed over ranks, and its rows where each rank has
// whole rows.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/csr_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/spmv.hpp"

namespace evenfold {

/// A square matrix as vertices and edges: row u of `out` has the edges from u, row v of in_edges()
/// those to v.
template <class Value, class Index, class Offset>
struct sharded_graph {
  sharded_csr<Value, Index, Offset> out;
  /// Empty if the graph is undirected: an undirected edge is stored as two directed edges.
  std::optional<sharded_csr<Value, Index, Offset>> in;

  std::uint64_t num_vertices() const { return out.num_rows(); }
  std::uint64_t num_edges() const { return out.num_nonzeros(); }
  const sharded_csr<Value, Index, Offset>& in_edges() const { return in ? *in : out; }
};

namespace detail {

/// Refuses a graph that is not square, or whose vertices do not fit Index.
template <class Value, class Index, class Offset>
void check_graph(const char* algorithm, const sharded_graph<Value, Index, Offset>& g) {
  if (!std::in_range<Index>(g.num_vertices())) {
    refuse_argument(algorithm, "graph", g.num_vertices(), "the type of vertices has fewer numbers",
                    "pass columns of a wider type");
  }
  for (const auto* edges : {&g.out, &g.in_edges()}) {
    if (edges->num_rows() == g.num_vertices() && edges->num_columns == g.num_vertices()) continue;
    refuse_argument(algorithm, "graph", edges->num_columns,
                    "there are " + std::to_string(g.num_vertices()) + " vertices",
                    "pass square matrices, with one row and one column per vertex");
  }
}

/// The shards of vertices, with about equal edges + vertices, unless a row has many edges. All but
/// the last begin at a multiple of 32, so that no word of a bitmap is shared.
template <class Value, class Index, class Offset>
shard_map vertex_shards(const sharded_graph<Value, Index, Offset>& g) {
  const shard_map& rows = g.out.rows.segments();
  std::vector<std::uint64_t> begins;
  begins.reserve(static_cast<std::size_t>(rows.num_shards()) + 1);
  for (int r = 0; r < rows.num_shards(); ++r) begins.push_back(rows.begin(r) / 32 * 32);
  begins.push_back(rows.size());
  return shard_map(std::move(begins));
}

/// offsets[i] of the rows of a rank, from 0 on, and the number of its entries at the end.
template <class Offset>
struct offset_from {
  const Offset* offsets;
  std::uint64_t count, begin, end;

  EF_HD constexpr Offset operator()(std::uint64_t i) const {
    return static_cast<Offset>((i < count ? static_cast<std::uint64_t>(offsets[i]) : end) - begin);
  }
};

/// The whole rows of one rank as a matrix of its local context, with global columns. Entries that
/// are already where they are needed are not copied: `a` must outlive the object.
template <class Value, class Index, class Offset>
class whole_rows {
 public:
  template <class Context>
  whole_rows(Context& ctx, const sharded_csr<Value, Index, Offset>& a, const shard_map& rows)
      : num_columns_(static_cast<Index>(a.num_columns)) {
    const sharded<Offset> offsets = redistribute(ctx, a.rows.offsets(), rows);
    std::vector<std::uint64_t> begins{0};
    for (const std::uint64_t next : next_offsets(ctx, offsets, a.num_nonzeros())) {
      begins.push_back(next);
    }
    const shard_map entries(std::move(begins));
    columns_.emplace(ctx, a.columns, entries);
    if constexpr (!is_pattern<Value>) values_.emplace(ctx, a.values, entries);
    const sharded<Index>& columns = **columns_;
    offsets_ = array<Offset>(ctx.local(), offsets.local_size() + 1);
    transform(ctx.local(), offsets.local_size() + 1,
              write_result{offset_from<Offset>{offsets.data(), offsets.local_size(),
                                               columns.local_begin(), columns.local_end()},
                           offsets_.data()});
    ctx.local().synchronize();
  }

  csr_view<const Value, Index, Offset> view() const {
    return {static_cast<Index>(offsets_.size() - 1),
            num_columns_,
            static_cast<Offset>((*columns_)->local_size()),
            offsets_.data(),
            (*columns_)->data(),
            values_ ? (*values_)->data() : nullptr};
  }

 private:
  Index num_columns_;
  array<Offset> offsets_;
  std::optional<in_shards<Index>> columns_;
  std::optional<in_shards<Value>> values_;
};

}  // namespace detail

}  // namespace evenfold
