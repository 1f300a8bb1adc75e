// The functions for GPUs of a library that is built without CUDA. In a file of their own, so that a
// program can have others: that of the Python package looks for a library with CUDA at run time.

#include "runtime/engine.hpp"

namespace evenfold::runtime {

std::unique_ptr<engine> open_gpu(int, std::optional<void*>, stream_memory_resource*) {
  throw device_error("open_gpu: this library was built without CUDA, expected open_cpu()");
}
std::unique_ptr<engine> open_gpu_ranks(const std::vector<int>&) {
  throw device_error("open_gpu_ranks: this library was built without CUDA, expected open_cpu()");
}
int num_gpus() { return 0; }
bool knows_gpus() { return false; }

}  // namespace evenfold::runtime
