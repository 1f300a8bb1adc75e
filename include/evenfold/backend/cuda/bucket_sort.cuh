#pragma once
// bucket_sort on a GPU: a radix sort by bucket, which is stable, and then a sort of each bucket.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/bucket_order.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/backend/cuda/radix_sort.cuh"
#include "evenfold/core/array.hpp"
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
  using Value = std::remove_cvref_t<decltype(value(count))>;
  array<Key> keys(ctx, count);
  array<Value> values(ctx, count);
  evenfold::transform(ctx, count,
                      device::write_bucketed<BucketOf, ValueOf, Key, Value>{
                          bucket, value, keys.data(), values.data()});
  if (num_buckets > 1) {
    device::radix_sort_bits(ctx, keys, values, count,
                            std::bit_width(static_cast<Key>(num_buckets) - 1));
  }
  evenfold::sorted_search<bounds::lower>(ctx, counting<Key>{}, static_cast<Key>(num_buckets) + 1,
                                         static_cast<const Key*>(keys.data()), count, offsets,
                                         evenfold::less{});
  if constexpr (!std::same_as<Order, no_order>) {
    if (count > 0) evenfold::segmented_sort(ctx, values.data(), count, offsets, num_buckets, order);
  }
  evenfold::transform(ctx, count, device::write_sorted<Value, Write>{values.data(), write});
}

}  // namespace backend
}  // namespace evenfold
