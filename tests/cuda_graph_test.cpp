// Calls on a CUDA context that are captured in a graph, which is launched again.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

constexpr int count = 100'003;

/// Runs `work` once directly and twice from one captured graph. `result` must be the same each
/// time.
void check_capture(cuda_context& ctx, const std::function<void()>& work,
                   const std::function<std::vector<int>()>& result,
                   const std::function<void()>& spoil) {
  work();
  const std::vector<int> expected = result();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  device::check_cuda(cudaStreamBeginCapture(ctx.stream(), cudaStreamCaptureModeGlobal),
                     "cudaStreamBeginCapture");
  work();
  device::check_cuda(cudaStreamEndCapture(ctx.stream(), &graph), "cudaStreamEndCapture");
  device::check_cuda(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate");
  for (int replay = 0; replay < 2; ++replay) {
    spoil();
    device::check_cuda(cudaGraphLaunch(program, ctx.stream()), "cudaGraphLaunch");
    EXPECT_EQ(result(), expected) << "replay " << replay;
  }
  device::check_cuda(cudaGraphExecDestroy(program), "cudaGraphExecDestroy");
  device::check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
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

TEST(cuda_context, keeps_no_block_of_a_graph) {
  constexpr int large = 1 << 20;
  cuda_context ctx;
  const array<int> input = to_context(ctx, random_values<int>(large));
  array<int> keys(ctx, large);
  { const array<int> kept(ctx, large); }
  check_capture(
      ctx,
      [&] {
        copy(ctx, input.data(), large, keys.data());
        sort(ctx, keys.data(), large, less{});
      },
      [&] { return to_host(ctx, keys); },
      [&] {
        array<int> other(ctx, large);
        ctx.fill_bytes(other.data(), 7, large * sizeof(int));
        ctx.fill_bytes(keys.data(), 0, large * sizeof(int));
      });
}

}  // namespace
}  // namespace evenfold::testing

#endif
