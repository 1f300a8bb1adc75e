#pragma once
// The candidates for the first k keys of segments on a GPU: a composition around keep_candidates.
//
// Segments are cut into pieces of equal length, and the warp of a piece keeps the positions of a
// few more than k keys. The candidates of all pieces of a segment are candidates of the segment.

#if defined(__CUDACC__)

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/backend/cuda/launch/segment_candidates.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::detail {

/// s -> the number of pieces of segment s
template <class Segments>
struct piece_count {
  Segments segments;

  template <std::integral Index>
  EF_HD constexpr auto operator()(Index s) const {
    const auto length = segments.end(s) - segments.begin(s);
    using size = decltype(segments.begin(s));
    return static_cast<size>(ceil_div(length, device::piece_sizes::items));
  }
};

/// Copies candidate i, the one with a rank in its piece, whose positions begin at get<0>(begin).
template <class Keys, class Key, class Size>
struct take_candidate {
  Keys keys;
  const Size* positions;
  Key* out_keys;
  Size* out_indices;

  template <class Piece>
  EF_HD constexpr void operator()(Size i, Piece, Size rank, const tuple<Size>& begin) const {
    const Size at = positions[static_cast<Size>(get<0>(begin) + rank)];
    out_keys[i] = static_cast<Key>(static_cast<element_t<Keys>>(keys[at]));
    out_indices[i] = at;
  }
};

/// s -> where the candidates of segment s begin: those of its first piece
template <class Size>
struct candidates_begin {
  const Size* first_pieces;
  const Size* piece_begins;

  template <std::integral Index>
  EF_HD constexpr Size operator()(Index s) const {
    return piece_begins[first_pieces[s]];
  }
};

/// Finds at least the first k keys of every segment, in their order in the input, and returns their
/// number; or finds nothing if k is too large or most pieces are too short for this to be fast.
template <class Keys, std::integral Size, class Offsets, std::integral Index, class Less,
          class Found>
optional<Size> find_candidates(cuda_context& ctx, Keys keys,
                               const segment_view<Size, Offsets, Index>& segments, Size k,
                               Less less, Found& found) {
  using Key = typename Found::key_type;
  if (k > backend::most_candidate_results) return nullopt;
  const Index num_segments = segments.num_segments;
  array<Size> first_pieces(ctx, num_segments), num_pieces(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, num_segments,
                                       piece_count<segment_view<Size, Offsets, Index>>{segments},
                                       first_pieces.data(), plus{}, Size{0}, num_pieces.data());
  const Size pieces = to_host(ctx, num_pieces)[0];
  const auto fewest_items = std::max<std::int64_t>(5 * static_cast<std::int64_t>(k) / 2, 128);
  if (static_cast<std::int64_t>(segments.count / pieces) < fewest_items) return nullopt;

  array<Index> piece_segments(ctx, pieces);
  load_balance_search(ctx, pieces, std::as_const(first_pieces).data(), num_segments,
                      piece_segments.data());
  array<Size> positions(ctx, segments.count), begins(ctx, pieces), counts(ctx, pieces);
  backend::keep_candidates(ctx, keys, segments, first_pieces.data(), piece_segments.data(), pieces,
                           static_cast<int>(k), less, positions.data(), begins.data(),
                           counts.data());
  array<Size> piece_begins(ctx, static_cast<std::size_t>(pieces) + 1);
  exclusive_scan(ctx, std::as_const(counts).data(), pieces, piece_begins.data(), plus{}, Size{0},
                 piece_begins.data() + pieces);
  const Size num_kept = to_host(ctx, piece_begins.data() + pieces, 1)[0];
  found.keys = array<Key>(ctx, num_kept);
  found.indices = array<Size>(ctx, num_kept);
  transform_lbs(ctx, num_kept,
                take_candidate<Keys, Key, Size>{keys, positions.data(), found.keys.data(),
                                                found.indices.data()},
                std::as_const(piece_begins).data(), pieces,
                make_tuple(std::as_const(begins).data()));
  transform(ctx, num_segments,
            write_result{candidates_begin<Size>{first_pieces.data(), piece_begins.data()},
                         found.begins.data()});
  return num_kept;
}

}  // namespace evenfold::detail

#endif
