#pragma once
// Launches the kernels of backend/cuda/device/bucket_sort.cuh.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/bucket_sort.cuh"
#include "evenfold/backend/cuda/device/radix_sort.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sorted_search.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/radix_sort.cuh"
#include "evenfold/backend/cuda/launch/segmented_sort.cuh"
#include "evenfold/backend/cuda/launch/sorted_search.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class BucketOf, class ValueOf, std::integral Bucket,
          std::integral Offset, class Order, class Write>
void bucket_sort(cuda_context& ctx, Size count, BucketOf bucket, ValueOf value, Bucket num_buckets,
                 Offset* offsets, Order order, Write write) {
  using Key = std::conditional_t<sizeof(Bucket) <= 4, std::uint32_t, std::uint64_t>;
  using Value = detail::result_t<ValueOf, Size>;
  array<Key> keys(ctx, count);
  array<Value> values(ctx, count);
  if (count > 0) {
    backend::transform<default_tuning>(ctx, count,
                                       device::write_bucketed<BucketOf, ValueOf, Key, Value>{
                                           bucket, value, keys.data(), values.data()});
  }
  if (num_buckets > 1 && count > 0) {
    device::radix_sort_bits(ctx, keys, values, count,
                            std::bit_width(static_cast<Key>(num_buckets) - 1));
  }
  backend::sorted_search<bounds::lower, default_tuning>(
      ctx, counting_iterator<Key>{}, static_cast<std::uint64_t>(num_buckets) + 1,
      static_cast<const Key*>(keys.data()), static_cast<std::uint64_t>(count), offsets, less{});
  if (count == 0) return;
  if constexpr (!std::same_as<Order, no_order>) {
    backend::segmented_sort<default_tuning>(
        ctx, values.data(), static_cast<detail::no_value*>(nullptr),
        detail::segment_view(count, offsets, num_buckets), order);
  }
  backend::transform<default_tuning>(ctx, count,
                                     device::write_sorted<Value, Write>{values.data(), write});
}

}  // namespace evenfold::backend
