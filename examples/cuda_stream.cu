// cuda_context with other CUDA code: plain copies before and after a call, a stream of the caller,
// and memory from a pool of the caller.

#include <cuda_runtime.h>

#include <cstdio>
#include <new>
#include <vector>

#include "evenfold/evenfold.hpp"

namespace ef = evenfold;

/// Memory from the default pool of the device, which other parts of a program may also use.
class default_pool final : public ef::stream_memory_resource {
 public:
  void* allocate(std::size_t bytes, std::size_t, cudaStream_t stream) override {
    void* memory = nullptr;
    if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t, cudaStream_t stream) noexcept override {
    cudaFreeAsync(memory, stream);
  }
};

/// The sum of a million ones, which cudaMemcpy copies to the device: the context is ordered with
/// the default stream, as a kernel launch that names no stream is.
int sum_after_plain_copy() {
  const std::vector<int> ones(1'000'000, 1);
  ef::cuda_context ctx;
  ef::array<int> there(ctx, ones.size());
  ef::array<int> sum(ctx, 1);
  cudaMemcpy(there.data(), ones.data(), ones.size() * sizeof(int), cudaMemcpyHostToDevice);
  ef::reduce(ctx, there.data(), ones.size(), ef::plus{}, 0, sum.data());
  int result = 0;
  cudaMemcpy(&result, sum.data(), sizeof(int), cudaMemcpyDeviceToHost);
  return result;
}

/// The same on a stream of the caller, with memory from the default pool of the device.
int sum_on_stream(cudaStream_t stream) {
  default_pool pool;
  ef::cuda_context ctx(0, stream, &pool);
  ef::array<int> there(ctx, 1'000'000);
  int* const ones = there.data();
  ef::transform(
      ctx, there.size(), EF_LAMBDA(std::size_t i) { ones[i] = 1; });
  return ef::reduce(ctx, ones, there.size(), ef::plus{}, 0);
}

int main() {
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return 1;
  const int first = sum_after_plain_copy();
  const int second = sum_on_stream(stream);
  cudaStreamDestroy(stream);
  std::printf("sums of a million ones: %d and %d\n", first, second);
  return first == 1'000'000 && second == 1'000'000 ? 0 : 1;
}
