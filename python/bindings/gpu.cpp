// The functions of the runtime layer for GPUs: those of the CUDA half, a library beside this one,
// which is opened where it is there and a driver is.

#include <dlfcn.h>

#include <string>

#include "python/cuda/half.hpp"

namespace evenfold::runtime {

namespace {

/// The CUDA half, or null pointers.
struct cuda_half {
  decltype(&evenfold_num_gpus) num_gpus = nullptr;
  decltype(&evenfold_open_gpu) open_gpu = nullptr;

  cuda_half() {
    Dl_info here;
    if (dladdr(reinterpret_cast<const void*>(&runtime::num_gpus), &here) == 0) return;
    const std::string path = here.dli_fname;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    void* const library = dlopen((folder + "libevenfold_cuda.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    num_gpus = reinterpret_cast<decltype(num_gpus)>(dlsym(library, "evenfold_num_gpus"));
    open_gpu = reinterpret_cast<decltype(open_gpu)>(dlsym(library, "evenfold_open_gpu"));
  }
};

const cuda_half& half() {
  static const cuda_half opened;
  return opened;
}

}  // namespace

bool knows_gpus() { return half().num_gpus != nullptr; }

int num_gpus() { return knows_gpus() ? half().num_gpus() : 0; }

std::unique_ptr<engine> open_gpu(int index, std::optional<void*> stream,
                                 stream_memory_resource* memory) {
  if (!knows_gpus()) {
    throw device_error(
        "open_gpu: this package was built without CUDA, expected 'cpu' as the device");
  }
  if (memory != nullptr) throw device_error("open_gpu: memory of the caller is not supported here");
  return std::unique_ptr<engine>(half().open_gpu(index, stream));
}

}  // namespace evenfold::runtime
