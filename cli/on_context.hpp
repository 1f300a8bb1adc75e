#pragma once
// The context of a query, for the files *_query.cpp: of the backend that the file is compiled for.

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/contexts.hpp"

namespace evenfold::cli {

/// Opens the device and returns what work(ctx) returns.
template <class Work>
auto on_context(device where, [[maybe_unused]] int threads, [[maybe_unused]] const on_phase& begin,
                Work work) {
#if defined(__CUDACC__)
  begin("start GPU");
  cuda_context ctx(where.index);
  ctx.synchronize();
  return work(ctx);
#else
  if (where.on == device::kind::reference) {
    reference_context ctx;
    return work(ctx);
  }
  cpu_context ctx(threads);
  return work(ctx);
#endif
}

}  // namespace evenfold::cli
