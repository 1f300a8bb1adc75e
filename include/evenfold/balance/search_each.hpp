#pragma once
// Searches for needles one by one: what a search by merging does not pay for, since the needles are
// in no order, or few beside a large haystack.

#include <concepts>
#include <cstdint>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold::detail {

/// Whether needles are so few that each is searched for on its own: a merge would read the whole
/// haystack, where this takes about log2(haystack_count) elements of it a needle, in no order.
EF_HD constexpr bool needles_are_few(std::uint64_t num_needles, std::uint64_t haystack_count) {
  constexpr std::uint64_t elements_a_needle = 256;
  return num_needles <= haystack_count / elements_a_needle;
}

/// out[i] = that bound of needle i.
template <bounds Bound, class Needles, class Haystack, std::integral Size, class Output, class Less>
struct write_bound {
  Needles needles;
  Haystack haystack;
  Size count;
  Output out;
  Less less;

  template <std::integral Index>
  EF_HD constexpr void operator()(Index i) const {
    out[i] = static_cast<element_t<Output>>(find_bound<Bound>(haystack, count, needles[i], less));
  }
};

/// first[i] = the lower bound of needle i, counts[i] = the upper one minus the lower, which is
/// searched for from the lower one on.
template <class Needles, class Haystack, std::integral Size, class Output, class Counts, class Less>
struct write_range {
  Needles needles;
  Haystack haystack;
  Size count;
  Output first;
  Counts counts;
  Less less;

  template <std::integral Index>
  EF_HD constexpr void operator()(Index i) const {
    const Size lower = find_bound<bounds::lower>(haystack, count, needles[i], less);
    const Size upper = find_bound<bounds::upper>(haystack, lower, count, needles[i], less);
    first[i] = static_cast<element_t<Output>>(lower);
    counts[i] = static_cast<element_t<Counts>>(upper - lower);
  }
};

}  // namespace evenfold::detail
