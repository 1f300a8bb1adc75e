#pragma once
// merge on a GPU: blocks merge tiles of the merge path, see merge_tiles.cuh.
//
// Source: Green, McColl, Bader, "GPU Merge Path", ICS 2012.

#include <type_traits>

#include "evenfold/backend/cuda/merge_tiles.cuh"

namespace evenfold {
namespace device {

template <class Sizes, class Key, class Inputs, class Output, class Values, class Less>
__global__ void __launch_bounds__(Sizes::threads)
    merge_kernel(Inputs in, const std::uint64_t* cuts, Output out, Values values, Less less) {
  auto& shared = shared_as<merge_tile_shared<Sizes, Key, Values::present>>();
  const merge_tile tile = tile_of_block<Sizes>(cuts, in.count());
  merge_one_tile<Sizes>(in, tile, shared, out, values, less);
}

}  // namespace device

namespace backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(cuda_context& ctx, A a, AValues a_values, std::uint64_t a_count, B b, BValues b_values,
           std::uint64_t b_count, Output out, OutputValues out_values, Less less) {
  using key = std::remove_cvref_t<decltype(a[a_count])>;
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

}  // namespace backend
}  // namespace evenfold
