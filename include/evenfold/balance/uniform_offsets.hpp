#pragma once
// The offsets of segments of equal length, which backends recognise.

#include <cstdint>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// Segment s begins at item s * length.
struct uniform_offsets {
  std::int64_t length;
  EF_HD constexpr std::int64_t operator[](std::int64_t segment) const { return segment * length; }
};

}  // namespace evenfold::detail
