#pragma once
// nearest: for each place, the k nearest other places of its group.
//
// Idea: in places sorted by group, the candidates of a place are an interval. The interval is cut
// into blocks of equal width, and each place is a segment of blocks: a load-balanced segmented
// reduction over blocks shares the pairs evenly, whether a group holds thousands of places or one.
// The reduction is in geo/k_best.hpp, the loop over a block in geo/candidates.hpp.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/interval_expand.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/geo/candidates.hpp"
#include "evenfold/geo/great_circle.hpp"
#include "evenfold/geo/k_best.hpp"
#include "evenfold/geo/nearest_parts.hpp"

namespace evenfold {

/// The largest k of `nearest`.
inline constexpr int nearest_max_k = 16;

/// The result of `nearest` for n places and k neighbours each, in the memory of the context.
struct nearest_places {
  /// n x k, row-major: the rows of the neighbours of each place, nearest first; -1 where a place
  /// has fewer than k.
  array<std::int32_t> neighbours;
  /// n x k, row-major: the distances to these neighbours; infinity where a place has fewer than k.
  array<double> distances;
  /// n rows, group after group. Within a group they ascend by the distance of the last neighbour
  /// (the k-th where there are k; 0 where there is none), and ties keep the order of the rows.
  array<std::int32_t> order;
  /// The index in `order` at which each group begins.
  array<std::int32_t> group_offsets;
};

namespace detail {

/// The blocks of candidates of places that are sorted by group: those of place i begin at
/// offsets[i], and there are `total` of all places.
template <context Context>
struct blocks_of_places {
  static constexpr nearest_blocks shape = nearest_blocks_for(Context::traits.shape);
  sorted_places places;
  const group_bounds* bounds;
  const std::int64_t* offsets;
  std::int64_t total;
};

/// The K best of all blocks per place, on one context.
struct best_on_one_context {
  template <int K, context Context>
  array<k_best<K>> find(Context& ctx, const blocks_of_places<Context>& blocks,
                        std::int32_t count) const {
    constexpr nearest_blocks shape = blocks_of_places<Context>::shape;
    const sorted_places& places = blocks.places;
    array<k_best<K>> best(ctx, count);
    lbs_segreduce(ctx, blocks.total, best_of_blocks<K, shape.lanes, shape.width>{places},
                  blocks.offsets, count, make_tuple(blocks.bounds, places.x, places.y, places.z),
                  best.data(), merge_k_best{}, k_best<K>::none());
    return best;
  }
};

/// `nearest` for k <= K, whose arguments have been checked. `search` finds the best of all places.
template <int K, context Context, class Search>
nearest_places nearest_up_to(Context& ctx, const double* latitudes, const double* longitudes,
                             const std::int32_t* groups, std::int32_t count,
                             std::int32_t num_groups, int k, double radius, const Search& search) {
  // Sort by group. The places of a group keep the order of their rows, so the lower of two
  // positions is the lower row.
  array<std::int32_t> sorted_groups(ctx, count);
  array<std::int32_t> rows(ctx, count);
  copy(ctx, groups, count, sorted_groups.data());
  segmented_sort_indices(ctx, sorted_groups.data(), rows.data(), count, one_segment{}, 1, less{});

  nearest_places result{array<std::int32_t>(ctx, static_cast<std::size_t>(count) * k),
                        array<double>(ctx, static_cast<std::size_t>(count) * k),
                        array<std::int32_t>(ctx, count), array<std::int32_t>(ctx, num_groups)};

  // Each group begins at the first position whose group is not below it.
  std::int32_t* const group_offsets = result.group_offsets.data();
  transform(ctx, std::int64_t{count} + 1,
            write_group_offsets{sorted_groups.data(), count, num_groups, group_offsets});

  // The bounds of the group of each place.
  array<group_bounds> bounds(ctx, num_groups);
  array<group_bounds> bounds_of_places(ctx, count);
  transform(ctx, num_groups,
            write_result{bounds_of_group{group_offsets, num_groups, count}, bounds.data()});
  interval_expand(ctx, bounds.data(), count, group_offsets, num_groups, bounds_of_places.data());

  // The coordinates of each place, in degrees and on the sphere.
  const auto length = static_cast<std::size_t>(count);
  array<double> numbers(ctx, 6 * length);
  const place_on_sphere make_places{latitudes, longitudes, rows.data(), numbers.data(), length};
  transform(ctx, count, make_places);
  const sorted_places places = make_places.places();

  // The number of blocks of each place, and where its blocks begin.
  constexpr nearest_blocks shape = blocks_of_places<Context>::shape;
  array<std::int64_t> block_offsets(ctx, count);
  array<std::int64_t> num_blocks(ctx, 1);
  const group_bounds* const bounds_at = bounds_of_places.data();
  transform_scan<scan_kind::exclusive>(ctx, count, blocks_of_place{bounds_at, shape.width},
                                       block_offsets.data(), plus{}, std::int64_t{0},
                                       num_blocks.data());
  const std::int64_t total = to_host(ctx, num_blocks)[0];

  const array<k_best<K>> best = search.template find<K>(
      ctx, blocks_of_places<Context>{places, bounds_at, block_offsets.data(), total}, count);

  // Positions become rows and distances.
  array<double> farthest(ctx, count);
  transform(
      ctx, count,
      write_neighbours<K>{best.data(), rows.data(), places, k, radius, result.neighbours.data(),
                          result.distances.data(), farthest.data()});

  // Each group is sorted by the distance of the last neighbour.
  array<std::int32_t> positions(ctx, count);
  segmented_sort_indices(ctx, farthest.data(), positions.data(), count, group_offsets, num_groups,
                         less{});
  transform(ctx, count,
            write_result{gathered_element{rows.data(), positions.data()}, result.order.data()});
  return result;
}

/// `nearest` whose pointers have been checked.
template <context Context, class Search>
nearest_places nearest_by(Context& ctx, const double* latitudes, const double* longitudes,
                          const std::int32_t* groups, std::int32_t count, std::int32_t num_groups,
                          int k, double radius, const Search& search) {
  if (k < 1 || k > nearest_max_k) {
    refuse_argument("nearest", "k", k, "between 1 and 16 neighbours can be kept", "ask for fewer");
  }
  const std::int32_t strays = transform_reduce(
      ctx, count, elementwise(is_outside{num_groups}, groups), plus{}, std::int32_t{0});
  if (strays > 0) {
    refuse_argument("nearest", "groups", std::to_string(strays) + " times out of range",
                    "groups are numbered from 0 to " + std::to_string(num_groups - 1),
                    "number them with encode(), or pass the right num_groups");
  }
  const auto up_to = [&]<int K>(std::integral_constant<int, K>) {
    return nearest_up_to<K>(ctx, latitudes, longitudes, groups, count, num_groups, k, radius,
                            search);
  };
  if (k == 1) return up_to(std::integral_constant<int, 1>());
  if (k == 2) return up_to(std::integral_constant<int, 2>());
  if (k == 3) return up_to(std::integral_constant<int, 3>());
  if (k == 4) return up_to(std::integral_constant<int, 4>());
  if (k <= 8) return up_to(std::integral_constant<int, 8>());
  return up_to(std::integral_constant<int, 16>());
}

}  // namespace detail

/// For each place, the k nearest other places of its group by great-circle distance,
/// d(a, b) = 2 radius asin(sqrt(sin^2((lat_b - lat_a) / 2) + cos lat_a cos lat_b
/// sin^2((lon_b - lon_a) / 2))). Of equally distant places the one with the lower row comes first.
///
/// - `latitudes`, `longitudes`: `count` numbers in degrees, north and east positive.
/// - `groups`: `count` numbers from 0 to `num_groups` - 1, in any order; a group may be empty.
/// - `k`: 1 to `nearest_max_k`.
/// - `radius`: the radius of the sphere, in the unit of the distances; see earth_radius_miles.
///
/// Work: the sum of the squares of the group sizes, at about 10 flops per pair, and O(count log
/// count); every worker gets the same number of blocks of candidates. Scratch: about 60 + 12 K
/// bytes per place, where K is k rounded up to 1, 2, 3, 4, 8 or 16. Deterministic, with the same
/// bits on every backend and machine. Waits twice, for the check of `groups` and for the number of
/// blocks. Distances agree with the formula to about 1e-15 radius; which of two neighbours is
/// nearer is decided to the same accuracy.
///
/// Errors: argument_error for k out of range, a negative count, a group out of range, pointers on
/// the wrong side; allocation_error.
///
/// Example: runtime/places.cpp, which the command `evenfold nearest` runs.
/// Names elsewhere: scipy.spatial.KDTree(points).query(points, k + 1) without groups, on chords.
template <context Context>
nearest_places nearest(Context& ctx, const double* latitudes, const double* longitudes,
                       const std::int32_t* groups, std::int32_t count, std::int32_t num_groups,
                       int k, double radius) {
  detail::check_count("nearest", "count", count);
  detail::check_count("nearest", "num_groups", num_groups);
  detail::check_pointer(ctx, "nearest", "latitudes", latitudes, count);
  detail::check_pointer(ctx, "nearest", "longitudes", longitudes, count);
  detail::check_pointer(ctx, "nearest", "groups", groups, count);
  return detail::nearest_by(ctx, latitudes, longitudes, groups, count, num_groups, k, radius,
                            detail::best_on_one_context{});
}

}  // namespace evenfold
