#pragma once
// The order in which a weighted histogram adds, for every backend.
//
// Items are cut into chunks of equal length, which depends on the number of items and of bins
// alone. In a chunk the weights of a bin are added to zero in the order of the items. The sums of
// the chunks are then folded in the canonical order (balance/fold_order.hpp), the initial value
// being zero.

#include <cstdint>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The length of a chunk: a power of two, large enough that the tables of the chunks are few and
/// take little memory beside the items.
EF_HD constexpr std::uint64_t weight_chunk_length(std::uint64_t count, std::uint32_t bins) {
  std::uint64_t length = 1 << 12;
  while (length / 16 < bins || length < count / 1024) length *= 2;
  return length;
}

}  // namespace evenfold::detail
