#pragma once
// Values with their indices, and the operators that choose the first or the last of two of them. Of
// equivalent values, the one with the lower index comes first.

#include <cstdint>
#include <type_traits>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {

namespace detail {

/// A value and its index.
template <class T, class Size = std::int64_t>
struct indexed {
  T value;
  Size index;
};

/// Whether NaN come before all other values, or after them.
enum class nan_order { first, last };

/// The operand that comes first in the order `before` of numbers, in either order of the operands.
template <class Before, nan_order Nan = nan_order::first>
struct first_of {
  Before before;

  template <class T>
  EF_HD constexpr indexed<T> operator()(const indexed<T>& a, const indexed<T>& b) const {
    const bool a_first = before(a.value, b.value);
    if (a_first != before(b.value, a.value)) return a_first ? a : b;
    if (is_nan(a.value) != is_nan(b.value)) {
      return is_nan(a.value) == (Nan == nan_order::first) ? a : b;
    }
    return a.index < b.index ? a : b;
  }

 protected:
  template <class T>
  EF_HD static constexpr bool is_nan(const T& value) {
    if constexpr (std::is_floating_point_v<T>) return value != value;
    return false;
  }
};

/// The optional operand that comes first, where the index of the left one is the lower one.
template <class Before>
struct first_in_order {
  Before before;

  template <class Candidate>
  EF_HD constexpr Candidate operator()(const Candidate& a, const Candidate& b) const {
    if (!a || !b) return a ? a : b;
    return before(b->value, a->value) ? b : a;
  }
};

/// Whether a is before b, where equivalent values are in the order of their indices.
template <class Less>
struct before_by_index {
  total_order<Less> less;

  template <class Candidate>
  EF_HD constexpr bool operator()(const Candidate& a, const Candidate& b) const {
    return less(a.value, b.value) || (a.index < b.index && !less(b.value, a.value));
  }
};

/// The optional operand that comes first, or last, in either order of the operands.
template <class Less, bool IsFirst>
struct end_of_order {
  before_by_index<Less> before;

  template <class Candidate>
  EF_HD constexpr Candidate operator()(const Candidate& a, const Candidate& b) const {
    if (!a || !b) return a ? a : b;
    return before(*a, *b) == IsFirst ? a : b;
  }
};
template <class Less, bool IsFirst, class Candidate>
inline constexpr bool is_exact_fold<end_of_order<Less, IsFirst>, Candidate> = true;

}  // namespace detail

template <class Before, detail::nan_order Nan, class T>
inline constexpr bool is_commutative<detail::first_of<Before, Nan>, detail::indexed<T>> = true;
template <class Before, detail::nan_order Nan, class T>
inline constexpr bool detail::is_exact_fold<detail::first_of<Before, Nan>, detail::indexed<T>> =
    true;

}  // namespace evenfold
