#pragma once
// partition_point: the binary search on which all other searches are built.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The first index in [begin, end) for which predicate(index) is false, or `end`. The predicate is
/// true for a prefix of the range and false for the rest. O(log(end - begin)).
template <std::integral Index, class Predicate>
EF_HD constexpr Index partition_point(Index begin, Index end, Predicate predicate) {
  while (begin < end) {
    const Index middle = begin + (end - begin) / 2;
    if (predicate(middle)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace evenfold::detail
