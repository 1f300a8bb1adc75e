#pragma once
// argmin, argmax: the index of the smallest or largest element of a sequence.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/detail/indexed.hpp"
#include "evenfold/algorithm/find.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// i -> the i-th element with its index
template <class T, class Size, class Input>
struct indexed_element {
  Input input;

  EF_HD constexpr optional<indexed<T, Size>> operator()(Size i) const {
    return indexed<T, Size>{static_cast<T>(input[i]), i};
  }
};

/// The opposite order.
template <class Less>
struct reversed {
  Less less;

  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return less(b, a);
  }
};

/// Whether a is before b, where a NaN is before all numbers.
template <class Before>
struct nan_first {
  Before before;

  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return a != a && b == b;
    }
    return before(a, b);
  }
};

template <class Tuning, context Context, class Input, std::integral Size, class Before>
Size index_of_first(Context& ctx, const char* algorithm, Input input, Size count, Before before) {
  using T = element_t<Input>;
  check_count(algorithm, "count", count);
  check_pointer(ctx, algorithm, "input", input, count);
  if (count == 0) {
    refuse_argument(algorithm, "count", count, "an empty sequence has no such element",
                    "ask only where there are elements");
  }
  using candidate = optional<indexed<T, Size>>;
  return transform_reduce<Tuning>(ctx, count, indexed_element<T, Size, Input>{input},
                                  first_in_order<Before>{before}, candidate{})
      ->index;
}

/// Whether an element is the extreme, where NaN are equal.
template <class T>
struct is_extreme {
  T extreme;

  EF_HD constexpr bool operator()(const T& element) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (extreme != extreme) return element != element;
    }
    return element == extreme;
  }
};

/// The same for the order of numbers: `Extreme` is the minimum if `before` is `less`, else the
/// maximum.
template <class Tuning, class Extreme, context Context, class Input, std::integral Size,
          class Before>
Size index_of_extreme(Context& ctx, const char* algorithm, Input input, Size count, Before before) {
  using T = element_t<Input>;
  if constexpr (Context::traits.shape == work_shape::runs && std::is_pointer_v<Input> &&
                (std::integral<T> || has_bits<T>)) {
    // CPU threads find an extreme in vectors, but not its index.
    if (count > 0) {
      check_pointer(ctx, algorithm, "input", input, count);
      const T extreme =
          reduce<Tuning>(ctx, input, count, Extreme{}, identity_of<Extreme, T>::value);
      return first_index<Tuning>(ctx, input, count, is_extreme<T>{extreme});
    }
  }
  return index_of_first<Tuning>(ctx, algorithm, input, count, nan_first<Before>{before});
}

}  // namespace detail

/// Returns to the host the index of the smallest of the elements input[i], 0 <= i < count; if
/// several are equivalent, the smallest of their indices.
///
/// - `input`: iterator to `count` elements of any trivially copyable type; count is positive.
/// - `less`: a strict weak order. By default elements are compared by <, and the result is the
///   first NaN if there is one.
///
/// Work O(count), span O(count / workers + log workers); reads each element once, but CPU threads
/// read numbers up to the result again, unless there is `less`. Scratch as for `transform_reduce`
/// of an element, an index and a flag. Deterministic. Waits for the result.
///
/// Errors: argument_error for a count that is not positive, or `input` on the wrong side;
/// allocation_error.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::min_element, thrust::min_element, cub::DeviceReduce::ArgMin, numpy.argmin.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Less>
Size argmin(Context& ctx, Input input, Size count, Less less) {
  detail::check_order<element_t<Input>, Less>();
  return detail::index_of_first<Tuning>(ctx, "argmin", input, count, less);
}
template <class Tuning = default_tuning, context Context, class Input, std::integral Size>
Size argmin(Context& ctx, Input input, Size count) {
  return detail::index_of_extreme<Tuning, minimum>(ctx, "argmin", input, count, less{});
}

/// The index of the largest element; if several are equivalent, the smallest of their indices.
/// Without `less`, the result is the first NaN if there is one. Otherwise as `argmin`. Names
/// elsewhere: std::max_element (which also takes the first), thrust::max_element,
/// cub::DeviceReduce::ArgMax, numpy.argmax.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Less>
Size argmax(Context& ctx, Input input, Size count, Less less) {
  detail::check_order<element_t<Input>, Less>();
  return detail::index_of_first<Tuning>(ctx, "argmax", input, count, detail::reversed<Less>{less});
}
template <class Tuning = default_tuning, context Context, class Input, std::integral Size>
Size argmax(Context& ctx, Input input, Size count) {
  return detail::index_of_extreme<Tuning, maximum>(ctx, "argmax", input, count, greater{});
}

/// The same for a range.
template <class Tuning = default_tuning, context Context, sized_range Input, class Less>
std::size_t argmin(Context& ctx, const Input& input, Less less) {
  return evenfold::argmin<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), less);
}
template <class Tuning = default_tuning, context Context, sized_range Input>
std::size_t argmin(Context& ctx, const Input& input) {
  return evenfold::argmin<Tuning>(ctx, detail::begin_of(input), detail::size_of(input));
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Less>
std::size_t argmax(Context& ctx, const Input& input, Less less) {
  return evenfold::argmax<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), less);
}
template <class Tuning = default_tuning, context Context, sized_range Input>
std::size_t argmax(Context& ctx, const Input& input) {
  return evenfold::argmax<Tuning>(ctx, detail::begin_of(input), detail::size_of(input));
}

}  // namespace evenfold
