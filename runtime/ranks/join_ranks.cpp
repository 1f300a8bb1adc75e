// The ranks that are processes. Compiled once per backend but the reference: see
// runtime/backend.hpp.

#include <algorithm>
#include <vector>

#include "evenfold/distributed/staged.hpp"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

namespace {

/// Whether each process has a GPU of its own.
bool have_own_gpus(process_group& processes, const device_number& own) {
  const std::vector<device_number> numbers = gather(processes, own);
  return std::all_of(numbers.begin(), numbers.end(), [&](const device_number& number) {
    return number != device_number{} && std::count(numbers.begin(), numbers.end(), number) == 1;
  });
}

}  // namespace

std::shared_ptr<rank_communicator<backend_context>> join_ranks(process_group& processes,
                                                               backend_context& local) {
  // Processes on the CPU ask as well, since others may have GPUs.
  const bool own_gpus = have_own_gpus(processes, number_of(local));
  if constexpr (backend_context::side == memory_side::device) {
    if (own_gpus) return join_gpus(processes, local);
  }
  static_cast<void>(own_gpus);
  return make_ranks<backend_context, staged_communicator<process_group>>(processes);
}

}  // namespace evenfold::runtime
