#pragma once
// The reference context: plain serial loops, in order, on the calling thread.

#include "evenfold/core/context.hpp"

namespace evenfold {

/// One worker that calls functions in order: the oracle of the tests, and the context in which a
/// user's lambda is easiest to debug. It also refuses offsets and positions that decrease, which
/// other contexts do not look for.
class reference_context : public host_context {
 public:
  static constexpr backend_traits traits{host_context::traits.shape,
                                         host_context::traits.queue_depth,
                                         host_context::traits.serial_items, true};

  using host_context::host_context;

  int threads() const { return 1; }

  /// The same context with the memory of a resource that outlives it, such as a workspace.
  reference_context with_memory(std::pmr::memory_resource& memory) const {
    reference_context other(&memory);
    other.check_arguments = check_arguments;
    return other;
  }
};

}  // namespace evenfold
