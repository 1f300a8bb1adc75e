// Measures the devices. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/devices_query.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cli {

namespace {

/// Copies `count` doubles with `transform` and gives the bytes moved per second in the best of six
/// runs.
template <context Context>
double copy_bandwidth(Context& ctx, std::size_t count) {
  array<double> source(ctx, count);
  array<double> target(ctx, count);
  double* const from = source.data();
  double* const to = target.data();
  transform(
      ctx, count, EF_LAMBDA(std::size_t i) { from[i] = static_cast<double>(i); });
  ctx.synchronize();
  double best = 0;
  for (int run = 0; run < 6; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    transform(
        ctx, count, EF_LAMBDA(std::size_t i) { to[i] = from[i]; });
    ctx.synchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2 * static_cast<double>(count * sizeof(double)) / seconds.count());
  }
  return best;
}

}  // namespace

#if defined(__CUDACC__)

namespace gpu_backend {

int num_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

device_facts gpu_facts(int index) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  cuda_context ctx(index);
  device_facts facts;
  facts.device = "gpu:" + std::to_string(index);
  facts.backend = "CUDA";
  facts.name = properties.name;
  facts.workers = properties.multiProcessorCount;
  facts.memory_bytes = static_cast<double>(properties.totalGlobalMem);
  // A GiB each way, or less where that would crowd a small device.
  const std::size_t bytes =
      std::min<std::size_t>(std::size_t{1} << 30, properties.totalGlobalMem / 8);
  facts.copy_bytes_per_second = copy_bandwidth(ctx, bytes / sizeof(double));
  return facts;
}

}  // namespace gpu_backend

#else

namespace host_backend {

namespace {

constexpr std::size_t copied_doubles = std::size_t{1} << 24;

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

device_facts host_facts(const std::string& device, const std::string& backend) {
  device_facts facts;
  facts.device = device;
  facts.backend = backend;
  facts.name = processor_name();
  facts.workers = 1;
  facts.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return facts;
}

}  // namespace

device_facts reference_facts() {
  reference_context ctx;
  device_facts facts = host_facts("reference", "serial");
  facts.copy_bytes_per_second = copy_bandwidth(ctx, copied_doubles);
  return facts;
}

device_facts cpu_facts(int threads) {
  cpu_context ctx(threads);
  device_facts facts = host_facts("cpu", "OpenMP");
  facts.workers = ctx.threads();
  facts.copy_bytes_per_second = copy_bandwidth(ctx, copied_doubles);
  return facts;
}

}  // namespace host_backend

#endif

}  // namespace evenfold::cli
