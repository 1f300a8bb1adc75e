#pragma once
// The steps of traversals of a graph whose rows are distributed over ranks. A rank has the vertices
// of its rows; it finds vertices along its edges, and sends them to the ranks that have them.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
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

  /// Returns the number of their edges, which follow() expects.
  template <class Local, class Value>
  Offset find_edges(Local& local, const csr_view<const Value, Index, Offset>& a) {
    edges_ = segments_of_edges(local, a, rows_.data(), size_, offsets_.data());
    return edges_;
  }

  /// Calls f(edge, row, v) for the edges that find_edges() has found in `a`. Returns the number of
  /// vertices v for which f has returned true, which are found().
  template <class Local, class Value, class F>
  Index follow(Local& local, const csr_view<const Value, Index, Offset>& a, F f) {
    return advance_along(local, a, rows_.data(), size_, offsets_.data(), edges_, f, tuple<>{},
                         found_.data());
  }
  Index* found() { return found_.data(); }

 private:
  Index size_ = 0;
  Offset edges_ = 0;
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
    std::vector<std::uint64_t> to(ranks), from(ranks);
    std::vector<std::size_t> one_each(ranks + 1);
    for (std::size_t r = 0; r < ranks; ++r) {
      to[r] = sent[r + 1] - sent[r];
      one_each[r + 1] = (r + 1) * sizeof(std::uint64_t);
    }
    ctx.communicator().all_to_all_v(ctx.host(), reinterpret_cast<const std::byte*>(to.data()),
                                    one_each, reinterpret_cast<std::byte*>(from.data()), one_each);
    received.push_back(0);
    for (const std::uint64_t count : from) received.push_back(received.back() + count);
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

/// The search for the ranks that have vertices, with its scratch.
template <class Index>
class owner_search {
 public:
  template <class Context>
  owner_search(Context& ctx, const shard_map& map)
      : begins_(to_context(ctx.local(), begins_of(map))), bounds_(ctx.local(), begins_.size()) {}

  /// Sorts `count` vertices, and finds the parts of the ranks that have them.
  template <class Context>
  exchanged_parts find(Context& ctx, Index* vertices, Index count) {
    auto& local = ctx.local();
    sort(local, vertices, count, less{});
    search<bounds::lower>(local, begins_.data(), begins_.size(), vertices, count, bounds_.data(),
                          less{});
    std::vector<std::uint64_t> offsets = to_host(local, bounds_);
    offsets.push_back(static_cast<std::uint64_t>(count));
    return exchanged_parts(ctx, std::move(offsets));
  }

 private:
  static std::vector<Index> begins_of(const shard_map& map) {
    std::vector<Index> begins;
    for (int r = 0; r < map.num_shards(); ++r) begins.push_back(static_cast<Index>(map.begin(r)));
    return begins;
  }

  array<Index> begins_;
  array<std::uint64_t> bounds_;
};

}  // namespace evenfold::detail
