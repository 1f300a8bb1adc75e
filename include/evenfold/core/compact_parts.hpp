#pragma once
// The function objects that compact, unique and reduce_by_key are composed of. Backends get three
// functions: item(i) returns the value of item i, keep(i, value) tells whether it is kept, and
// emit(to, value) writes the to-th kept value.

#include <concepts>

#include "evenfold/core/access.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold::detail {

/// item: the index itself.
struct index_item {
  template <std::integral Size>
  EF_HD constexpr Size operator()(Size i) const {
    return i;
  }
};

/// keep: a predicate of the value.
template <class Keep>
struct keep_value {
  Keep keep;
  template <class Size, class T>
  EF_HD constexpr bool operator()(Size, const T& value) const {
    return keep(value);
  }
};

/// keep: the opposite of a predicate of the value.
template <class Keep>
struct keep_others {
  Keep keep;
  template <class Size, class T>
  EF_HD constexpr bool operator()(Size, const T& value) const {
    return !keep(value);
  }
};

/// value -> 1 if it is kept, else 0.
template <class Size, class Keep>
struct count_kept {
  Keep keep;
  template <class T>
  EF_HD constexpr Size operator()(const T& value) const {
    return static_cast<Size>(keep(value) ? 1 : 0);
  }
};

/// emit: out[to] = value.
template <class Output>
struct write_to {
  Output out;
  template <class Size, class T>
  EF_HD constexpr void operator()(Size to, const T& value) const {
    out[to] = value;
  }
};

/// emit: out[first[0] + to] = value.
template <class Output, class Size>
struct write_after {
  Output out;
  const Size* first;
  template <class T>
  EF_HD constexpr void operator()(Size to, const T& value) const {
    out[first[0] + to] = value;
  }
};

/// i -> 1 if keep(i) is true, else 0. Stores the answer in a flag, too.
template <class Keep>
struct flag_kept {
  Keep keep;
  unsigned char* flags;
  template <std::integral Size>
  EF_HD constexpr Size operator()(Size i) const {
    const bool kept = keep(i);
    flags[i] = kept;
    return static_cast<Size>(kept);
  }
};

template <class Keep>
inline constexpr bool is_heavy<flag_kept<Keep>> = is_heavy<Keep>;

/// keep: the flag that flag_kept stored.
struct was_kept {
  const unsigned char* flags;
  template <class Size>
  EF_HD constexpr bool operator()(Size i, Size) const {
    return flags[i] != 0;
  }
};

/// keep: whether a run of equal keys begins at item i.
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
  /// The same for an item that is not the first one.
  template <std::integral Size, class T>
  EF_HD constexpr bool begins_later(Size i, const T& key) const {
    return !equal(values_of(keys)[i - 1], key);
  }
};
template <class Keys, class Equal>
inline constexpr bool is_heavy<begins_run<Keys, Equal>> = is_heavy<Equal>;

/// emit: writes the first key of a run and the index where the run begins.
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
