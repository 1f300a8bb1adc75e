#pragma once
// frontier: the vertices that a step of a graph algorithm starts from.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

/// Vertices in the memory of a context, with the scratch of `advance`: two Index and one Offset per
/// vertex of the graph, and two bits from the first step bottom up on. The vertices are a list;
/// from a step bottom up to the next one top down they are a bitmap, too. Move-only.
template <std::integral Index = std::int32_t, std::integral Offset = Index>
class frontier {
 public:
  /// The frontier of these vertices, which are on the host. Each of them is a vertex of the graph,
  /// and occurs once.
  template <context Context, class Value>
  frontier(Context& ctx, const graph_view<Value, Index, Offset>& g,
           const std::vector<std::type_identity_t<Index>>& vertices = {})
      : size_(static_cast<Index>(vertices.size())),
        vertices_(ctx, g.num_vertices()),
        next_(ctx, g.num_vertices()),
        offsets_(ctx, g.num_vertices()) {
    copy(ctx, vertices.data(), size_, vertices_.data());
    ctx.synchronize();
  }

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The vertices, in the memory of the context.
  const Index* vertices() const { return vertices_.data(); }

  /// Scratch of `advance`, one Offset per vertex of the graph.
  Offset* offsets() { return offsets_.data(); }

  /// Replaces the vertices: write(vertices, spare) writes at most as many as the graph has to
  /// `vertices`, and returns their number. `spare` has the same size, and may be overwritten.
  template <class Write>
  void assign(Write write) {
    size_ = write(vertices_.data(), next_.data());
    bits_ = {};
  }

  /// `advance` calls step(next), which writes the next frontier and returns its size.
  template <class Step>
  void replace(Step step) {
    size_ = step(next_.data());
    std::swap(vertices_, next_);
    bits_ = {};
  }

  /// The same bottom up: step(bits, next, spare) sets the bits of the next frontier in the bitmap
  /// `next`. `bits` is the bitmap of the vertices. `spare` has one element per vertex of the graph,
  /// and may be overwritten. Waits.
  template <context Context, class Step>
  void replace_bits(Context& ctx, Step step) {
    const auto n = static_cast<Index>(vertices_.size());
    if (bits_.empty()) {
      bits_ = detail::empty_bitmap(ctx, n);
      transform(ctx, size_, detail::join_bitmap<Index>{{bits_.data()}, vertices()});
    }
    array<std::uint32_t> next = detail::empty_bitmap(ctx, n);
    const detail::vertex_bitmap<Index> next_bits{next.data()};
    step(detail::vertex_bitmap<Index>{bits_.data()}, next_bits, next_.data());
    size_ = compact_indices(ctx, n, detail::is_in_bitmap<Index>{next_bits}, vertices_.data());
    bits_ = std::move(next);
  }

 private:
  Index size_;
  array<Index> vertices_, next_;
  array<Offset> offsets_;
  /// The same vertices as a bitmap; empty unless a step bottom up has made them.
  array<std::uint32_t> bits_;
};

}  // namespace evenfold
