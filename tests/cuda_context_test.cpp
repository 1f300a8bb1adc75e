// The promises of the CUDA context alone: its order with other streams, errors that name the call
// and its location, scratch that is freed, blocks that are kept, counters that end at zero.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

constexpr int count = 100'003;

TEST(cuda_context, names_the_device_that_does_not_exist) {
  try {
    cuda_context ctx(12345);
    FAIL() << "a device 12345 was opened";
  } catch (const cuda_error& problem) {
    EXPECT_EQ(problem.code(), cudaErrorInvalidDevice);
    const std::string message = problem.what();
    EXPECT_NE(message.find("cudaSetDevice"), std::string::npos) << message;
    EXPECT_NE(message.find(".cuh:"), std::string::npos) << message;
  }
  cuda_context works;
  EXPECT_EQ(reduce(works, static_cast<int*>(nullptr), 0, plus{}, 9), 9);
}

int current_device() {
  int device = -1;
  device::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

TEST(cuda_context, leaves_the_current_device_as_it_was) {
  int devices = 0;
  device::check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices < 2) GTEST_SKIP() << "needs two devices";
  const device::device_scope zero(0);
  cudaStream_t of_zero = nullptr;
  device::check_cuda(cudaStreamCreate(&of_zero), "cudaStreamCreate");
  {
    cuda_context ctx(1);
    EXPECT_EQ(current_device(), 0);
    const std::vector<int> host = {1, 2, 3};
    const array<int> there = to_context(ctx, host);
    EXPECT_EQ(reduce(ctx, there.data(), 3, plus{}, 0), 6);
    EXPECT_EQ(current_device(), 0);
    expect_refusal("cuda_context", "stream", [&] { cuda_context(1, of_zero); });
    EXPECT_EQ(current_device(), 0);
  }
  EXPECT_EQ(current_device(), 0);
  EXPECT_THROW(cuda_context(12345), cuda_error);
  EXPECT_EQ(current_device(), 0);
  device::check_cuda(cudaStreamDestroy(of_zero), "cudaStreamDestroy");
}

int releases = 0;
cudaError_t release_counted(int* value) {
  releases += *value;
  return cudaErrorInvalidValue;
}

TEST(cuda_handle, releases_once_and_ignores_failures) {
  int one = 1;
  {
    device::cuda_handle<int, release_counted> first(&one);
    const device::cuda_handle<int, release_counted> second = std::move(first);
  }
  EXPECT_EQ(releases, 1);
}

/// Makes a stream wait for a host function that takes some time.
void delay(cudaStream_t stream) {
  device::check_cuda(
      cudaLaunchHostFunc(
          stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
          nullptr),
      "cudaLaunchHostFunc");
}

TEST(cuda_context, is_ordered_with_the_default_stream) {
  cuda_context ctx;
  array<int> values = to_context(ctx, std::vector<int>(1000, 1));
  ctx.synchronize();
  // A call sees earlier work on the default stream ...
  delay(cudaStreamLegacy);
  device::check_cuda(cudaMemsetAsync(values.data(), 0, 1000 * sizeof(int), cudaStreamLegacy),
                     "cudaMemsetAsync");
  EXPECT_EQ(reduce(ctx, values.data(), 1000, plus{}, 7), 7);
  // ... and the default stream sees an earlier call.
  delay(ctx.stream());
  inclusive_scan(ctx, counting_iterator<int>{}, 1000, values.data(), plus{});
  int last = -1;
  device::check_cuda(cudaMemcpy(&last, values.data() + 999, sizeof(int), cudaMemcpyDefault),
                     "cudaMemcpy");
  EXPECT_EQ(last, 999 * 1000 / 2);
}

