#pragma once
// bucket_sort, serially: a stable sort of each bucket.

#include <algorithm>
#include <concepts>
#include <numeric>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/backend/reference/stable_sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class BucketOf, class ValueOf, std::integral Bucket,
          std::integral Offset, class Order, class Write>
void bucket_sort(reference_context& ctx, Size count, BucketOf bucket, ValueOf value,
                 Bucket num_buckets, Offset* offsets, [[maybe_unused]] Order order, Write write) {
  array<Size> items(ctx, count);
  std::iota(items.begin(), items.end(), Size{0});
  array<Size> scratch(ctx, count);
  reference::stable_sort(items.data(), scratch.data(), items.size(), [&](Size i, Size j) {
    if constexpr (!std::same_as<Order, no_order>) {
      if (bucket(i) == bucket(j)) return static_cast<bool>(order(value(i), value(j)));
    }
    return bucket(i) < bucket(j);
  });
  std::fill_n(offsets, static_cast<std::size_t>(num_buckets) + 1, Offset{0});
  for (Size k = 0; k < count; ++k) {
    write(k, value(items[k]));
    ++offsets[bucket(items[k]) + 1];
  }
  std::partial_sum(offsets, offsets + num_buckets + 1, offsets);
}

}  // namespace evenfold::backend
