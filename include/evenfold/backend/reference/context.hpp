#pragma once
// The reference context: plain serial loops, in order, on the calling thread.

#include "evenfold/core/context.hpp"

namespace evenfold {

/// One worker that calls functions in order: the oracle of the tests, and the context in which a
/// user's lambda is easiest to debug.
class reference_context : public host_context {
 public:
  using host_context::host_context;

  int threads() const { return 1; }
};

}  // namespace evenfold
