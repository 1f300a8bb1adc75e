// Processes with a GPU each, without NCCL: data pass through host memory.

#include "evenfold/distributed/staged.hpp"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

template <>
std::shared_ptr<rank_communicator<cuda_context>> join_gpus(process_group& processes,
                                                           cuda_context&) {
  return make_ranks<cuda_context, staged_communicator<process_group>>(processes);
}

}  // namespace evenfold::runtime
