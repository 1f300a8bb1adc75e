#pragma once
// k_best: the K best candidates so far, as a value that can be reduced.
//
// Idea: a sorted list of fixed length fits in registers, and two of them merge into one. Finding
// the K nearest is thus a reduction like a sum, and is balanced like any other reduction.

#include <cstdint>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

namespace detail {

/// The K best candidates so far, best first: by haversine, then by position. Unused entries come
/// last.
template <int K>
struct k_best {
  static constexpr std::int32_t nobody = largest_number<std::int32_t>;

  double haversine[K];
  std::int32_t position[K];

  EF_HD static constexpr k_best none() {
    k_best result{};
    for (int i = 0; i < K; ++i) {
      result.haversine[i] = infinity_of<double>;
      result.position[i] = nobody;
    }
    return result;
  }

  /// Whether a candidate would come before entry i.
  EF_HD constexpr bool admits(double h, std::int32_t p, int i) const {
    return h < haversine[i] || (h == haversine[i] && p < position[i]);
  }

  /// Replaces the last entry by a candidate and moves it up. Always takes K steps, so that all
  /// entries can stay in registers.
  EF_HD constexpr void insert(double h, std::int32_t p) {
    haversine[K - 1] = h;
    position[K - 1] = p;
    for (int i = K - 1; i > 0; --i) {
      const bool up = admits(haversine[i], position[i], i - 1);
      const double upper = up ? haversine[i] : haversine[i - 1];
      const double lower = up ? haversine[i - 1] : haversine[i];
      const std::int32_t upper_position = up ? position[i] : position[i - 1];
      const std::int32_t lower_position = up ? position[i - 1] : position[i];
      haversine[i - 1] = upper;
      haversine[i] = lower;
      position[i - 1] = upper_position;
      position[i] = lower_position;
    }
  }
};

/// The K best of two lists. Associative and commutative, as positions are unique.
struct merge_k_best {
  template <int K>
  EF_HD constexpr k_best<K> operator()(const k_best<K>& a, const k_best<K>& b) const {
    k_best<K> result = a;
    for (int i = 0; i < K; ++i) {
      // b is sorted: all further entries are worse.
      if (!result.admits(b.haversine[i], b.position[i], K - 1)) break;
      result.insert(b.haversine[i], b.position[i]);
    }
    return result;
  }
};

}  // namespace detail

template <int K>
inline constexpr bool is_commutative<detail::merge_k_best, detail::k_best<K>> = true;
template <int K>
inline constexpr bool detail::is_exact_fold<detail::merge_k_best, detail::k_best<K>> = true;

}  // namespace evenfold
