#pragma once
// Copies between host memory and the memory of a context, in both directions at once and while the
// context works. The class is specialised for contexts in device memory.

#include <cstddef>
#include <cstring>
#include <span>

#include "evenfold/core/context.hpp"

namespace evenfold::detail {

/// A copy of bytes between two addresses.
struct byte_copy {
  const void* from;
  void* to;
  std::size_t bytes;
};

/// - `host_copies(ctx, most_bytes)`: for moves of at most about `most_bytes` in one direction.
/// - `move(in, out)`: copies `in` from the host to the memory of the context, and `out` back.
///   Returns when all copies are complete. The context may work meanwhile on other addresses; work
///   that the copies depend on must be complete before the call.
template <context Context>
class host_copies {
 public:
  host_copies(Context&, std::size_t) {}

  void move(std::span<const byte_copy> in, std::span<const byte_copy> out) {
    for (const std::span<const byte_copy> copies : {in, out}) {
      for (const byte_copy& one : copies) {
        if (one.bytes > 0) std::memcpy(one.to, one.from, one.bytes);
      }
    }
  }
};

}  // namespace evenfold::detail
