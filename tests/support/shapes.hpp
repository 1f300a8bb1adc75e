#pragma once
// Sizes around those of the tiles of every backend, and segments of shapes that are difficult to
// balance.

#include <cmath>
#include <cstdint>
#include <ostream>
#include <vector>

#include "evenfold/core/random.hpp"

namespace evenfold::testing {

#if defined(EVENFOLD_SANITIZED)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
inline constexpr std::int64_t large_size = (1 << (is_sanitized ? 16 : 20)) + 3;

/// `count`, or under a sanitizer a third of it, which is enough for several tiles.
constexpr std::int64_t third_if_sanitized(std::int64_t count) {
  return is_sanitized ? count / 3 : count;
}

/// Counts around the sizes of tiles, and 0.
inline std::vector<std::int64_t> sizes() {
  std::vector<std::int64_t> result = {0, 1, 2, 3, 31, 32, 33};
  for (const std::int64_t tile : {255 + 1, 2048, 4096, 1 << 13, 1 << 14}) {
    for (const std::int64_t by : {-1, 0, 1}) result.push_back(tile + by);
  }
  result.push_back(large_size);
  return result;
}

enum class shape {
  uniform,      ///< lengths 0 to 16
  all_empty,    ///< segments without a single item
  one_item,     ///< every segment has one
  one_giant,    ///< one segment holds half, the rest 0 to 4 each
  single,       ///< one segment holds everything
  power_law,    ///< length 2^k with probability 2^-k
  alternating,  ///< empty, long, empty, long, ...
  empty_ends,   ///< thousands of empty segments before and after the items
};

inline constexpr shape shapes[] = {shape::uniform,     shape::all_empty, shape::one_item,
                                   shape::one_giant,   shape::single,    shape::power_law,
                                   shape::alternating, shape::empty_ends};

inline std::ostream& operator<<(std::ostream& out, shape s) {
  constexpr const char* names[] = {"uniform", "all_empty", "one_item",    "one_giant",
                                   "single",  "power_law", "alternating", "empty_ends"};
  return out << names[static_cast<int>(s)];
}

/// The segments of data, without the data.
template <class Offset>
struct segments_of {
  std::int64_t count = 0;
  std::vector<Offset> offsets;

  std::int64_t num_segments() const { return static_cast<std::int64_t>(offsets.size()); }
  std::int64_t begin(std::int64_t s) const { return static_cast<std::int64_t>(offsets[s]); }
  std::int64_t end(std::int64_t s) const { return s + 1 < num_segments() ? begin(s + 1) : count; }
};

/// Segments of a shape with about `count` items (or `count` segments, if all are empty).
template <class Offset = int>
segments_of<Offset> make_segments(shape kind, std::int64_t count, std::uint64_t seed = 1) {
  const random_stream random(seed);
  segments_of<Offset> result;
  std::uint64_t draw = 0;
  const auto add = [&](std::int64_t length) {
    result.offsets.push_back(static_cast<Offset>(result.count));
    result.count += length;
  };
  const auto fill = [&](std::int64_t until, auto next_length) {
    while (result.count < until) {
      add(std::min<std::int64_t>(next_length(random.bits64(draw++)), until - result.count));
    }
  };
  switch (kind) {
    case shape::uniform:
      fill(count, [](std::uint64_t bits) { return bits % 17; });
      break;
    case shape::all_empty:
      for (std::int64_t s = 0; s < count; ++s) add(0);
      break;
    case shape::one_item:
      fill(count, [](std::uint64_t) { return 1; });
      break;
    case shape::one_giant:
      fill(count / 3, [](std::uint64_t bits) { return bits % 5; });
      add(count / 2);
      fill(count, [](std::uint64_t bits) { return bits % 5; });
      break;
    case shape::single:
      add(count);
      break;
    case shape::power_law:
      fill(count, [](std::uint64_t bits) { return (bits | 1u << 20) & -(bits | 1u << 20); });
      break;
    case shape::alternating:
      fill(count, [&](std::uint64_t) { return draw % 2 == 0 ? 0 : 3001; });
      break;
    case shape::empty_ends:
      for (int s = 0; s < 5000; ++s) add(0);
      fill(count, [](std::uint64_t bits) { return bits % 100; });
      for (int s = 0; s < 5000; ++s) add(0);
      break;
  }
  return result;
}

}  // namespace evenfold::testing
