#pragma once
// What a scan reads and writes when only its total is wanted, of a part of the items.

#include "evenfold/core/config.hpp"

namespace evenfold::device {

/// An output that is not written.
template <class T>
struct no_output {
  using value_type = T;
  struct element {
    template <class Value>
    EF_HD const element& operator=(const Value&) const {
      return *this;
    }
  };

  template <class Size>
  EF_HD element operator[](Size) const {
    return {};
  }
};

/// Items from an index on.
template <class Size, class F>
struct items_from {
  F f;
  Size begin;

  EF_HD decltype(auto) operator()(Size i) const { return f(static_cast<Size>(begin + i)); }
};

}  // namespace evenfold::device
