#pragma once
// merge on a GPU: blocks merge tiles of the merge path, see merge_tiles.cuh. Values are fetched by
// where their keys came from, which lies in shared memory.
//
// Source: Green, McColl, Bader, "GPU Merge Path", ICS 2012.

#include <type_traits>

#include "evenfold/core/functional.hpp"
#include "evenfold/cuda/merge_tiles.cuh"
#include "evenfold/cuda/serial_merge.cuh"

namespace evenfold {
namespace device {

/// The values that travel with the keys, and where they go; `no_value` pointers where there are
/// none.
template <class A, class B, class Output>
struct merge_values {
  A a;
  B b;
  Output out;

  static constexpr bool present = !std::is_same_v<Output, no_value*>;
};

template <class Sizes, class Key, bool Indexed>
struct merge_tile_shared {
  maybe<Key> keys[Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
};

template <class Sizes, class Key, class Inputs, class Output, class Values, class Less>
__global__ void __launch_bounds__(Sizes::threads)
    merge_kernel(Inputs in, const std::uint64_t* cuts, Output out, Values values, Less less) {
  constexpr bool indexed = Values::present;
  auto& shared = shared_as<merge_tile_shared<Sizes, Key, indexed>>();
  const merge_tile tile = tile_of_block<Sizes>(cuts, in.count());
  load_tile<Sizes>(in, tile, shared.keys);
  merge_places<Sizes, indexed>(shared.keys, shared.source, tile.a_count, tile.count, less);

  const std::uint64_t from = tile.a_from + tile.b_from;
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < tile.count) {
      out[from + place] = shared.keys[place].value;
      if constexpr (indexed) {
        const int source = shared.source[place];
        if (source < tile.a_count) {
          values.out[from + place] = values.a[tile.a_from + source];
        } else {
          values.out[from + place] = values.b[tile.b_from + (source - tile.a_count)];
        }
      }
    }
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class A, class AValues, class B, class BValues, class Output,
          class OutputValues, class Less>
void merge(cuda_context& ctx, A a, AValues a_values, std::uint64_t a_count, B b, BValues b_values,
           std::uint64_t b_count, Output out, OutputValues out_values, Less less) {
  using key = std::remove_cvref_t<decltype(a[a_count])>;
  using sizes = device::merge_sizes<Tuning, key>;
  using inputs = device::merge_inputs<A, B>;
  using values = device::merge_values<AValues, BValues, OutputValues>;
  const inputs in{a, a_count, b, b_count};
  const auto cuts = device::cut_merge(ctx, "merge", in, sizes::tile, less);
  ctx.launch("merge", device::merge_kernel<sizes, key, inputs, Output, values, Less>,
             cuts.size() - 1, sizes::threads,
             sizeof(device::merge_tile_shared<sizes, key, values::present>), in, cuts.data(), out,
             values{a_values, b_values, out_values}, less);
}

}  // namespace backend
}  // namespace evenfold
