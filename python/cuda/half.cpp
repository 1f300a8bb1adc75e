#include "python/cuda/half.hpp"

extern "C" {

__attribute__((visibility("default"))) int evenfold_num_gpus() {
  return evenfold::runtime::num_gpus();
}

__attribute__((visibility("default"))) evenfold::runtime::engine* evenfold_open_gpu(
    int index, std::optional<void*> stream) {
  return evenfold::runtime::open_gpu(index, stream).release();
}
}
