#pragma once
// Copies between arrays in host memory and pieces of them in the memory of a context: a trait of
// the context, which moves many bytes in both directions beside its own work.

#include <cstddef>
#include <cstring>
#include <span>

#include "evenfold/core/context.hpp"

namespace evenfold::detail {

/// Bytes that are copied from one place to another.
struct byte_copy {
  const void* from;
  void* to;
  std::size_t bytes;
};

/// - `host_copies(ctx, most_bytes)`: for moves of at most about `most_bytes` in one direction.
/// - `move(in, out)`: copies `in` from the host to the memory of the context, and `out` back.
///   Returns when all is copied. The work of the context may go on meanwhile if it uses none of
///   these places; what the copies need of it has been waited for.
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
