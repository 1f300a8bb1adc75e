#pragma once
// Ranges: sequences that know how many elements they have. The algorithms take a range where an
// iterator and a count stand, and count its elements in std::size_t.

#include <cstddef>
#include <iterator>
#include <string>

#include "evenfold/core/error.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold {

/// An array, std::vector, std::span, std::array or array of C, or a view whose iterators are read
/// with [], such as std::views::iota.
template <class R>
concept sized_range = requires(R& range) {
  std::size(range);
  std::begin(range)[0];
};

/// A range whose elements are contiguous in memory: all of these but views and std::vector<bool>.
template <class R>
concept contiguous_range = sized_range<R> && requires(R& range) { *std::data(range); };

/// What an algorithm takes beside the first range: another range, or an iterator.
template <class S>
concept sequence = sized_range<S> || requires(S& iterator) { iterator[0]; };

namespace detail {

template <sized_range R>
std::size_t size_of(const R& range) {
  return static_cast<std::size_t>(std::size(range));
}

/// The pointer to the elements of a range, or its iterator if they are not contiguous; an iterator
/// as it is.
template <sequence S>
auto begin_of(S&& s) {
  if constexpr (!sized_range<S>) {
    return s;
  } else if constexpr (contiguous_range<S>) {
    return std::data(s);
  } else {
    return std::begin(s);
  }
}

/// The iterator of a sequence of `count` elements, the length of the argument `like`. A range has
/// as many elements, else argument_error is thrown.
template <sequence S>
auto input_of(const char* algorithm, const char* argument, S&& s, std::size_t count,
              const char* like) {
  if constexpr (sized_range<S>) {
    if (size_of(s) != count) {
      refuse_argument(algorithm, argument, "a range of size " + std::to_string(size_of(s)),
                      std::string(like) + " has size " + std::to_string(count),
                      "pass ranges of the same size");
    }
  }
  return begin_of(s);
}

/// The iterator of an output for up to `count` elements. A range has room for them, else
/// argument_error is thrown.
template <sequence S>
auto output_of(const char* algorithm, const char* argument, S&& s, std::size_t count) {
  if constexpr (sized_range<S>) {
    if (size_of(s) < count) {
      refuse_argument(algorithm, argument, "a range of size " + std::to_string(size_of(s)),
                      "up to " + std::to_string(count) + " elements are written",
                      "pass a range of at least that size");
    }
  }
  return begin_of(s);
}

}  // namespace detail

}  // namespace evenfold
