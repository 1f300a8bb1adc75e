#pragma once
// partition_point: the binary search that every other search is written with.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The first index in [begin, end) for which `predicate(index)` is false; `predicate` holds for a
/// prefix. O(log(end - begin)).
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