/// A cudaMemcpy from pageable memory, whose last part may still be in transfer when it returns,
/// directly followed by a call.
TEST(cuda_context, reads_what_a_plain_copy_has_just_brought) {
  constexpr int segments = 128 * 1024;  // half a megabyte of offsets
  cuda_context ctx;
  const array<int> values = to_context(ctx, std::vector<int>(4 * segments, 1));
  array<int> offsets(ctx, segments);
  array<int> out(ctx, segments);
  std::vector<int> host(segments);
  for (int run = 0; run < 200; ++run) {
    // Segments of two alternating lengths, starting with the longer or the shorter one.
    for (int s = 0; s < segments; ++s) host[s] = 4 * s + (s % 2 == 1 ? (run % 2 == 1 ? 2 : -2) : 0);
    device::check_cuda(
        cudaMemcpy(offsets.data(), host.data(), segments * sizeof(int), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    segreduce(ctx, values.data(), 4 * segments, offsets.data(), segments, out.data(), plus{}, 0);
    std::vector<int> expected(segments);
    for (int s = 0; s < segments; ++s) {
      expected[s] = (s + 1 < segments ? host[s + 1] : 4 * segments) - host[s];
    }
    ASSERT_EQ(to_host(ctx, out), expected) << "run " << run;
    ctx.fill_bytes(offsets.data(), 0, segments * sizeof(int));
  }
}

TEST(cuda_context, takes_a_stream_that_is_independent_of_the_default_stream) {
  cuda_context ctx(0, own_stream::non_blocking);
  unsigned flags = 0;
  device::check_cuda(cudaStreamGetFlags(ctx.stream(), &flags), "cudaStreamGetFlags");
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  const array<int> values = to_context(ctx, std::vector<int>{1, 2, 3});
  EXPECT_EQ(reduce(ctx, values.data(), 3, plus{}, 0), 6);
  cuda_context usual;
  device::check_cuda(cudaStreamGetFlags(usual.stream(), &flags), "cudaStreamGetFlags");
  EXPECT_EQ(flags, unsigned{cudaStreamDefault});
}

TEST(cuda_context, works_on_a_stream_of_the_users_and_leaves_it_alone) {
  cudaStream_t stream = nullptr;
  device::check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                     "cudaStreamCreateWithFlags");
  int* values = nullptr;
  device::check_cuda(cudaMallocAsync(&values, 1000 * sizeof(int), stream), "cudaMallocAsync");
  {
    cuda_context ctx(0, stream);
    EXPECT_EQ(ctx.stream(), stream);
    delay(stream);
    device::check_cuda(cudaMemsetAsync(values, 0, 1000 * sizeof(int), stream), "cudaMemsetAsync");
    EXPECT_EQ(reduce(ctx, values, 1000, plus{}, 5), 5);
    inclusive_scan(ctx, counting_iterator<int>{}, 1000, values, plus{});
  }
  int last = -1;
  device::check_cuda(cudaMemcpyAsync(&last, values + 999, sizeof(int), cudaMemcpyDefault, stream),
                     "cudaMemcpyAsync");
  device::check_cuda(cudaFreeAsync(values, stream), "cudaFreeAsync");
  device::check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  EXPECT_EQ(last, 999 * 1000 / 2);
  device::check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

TEST(cuda_context, works_on_the_default_streams) {
  for (const cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    cuda_context ctx(0, stream);
    EXPECT_EQ(ctx.stream(), stream);
    array<int> values = to_context(ctx, random_values<int>(count));
    sort(ctx, values.data(), count, less{});
    const std::vector<int> sorted = to_host(ctx, values);
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  }
}

TEST(cuda_context, keeps_its_stream_and_scratch_when_it_is_moved) {
  std::vector<cuda_context> several;  // before the array whose memory one of them owns
  cuda_context first;
  first.launch_override = {1, 32};
  const cudaStream_t stream = first.stream();
  array<int> values = to_context(first, std::vector<int>(1000, 1));
  cuda_context second = std::move(first);
  EXPECT_EQ(second.stream(), stream);
  EXPECT_EQ(second.launch_override.block, 32u);
  EXPECT_EQ(reduce(second, values.data(), 1000, plus{}, 0), 1000);
  several.push_back(std::move(second));
  several.emplace_back(0, own_stream::non_blocking);
  values = array<int>();
  values = to_context(several[0], std::vector<int>(500, 2));
  EXPECT_EQ(reduce(several[0], values.data(), 500, plus{}, 0), 1000);
}

TEST(cuda_context, names_a_launch_that_fails_and_goes_on) {
  cuda_context ctx;
  array<int> out(ctx, 10);
  ctx.launch_override = {1, 5000};
  int* to = out.data();
  const auto work = device::store_value<int>{42, to};
  try {
    transform(ctx, 1, work);
    FAIL() << "a block of 5000 threads was launched";
  } catch (const cuda_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("transform"), std::string::npos) << problem.what();
  }
  ctx.launch_override = {};
  transform(ctx, 1, work);
  EXPECT_EQ(to_host(ctx, out.data(), 1), std::vector<int>{42});
}

TEST(cuda_context, says_when_memory_is_exhausted_and_goes_on) {
  cuda_context ctx;
  EXPECT_THROW((array<char>(ctx, std::int64_t{1} << 50)), allocation_error);
  array<int> one(ctx, 1);
  EXPECT_EQ(reduce(ctx, one.data(), 0, plus{}, 9), 9);
}

/// Counts allocations and deallocations, and records their stream.
class counting_memory final : public stream_memory_resource {
 public:
  std::ptrdiff_t held = 0;
  std::ptrdiff_t most = 0;
  std::set<cudaStream_t> streams;

  void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t stream) override {
    void* memory = pool_.allocate(bytes, alignment, stream);
    held += static_cast<std::ptrdiff_t>(bytes);
    most = std::max(most, held);
    streams.insert(stream);
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment,
                  cudaStream_t stream) noexcept override {
    held -= static_cast<std::ptrdiff_t>(bytes);
    streams.insert(stream);
    pool_.deallocate(memory, bytes, alignment, stream);
  }

 private:
  cuda_pool pool_{0};
};

