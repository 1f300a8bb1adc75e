// Processes with a GPU each, whose data NCCL moves.

#include "evenfold/distributed/nccl.cuh"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

template <>
std::shared_ptr<rank_communicator<cuda_context>> join_gpus(process_group& processes,
                                                           cuda_context& local) {
  return make_ranks<cuda_context, nccl_communicator<process_group>>(processes, local);
}

}  // namespace evenfold::runtime
