#pragma once
// Philox4x32-10, a counter-based random number generator: the n-th number of a stream is a function
// of the seed and n alone, so every backend, number of threads and launch gets the same numbers.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

#include <cmath>
#include <concepts>
#include <cstdint>

#include "evenfold/core/config.hpp"
#include "evenfold/core/normal_quantile.hpp"

namespace evenfold {

/// Four 32-bit words.
struct philox_block {
  std::uint32_t word[4];
};

/// Philox4x32-10: ten rounds on a 128-bit counter with a 64-bit key; 20 multiplications.
EF_HD constexpr philox_block philox4x32(philox_block counter, std::uint64_t key) {
  std::uint32_t key0 = static_cast<std::uint32_t>(key);
  std::uint32_t key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0,
                static_cast<std::uint32_t>(product1),
                static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1,
                static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// A stream of random numbers that is read by index. A lambda captures a copy and reads number i.
class random_stream {
 public:
  EF_HD constexpr explicit random_stream(std::uint64_t seed) : seed_(seed) {}

  /// Words 4n to 4n + 3 of the stream, at the cost of one word.
  EF_HD constexpr philox_block block(std::uint64_t n) const {
    return philox4x32(
        {{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32), 0u, 0u}}, seed_);
  }

  /// Word i of the stream: uniform over all 2^32 values.
  EF_HD constexpr std::uint32_t bits32(std::uint64_t i) const { return block(i / 4).word[i % 4]; }

  /// Words 2i and 2i + 1 as one number: uniform over all 2^64 values.
  EF_HD constexpr std::uint64_t bits64(std::uint64_t i) const {
    const philox_block words = block(i / 2);
    const int at = static_cast<int>(i % 2) * 2;
    return std::uint64_t{words.word[at]} | std::uint64_t{words.word[at + 1]} << 32;
  }

  /// Uniform in [0, 1): 24 random bits for float, 53 for double; every value is exact.
  template <std::floating_point T>
  EF_HD constexpr T uniform(std::uint64_t i) const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return static_cast<T>(bits32(i) >> 8) * T(0x1p-24);
    } else {
      return static_cast<T>(bits64(i) >> 11) * T(0x1p-53);
    }
  }

  /// Standard normal: the quantile of a uniform number, with the same bits on every processor. The
  /// absolute value is below 8.3. Multiply by another deviation and add another mean.
  template <std::floating_point T>
  EF_HD T normal(std::uint64_t i) const {
    // The middle of one of 2^52 parts of (0, 1) is neither 0 nor 1.
    return static_cast<T>(
        detail::normal_quantile((static_cast<double>(bits64(i) >> 12) + 0.5) * 0x1p-52));
  }

  /// Uniform in [0, bound), bound > 0: the high half of a product, with a bias below bound / 2^64.
  EF_HD constexpr std::uint64_t below(std::uint64_t i, std::uint64_t bound) const {
    const std::uint64_t bits = bits64(i);
    const std::uint64_t low = (bits & 0xffffffffu) * (bound & 0xffffffffu);
    const std::uint64_t mid1 = (bits >> 32) * (bound & 0xffffffffu) + (low >> 32);
    const std::uint64_t mid2 = (bits & 0xffffffffu) * (bound >> 32) + (mid1 & 0xffffffffu);
    return (bits >> 32) * (bound >> 32) + (mid1 >> 32) + (mid2 >> 32);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace evenfold
