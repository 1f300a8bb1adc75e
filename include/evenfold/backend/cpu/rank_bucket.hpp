#pragma once
// Sorting one bucket by number on one CPU thread. Up to 64 values are ranked: the rank of a value
// is how many numbers are smaller, which is counted in vector registers, without a branch for a
// comparison. More values are sorted by digits of few bits, whose counters are soon cleared.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/bucket_order.hpp"

namespace evenfold::cpu {

/// What is known of the values of a bucket: their numbers and ranks, or how many have each digit.
class bucket_numbers {
 public:
  static constexpr int index_bits = 6;
  static constexpr std::size_t most_ranked = 1 << index_bits;

  /// Whether numbers below `limit` leave room for the position of a value behind them.
  template <std::integral Limit>
  static bool fits(Limit limit) {
    return std::cmp_less_equal(limit, (std::numeric_limits<key>::max() >> index_bits) + 1);
  }

  /// Calls write(k, v) for the values of a bucket, k from `first` on, in the stable order of their
  /// numbers. `values` and `other`, which has space for more than 64 values, are overwritten.
  template <class Value, class F, class Limit, class Write>
  void write_sorted(Value* values, Value* other, std::size_t count,
                    const number_order<F, Limit>& order, std::size_t first, const Write& write) {
    if (count <= most_ranked) {
      write_ranked(values, count, order, first, write);
    } else {
      write_by_digits(values, other, count, order, first, write);
    }
  }

 private:
  using key = std::int32_t;
  using vector = vector_of<key>;
  static constexpr int most_digit_bits = 9;
  static constexpr int most_digits = detail::ceil_div(31 - index_bits, most_digit_bits);

  template <class Value, class F, class Limit, class Write>
  void write_ranked(const Value* values, std::size_t count, const number_order<F, Limit>& order,
                    std::size_t first, const Write& write) {
    bool ascends = true;
    key before = 0;
    for (std::size_t k = 0; k < count; ++k) {
      // Different for all values.
      keys_[k] = static_cast<key>(order.number(values[k])) << index_bits | static_cast<key>(k);
      ascends &= before <= keys_[k];
      before = keys_[k];
    }
    if (ascends) {
      for (std::size_t k = 0; k < count; ++k) write(first + k, values[k]);
      return;
    }
    if (count <= 8) {
      rank<2>(0, count);
    } else {
      for (std::size_t from = 0; from < count; from += 16) rank<4>(from, count);
    }
    for (std::size_t k = 0; k < count; ++k)
      write(first + static_cast<std::size_t>(ranks_[k]), values[k]);
  }

  template <class Value, class F, class Limit, class Write>
  void write_by_digits(Value* values, Value* other, std::size_t count,
                       const number_order<F, Limit>& order, std::size_t first, const Write& write) {
    const auto number = [&](const Value& v) { return static_cast<std::uint32_t>(order.number(v)); };
    const int bits =
        std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(order.limit) - 1)));
    const int digits = detail::ceil_div(bits, most_digit_bits);
    const int width = detail::ceil_div(bits, digits);
    const std::uint32_t mask = (1u << width) - 1;
    for (int d = 0; d < digits; ++d) std::fill_n(positions_[d], mask + 1, 0u);
    for (std::size_t k = 0; k < count; ++k) {
      for (int d = 0; d < digits; ++d) ++positions_[d][number(values[k]) >> (d * width) & mask];
    }
    for (int d = 0; d < digits; ++d) {
      std::uint32_t* const position = positions_[d];
      std::exclusive_scan(position, position + mask + 1, position, 0u);
      const auto next = [&](const Value& v) { return position[number(v) >> (d * width) & mask]++; };
      if (d == digits - 1) {
        for (std::size_t k = 0; k < count; ++k) write(first + next(values[k]), values[k]);
      } else {
        for (std::size_t k = 0; k < count; ++k)
          std::construct_at(other + next(values[k]), values[k]);
        std::swap(values, other);
      }
    }
  }

  /// Ranks as many values as so many vectors have lanes. Those behind the last one are of no use.
  template <int Vectors>
  void rank(std::size_t from, std::size_t count) {
    vector own[Vectors];
    vector smaller[Vectors] = {};
    std::memcpy(own, keys_ + from, sizeof(own));
    for (std::size_t k = 0; k < count; ++k) {
      const vector other = in_all_lanes(keys_[k]);
      // A comparison that holds is -1.
      for (int v = 0; v < Vectors; ++v) smaller[v] -= other < own[v];
    }
    std::memcpy(ranks_ + from, smaller, sizeof(smaller));
  }

  key keys_[most_ranked] = {};
  key ranks_[most_ranked];
  std::uint32_t positions_[most_digits][1 << most_digit_bits];
};

}  // namespace evenfold::cpu
