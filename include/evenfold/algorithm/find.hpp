#pragma once
// count_if, find_if, any_of, all_of, none_of: which elements of a sequence satisfy a predicate.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// i -> 1 if predicate(input[i]) is true, else 0
template <class Size, class Input, class Predicate>
struct holds {
  Input input;
  Predicate predicate;

  EF_HD constexpr Size operator()(Size i) const {
    return predicate(values_of(input)[i]) ? Size{1} : Size{0};
  }
};

/// i -> first + i if predicate(input[first + i]) is true, else `none`
template <class Size, class Input, class Predicate>
struct index_where {
  Input input;
  Predicate predicate;
  Size first;
  Size none;

  EF_HD constexpr Size operator()(Size i) const {
    const Size at = static_cast<Size>(first + i);
    return predicate(values_of(input)[at]) ? at : none;
  }
};

/// value -> whether predicate(value) is false
template <class Predicate>
struct negation {
  Predicate predicate;

  template <class T>
  EF_HD constexpr bool operator()(const T& value) const {
    return !predicate(value);
  }
};

/// Checks the arguments of an algorithm that calls a predicate for each element.
template <class Predicate, context Context, class Input, std::integral Size>
void check_find(const Context& ctx, const char* algorithm, Input input, Size count) {
  static_assert(can_be_called<bool, Predicate, const element_t<Input>&>(),
                "predicate is called with one element and returns a bool; its operator() is const");
  check_count(algorithm, "count", count);
  check_pointer(ctx, algorithm, "input", input, count);
}

/// The first index in [0, count) for which a predicate is true, or `count`. The sequence is read in
/// parts, each as long as all parts before it, so that few elements after the index are read.
template <class Tuning, context Context, class Input, std::integral Size, class Predicate>
Size first_index(Context& ctx, Input input, Size count, Predicate predicate) {
  constexpr std::uint64_t first_part = 1 << 16;
  constexpr Size none = std::numeric_limits<Size>::max();
  const auto end = static_cast<std::uint64_t>(count);
  for (std::uint64_t begin = 0; begin < end;) {
    const std::uint64_t part = std::min(end - begin, std::max(begin, first_part));
    const Size found = evenfold::transform_reduce<Tuning>(
        ctx, static_cast<Size>(part),
        index_where<Size, Input, Predicate>{input, predicate, static_cast<Size>(begin), none},
        minimum{}, none);
    if (found < count) return found;
    begin += part;
  }
  return count;
}

}  // namespace detail

/// Returns to the host how many i in [0, count) there are for which predicate(input[i]) is true.
///
/// - `input`: iterator to `count` elements.
/// - `predicate`: called once for each element, in any order, concurrently.
///
/// Work O(count), span O(count / workers + log workers); reads each element once. Scratch as for
/// `transform_reduce`. Deterministic. Waits for the result.
///
/// Errors: argument_error for a negative count, or `input` on the wrong side; allocation_error.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::count_if, thrust::count_if, parlay::count_if, numpy.count_nonzero.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Predicate>
Size count_if(Context& ctx, Input input, Size count, Predicate predicate) {
  detail::check_find<Predicate>(ctx, "count_if", input, count);
  return transform_reduce<Tuning>(
      ctx, count, detail::holds<Size, Input, Predicate>{input, predicate}, plus{}, Size{0});
}

/// Returns to the host the smallest i in [0, count) for which predicate(input[i]) is true, or
/// `count` if there is none.
///
/// The elements are read in parts of doubling length. At most about twice as many elements are read
/// as precede the result, but at least 2^16. Work O(result). `predicate` is called at most once for
/// each element. Scratch as for `transform_reduce`. Deterministic. Waits once for each part.
///
/// Errors: argument_error for a negative count, or `input` on the wrong side; allocation_error.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::find_if, thrust::find_if, parlay::find_if.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Predicate>
Size find_if(Context& ctx, Input input, Size count, Predicate predicate) {
  detail::check_find<Predicate>(ctx, "find_if", input, count);
  return detail::first_index<Tuning>(ctx, input, count, predicate);
}

/// Whether predicate(input[i]) is true for any i in [0, count); false if count is 0. Otherwise as
/// `find_if`. Names elsewhere: std::any_of, thrust::any_of, numpy.any.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Predicate>
bool any_of(Context& ctx, Input input, Size count, Predicate predicate) {
  detail::check_find<Predicate>(ctx, "any_of", input, count);
  return detail::first_index<Tuning>(ctx, input, count, predicate) < count;
}

/// Whether predicate(input[i]) is true for no i in [0, count); true if count is 0. Otherwise as
/// `find_if`. Names elsewhere: std::none_of, thrust::none_of.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Predicate>
bool none_of(Context& ctx, Input input, Size count, Predicate predicate) {
  detail::check_find<Predicate>(ctx, "none_of", input, count);
  return detail::first_index<Tuning>(ctx, input, count, predicate) == count;
}

/// Whether predicate(input[i]) is true for every i in [0, count); true if count is 0. Otherwise as
/// `find_if`. Names elsewhere: std::all_of, thrust::all_of, numpy.all.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Predicate>
bool all_of(Context& ctx, Input input, Size count, Predicate predicate) {
  detail::check_find<Predicate>(ctx, "all_of", input, count);
  const detail::negation<Predicate> fails{predicate};
  return detail::first_index<Tuning>(ctx, input, count, fails) == count;
}

/// The same for a range.
template <class Tuning = default_tuning, context Context, sized_range Input, class Predicate>
std::size_t count_if(Context& ctx, const Input& input, Predicate predicate) {
  return evenfold::count_if<Tuning>(ctx, detail::begin_of(input), detail::size_of(input),
                                    predicate);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Predicate>
std::size_t find_if(Context& ctx, const Input& input, Predicate predicate) {
  return evenfold::find_if<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), predicate);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Predicate>
bool any_of(Context& ctx, const Input& input, Predicate predicate) {
  return evenfold::any_of<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), predicate);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Predicate>
bool none_of(Context& ctx, const Input& input, Predicate predicate) {
  return evenfold::none_of<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), predicate);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Predicate>
bool all_of(Context& ctx, const Input& input, Predicate predicate) {
  return evenfold::all_of<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), predicate);
}

}  // namespace evenfold
