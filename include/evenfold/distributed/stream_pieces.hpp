#pragma once
// A pipeline of pieces of arrays in host memory through the memory of a context: while the context
// works on one piece, the next piece is copied to it, and the results of the previous one are
// copied back.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/detail/host_copies.hpp"

namespace evenfold::detail {

using byte_copies = std::vector<byte_copy>;

template <class T>
byte_copy copy_of(const T* from, std::uint64_t count, T* to) {
  return {from, to, static_cast<std::size_t>(count) * sizeof(T)};
}

/// Calls work(k) for each piece, with the copies in(k) before and out(k) after it. in(k + 1) and
/// out(k - 1) are copied while the work that work(k) has submitted runs, and finish(k) is called
/// after that. Consecutive pieces use different buffers.
template <class Context, class In, class Work, class Finish, class Out>
void stream_pieces(Context& ctx, host_copies<Context>& copies, std::size_t pieces, In in, Work work,
                   Finish finish, Out out) {
  if (pieces == 0) return;
  ctx.synchronize();  // the buffers are allocated
  copies.move(in(0), {});
  for (std::size_t k = 0; k < pieces; ++k) {
    work(k);
    copies.move(k + 1 < pieces ? in(k + 1) : byte_copies(), k > 0 ? out(k - 1) : byte_copies());
    finish(k);
    ctx.synchronize();
  }
  copies.move({}, out(pieces - 1));
}

}  // namespace evenfold::detail
