#pragma once
// The order in which bucket_sort leaves the values of a bucket.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// Keeps the values of a bucket in the order of their items.
struct no_order {};

/// Orders values by number(value), an integer in [0, limit).
template <class F, std::integral Limit>
struct number_order {
  F number;
  Limit limit;
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return number(a) < number(b);
  }
};

}  // namespace evenfold
