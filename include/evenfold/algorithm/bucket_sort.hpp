#pragma once
// bucket_sort: items grouped by the number of their bucket, and each bucket in order.

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/backend/reference/bucket_sort.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/bucket_sort.cuh"
#else
#include "evenfold/backend/cpu/bucket_sort.hpp"
#endif

namespace evenfold {

/// Groups the values value(0) ... value(count - 1) by bucket: calls write(k, v) for the k-th value
/// v of bucket 0, then of bucket 1, and so on. offsets[b] = how many values lie in buckets before
/// b, and offsets[num_buckets] = count: the offsets of segments. With `no_order{}` the values of a
/// bucket stay in the order of the items, with `number_order` they are sorted stably by a number.
///
/// - `bucket(i)`: an integer in [0, num_buckets) for each i in [0, count). It and `value(i)` may be
///   asked for more than once.
/// - `value(i)`: of any trivially copyable type.
/// - `offsets`: num_buckets + 1 integers, wide enough for `count`.
/// - `order`: `no_order{}`, which makes this a counting sort, or a `number_order`.
/// - `write(k, v)`: takes the values, in any order, at the same time.
///
/// Meant for about as many buckets as items, such as the rows of a matrix; they may be of any size.
/// Work O((count + num_buckets) log(limit)), span O(work / workers + log^2 count). On a GPU: a
/// stable radix sort by the bits of a bucket, then a segmented sort by the order; scratch: two
/// times `count` buckets and values, and what CUB asks for. On the CPU: items are distributed to
/// parts that fit a cache, and sorted there by digits of 11 bits; scratch: `count` values and 2
/// bytes for each, 128 KiB a thread and chunk for counters, and twice the values of a part for each
/// thread; again as much for the values of buckets that alone do not fit. Deterministic: the answer
/// is unique. Does not wait.
///
/// Errors: argument_error for a negative count, for items without a bucket, for a count too large
/// for the offsets, or offsets on the wrong side; allocation_error. A number out of its range is no
/// error that is seen: check numbers that are not your own first.
///
/// Example: examples/bucket_sort.cpp.
/// Source: Knuth, The Art of Computer Programming 3, 5.2 and 5.2.5. Names elsewhere:
/// numpy.lexsort((number, bucket)); scipy.sparse.coo_array.tocsr of rows and columns.
template <class Tuning = default_tuning, context Context, std::integral Size, class BucketOf,
          class ValueOf, std::integral Bucket, std::integral Offset, class Order, class Write>
void bucket_sort(Context& ctx, Size count, BucketOf bucket, ValueOf value, Bucket num_buckets,
                 Offset* offsets, Order order, Write write) {
  static_assert(
      detail::can_be_called<detail::any_integer, BucketOf, Size>(),
      "bucket_sort: bucket is called as bucket(i), i of the type of count, and returns an "
      "integer; its operator() is const");
  static_assert(
      detail::can_be_called<void, ValueOf, Size>() &&
          detail::can_be_called<void, Write, Size, const detail::result_t<ValueOf, Size>&>(),
      "bucket_sort: value is called as value(i), i of the type of count, write as "
      "write(k, v), k of that type and v what value returns; their operator() are const");
  detail::check_count("bucket_sort", "count", count);
  detail::check_count("bucket_sort", "num_buckets", num_buckets);
  if (std::cmp_greater(count, std::numeric_limits<Offset>::max())) {
    detail::refuse_argument("bucket_sort", "count", count,
                            "it does not fit the type of the offsets", "pass wider integers");
  }
  if (count > 0 && num_buckets == 0) {
    detail::refuse_argument("bucket_sort", "num_buckets", num_buckets,
                            "there are items, which need a bucket", "pass at least one bucket");
  }
  detail::check_pointer(ctx, "bucket_sort", "offsets", offsets, 1);
  backend::bucket_sort<Tuning>(ctx, count, bucket, value, num_buckets, offsets, order, write);
}

}  // namespace evenfold
