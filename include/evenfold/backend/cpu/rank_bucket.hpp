#pragma once
// Sorting one bucket of few values by number on one CPU thread: the rank of a value is how many
// numbers are smaller. Ranks are counted in vector registers, without a branch for a comparison.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/core/bucket_order.hpp"

namespace evenfold::cpu {

/// The numbers of a bucket of at most 128 values, and the ranks of these values.
class bucket_ranks {
 public:
  static constexpr int index_bits = 7;
  static constexpr std::size_t most = 1 << index_bits;

  /// Whether numbers below `limit` leave room for the position of a value behind them.
  template <std::integral Limit>
  static bool fits(Limit limit) {
    return std::cmp_less_equal(limit, (std::numeric_limits<key>::max() >> index_bits) + 1);
  }

  /// Calls write(k, v) for the values of a bucket, k from `first` on, in the stable order of their
  /// numbers.
  template <class Value, class F, class Limit, class Write>
  void write_sorted(const Value* values, std::size_t count, const number_order<F, Limit>& order,
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

 private:
  using key = std::int32_t;
  using vector = vector_of<key>;

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

  key keys_[most] = {};
  key ranks_[most];
};

}  // namespace evenfold::cpu
