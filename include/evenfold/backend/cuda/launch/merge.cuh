#pragma once
// Launches the kernels of backend/cuda/device/merge.cuh.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/merge.cuh"
#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/merge_cuts.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold {

namespace device {

/// Up to how many tiles per multiprocessor are merged in one launch.
inline constexpr unsigned few_tiles = 8;

/// The sizes for few tiles: as for pairs, since smaller tiles fill more multiprocessors.
template <class Tuning, class Key>
using few_merge_sizes = merge_sizes<Tuning, Key, true>;

/// A merge in one launch, of fewer than 2^16 tiles.
template <class Sizes, class Inputs, class Output, class Values, class Less>
void merge_few(cuda_context& ctx, const Inputs& in, Output out, const Values& values, Less less) {
  using key = element_t<decltype(in.a)>;
  ctx.launch("merge", device::merge_few_kernel<Sizes, key, Inputs, Output, Values, Less>,
             detail::ceil_div(in.count(), Sizes::tile), Sizes::threads,
             sizeof(device::merge_tile_shared<Sizes, key, Values::present>), in,
             ctx.wide_counters(), ctx.counters(), out, values, less);
}

}  // namespace device

namespace backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(cuda_context& ctx, A a, AValues a_values, std::uint64_t a_count, B b, BValues b_values,
           std::uint64_t b_count, Output out, OutputValues out_values, Less less) {
  using key = element_t<A>;
  using inputs = device::merge_inputs<A, B>;
  using values = device::merge_values<AValues, BValues, OutputValues>;
  using sizes = device::merge_sizes<Tuning, key, values::present>;
  const inputs in{a, a_count, b, b_count};
  using few = device::few_merge_sizes<Tuning, key>;
  if constexpr (few::threads >= 2 * device::warp_threads) {
    const auto most =
        std::uint64_t{few::tile} * device::few_tiles * static_cast<unsigned>(ctx.multiprocessors());
    if (in.count() <= most) {
      return device::merge_few<few>(ctx, in, out, values{a_values, b_values, out_values}, less);
    }
  }
  const auto cuts = device::cut_merge(ctx, "merge", in, sizes::tile, less);
  ctx.launch("merge", device::merge_kernel<sizes, key, inputs, Output, values, Less>,
             cuts.size() - 1, sizes::threads,
             sizeof(device::merge_tile_shared<sizes, key, values::present>), in, cuts.data(), out,
             values{a_values, b_values, out_values}, less);
}

}  // namespace backend

}  // namespace evenfold
