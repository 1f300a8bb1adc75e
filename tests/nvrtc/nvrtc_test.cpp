// NVRTC compiles each header of backend/cuda/device/, included twice, for sm_90, without the
// standard library of the host. A unit has headers of which each includes the one before it, so
// that each compiles as if it were alone. Nothing is run, so that no GPU is needed.

#include <gtest/gtest.h>
#include <nvrtc.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// The errors of NVRTC for a source text; empty if it compiles.
std::string errors_of(const std::string& source) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.c_str(), "unit.cu", 0, nullptr, nullptr) !=
      NVRTC_SUCCESS) {
    return "the program could not be created";
  }
  // Functions without __host__ or __device__ are device functions, and 128-bit integers exist.
  std::vector<const char*> options = {"--gpu-architecture=sm_90",
                                      "--std=c++20",
                                      "-default-device",
                                      "-device-int128",
                                      "--include-path=" EVENFOLD_NVRTC_HEADERS,
                                      "--include-path=" EVENFOLD_HEADERS};
  for (const char* folder : {EVENFOLD_TOOLKIT_HEADERS}) options.push_back(folder);
  const nvrtcResult result =
      nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::string log;
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    log.resize(size);
    nvrtcGetProgramLog(program, log.data());
    log.pop_back();  // the terminating zero
    log = nvrtcGetErrorString(result) + std::string(":\n") + log;
  }
  nvrtcDestroyProgram(&program);
  return log;
}

class nvrtc : public testing::TestWithParam<std::string> {};

TEST_P(nvrtc, compiles_device_headers) {
  std::ifstream unit(GetParam());
  const std::string source{std::istreambuf_iterator(unit), {}};
  ASSERT_NE(source, "");
  EXPECT_EQ(errors_of(source), "");
}

INSTANTIATE_TEST_SUITE_P(headers, nvrtc, testing::Values(EVENFOLD_DEVICE_UNITS),
                         [](const auto& info) {
                           return std::filesystem::path(info.param).stem().string();
                         });

/// Templates are compiled completely only if they are used.
TEST(nvrtc_kernels, are_instantiated) {
  EXPECT_EQ(errors_of(R"(
#include "evenfold/backend/cuda/device/transform.cuh"
struct doubled {
  float* data;
  __device__ void operator()(int i) const { data[i] *= 2; }
};
template __global__ void evenfold::device::transform_kernel<int, doubled>(int, unsigned, doubled);
)"),
            "");
}

TEST(nvrtc_kernels, a_host_header_is_refused) { EXPECT_NE(errors_of("#include <map>\n"), ""); }

}  // namespace
