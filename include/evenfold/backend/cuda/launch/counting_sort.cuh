#pragma once
// Launches the kernels of backend/cuda/device/counting_sort.cuh.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/counting_sort.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/histogram.cuh"
#include "evenfold/backend/cuda/launch/scan.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::device {

/// The fewest keys for which this takes less time than a radix sort.
template <class Key>
inline constexpr std::uint64_t least_counted_keys = sizeof(Key) == 1 ? 1 : std::uint64_t{1} << 16;

/// Sorts keys in place. Scratch: two counters for each number of a key.
template <class Less, class Key, class Size>
  requires counted_key<Less, Key>
void counting_sort(cuda_context& ctx, Key* keys, Size count) {
  using counter = std::conditional_t<(sizeof(Size) <= 4), std::uint32_t, std::uint64_t>;
  constexpr int numbers = key_numbers<Key>;
  array<counter> counts(ctx, numbers);
  array<counter> offsets(ctx, numbers);
  backend::histogram<default_tuning>(ctx, count, std::uint32_t{numbers},
                                     elementwise(number_of_key<Less>{}, keys), counts.data());
  backend::transform_scan<scan_kind::exclusive, default_tuning>(
      ctx, numbers, element_of<counter, const counter*>{counts.data()}, offsets.data(), plus{},
      counter{0}, static_cast<counter*>(nullptr));

  const auto total = static_cast<std::uint64_t>(count);
  constexpr std::uint64_t row = counted_threads * widest_pack<Key>;
  // Where there are enough blocks, one that writes several rows looks for its numbers once.
  const std::uint64_t rows = detail::ceil_div(total, row) + 1;  // the first one may not be aligned
  const int packs = rows > 32 * static_cast<unsigned>(ctx.multiprocessors()) ? 4 : 1;
  ctx.launch("sort", write_counted_keys_kernel<Less, Key, counter>,
             detail::ceil_div(rows, static_cast<std::uint64_t>(packs)), counted_threads, 0,
             offsets.data(), total, packs, keys);
}

}  // namespace evenfold::device
