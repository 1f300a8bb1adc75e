#pragma once
// The order of additions in a weighted histogram, which is the same on every backend.
//
// Items are cut into chunks of equal length, which depends only on the numbers of items and of
// bins. In each chunk the weights of a bin are added to zero in the order of the items. The sums of
// the chunks are folded in the canonical order (balance/fold_order.hpp) with the initial value
// zero.

#include <cstdint>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The length of a chunk: a power of two, so large that the tables of the chunks take little memory
/// compared with the items.
EF_HD constexpr std::uint64_t weight_chunk_length(std::uint64_t count, std::uint32_t bins) {
  std::uint64_t length = 1 << 12;
  while (length / 16 < bins || length < count / 1024) length *= 2;
  return length;
}

/// Where a backend writes the sums of chunks, in an array of `size` elements: that of a bin in a
/// chunk at chunk * of_chunk + bin * of_bin.
struct weight_layout {
  std::uint64_t of_chunk, of_bin, size;
};

}  // namespace evenfold::detail
