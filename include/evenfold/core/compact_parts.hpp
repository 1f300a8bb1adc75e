#pragma once
// The function objects that compact, unique and reduce_by_key are composed of. The backends are
// given item(i), which makes the value of item i; keep(i, value), which decides; and emit(to,
// value), which takes the to-th kept value.

#include <concepts>

#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold::detail {

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

/// Asks keep(i), remembers the answer, and counts it.
template <class Keep>
struct remember_kept {
  Keep keep;
  unsigned char* flags;
  template <std::integral Size>
  EF_HD constexpr Size operator()(Size i) const {
    const bool kept = keep(i);
    flags[i] = kept;
    return static_cast<Size>(kept);
  }
};

/// Recalls the answer.
struct recall_kept {
  const unsigned char* flags;
  template <class Size>
  EF_HD constexpr bool operator()(Size i, Size) const {
    return flags[i] != 0;
  }
};

/// Whether a run begins at an item.
template <class Keys, class Equal>
struct begins_run {
  Keys keys;
  Equal equal;
  template <std::integral Size>
  EF_HD constexpr bool operator()(Size i) const {
    return i == 0 || !equal(values_of(keys)[i - 1], values_of(keys)[i]);
  }
  template <std::integral Size, class T>
  EF_HD constexpr bool operator()(Size i, const T& key) const {
    return i == 0 || !equal(values_of(keys)[i - 1], key);
  }
};

/// Writes the first key of a run and where it begins.
template <class Keys, class KeysOut, class Offsets>
struct write_run {
  Keys keys;
  KeysOut keys_out;
  Offsets offsets;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size to, Size from) const {
    keys_out[to] = values_of(keys)[from];
    offsets[to] = from;
  }
};

}  // namespace evenfold::detail
