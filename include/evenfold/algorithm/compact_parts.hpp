#pragma once
// What compact and its relatives are put together from. The backends are given item(i), which makes
// the value of item i; keep(i, value), which decides; and emit(to, value), which takes the to-th
// kept value.

#include <concepts>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The item of an index is the index.
struct index_item {
  template <std::integral Size>
  EF_HD constexpr Size operator()(Size i) const {
    return i;
  }
};

/// Decides by the value alone.
template <class Keep>
struct keep_value {
  Keep keep;
  template <class Size, class T>
  EF_HD constexpr bool operator()(Size, const T& value) const {
    return keep(value);
  }
};

/// Decides the opposite.
template <class Keep>
struct keep_others {
  Keep keep;
  template <class Size, class T>
  EF_HD constexpr bool operator()(Size, const T& value) const {
    return !keep(value);
  }
};

/// out[to] = value.
template <class Output>
struct write_to {
  Output out;
  template <class Size, class T>
  EF_HD constexpr void operator()(Size to, const T& value) const {
    out[to] = value;
  }
};

/// out[first[0] + to] = value.
template <class Output, class Size>
struct write_after {
  Output out;
  const Size* first;
  template <class T>
  EF_HD constexpr void operator()(Size to, const T& value) const {
    out[first[0] + to] = value;
  }
};

}  // namespace evenfold
