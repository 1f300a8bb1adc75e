// What only the CUDA context promises: capture in a graph, errors that name the call and the place,
// scratch that is given back, counters left at zero.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

constexpr int count = 100'003;

/// Runs `work` once directly and twice from one captured graph; `result` must read the same each
/// time.
void check_capture(cuda_context& ctx, const std::function<void()>& work,
                   const std::function<std::vector<int>()>& result,
                   const std::function<void()>& spoil) {
  work();
  const std::vector<int> expected = result();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  check_cuda(cudaStreamBeginCapture(ctx.stream(), cudaStreamCaptureModeGlobal),
             "cudaStreamBeginCapture");
  work();
  check_cuda(cudaStreamEndCapture(ctx.stream(), &graph), "cudaStreamEndCapture");
  check_cuda(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate");
  for (int replay = 0; replay < 2; ++replay) {
    spoil();
    check_cuda(cudaGraphLaunch(program, ctx.stream()), "cudaGraphLaunch");
    EXPECT_EQ(result(), expected) << "replay " << replay;
  }
  check_cuda(cudaGraphExecDestroy(program), "cudaGraphExecDestroy");
  check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

class cuda_graph : public ::testing::Test {
 protected:
  cuda_graph() : out(ctx, count), keys(ctx, count) {
    std::vector<int> values(count);
    for (int i = 0; i < count; ++i) values[i] = static_cast<int>(numbers.bits32(i) % 1000);
    input = to_context(ctx, values);
    std::vector<int> starts;
    for (int at = 0; at < count; at += static_cast<int>(numbers.below(starts.size(), 9000))) {
      starts.push_back(at);
    }
    offsets = to_context(ctx, starts);
    num_segments = static_cast<int>(starts.size());
  }
  void check(const std::function<void()>& work) {
    check_capture(
        ctx, work, [&] { return to_host(ctx, out); },
        [&] { ctx.fill_bytes(out.data(), 0xee, count * sizeof(int)); });
  }

  random_stream numbers{5};
  cuda_context ctx;
  array<int> input;
  array<int> offsets;
  int num_segments = 0;
  array<int> out;
  array<int> keys;
};

TEST_F(cuda_graph, captures_reduce) {
  ctx.fill_bytes(out.data(), 0xee, count * sizeof(int));
  check([&] { reduce(ctx, input.data(), count, plus{}, 3, out.data()); });
}
TEST_F(cuda_graph, captures_spmv) {
  const csr_view<const pattern> a{num_segments, 1000, count, offsets.data(), input.data(), nullptr};
  const array<int> x = to_context(ctx, std::vector<int>(1000, 3));
  ctx.fill_bytes(out.data(), 0xee, count * sizeof(int));
  check([&] { spmv(ctx, a, x.data(), out.data()); });
}
TEST_F(cuda_graph, captures_scan) {
  check([&] { exclusive_scan(ctx, input.data(), count, out.data(), plus{}, 7); });
}
TEST_F(cuda_graph, captures_segreduce) {
  ctx.fill_bytes(out.data(), 0xee, count * sizeof(int));
  check([&] {
    segreduce(ctx, input.data(), count, offsets.data(), num_segments, out.data(), plus{}, 1);
  });
}
TEST_F(cuda_graph, captures_load_balance_search) {
  check([&] { load_balance_search(ctx, count, offsets.data(), num_segments, out.data()); });
}
TEST_F(cuda_graph, captures_segmented_sort) {
  check([&] {
    copy(ctx, static_cast<const int*>(input.data()), count, keys.data());
    segmented_sort_indices(ctx, keys.data(), out.data(), count, offsets.data(), num_segments,
                           less{});
  });
}

TEST(cuda_context, names_the_device_that_does_not_exist) {
  try {
    cuda_context ctx(12345);
    FAIL() << "a device 12345 was opened";
  } catch (const cuda_error& problem) {
    EXPECT_EQ(problem.code(), cudaErrorInvalidDevice);
    const std::string message = problem.what();
    EXPECT_NE(message.find("cudaSetDevice"), std::string::npos) << message;
    EXPECT_NE(message.find("context.cuh:"), std::string::npos) << message;
  }
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

/// Counts what is handed out and given back.
class counting_memory final : public std::pmr::memory_resource {
 public:
  explicit counting_memory(std::pmr::memory_resource* from) : from_(from) {}
  std::ptrdiff_t held = 0;
  std::ptrdiff_t most = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* pointer = from_->allocate(bytes, alignment);
    held += static_cast<std::ptrdiff_t>(bytes);
    most = std::max(most, held);
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override {
    held -= static_cast<std::ptrdiff_t>(bytes);
    from_->deallocate(pointer, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  std::pmr::memory_resource* from_;
};

TEST(cuda_context, gives_scratch_back_and_leaves_counters_at_zero) {
  cuda_context source;
  counting_memory memory(source.memory());
  cuda_context ctx(0, &memory);
  {
    array<int> values(ctx, count);
    array<int> starts(ctx, 1);
    ctx.fill_bytes(values.data(), 1, count * sizeof(int));
    ctx.fill_bytes(starts.data(), 0, sizeof(int));
    source.synchronize();
    const std::ptrdiff_t before = memory.held;
    reduce(ctx, values.data(), count, plus{}, 0);
    inclusive_scan(ctx, values.data(), count, values.data(), plus{});
    segreduce(ctx, values.data(), count, starts.data(), 1, starts.data(), plus{}, 0);
    EXPECT_EQ(memory.held, before);
    memory.most = memory.held;
    ctx.fill_bytes(starts.data(), 0, sizeof(int));
    segmented_sort(ctx, values.data(), count, starts.data(), 1, less{});
    EXPECT_EQ(memory.held, before);
    // The second buffer, one bit an item and the cuts: as the documentation says.
    EXPECT_LE(memory.most - before, count * 4 + count / 8 + 16 + (count / 3000 + 2) * 12);
  }
  EXPECT_EQ(memory.held, 0);
  std::vector<unsigned> counters(64, 1);
  check_cuda(cudaMemcpyAsync(counters.data(), ctx.counters(), 64 * sizeof(unsigned),
                             cudaMemcpyDeviceToHost, ctx.stream()),
             "cudaMemcpyAsync");
  ctx.synchronize();
  EXPECT_EQ(counters, std::vector<unsigned>(64, 0));
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
