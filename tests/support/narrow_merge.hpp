#pragma once
// A tuning of merges with which small inputs have many tiles.

#include <cstddef>

namespace evenfold::testing {

/// Tiles of 96 elements. On a GPU, a kernel of its own finds where they begin, as in merges of many
/// elements: blocks of one warp cannot search for both of their ends.
struct narrow_merge {
  static constexpr int threads = 32;
  static constexpr int items = 3;
  static constexpr std::size_t tile = 96;
};

}  // namespace evenfold::testing
