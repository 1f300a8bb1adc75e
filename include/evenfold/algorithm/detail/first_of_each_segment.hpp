#pragma once
// The first key of every segment, for segmented_top_k with k = 1: one fold of each segment.

#include <concepts>
#include <limits>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {

namespace detail {

/// A radix key and its index.
template <class Bits, class Size>
struct numbered_index {
  Bits number;
  Size index;
};

/// The smaller number; of equal ones, that with the lower index, in either order of the operands.
struct earlier_number {
  template <class Candidate>
  EF_HD constexpr Candidate operator()(const Candidate& a, const Candidate& b) const {
    return a.number < b.number || (a.number == b.number && a.index < b.index) ? a : b;
  }
};

/// i -> the radix key of keys[i] with its index
template <class Less, class Keys, class Size>
struct number_at {
  using Key = element_t<Keys>;
  using candidate = numbered_index<radix_bits_t<Key>, Size>;
  Keys keys;

  EF_HD constexpr candidate operator()(Size i) const {
    return {radix_key<Less>(static_cast<Key>(keys[i])), i};
  }
};

/// An output whose element s, where segment s has items, is written by emit(begins[s], index, key).
template <class Keys, class Segments, class Size, class Emit>
struct first_key_output {
  Keys keys;
  Segments segments;
  const Size* begins;
  Emit emit;

  template <class Index>
  struct element {
    const first_key_output& out;
    Index segment;

    template <class Candidate>
    EF_HD constexpr void operator=(const Candidate& first) const {
      if (out.segments.begin(segment) == out.segments.end(segment)) return;
      out.emit(out.begins[segment], first.index,
               static_cast<element_t<Keys>>(out.keys[first.index]));
    }
  };

  template <std::integral Index>
  EF_HD constexpr element<Index> operator[](Index s) const {
    return {*this, s};
  }
};

}  // namespace detail

template <class Bits, class Size>
inline constexpr bool is_commutative<detail::earlier_number, detail::numbered_index<Bits, Size>> =
    true;
template <class Bits, class Size>
inline constexpr bool
    detail::is_exact_fold<detail::earlier_number, detail::numbered_index<Bits, Size>> = true;

namespace detail {

/// Calls emit(begins[s], index, key) for the first key of every segment that has one.
template <context Context, class Keys, class Size, class Offsets, class Index, class Less,
          class Emit>
void first_of_each_segment(Context& ctx, Keys keys,
                           const segment_view<Size, Offsets, Index>& segments, const Size* begins,
                           Less, Emit emit) {
  using number = number_at<natural_order_t<Less, element_t<Keys>>, Keys, Size>;
  using candidate = typename number::candidate;
  transform_segreduce(
      ctx, segments.count, number{keys}, segments.offsets, segments.num_segments,
      first_key_output<Keys, segment_view<Size, Offsets, Index>, Size, Emit>{keys, segments, begins,
                                                                             emit},
      earlier_number{},
      candidate{static_cast<decltype(candidate::number)>(-1), std::numeric_limits<Size>::max()});
}

}  // namespace detail

}  // namespace evenfold
