#pragma once
// A check of the offsets of segments.

#include <cstdint>
#include <string>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::runtime {

/// 1 where an offset is wrong.
struct is_bad_offset {
  const std::int64_t* offsets;
  std::int64_t num_segments, count;
  EF_HD std::int64_t operator()(std::int64_t s) const {
    if (s == 0 && offsets[0] != 0) return 1;
    if (s == num_segments) return offsets[s] == count ? 0 : 1;
    return offsets[s] <= offsets[s + 1] ? 0 : 1;
  }
};

/// Refuses offsets, one more than there are segments, that do not begin at 0, end at the number of
/// values, or decrease. Waits.
template <context Context>
void check_offsets(Context& ctx, const char* operation, const std::int64_t* offsets,
                   std::int64_t num_segments, std::int64_t count) {
  const std::int64_t faults =
      num_segments < 0
          ? 1
          : transform_reduce(ctx, num_segments + 1, is_bad_offset{offsets, num_segments, count},
                             plus{}, std::int64_t{0});
  if (faults > 0) {
    detail::refuse_argument(operation, "offsets",
                            "wrong at " + std::to_string(faults) + " positions",
                            "they begin at 0, never decrease, and end at the number of values, " +
                                std::to_string(count),
                            "pass one more offset than there are segments, as Arrow has them");
  }
}

}  // namespace evenfold::runtime
