#pragma once
// Launches of kernels whose blocks merge their spans (backend/cuda/device/merge_own_span.cuh).

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/merge_own_span.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"

namespace evenfold::device {

/// Whether each tile can have a block of such a kernel on the device at the same time.
template <class... Parameters>
bool fit_at_once(cuda_context& ctx, void (*kernel)(Parameters...), unsigned threads,
                 std::size_t shared_bytes, std::size_t tiles) {
  return tiles <= std::min<std::size_t>(span_words::most_spans,
                                        ctx.resident_blocks(kernel, threads, shared_bytes));
}

/// The words of one launch.
class span_row {
 public:
  span_row(cuda_context& ctx, std::size_t tiles) : flags_(ctx, 2 * tiles) {}
  span_words view() const { return {flags_.counters(), flags_.generation()}; }

 private:
  flag_row<std::uint64_t> flags_;
};

}  // namespace evenfold::device
