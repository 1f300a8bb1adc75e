#pragma once
// bucket_sort on a GPU: a radix sort by bucket, which is stable, and then a sort of each bucket.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/backend/cuda/radix_sort.cuh"
#include "evenfold/backend/cuda/segmented_sort.cuh"
#include "evenfold/backend/cuda/sorted_search.cuh"
#include "evenfold/backend/cuda/transform.cuh"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/counting.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {
namespace device {

/// Writes bucket and value of an item side by side.
template <class BucketOf, class ValueOf, class Key, class Value>
struct write_bucketed {
  BucketOf bucket;
  ValueOf value;
  Key* keys;
  Value* values;
  template <class Size>
  EF_HD void operator()(Size i) const {
    keys[i] = static_cast<Key>(bucket(i));
    values[i] = value(i);
  }
};

/// write(k, values[k])
template <class Value, class Write>
struct write_sorted {
  const Value* values;
  Write write;
  template <class Size>
  EF_HD void operator()(Size k) const {
    write(k, values[k]);
  }
};

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class BucketOf, class ValueOf, std::integral Bucket,
          std::integral Offset, class Order, class Write>
void bucket_sort(cuda_context& ctx, Size count, BucketOf bucket, ValueOf value, Bucket num_buckets,
                 Offset* offsets, Order order, Write write) {
  using Key = std::conditional_t<sizeof(Bucket) <= 4, std::uint32_t, std::uint64_t>;
  using Value = result_t<ValueOf, Size>;
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
      ctx, counting<Key>{}, static_cast<std::uint64_t>(num_buckets) + 1,
      static_cast<const Key*>(keys.data()), static_cast<std::uint64_t>(count), offsets, less{});
  if (count == 0) return;
  if constexpr (!std::same_as<Order, no_order>) {
    backend::segmented_sort<default_tuning>(ctx, values.data(), static_cast<no_value*>(nullptr),
                                            segment_view(count, offsets, num_buckets), order);
  }
  backend::transform<default_tuning>(ctx, count,
                                     device::write_sorted<Value, Write>{values.data(), write});
}

}  // namespace backend
}  // namespace evenfold
