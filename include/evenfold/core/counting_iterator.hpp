#pragma once
// counting_iterator: an iterator over the indices themselves.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The sequence 0, 1, 2, ...
template <class Index>
struct counting_iterator {
  template <std::integral Size>
  EF_HD constexpr Index operator[](Size i) const {
    return static_cast<Index>(i);
  }
};

}  // namespace evenfold
