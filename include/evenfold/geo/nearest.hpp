#pragma once
// nearest: for each place, the k nearest other places of its group.
//
// Idea: sorted by group, the candidates of a place are an interval. Cut it into blocks of equal
// width, and a place is a segment of blocks: the load-balanced fold of the k best of each block
// shares the pairs evenly, though one group holds thousands of places and another one. The fold is
// in geo/k_best.hpp, the loop over a block in geo/candidates.hpp.

#include <cstddef>
#include <cstdint>
#include <string>

#include "evenfold/algorithm/interval_expand.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/geo/candidates.hpp"
#include "evenfold/geo/great_circle.hpp"
#include "evenfold/geo/k_best.hpp"

namespace evenfold {

/// The largest k of `nearest`.
inline constexpr int nearest_most = 16;

/// The places of one group, in the order by group: positions [begin, end).
struct group_bounds {
  std::int32_t begin, end;
};

/// The answer of `nearest` for n places and k neighbours each, in the memory of the context.
struct nearest_places {
  /// n x k, row-major: the rows of the neighbours of each place, nearest first; -1 where there are
  /// fewer.
  array<std::int32_t> neighbours;
  /// n x k, row-major: the distances to them; infinity where there are fewer.
  array<double> distances;
  /// n rows: group after group, in each ascending by the distance of the last neighbour there is
  /// (the k-th where there are k; 0 for a lonely place), ties in the order of the rows.
  array<std::int32_t> order;
  /// One a group: where it begins in `order`.
  array<std::int32_t> group_offsets;
};

/// A segment that holds everything.
struct one_segment {
  EF_HD constexpr std::int32_t operator[](int) const { return 0; }
};

/// `nearest` for k <= K, with the arguments checked.
template <int K, context Context>
static nearest_places nearest_up_to(Context& ctx, const double* latitudes, const double* longitudes,
                                    const std::int32_t* groups, std::int32_t count,
                                    std::int32_t num_groups, int k, double radius) {
  // Sort by group. Equal groups keep the order of their rows, so the lower position is the lower
  // row.
  array<std::int32_t> sorted_groups(ctx, count);
  array<std::int32_t> rows(ctx, count);
  copy(ctx, groups, count, sorted_groups.data());
  segmented_sort_indices(ctx, sorted_groups.data(), rows.data(), count, one_segment{}, 1, less{});

  nearest_places result{array<std::int32_t>(ctx, static_cast<std::size_t>(count) * k),
                        array<double>(ctx, static_cast<std::size_t>(count) * k),
                        array<std::int32_t>(ctx, count), array<std::int32_t>(ctx, num_groups)};

  // Where each group begins: at the first position whose group is not below it.
  const std::int32_t* const group_at = sorted_groups.data();
  std::int32_t* const group_offsets = result.group_offsets.data();
  transform(
      ctx, std::int64_t{count} + 1, EF_LAMBDA(std::int64_t i) {
        const std::int32_t from = i == 0 ? 0 : group_at[i - 1] + 1;
        const std::int32_t to = i == count ? num_groups : group_at[i] + 1;
        for (std::int32_t g = from; g < to; ++g) group_offsets[g] = static_cast<std::int32_t>(i);
      });

  // Each place's group.
  array<group_bounds> bounds(ctx, num_groups);
  array<group_bounds> bounds_of_places(ctx, count);
  group_bounds* const bounds_of_groups = bounds.data();
  transform(
      ctx, num_groups, EF_LAMBDA(std::int32_t g) {
        bounds_of_groups[g] = {group_offsets[g], g + 1 < num_groups ? group_offsets[g + 1] : count};
      });
  interval_expand(ctx, bounds.data(), count, group_offsets, num_groups, bounds_of_places.data());

  // Each place, in degrees and on the sphere.
  const auto length = static_cast<std::size_t>(count);
  array<double> numbers(ctx, 6 * length);
  double* const x = numbers.data();
  double* const y = x + length;
  double* const z = y + length;
  double* const latitude = z + length;
  double* const longitude = latitude + length;
  double* const cos_latitude = longitude + length;
  const std::int32_t* const row_at = rows.data();
  transform(
      ctx, count, EF_LAMBDA(std::int32_t i) {
        latitude[i] = latitudes[row_at[i]];
        longitude[i] = longitudes[row_at[i]];
        double sine;
        sincos_degrees(latitude[i], sine, cos_latitude[i]);
        const sphere_point point = to_sphere(latitude[i], longitude[i]);
        x[i] = point.x;
        y[i] = point.y;
        z[i] = point.z;
      });
  const sorted_places places{x, y, z, latitude, longitude, cos_latitude};

  // Each place's blocks of candidates. A lonely place has none.
  constexpr nearest_blocks blocks = nearest_blocks_for(Context::traits.shape);
  constexpr std::int32_t width = blocks.width;
  constexpr int lanes = blocks.lanes;
  array<std::int64_t> block_offsets(ctx, count);
  array<std::int64_t> num_blocks(ctx, 1);
  const group_bounds* const bounds_at = bounds_of_places.data();
  transform_scan<scan_kind::exclusive>(
      ctx, count,
      EF_LAMBDA(std::int32_t i) {
        const std::int32_t size = bounds_at[i].end - bounds_at[i].begin;
        return std::int64_t{size == 1 ? 0 : (size - 1) / width + 1};
      },
      block_offsets.data(), plus{}, std::int64_t{0}, num_blocks.data());
  const std::int64_t total = to_host(ctx, num_blocks)[0];

  // The k best of all blocks of each place.
  array<k_best<K>> best(ctx, count);
  lbs_segreduce(
      ctx, total,
      EF_LAMBDA(std::int64_t, std::int32_t place, std::int64_t block,
                const tuple<group_bounds, double, double, double>& cached) {
        const group_bounds group = get<0>(cached);
        const std::int32_t first = group.begin + static_cast<std::int32_t>(block) * width;
        const std::int32_t last = group.end - first > width ? first + width : group.end;
        const sphere_point here{get<1>(cached), get<2>(cached), get<3>(cached)};
        return best_of_block<K, lanes>(places, place, here, first, last);
      },
      block_offsets.data(), count, make_tuple(bounds_at, places.x, places.y, places.z), best.data(),
      merge_k_best{}, k_best<K>::none());

  // From positions to rows and distances.
  array<double> farthest(ctx, count);
  double* const farthest_at = farthest.data();
  const k_best<K>* const best_at = best.data();
  std::int32_t* const neighbours = result.neighbours.data();
  double* const distances = result.distances.data();
  transform(
      ctx, count, EF_LAMBDA(std::int32_t i) {
        const std::size_t to = static_cast<std::size_t>(row_at[i]) * static_cast<std::size_t>(k);
        farthest_at[i] = 0;
        for (int j = 0; j < k; ++j) {
          const std::int32_t other = best_at[i].position[j];
          if (other == k_best<K>::nobody) {
            neighbours[to + j] = -1;
            distances[to + j] = infinity_of<double>;
          } else {
            neighbours[to + j] = row_at[other];
            distances[to + j] = radius * places.angle(i, other);
            farthest_at[i] = distances[to + j];
          }
        }
      });

  // Each group in ascending order of the last distance.
  array<std::int32_t> positions(ctx, count);
  segmented_sort_indices(ctx, farthest_at, positions.data(), count, group_offsets, num_groups,
                         less{});
  const std::int32_t* const position_at = positions.data();
  std::int32_t* const order = result.order.data();
  transform(
      ctx, count, EF_LAMBDA(std::int32_t i) { order[i] = row_at[position_at[i]]; });
  return result;
}

/// For each place, the k nearest other places of its group by great-circle distance, ties to the
/// lower row: d(a, b) = 2 radius asin(sqrt(sin^2((lat_b - lat_a) / 2) + cos lat_a cos lat_b
/// sin^2((lon_b - lon_a) / 2))).
///
/// - `latitudes`, `longitudes`: `count` numbers in degrees, north and east positive.
/// - `groups`: `count` numbers from 0 to `num_groups` - 1, in any order; a group may be empty.
/// - `k`: 1 to `nearest_most`.
/// - `radius`: of the sphere, in the unit that distances shall have; see earth_radius_miles.
///
/// Work: the sum of the squares of the group sizes, at about 10 flops a pair, and O(count log
/// count); every worker gets the same number of blocks of candidates. Scratch: about 60 + 12 K
/// bytes a place, K being k rounded up to 1, 2, 3, 4, 8 or 16. Deterministic. Waits twice, for the
/// check of `groups` and for the number of blocks. Distances agree with the formula to about 1e-15
/// radius; which of two neighbours is nearer is decided to the same accuracy.
///
/// Errors: argument_error for k out of range, a negative count, a group out of range, pointers on
/// the wrong side; allocation_error.
///
/// Example: cli/nearest_query.cpp, the query of `evenfold nearest`.
/// Names elsewhere: scipy.spatial.KDTree(points).query(points, k + 1) without groups, on chords.
template <context Context>
static nearest_places nearest(Context& ctx, const double* latitudes, const double* longitudes,
                              const std::int32_t* groups, std::int32_t count,
                              std::int32_t num_groups, int k, double radius) {
  check_count("nearest", "count", count);
  check_count("nearest", "num_groups", num_groups);
  check_pointer(ctx, "nearest", "latitudes", latitudes, count);
  check_pointer(ctx, "nearest", "longitudes", longitudes, count);
  check_pointer(ctx, "nearest", "groups", groups, count);
  if (k < 1 || k > nearest_most) {
    refuse_argument("nearest", "k", k, "between 1 and 16 neighbours can be kept", "ask for fewer");
  }
  const std::int32_t strays = transform_reduce(
      ctx, count,
      EF_LAMBDA(std::int32_t i) {
        return groups[i] < 0 || groups[i] >= num_groups ? std::int32_t{1} : std::int32_t{0};
      },
      plus{}, std::int32_t{0});
  if (strays > 0) {
    refuse_argument("nearest", "groups", std::to_string(strays) + " times out of range",
                    "groups are numbered from 0 to " + std::to_string(num_groups - 1),
                    "number them with encode(), or pass the right num_groups");
  }
  if (k == 1)
    return nearest_up_to<1>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
  if (k == 2)
    return nearest_up_to<2>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
  if (k == 3)
    return nearest_up_to<3>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
  if (k == 4)
    return nearest_up_to<4>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
  if (k <= 8)
    return nearest_up_to<8>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
  return nearest_up_to<16>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius);
}

}  // namespace evenfold
