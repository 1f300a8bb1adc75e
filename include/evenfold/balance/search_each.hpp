#pragma once
// Separate searches for needles, each in the whole haystack. They are used if the needles are not
// sorted, or so few that merging them with the haystack takes longer.

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold::detail {

/// Whether separate searches are faster than a merge: a merge reads the whole haystack, a search
/// about log2(haystack_count) scattered elements. They are if the haystack has at least
/// `elements_per_needle`, which the backend states.
EF_HD constexpr bool needles_are_few(std::uint64_t num_needles, std::uint64_t haystack_count,
                                     std::uint64_t elements_per_needle) {
  return num_needles <= haystack_count / elements_per_needle;
}

/// About how many elements a search reads.
inline constexpr std::size_t steps_of_search = 24;

/// out[i] = the lower or upper bound of needle i.
template <bounds Bound, class Needles, class Haystack, std::integral Size, class Output, class Less>
struct write_bound {
  static constexpr std::size_t steps_per_call = steps_of_search;

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

/// first[i] = the lower bound of needle i, counts[i] = the upper bound minus the lower bound. The
/// search for the upper bound begins at the lower one.
template <class Needles, class Haystack, std::integral Size, class Output, class Counts, class Less>
struct write_range {
  static constexpr std::size_t steps_per_call = steps_of_search;

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
