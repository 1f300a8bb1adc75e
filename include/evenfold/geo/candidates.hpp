#pragma once
// The inner loop of `nearest`: the k nearest candidates of one block for one place.
//
// Idea: a chord is cheap to compute, the haversine formula is not. Squared chords, several at a
// time, rule out the candidates that are certainly farther than the k-th best so far; the formula
// decides about the others (geo/great_circle.hpp). The bound on the chord allows for rounding, so
// the answer is exactly that of the formula.

#include <cmath>
#include <cstdint>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/geo/great_circle.hpp"
#include "evenfold/geo/k_best.hpp"

namespace evenfold::detail {

/// The places sorted by group, one array per coordinate.
struct sorted_places {
  const double* x;
  const double* y;
  const double* z;
  const double* latitude;
  const double* longitude;
  const double* cos_latitude;

  EF_HD sphere_point point(std::int32_t i) const { return {x[i], y[i], z[i]}; }
  EF_HD double haversine(std::int32_t i, std::int32_t j) const {
    return evenfold::haversine(latitude[i], longitude[i], cos_latitude[i], latitude[j],
                               longitude[j], cos_latitude[j]);
  }
  EF_HD double angle(std::int32_t i, std::int32_t j) const {
    return great_circle_angle(latitude[i], longitude[i], cos_latitude[i], latitude[j], longitude[j],
                              cos_latitude[j]);
  }
};

/// An upper bound of the squared chord of all pairs whose haversine is at most h. It includes
/// rounding: both ends of a chord are known to less than 2^-51.
EF_HD inline double chord_bound(double h) {
  const double chord = 2 * std::sqrt(h) + 1e-14;
  return chord * chord;
}

/// The candidates per block, which is one item of the load-balanced fold, and the number of chords
/// computed before the first is compared. A wide block finds good candidates early and rules out
/// the rest quickly; narrow blocks share the work of few places among many workers. Measured on
/// 29,510 places in 52 groups: on one CPU core, 1024 by 16 took half as long as 512 by 16; on an
/// H200, 64 by 4 took 0.88 ms for the whole query, 16 by 4 and 128 by 8 took 0.98 ms.
struct nearest_blocks {
  std::int32_t width, lanes;
};
constexpr nearest_blocks nearest_blocks_for(work_shape shape) {
  return shape == work_shape::runs ? nearest_blocks{1024, 16} : nearest_blocks{64, 4};
}

/// Inserts a candidate into the list if it belongs there, and returns the bound on later chords.
template <int K>
EF_HD inline double consider(k_best<K>& best, double bound, sorted_places places, std::int32_t self,
                             std::int32_t candidate) {
  if (candidate == self) return bound;
  const double h = places.haversine(self, candidate);
  if (!best.admits(h, candidate, K - 1)) return bound;
  best.insert(h, candidate);
  return chord_bound(best.haversine[K - 1]);
}

/// The K nearest of the candidates [first, last) for the place at position `self`, which lies at
/// `here` and is not its own neighbour.
template <int K, int Lanes>
EF_HD inline k_best<K> best_of_block(sorted_places places, std::int32_t self, sphere_point here,
                                     std::int32_t first, std::int32_t last) {
  k_best<K> best = k_best<K>::none();
  double bound = infinity_of<double>;
  std::int32_t at = first;
  for (; at + Lanes <= last; at += Lanes) {
    // Both loops become vector instructions on a host.
    double chord[Lanes];
    for (int i = 0; i < Lanes; ++i) chord[i] = squared_chord(here, places.point(at + i));
    std::int64_t good = 0;
    for (int i = 0; i < Lanes; ++i) good += chord[i] <= bound ? 1 : 0;
    if (good == 0) continue;
    for (int i = 0; i < Lanes; ++i) {
      if (chord[i] <= bound) bound = consider(best, bound, places, self, at + i);
    }
  }
  for (; at < last; ++at) {
    if (squared_chord(here, places.point(at)) <= bound) {
      bound = consider(best, bound, places, self, at);
    }
  }
  return best;
}

}  // namespace evenfold::detail
