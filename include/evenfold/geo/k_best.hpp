#pragma once
// k_best: the K best candidates seen, as a value that can be folded.
//
// Idea: a list of fixed length that stays in order is small enough for registers, and two of them
// merge into one; so "the K nearest" is a reduction like a sum, and whatever shares a reduction
// evenly shares it, too.

#include <cstdint>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// The K best candidates seen, best first: by haversine, then by position. Free entries come last.
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

  /// Moves a candidate up from the last place, which it takes. Always K steps, so that everything
  /// can stay in registers.
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

/// The K best of two such lists. Associative and commutative, as positions are unique.
struct merge_k_best {
  template <int K>
  EF_HD constexpr k_best<K> operator()(const k_best<K>& a, const k_best<K>& b) const {
    k_best<K> result = a;
    for (int i = 0; i < K; ++i) {
      // b is in order: what follows is worse still.
      if (!result.admits(b.haversine[i], b.position[i], K - 1)) break;
      result.insert(b.haversine[i], b.position[i]);
    }
    return result;
  }
};

template <int K>
inline constexpr bool is_commutative<merge_k_best, k_best<K>> = true;

}  // namespace evenfold
