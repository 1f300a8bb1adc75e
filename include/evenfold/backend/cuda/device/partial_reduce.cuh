#pragma once
// Function objects that shift the index of an item.

#include "evenfold/core/access.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold::device {

/// i -> f(begin + i)
template <class Size, class F>
struct function_from {
  F f;
  Size begin;

  EF_HD decltype(auto) operator()(Size i) const { return f(static_cast<Size>(begin + i)); }
};

template <class Size, class F>
function_from<Size, F> items_from(F f, Size begin) {
  return {f, begin};
}

/// Elements in memory are still read in packs.
template <class Size, class T, class P>
element_of<T, P*> items_from(element_of<T, P*> f, Size begin) {
  return {f.input + begin};
}

}  // namespace evenfold::device
