#pragma once
// The function objects that `nearest` is composed of.

#include <cstddef>
#include <cstdint>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/geo/candidates.hpp"
#include "evenfold/geo/great_circle.hpp"
#include "evenfold/geo/k_best.hpp"

namespace evenfold::detail {

/// The positions [begin, end) of one group among the places sorted by group.
struct group_bounds {
  std::int32_t begin, end;
};

/// Whether a number is not the number of a group.
struct is_outside {
  std::int32_t num_groups;
  EF_HD constexpr bool operator()(std::int32_t group) const {
    return group < 0 || group >= num_groups;
  }
};

/// Writes the offset i of all groups that begin at position i of the sorted places.
struct write_group_offsets {
  const std::int32_t* groups;  ///< of the sorted places
  std::int32_t count, num_groups;
  std::int32_t* offsets;

  EF_HD void operator()(std::int64_t i) const {
    const std::int32_t from = i == 0 ? 0 : groups[i - 1] + 1;
    const std::int32_t to = i == count ? num_groups : groups[i] + 1;
    for (std::int32_t g = from; g < to; ++g) offsets[g] = static_cast<std::int32_t>(i);
  }
};

/// The positions of a group, from the offsets of all groups.
struct bounds_of_group {
  const std::int32_t* offsets;
  std::int32_t num_groups, count;

  EF_HD group_bounds operator()(std::int32_t g) const {
    return {offsets[g], g + 1 < num_groups ? offsets[g + 1] : count};
  }
};

/// Writes the coordinates of a place, in degrees and on the sphere, to its sorted position in six
/// consecutive arrays of `length` numbers.
struct place_on_sphere {
  const double* latitudes;
  const double* longitudes;
  const std::int32_t* rows;
  double* numbers;
  std::size_t length;

  EF_HD void operator()(std::int32_t i) const {
    const double latitude = latitudes[rows[i]];
    const double longitude = longitudes[rows[i]];
    const sphere_point point = to_sphere(latitude, longitude);
    double sine, cosine;
    sincos_degrees(latitude, sine, cosine);
    double* const to = numbers + i;
    to[0] = point.x;
    to[length] = point.y;
    to[2 * length] = point.z;
    to[3 * length] = latitude;
    to[4 * length] = longitude;
    to[5 * length] = cosine;
  }

  sorted_places places() const {
    return {numbers,
            numbers + length,
            numbers + 2 * length,
            numbers + 3 * length,
            numbers + 4 * length,
            numbers + 5 * length};
  }
};

/// The number of blocks of candidates of a place: none for the only place of a group.
struct blocks_of_place {
  const group_bounds* bounds;
  std::int32_t width;

  EF_HD std::int64_t operator()(std::int32_t i) const {
    const std::int32_t size = bounds[i].end - bounds[i].begin;
    return size == 1 ? 0 : (size - 1) / width + 1;
  }
};

/// The K nearest candidates of a block for the place that the block belongs to.
template <int K, int Lanes, std::int32_t Width>
struct best_of_blocks {
  sorted_places places;

  EF_HD k_best<K> operator()(std::int64_t, std::int32_t place, std::int64_t block,
                             const tuple<group_bounds, double, double, double>& cached) const {
    const group_bounds group = get<0>(cached);
    const std::int32_t first = group.begin + static_cast<std::int32_t>(block) * Width;
    const std::int32_t last = group.end - first > Width ? first + Width : group.end;
    const sphere_point here{get<1>(cached), get<2>(cached), get<3>(cached)};
    return best_of_block<K, Lanes>(places, place, here, first, last);
  }
};

/// Writes the rows of the neighbours of a place, the distances to them, and the largest distance.
template <int K>
struct write_neighbours {
  const k_best<K>* best;
  const std::int32_t* rows;
  sorted_places places;
  int k;
  double radius;
  std::int32_t* neighbours;
  double* distances;
  double* farthest;

  EF_HD void operator()(std::int32_t i) const {
    const std::size_t to = static_cast<std::size_t>(rows[i]) * static_cast<std::size_t>(k);
    farthest[i] = 0;
    for (int j = 0; j < k; ++j) {
      const std::int32_t other = best[i].position[j];
      if (other == k_best<K>::nobody) {
        neighbours[to + j] = -1;
        distances[to + j] = infinity_of<double>;
      } else {
        neighbours[to + j] = rows[other];
        distances[to + j] = radius * places.angle(i, other);
        farthest[i] = distances[to + j];
      }
    }
  }
};

}  // namespace evenfold::detail
