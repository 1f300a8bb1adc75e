#pragma once
// vertex_bitmap: one bit per vertex, which many workers set at the same time.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"

namespace evenfold::detail {

/// One bit per vertex, in memory that it does not own.
template <std::integral Index>
struct vertex_bitmap {
  std::uint32_t* words;

  EF_HD static std::uint32_t mask(Index v) { return std::uint32_t{1} << v % 32; }

  EF_HD bool test(Index v) const {
    return (atomic_ref<std::uint32_t>(words[v / 32]).load(memory_order_relaxed) & mask(v)) != 0;
  }

  /// Sets the bit of a vertex, and returns whether it was not set before.
  EF_HD bool set(Index v) const {
    // A load is cheaper than the atomic operation, and most edges lead to vertices with the bit.
    if (test(v)) return false;
    const atomic_ref<std::uint32_t> word(words[v / 32]);
    return (word.fetch_or(mask(v), memory_order_relaxed) & mask(v)) == 0;
  }

  EF_HD void clear(Index v) const {
    atomic_ref<std::uint32_t>(words[v / 32]).fetch_and(~mask(v), memory_order_relaxed);
  }

  /// The same as `set` and `clear`, for a single worker.
  EF_HD bool set_alone(Index v) const {
    if ((words[v / 32] & mask(v)) != 0) return false;
    words[v / 32] |= mask(v);
    return true;
  }
  EF_HD void clear_alone(Index v) const { words[v / 32] &= ~mask(v); }
};

/// Clears the bit of vertices[s].
template <std::integral Index>
struct leave_bitmap {
  using light = void;
  vertex_bitmap<Index> bits;
  const Index* vertices;

  EF_HD void operator()(Index s) const { bits.clear(vertices[s]); }
};

/// Sets the bit of vertices[s].
template <std::integral Index>
struct join_bitmap {
  using light = void;
  vertex_bitmap<Index> bits;
  const Index* vertices;

  EF_HD void operator()(Index s) const { bits.set(vertices[s]); }
};

/// Whether the bit of a vertex is set.
template <std::integral Index>
struct is_in_bitmap {
  vertex_bitmap<Index> bits;

  EF_HD bool operator()(Index v) const { return bits.test(v); }
};

/// The memory of a bitmap of `num_vertices` vertices, none of whose bits is set.
template <context Context, std::integral Index>
array<std::uint32_t> empty_bitmap(Context& ctx, Index num_vertices) {
  const Index num_words = ceil_div(num_vertices, 32);
  array<std::uint32_t> words(ctx, num_words);
  fill(ctx, words.data(), num_words, 0);
  return words;
}

}  // namespace evenfold::detail
