#pragma once
// segreduce, transform_segreduce, lbs_segreduce: the fold of each segment.

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/backend/reference/segreduce.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/segreduce.cuh"
#else
#include "evenfold/backend/cpu/segreduce.hpp"
#endif

namespace evenfold {

/// out[s] = init (+) x(b) (+) x(b + 1) (+) ... (+) x(e - 1) for every segment s = [b, e), where
/// x(i) is f(i, s, i - b), or f(i, s, i - b, values) with `cached`. An empty segment gives `init`.
///
/// - `f`: the value of an item, converted to T, the type of `init`. `values` is the tuple of the
///   values that the iterators of `cached` read at s, once per segment and tile.
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`.
/// - `out`: iterator to `num_segments` elements.
/// - `op`: associative; operands keep their order, unless `is_commutative<Op, T>` is true.
/// - `init`: the first operand of every segment.
///
/// Every worker gets the same number of items + segments, however uneven the segments. Work O(count
/// + num_segments), span O((count + num_segments) / workers + log(count + num_segments)); reads
/// each item and each offset once, writes each result once. Scratch on the CPU: two `partial_fold`
/// per thread; on a GPU: up to 300 T per resident warp, of which there are 16 to 24 per
/// multiprocessor, or, if `op` gives the same bits in any order (sums of integers, minima, maxima),
/// two T, three flags and one segment number per resident block. Deterministic: folds have the
/// canonical order (balance/fold_order.hpp). Does not wait.
///
/// Errors: argument_error for a negative count, for items without a segment, for pointers on the
/// wrong side and, on a host context, for a first offset other than 0 or a last one beyond `count`;
/// allocation_error, with `out` untouched.
///
/// Example: examples/lbs_segreduce.cpp.
/// Source: Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC
/// 2016. Names elsewhere: mgpu::lbs_segreduce.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class Cached, class Output, class Op, class T>
void lbs_segreduce(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                   Cached cached, Output out, Op op, T init) {
  const auto segments =
      detail::checked_segments(ctx, "lbs_segreduce", count, offsets, num_segments);
  detail::check_cached(ctx, "lbs_segreduce", cached, num_segments);
  detail::check_pointer(ctx, "lbs_segreduce", "out", out, num_segments);
  detail::check_item_function<T, F, Size, SegmentSize>(cached);
  detail::check_operator<T, Op>();
  if (num_segments > 0) {
    backend::lbs_segreduce<Tuning>(ctx, segments, f, cached, out, op, init);
  }
}

/// The same without cached values.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class Output, class Op, class T>
void lbs_segreduce(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                   Output out, Op op, T init) {
  evenfold::lbs_segreduce<Tuning>(ctx, count, f, offsets, num_segments, tuple<>{}, out, op, init);
}

/// out[s] = init (+) f(b) (+) ... (+) f(e - 1) for every segment s = [b, e): a faster
/// `lbs_segreduce` for values that depend only on the index. Otherwise as `lbs_segreduce`, but on a
/// GPU, for few items (up to 2^17 in up to 288 segments per multiprocessor) or few long segments
/// (up to 2^24 items), warps and thread blocks get the same number of segments, share those of more
/// than 2^17 items, and need no scratch. For T of 9 to 16 bytes these numbers are 2^15, 96, 2^22
/// and 2^14; larger ones have equal shares.
///
/// Example: examples/spmv.cpp, the product of a sparse matrix and a vector.
/// Names elsewhere: mgpu::transform_segreduce; with a product for f, scipy.sparse.csr_array @
/// vector.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class Output, class Op, class T>
void transform_segreduce(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                         Output out, Op op, T init) {
  const auto segments =
      detail::checked_segments(ctx, "transform_segreduce", count, offsets, num_segments);
  detail::check_pointer(ctx, "transform_segreduce", "out", out, num_segments);
  detail::check_operator<T, Op>();
  static_assert(detail::can_be_called<T, F, Size>(),
                "transform_segreduce: f is called as f(index), index of the type of count, and "
                "returns what converts to the type of init; its operator() is const");
  if (num_segments > 0) backend::transform_segreduce<Tuning>(ctx, segments, f, out, op, init);
}

/// out[s] = init (+) input[b] (+) ... (+) input[e - 1] for every segment s = [b, e). Otherwise as
/// `transform_segreduce`. Names elsewhere: cub::DeviceSegmentedReduce, mgpu::segreduce,
/// thrust::reduce_by_key (which takes keys instead of offsets), numpy.add.reduceat (which gives an
/// element for an empty segment, not the initial value).
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Offsets, std::integral SegmentSize, class Output, class Op, class T>
void segreduce(Context& ctx, Input input, Size count, Offsets offsets, SegmentSize num_segments,
               Output out, Op op, T init) {
  const auto segments = detail::checked_segments(ctx, "segreduce", count, offsets, num_segments);
  detail::check_pointer(ctx, "segreduce", "input", input, count);
  detail::check_pointer(ctx, "segreduce", "out", out, num_segments);
  detail::check_operator<T, Op>();
  if (num_segments > 0) {
    backend::transform_segreduce<Tuning>(ctx, segments, element_of<T, Input>{input}, out, op, init);
  }
}

/// The same for ranges. The number of segments is that of the offsets: without the last one where
/// these end with the number of items, as those of a CSR matrix do. `out` may be a range, too.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class... Cached, sequence Output, class Op, class T>
void lbs_segreduce(Context& ctx, Size count, F f, const Offsets& offsets, tuple<Cached...> cached,
                   Output&& out, Op op, T init) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::lbs_segreduce<Tuning>(ctx, count, f, detail::begin_of(offsets), num_segments, cached,
                                  detail::output_of("lbs_segreduce", "out", out, num_segments), op,
                                  init);
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, sequence Output, class Op, class T>
void lbs_segreduce(Context& ctx, Size count, F f, const Offsets& offsets, Output&& out, Op op,
                   T init) {
  evenfold::lbs_segreduce<Tuning>(ctx, count, f, offsets, tuple<>{}, out, op, init);
}
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, sequence Output, class Op, class T>
void transform_segreduce(Context& ctx, Size count, F f, const Offsets& offsets, Output&& out, Op op,
                         T init) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::transform_segreduce<Tuning>(
      ctx, count, f, detail::begin_of(offsets), num_segments,
      detail::output_of("transform_segreduce", "out", out, num_segments), op, init);
}
template <class Tuning = default_tuning, context Context, sized_range Input, sized_range Offsets,
          sequence Output, class Op, class T>
void segreduce(Context& ctx, const Input& input, const Offsets& offsets, Output&& out, Op op,
               T init) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::segreduce<Tuning>(ctx, detail::begin_of(input), detail::size_of(input),
                              detail::begin_of(offsets), num_segments,
                              detail::output_of("segreduce", "out", out, num_segments), op, init);
}

}  // namespace evenfold
