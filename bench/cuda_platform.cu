// Measurements on the GPU: time by events, bandwidth by a device-to-device copy.

#include "bench/cuda_platform.cuh"

#include <algorithm>
#include <fstream>
#include <string>

#include "bench/cuda_timer.cuh"

namespace bench {
namespace {

evenfold::cuda_context* opened_context = nullptr;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The release number of the driver if the system reports it, else the CUDA version that it
/// supports.
std::string driver_text() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') < word.size()) {
      return word;
    }
  }
  int version = 0;
  evenfold::device::check_cuda(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return "for CUDA " + version_text(version);
}

class cuda_platform final : public platform {
 public:
  cuda_platform() {
    opened_context = &ctx_;
    evenfold::device::check_cuda(cudaGetDeviceProperties(&properties_, ctx_.device()),
                                 "cudaGetDeviceProperties");
  }

  std::string device() override { return properties_.name; }

  std::vector<std::pair<std::string, std::string>> facts() override {
    int runtime = 0;
    evenfold::device::check_cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    return {{"multiprocessors", std::to_string(properties_.multiProcessorCount)},
            {"driver", driver_text()},
            {"cuda", version_text(runtime)},
            {"cub", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) +
                        "." + std::to_string(CUB_SUBMINOR_VERSION)}};
  }

  const char* bandwidth_name() override { return "copy"; }

  double bandwidth_gbs() override {
    constexpr std::int64_t bytes = std::int64_t{1} << 30;
    const auto from = device_array<unsigned char>(bytes);
    auto to = device_array<unsigned char>(bytes);
    event_timer clock(ctx_.stream());
    for (int i = 0; i < 23; ++i) {
      if (i >= 3) clock.begin();
      evenfold::copy(ctx_, from.data(), bytes, to.data());
      if (i >= 3) clock.end();
    }
    std::vector<double> times = clock.collect_ms();
    std::nth_element(times.begin(), times.begin() + 10, times.end());
    return 2.0 * static_cast<double>(bytes) / times[10] * 1e-6;
  }

  std::unique_ptr<timer> make_timer() override {
    return std::make_unique<event_timer>(ctx_.stream());
  }

  bool published_here() override { return device() == "NVIDIA H100 80GB HBM3"; }

 private:
  evenfold::cuda_context ctx_;
  cudaDeviceProp properties_{};
};

}  // namespace

evenfold::cuda_context& device_context() { return *opened_context; }

std::unique_ptr<platform> open_platform(const options&) {
  return std::make_unique<cuda_platform>();
}

}  // namespace bench
