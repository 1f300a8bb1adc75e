#pragma once
// The function objects by which a segmented scan is a plain scan of pairs of a value and a flag.
//
// The flag tells whether a segment begins within the items of the pair; if so, nothing before the
// pair is folded into it. The operator on pairs is associative if the operator on values is.

#include <concepts>
#include <cstdint>

#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::detail {

/// The fold of some items: if segments begin among them, of the items from the last of these
/// beginnings on.
template <class T>
struct segment_fold {
  T value;
  std::uint32_t begins;  // 0 or 1: a GPU moves words, and takes a bool apart into bytes
};

/// The fold of two neighbouring ranges of items.
template <class Op>
struct append_segment_fold {
  Op op;

  template <class T>
  EF_HD constexpr segment_fold<T> operator()(const segment_fold<T>& a,
                                             const segment_fold<T>& b) const {
    if (b.begins != 0) return b;
    return {static_cast<T>(op(a.value, b.value)), a.begins};
  }
};

/// Whether a segment begins at item i, according to marks.
struct marked_begin {
  const unsigned char* marks;

  template <std::integral Size>
  EF_HD constexpr bool operator()(Size i) const {
    return marks[i] != 0;
  }
};

/// Item i of the plain scan. An exclusive scan is an inclusive scan of the items shifted by one,
/// with `init` at the beginning of each segment.
template <scan_kind Kind, class T, class Input, class Begins, class Op, class Init>
struct segment_item {
  Input input;
  Begins begins;
  Op op;
  Init init;

  template <std::integral Size>
  EF_HD constexpr segment_fold<T> operator()(Size i) const {
    const bool begin = begins(i);
    if constexpr (Kind == scan_kind::exclusive) {
      return {begin ? static_cast<T>(init) : static_cast<T>(input[static_cast<Size>(i - 1)]),
              begin};
    } else if constexpr (std::same_as<Init, no_init>) {
      return {static_cast<T>(input[i]), begin};
    } else {
      const T value = static_cast<T>(input[i]);
      return {begin ? static_cast<T>(op(static_cast<T>(init), value)) : value, begin};
    }
  }
};

/// An output that writes only the values of pairs.
template <class T, class Output>
struct value_output {
  using value_type = segment_fold<T>;
  Output out;

  template <class Size>
  struct slot {
    Output out;
    Size index;
    EF_HD constexpr void operator=(const segment_fold<T>& fold) const { out[index] = fold.value; }
  };
  template <std::integral Size>
  EF_HD constexpr slot<Size> operator[](Size i) const {
    return {out, i};
  }
};

}  // namespace evenfold::detail
