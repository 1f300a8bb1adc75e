#pragma once
// bucket_sort: groups items by bucket, and sorts each bucket.

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/backend/reference/bucket_sort.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/bucket_order.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/bucket_sort.cuh"
#else
#include "evenfold/backend/cpu/bucket_sort.hpp"
#endif

namespace evenfold {

/// Groups the values value(0), ..., value(count - 1) by bucket: calls write(k, v), where v is the
/// k-th value in the order of buckets. offsets[b] = the number of values in buckets before b, and
/// offsets[num_buckets] = count, so that buckets are segments. With `no_order{}` the values of a
/// bucket keep the order of the items; with `number_order` they are sorted stably by a number.
///
/// - `bucket(i)`: an integer in [0, num_buckets) for each i in [0, count). It and `value(i)` may be
///   called more than once.
/// - `value(i)`: of any trivially copyable type.
/// - `offsets`: num_buckets + 1 integers, wide enough for `count`.
/// - `order`: `no_order{}`, which makes this a counting sort, or a `number_order`.
/// - `write(k, v)`: called once for each value, in any order, concurrently. Where it has a function
///   `read(k)`, which returns what was written last at k, the CPU keeps values there, too, and then
///   writes a position twice.
///
/// Meant for about as many buckets as items, such as the rows of a matrix; buckets may have any
/// size. Work O((count + num_buckets) log(limit)), span O(work / workers + log^2 count). On a GPU:
/// a stable radix sort by bucket, then a segmented sort by the order; scratch: two times `count`
/// buckets and values, and the scratch of CUB. On the CPU: items are distributed to parts that fit
/// in a cache, where a radix sort sorts them, or each bucket on its own, up to 64 values of which
/// are ranked; scratch: `count` values, unless `write` has `read`, and 2 bytes for each, 128 KiB of
/// counters per thread and chunk, and twice the values of a part per thread; as much again for the
/// values of buckets that are larger than a part. Up to 2^15 items (2^17 on one thread) of at most
/// twice as many buckets and numbers are sorted by counting, with 4 bytes of scratch for each of
/// the three. Deterministic: the result is unique. Does not wait.
///
/// Errors: argument_error for a negative count, for items without a bucket, for a count too large
/// for the offsets, or offsets on the wrong side; allocation_error. Buckets and numbers are not
/// checked: outside of their ranges they lead to undefined behaviour.
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
