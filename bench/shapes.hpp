#pragma once
// The shapes of segmented data that the benches share. Each function returns the offsets of the
// segments of `count` items, followed by `count`, which is the form for CUB.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "evenfold/core/random.hpp"

namespace bench {

/// Appends segments of `length(k)` items, k = 0, 1, ..., until they reach `end`.
template <class Length>
void append_segments(std::vector<int>& offsets, std::int64_t begin, std::int64_t end,
                     Length length) {
  for (std::int64_t at = begin, k = 0; at < end; ++k) {
    offsets.push_back(static_cast<int>(at));
    at += length(k);
  }
}

/// Lengths uniform in [0, 2 * mean].
inline std::vector<int> uniform_shape(int count, int mean) {
  const evenfold::random_stream random(1);
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [&](std::int64_t k) {
    return random.below(static_cast<std::uint64_t>(k), 2 * static_cast<std::uint64_t>(mean) + 1);
  });
  offsets.push_back(count);
  return offsets;
}

/// One segment in the middle has half of the items. `length(k)` is the length of each other segment
/// k.
template <class Length>
std::vector<int> half_in_one_shape(int count, Length length) {
  const std::int64_t quarter = count / 4;
  std::vector<int> offsets;
  append_segments(offsets, 0, quarter, length);
  offsets.push_back(static_cast<int>(quarter));
  append_segments(offsets, count - quarter, count, length);
  offsets.push_back(count);
  return offsets;
}

/// Half of the items in one segment, the others in segments of up to 4, half of which are empty.
inline std::vector<int> skewed_shape(int count) {
  const evenfold::random_stream random(2);
  return half_in_one_shape(count, [&](std::int64_t k) {
    const std::uint32_t bits = random.bits32(static_cast<std::uint64_t>(k));
    return (bits & 1) != 0 ? 1 + (bits >> 1) % 4 : 0;
  });
}

/// Half of the items in one segment, the others in segments of lengths uniform in [0, 2 * mean].
inline std::vector<int> half_uniform_shape(int count, int mean) {
  const evenfold::random_stream random(3);
  return half_in_one_shape(count, [&](std::int64_t k) {
    return random.below(static_cast<std::uint64_t>(k), 2 * static_cast<std::uint64_t>(mean) + 1);
  });
}

/// Segments of `length` items, as the rows of a matrix have.
inline std::vector<int> equal_shape(int count, int length) {
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [=](std::int64_t) { return length; });
  offsets.push_back(count);
  return offsets;
}

/// Lengths 0, 1, ..., `longest`, each as often as the others, in ascending order.
inline std::vector<int> ascending_shape(int count, int longest) {
  const std::int64_t each = std::max<std::int64_t>(2 * std::int64_t{count} / longest / longest, 1);
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [&](std::int64_t k) { return k / each; });
  offsets.push_back(count);
  return offsets;
}

/// The same in descending order.
inline std::vector<int> descending_shape(int count, int longest) {
  std::vector<int> offsets = ascending_shape(count, longest);
  std::reverse(offsets.begin(), offsets.end());
  for (int& at : offsets) at = count - at;
  return offsets;
}

/// Lengths 1 and 1023 alternately.
inline std::vector<int> alternating_shape(int count) {
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [](std::int64_t k) { return k % 2 == 0 ? 1 : 1023; });
  offsets.push_back(count);
  return offsets;
}

/// Length n or more has a probability of 1 / n, up to 2^20.
inline std::vector<int> zipf_shape(int count) {
  const evenfold::random_stream random(5);
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [&](std::int64_t k) {
    const std::uint32_t bits = random.bits32(static_cast<std::uint64_t>(k));
    return (std::int64_t{1} << 32) / std::max<std::int64_t>(bits, 1 << 12);
  });
  offsets.push_back(count);
  return offsets;
}

/// Geometric lengths of mean 1: a coin is tossed after each item.
inline std::vector<int> geometric_shape(int count) {
  const evenfold::random_stream random(4);
  std::vector<int> offsets;
  append_segments(offsets, 0, count, [&](std::int64_t k) {
    return std::countr_one(random.bits32(static_cast<std::uint64_t>(k)));
  });
  offsets.push_back(count);
  return offsets;
}

/// All items are in the first segment; `empty` more follow.
inline std::vector<int> giant_then_empty_shape(int count, int empty) {
  std::vector<int> offsets(static_cast<std::size_t>(empty) + 2, count);
  offsets.front() = 0;
  return offsets;
}

/// All items are in the middle one of count / 8 segments.
inline std::vector<int> one_full_shape(int count) {
  const int segments = std::max(count / 8, 1);
  std::vector<int> offsets(static_cast<std::size_t>(segments) + 1, count);
  std::fill_n(offsets.begin(), segments / 2 + 1, 0);
  return offsets;
}

/// A shape that every segmented algorithm is measured on.
struct shape_class {
  const char* name;
  std::vector<int> (*make)(int count);
};
inline constexpr shape_class shape_classes[] = {
    {"equal_lengths", [](int count) { return equal_shape(count, 100); }},
    {"ascending", [](int count) { return ascending_shape(count, 128); }},
    {"descending", [](int count) { return descending_shape(count, 128); }},
    {"alternating", alternating_shape},
    {"geometric", geometric_shape},
    {"zipf", zipf_shape},
    {"giant_then_empty",
     [](int count) { return giant_then_empty_shape(count, std::min(count, 10'000'000)); }},
};

/// Adds the cases ALGORITHM_SHAPE of 2^exponent items for all classes of shapes.
class add_shapes {
 public:
  using make_case = std::function<prepared_case(const std::vector<int>&)>;

  add_shapes(const std::string& algorithm, int exponent, const make_case& make) {
    for (const shape_class& shape : shape_classes) {
      add_case(algorithm + "_" + shape.name,
               [=](const options& chosen) { return make(shape.make(chosen.size(exponent))); });
    }
  }
};

/// Adds the cases few_COUNT_ALGORITHM_SHAPE of few items: small calls, whose time is that of
/// waiting.
class add_few_shapes {
 public:
  add_few_shapes(const std::string& algorithm, const add_shapes::make_case& make) {
    for (const int count : {1000, 30'000, 1'000'000}) {
      for (const shape_class& shape : shape_classes) {
        add_case("few_" + std::to_string(count) + "_" + algorithm + "_" + shape.name,
                 [=](const options&) {
                   prepared_case match = make(shape.make(count));
                   match.marks = {at_most_best_peer(1.0)};
                   match.repeats_factor = repeats_factor_of(count);
                   return match;
                 });
      }
    }
  }
};

}  // namespace bench
