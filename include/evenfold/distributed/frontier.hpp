#pragma once
// The steps of traversals of a graph whose rows are distributed over ranks. A rank has the vertices
// of its rows; it finds vertices along its edges, and sends them to the ranks that have them.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/graph/advance.hpp"

namespace evenfold::detail {

/// Vertices of this rank by their rows, with the scratch of a step along their edges.
template <class Index, class Offset>
class local_frontier {
 public:
  template <class Local>
  local_frontier(Local& local, Index rows, Index num_vertices)
      : rows_(local, rows), offsets_(local, rows), found_(local, num_vertices) {}

  Index size() const { return size_; }
  const Index* rows() const { return rows_.data(); }

  /// The rows r < count with keep(r).
  template <class Local, class Keep>
  void select(Local& local, Index count, Keep keep) {
    size_ = static_cast<Index>(compact_indices(local, count, keep, rows_.data()));
  }

  /// The number of their edges.
  template <class Local, class Value>
  std::uint64_t count_edges(Local& local, const csr_view<const Value, Index, Offset>& a) const {
    return transform_reduce(local, size_, degree_at<Index, Offset>{a.row_offsets, rows_.data()},
                            plus{}, std::uint64_t{0});
  }

  /// Calls f(edge, row, v) for their edges. Returns the number of vertices v for which f has
  /// returned true, which are found().
  template <class Local, class Value, class F>
  Index follow(Local& local, const csr_view<const Value, Index, Offset>& a, F f) {
    const Offset edges = segments_of_edges(local, a, rows_.data(), size_, offsets_.data());
    return advance_along(local, a, rows_.data(), size_, offsets_.data(), edges, f, tuple<>{},
                         found_.data());
  }
  Index* found() { return found_.data(); }

 private:
  Index size_ = 0;
  array<Index> rows_;
  array<Offset> offsets_;
  array<Index> found_;
};

/// values[vertices[i]]
template <class T, class Index>
struct value_of_vertex {
  const T* values;
  const Index* vertices;
  template <class Size>
  EF_HD constexpr T operator()(Size i) const {
    return values[vertices[i]];
  }
};

/// Parts of a sequence for all ranks, and parts from all ranks, as numbers of elements.
struct exchanged_parts {
  std::vector<std::uint64_t> sent, received;

  template <class Context>
  exchanged_parts(Context& ctx, std::vector<std::uint64_t> offsets) : sent(std::move(offsets)) {
    const auto ranks = static_cast<std::size_t>(ctx.size());
    const auto all = gather_values(ctx, sent.data(), sent.size());
    received.push_back(0);
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto* const of = all.data() + r * (ranks + 1) + static_cast<std::size_t>(ctx.rank());
      received.push_back(received.back() + (of[1] - of[0]));
    }
  }

  template <class Context, class T>
  array<T> exchange(Context& ctx, const T* data) const {
    array<T> result(ctx.local(), received.back());
    const auto in_bytes = [](std::vector<std::uint64_t> offsets) {
      for (std::uint64_t& offset : offsets) offset *= sizeof(T);
      return std::vector<std::size_t>(offsets.begin(), offsets.end());
    };
    ctx.communicator().all_to_all_v(ctx.local(), reinterpret_cast<const std::byte*>(data),
                                    in_bytes(sent), reinterpret_cast<std::byte*>(result.data()),
                                    in_bytes(received));
    return result;
  }
};

/// Sorts `count` vertices, and finds the parts of the ranks that have them.
template <class Context, class Index>
exchanged_parts parts_of_owners(Context& ctx, const shard_map& map, Index* vertices, Index count) {
  auto& local = ctx.local();
  sort(local, vertices, count, less{});
  std::vector<Index> begins;
  begins.reserve(static_cast<std::size_t>(ctx.size()));
  for (int r = 0; r < ctx.size(); ++r) begins.push_back(static_cast<Index>(map.begin(r)));
  const array<Index> needles = to_context(local, begins);
  array<std::uint64_t> bound(local, begins.size());
  search<bounds::lower>(local, needles.data(), begins.size(), vertices, count, bound.data(),
                        less{});
  std::vector<std::uint64_t> offsets = to_host(local, bound);
  offsets.push_back(static_cast<std::uint64_t>(count));
  return exchanged_parts(ctx, std::move(offsets));
}

}  // namespace evenfold::detail
