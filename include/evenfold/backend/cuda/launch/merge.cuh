#pragma once
// Launches the kernels of backend/cuda/device/merge.cuh.

#include <type_traits>

#include "evenfold/backend/cuda/device/merge.cuh"
#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/merge_cuts.cuh"

namespace evenfold::backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(cuda_context& ctx, A a, AValues a_values, std::uint64_t a_count, B b, BValues b_values,
           std::uint64_t b_count, Output out, OutputValues out_values, Less less) {
  using key = element_t<A>;
  using inputs = device::merge_inputs<A, B>;
  using values = device::merge_values<AValues, BValues, OutputValues>;
  using sizes = device::merge_sizes<Tuning, key, values::present>;
  const inputs in{a, a_count, b, b_count};
  const auto cuts = device::cut_merge(ctx, "merge", in, sizes::tile, less);
  ctx.launch("merge", device::merge_kernel<sizes, key, inputs, Output, values, Less>,
             cuts.size() - 1, sizes::threads,
             sizeof(device::merge_tile_shared<sizes, key, values::present>), in, cuts.data(), out,
             values{a_values, b_values, out_values}, less);
}

}  // namespace evenfold::backend
