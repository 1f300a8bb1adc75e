#pragma once
// Comparisons that are not strict weak orders, and keys for them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "support/values.hpp"

namespace evenfold::testing {

EF_HD constexpr std::uint32_t mixed_bits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 31)) * 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(bits >> 32);
}

EF_HD inline std::uint32_t word_of(float key) { return detail::bit_cast<std::uint32_t>(key); }
EF_HD inline std::uint32_t word_of(const triple& key) { return static_cast<std::uint32_t>(key.x); }

enum class broken_answers {
  plain,   // `<`, which is no order of floats among which there is a NaN
  hashed,  // always the same answer for the same operands, but without an order
  random,  // an answer that changes from call to call
  always,
  never
};

EF_HD inline bool changing_answer() {
#if defined(__CUDA_ARCH__)
  return mixed_bits(static_cast<std::uint64_t>(clock64()) << 10 | threadIdx.x) % 2 == 0;
#else
  static thread_local std::uint64_t asked = 0;
  return mixed_bits(++asked) % 2 == 0;
#endif
}

/// A comparison of any of these kinds, which the library does not recognise, so that floats are not
/// sorted by radix. One type for all kinds is compiled in a fifth of the time.
struct broken_less {
  broken_answers kind;

  template <class T>
  EF_HD bool operator()(const T& a, const T& b) const {
    switch (kind) {
      case broken_answers::plain:
        return a < b;
      case broken_answers::hashed:
        return mixed_bits(std::uint64_t{word_of(a)} << 32 | word_of(b)) % 2 == 0;
      case broken_answers::random:
        return changing_answer();
      case broken_answers::always:
        return true;
      case broken_answers::never:
        break;
    }
    return false;
  }
};

/// Random keys; every seventh float is a NaN.
template <class Key>
std::vector<Key> make_keys(std::int64_t count, std::uint64_t seed) {
  if constexpr (std::is_same_v<Key, float>) {
    const random_stream random(seed);
    std::vector<float> keys;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t bits = random.bits32(static_cast<std::uint64_t>(i));
      keys.push_back(bits % 7 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                   : static_cast<float>(bits >> 8));
    }
    return keys;
  } else {
    return random_values<Key>(count, seed);
  }
}

/// Sorted keys, of which some were then replaced by NaN.
template <class Key>
std::vector<Key> make_run(std::int64_t count, std::uint64_t seed) {
  std::vector<Key> keys = make_keys<Key>(count, seed);
  if constexpr (std::is_same_v<Key, float>) {
    std::vector<float> numbers;
    for (const float key : keys) numbers.push_back(key != key ? 0x1p23f : key);
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = keys[i] != keys[i] ? keys[i] : numbers[i];
  }
  return keys;
}

}  // namespace evenfold::testing
