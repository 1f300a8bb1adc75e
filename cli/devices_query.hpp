#pragma once
// What can be found out about the devices of this machine.

#include <string>
#include <vector>

namespace evenfold::cli {

struct device_facts {
  /// What --device takes.
  std::string device;
  std::string backend;
  std::string name;
  /// Cores or multiprocessors.
  int workers = 0;
  double memory_bytes = 0;
  /// Bytes read and written, best of a few runs.
  double copy_bytes_per_second = 0;
};

namespace host_backend {
device_facts reference_facts();
device_facts cpu_facts(int threads);
}  // namespace host_backend

#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
/// 0 also where there is no driver.
int num_devices();
device_facts gpu_facts(int index);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
