#pragma once
// Operations on places on the globe: `engine::places()`.

#include <cstdint>

#include "evenfold/geo/great_circle.hpp"
#include "runtime/array.hpp"

namespace evenfold::runtime {

/// As evenfold::nearest_places: int32, float64, int32 and int32.
struct nearest_result {
  array neighbours, distances, order, group_offsets;
};

/// Arrays are where the engine can reach them. Errors of all: type_error, closed_engine_error,
/// argument_error for an array that the engine cannot reach or sizes that differ, allocation_error.
class place_operations {
 public:
  virtual ~place_operations() = default;

  /// For each place the k nearest other places of its group: evenfold::nearest. Latitudes and
  /// longitudes are float64 in degrees, groups int32 from 0 to num_groups - 1; distances have the
  /// unit of the radius. Waits.
  virtual nearest_result nearest(const array& latitudes, const array& longitudes,
                                 const array& groups, std::int32_t num_groups, int k,
                                 double radius) = 0;
};

}  // namespace evenfold::runtime
