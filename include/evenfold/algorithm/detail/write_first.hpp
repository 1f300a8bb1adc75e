#pragma once
// The function objects that write a result of top_k and segmented_top_k: the key, the key with its
// value, or the index of the key.

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

template <class Out>
struct write_first_key {
  Out out;

  template <class Size, class Key>
  EF_HD constexpr void operator()(Size rank, Size, const Key& key) const {
    out[rank] = key;
  }
};
template <class Values, class OutKeys, class OutValues>
struct write_first_pair {
  Values values;
  OutKeys out_keys;
  OutValues out_values;

  template <class Size, class Key>
  EF_HD constexpr void operator()(Size rank, Size index, const Key& key) const {
    out_keys[rank] = key;
    out_values[rank] = values[index];
  }
};
template <class Size>
struct write_first_index {
  Size* indices;

  template <class Key>
  EF_HD constexpr void operator()(Size rank, Size index, const Key&) const {
    indices[rank] = index;
  }
};

}  // namespace evenfold::detail
