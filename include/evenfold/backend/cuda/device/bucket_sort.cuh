#pragma once
// bucket_sort on a GPU: a stable radix sort by bucket, followed by a segmented sort of the buckets.

#include "evenfold/backend/cuda/device/radix_sort.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sorted_search.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// Writes the bucket and the value of an item.
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

}  // namespace evenfold::device