TEST(cuda_context, tells_memory_of_the_users_the_stream) {
  counting_memory memory;
  cudaStream_t stream = nullptr;
  device::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  {
    cuda_context adopted(0, stream, &memory);
    const array<int> values = to_context(adopted, random_values<int>(count));
    EXPECT_EQ(memory.streams, std::set<cudaStream_t>{stream});
    memory.streams.clear();
    cuda_context own(0, own_stream::non_blocking, &memory);
    { const array<int> more(own, count); }
    EXPECT_EQ(memory.streams, std::set<cudaStream_t>{own.stream()});
    EXPECT_EQ(memory.held, static_cast<std::ptrdiff_t>(count * sizeof(int)));
    memory.streams.clear();
  }
  EXPECT_EQ(memory.streams, std::set<cudaStream_t>{stream});
  EXPECT_EQ(memory.held, 0);
  device::check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

TEST(cuda_context, gives_scratch_back_and_leaves_counters_at_zero) {
  counting_memory memory;
  cuda_context ctx(0, own_stream::blocking, &memory);
  {
    array<int> values(ctx, count);
    array<int> starts(ctx, 1);
    ctx.fill_bytes(values.data(), 1, count * sizeof(int));
    ctx.fill_bytes(starts.data(), 0, sizeof(int));
    const std::ptrdiff_t before = memory.held;
    reduce(ctx, values.data(), count, plus{}, 0);
    inclusive_scan(ctx, values.data(), count, values.data(), plus{});
    segreduce(ctx, values.data(), count, starts.data(), 1, starts.data(), plus{}, 0);
    EXPECT_EQ(memory.held, before);
    memory.most = memory.held;
    ctx.fill_bytes(starts.data(), 0, sizeof(int));
    segmented_sort(ctx, values.data(), count, starts.data(), 1, less{});
    EXPECT_EQ(memory.held, before);
    // As documented: the second buffer, one bit per item, and three positions and 8 bytes per tile
    // of about 5000 keys. What is rounded up takes four more words.
    EXPECT_LE(memory.most - before, count * 4 + count / 8 + (count / 5000 + 1) * 20 + 32);
    memory.most = memory.held;
    sort(ctx, values.data(), 1792, less{});
    EXPECT_EQ(memory.most, before) << "one block sorts few keys without scratch";
  }
  EXPECT_EQ(memory.held, 0);
  std::vector<unsigned> counters(64, 1);
  device::check_cuda(cudaMemcpyAsync(counters.data(), ctx.counters(), 64 * sizeof(unsigned),
                                     cudaMemcpyDeviceToHost, ctx.stream()),
                     "cudaMemcpyAsync");
  ctx.synchronize();
  EXPECT_EQ(counters, std::vector<unsigned>(64, 0));
}

TEST(cuda_context, keeps_large_blocks_for_arrays_of_the_same_size) {
  auto owned = std::make_unique<counting_memory>();
  counting_memory& memory = *owned;
  cudaStream_t stream = nullptr;
  device::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  {
    device::block_cache cache(std::move(owned), stream);
    constexpr std::size_t bytes = device::block_cache::least_bytes;
    const auto held = [&] { return static_cast<std::size_t>(memory.held); };
    const auto allocate = [&](std::size_t size) { return cache.allocate(size, 256, stream); };
    const auto free = [&](void* block, std::size_t size) {
      cache.deallocate(block, size, 256, stream);
    };
    void* const small = allocate(bytes - 1);
    void* const one = allocate(bytes);
    void* const two = allocate(2 * bytes);
    EXPECT_EQ(held(), 4 * bytes - 1);
    free(small, bytes - 1);
    EXPECT_EQ(held(), 3 * bytes) << "a small block is not kept";
    free(one, bytes);
    free(two, 2 * bytes);
    EXPECT_EQ(held(), 3 * bytes);
    EXPECT_GE(cache.idle_bytes(), 3 * bytes);
    EXPECT_EQ(allocate(2 * bytes), two);
    EXPECT_EQ(allocate(bytes), one);
    EXPECT_EQ(held(), 3 * bytes);
    // Another size, while no more than before is in use.
    free(two, 2 * bytes);
    void* const other = allocate(bytes + 1);
    EXPECT_EQ(held(), 2 * bytes + 1) << "what was kept has been given back";
    free(other, bytes + 1);
    EXPECT_THROW(allocate(std::size_t{1} << 50), std::bad_alloc);
    EXPECT_EQ(held(), bytes);
    free(one, bytes);
    EXPECT_EQ(static_cast<std::size_t>(memory.most), 4 * bytes - 1);
    device::check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  device::check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

TEST(cuda_context, copies_between_any_two_sides) {
  cuda_context ctx;
  std::vector<int> host(1000);
  std::iota(host.begin(), host.end(), 1);
  const array<int> there = to_context(ctx, host);
  array<int> again(ctx, 1000);
  copy(ctx, there.data(), 1000, again.data());
  EXPECT_EQ(to_host(ctx, again), host);
}

}  // namespace
}  // namespace evenfold::testing

#endif
