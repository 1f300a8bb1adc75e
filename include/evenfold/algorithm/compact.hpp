#pragma once
// compact, compact_indices, partition: the elements for which a predicate is true, in order.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/backend/reference/compact.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/compact.cuh"
#else
#include "evenfold/backend/cpu/compact.hpp"
#endif

namespace evenfold {

namespace detail {

/// Returns the number that `call(pointer)` writes to the context's memory. Waits.
template <std::integral Size, context Context, class Call>
Size counted(Context& ctx, Call call) {
  array<Size> number(ctx, 1);
  call(number.data());
  return to_host(ctx, number)[0];
}

/// Fails to compile unless Keep is a predicate of an Item.
template <class Keep, class Item>
constexpr void check_keep() {
  static_assert(
      can_be_called<bool, Keep, Item>(),
      "keep is called with one element, or with an index of the type of count where there "
      "is no input, and returns a bool; its operator() is const");
}

}  // namespace detail

/// out[k] = the k-th of the elements input[i], 0 <= i < count, for which keep(input[i]) is true;
/// num_kept[0] = the number of these elements. They keep their order.
///
/// - `input`: iterator to `count` elements of any trivially copyable type.
/// - `keep`: a predicate of an element. It may be called more than once for the same element.
/// - `out`: iterator to as many elements as are kept, at most `count`; it does not overlap `input`.
/// - `num_kept`: one `Size` in the context's memory, or nullptr.
///
/// Work O(count), span O(count / workers + log workers). Reads each element once, and a CPU the
/// kept ones once more; writes each kept element once. Scratch on several CPU threads: a bit per
/// element, and one `Size` per tile of 2^14 elements; on a GPU: 8 bytes per tile, or 16 bytes for a
/// `Size` of 8 bytes; a tile has 12288 or 16384 elements of up to 4 bytes, or 48 to 64 KiB of
/// larger ones, and 1024 to 4096 elements of few. Deterministic: the result is unique. Does not
/// wait.
///
/// Errors: argument_error for a negative count, or pointers on the wrong side; allocation_error,
/// with the outputs untouched.
///
/// Example: examples/compact.cpp.
/// Source on a GPU: Merrill and Garland, "Single-pass parallel prefix scan with decoupled
/// look-back", NVIDIA NVR-2016-002. Names elsewhere: thrust::copy_if, cub::DeviceSelect::If,
/// mgpu::transform_compact, std::copy_if, input[keep] with a boolean mask in NumPy.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Keep, class Output>
void compact(Context& ctx, Input input, Size count, Keep keep, Output out,
             std::type_identity_t<Size>* num_kept) {
  using T = element_t<Input>;
  detail::check_keep<Keep, const T&>();
  detail::check_count("compact", "count", count);
  detail::check_pointer(ctx, "compact", "input", input, count);
  detail::check_optional(ctx, "compact", "out", out, count);
  detail::check_optional(ctx, "compact", "num_kept", num_kept);
  backend::compact<Tuning>(ctx, count, element_of<T, Input>{input}, detail::keep_value<Keep>{keep},
                           detail::write_to<Output>{out}, num_kept);
}

/// The same, with the number of kept elements returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Keep, class Output>
Size compact(Context& ctx, Input input, Size count, Keep keep, Output out) {
  return detail::counted<Size>(
      ctx, [&](Size* kept) { evenfold::compact<Tuning>(ctx, input, count, keep, out, kept); });
}

/// out[k] = the k-th index i, 0 <= i < count, for which keep(i) is true. Otherwise as `compact`.
/// Names elsewhere: numpy.flatnonzero.
template <class Tuning = default_tuning, context Context, std::integral Size, class Keep,
          class Output>
void compact_indices(Context& ctx, Size count, Keep keep, Output out,
                     std::type_identity_t<Size>* num_kept) {
  detail::check_keep<Keep, Size>();
  detail::check_count("compact_indices", "count", count);
  detail::check_optional(ctx, "compact_indices", "out", out, count);
  detail::check_optional(ctx, "compact_indices", "num_kept", num_kept);
  backend::compact<Tuning>(ctx, count, detail::index_item{}, detail::keep_value<Keep>{keep},
                           detail::write_to<Output>{out}, num_kept);
}

/// The same, with the number of kept indices returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, std::integral Size, class Keep,
          class Output>
Size compact_indices(Context& ctx, Size count, Keep keep, Output out) {
  return detail::counted<Size>(
      ctx, [&](Size* kept) { evenfold::compact_indices<Tuning>(ctx, count, keep, out, kept); });
}

/// Writes the elements for which keep(input[i]) is true, then the other elements, both in the order
/// of the input; num_kept[0] = the number of elements for which it is true.
///
/// - `out`: iterator to `count` elements; it does not overlap `input`.
/// - `num_kept`: one `Size` in the context's memory.
///
/// Otherwise as `compact`. A CPU finds out which elements are kept, as several threads do there,
/// and then writes both parts in one pass; a GPU reads each element once where up to 192 thread
/// blocks hold all of them, and otherwise counts the kept elements first and then writes both parts
/// in one pass, with one `Size` of scratch per tile. Names elsewhere:
/// thrust::stable_partition_copy, cub::DevicePartition::If (which reverses the second part),
/// std::partition_copy.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Keep, class Output>
void partition(Context& ctx, Input input, Size count, Keep keep, Output out,
               std::type_identity_t<Size>* num_kept) {
  using T = element_t<Input>;
  detail::check_keep<Keep, const T&>();
  detail::check_count("partition", "count", count);
  detail::check_pointer(ctx, "partition", "input", input, count);
  detail::check_pointer(ctx, "partition", "out", out, count);
  detail::check_pointer(ctx, "partition", "num_kept", num_kept, 1);
  backend::partition<Tuning>(ctx, count, element_of<T, Input>{input}, keep, out, num_kept);
}

/// The same, with the number of kept elements returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Keep, class Output>
Size partition(Context& ctx, Input input, Size count, Keep keep, Output out) {
  return detail::counted<Size>(
      ctx, [&](Size* kept) { evenfold::partition<Tuning>(ctx, input, count, keep, out, kept); });
}

/// A compaction in two steps, so that memory for the result can be allocated in between.
///
/// The constructor calls keep(i) exactly once for every i in [0, count), counts the indices that
/// are kept, and waits. Then write(f) calls f(to, from) for each kept index, where `from` is the
/// to-th of them, in any order, concurrently; it does not wait. It may be called again, with
/// another f. The context must outlive the plan.
///
/// Work and span as for `compact`. Memory: one byte per index. Deterministic. Errors:
/// argument_error for a negative count; allocation_error. Example: examples/compact.cpp. Names
/// elsewhere: mgpu::transform_compact (upsweep and downsweep).
template <context Context, std::integral Size>
class compact_plan {
 public:
  template <class Keep>
  compact_plan(Context& ctx, Size count, Keep keep) : ctx_(&ctx), count_(count) {
    detail::check_keep<Keep, Size>();
    detail::check_count("compact_plan", "count", count);
    flags_ = array<unsigned char>(ctx, count);
    num_kept_ =
        transform_reduce(ctx, count, detail::flag_kept<Keep>{keep, flags_.data()}, plus{}, Size{0});
  }

  Size num_kept() const { return num_kept_; }

  template <class F>
  void write(F f) const {
    backend::compact<default_tuning>(*ctx_, count_, detail::index_item{},
                                     detail::was_kept{flags_.data()}, f,
                                     static_cast<Size*>(nullptr));
  }

 private:
  Context* ctx_;
  Size count_;
  array<unsigned char> flags_;
  Size num_kept_ = 0;
};

/// The same for ranges: `out` has room for all elements of `input`.
template <class Tuning = default_tuning, context Context, sized_range Input, class Keep,
          sequence Output>
void compact(Context& ctx, const Input& input, Keep keep, Output&& out, std::size_t* num_kept) {
  const std::size_t count = detail::size_of(input);
  evenfold::compact<Tuning>(ctx, detail::begin_of(input), count, keep,
                            detail::output_of("compact", "out", out, count), num_kept);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Keep,
          sequence Output>
std::size_t compact(Context& ctx, const Input& input, Keep keep, Output&& out) {
  const std::size_t count = detail::size_of(input);
  return evenfold::compact<Tuning>(ctx, detail::begin_of(input), count, keep,
                                   detail::output_of("compact", "out", out, count));
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Keep,
          sequence Output>
void partition(Context& ctx, const Input& input, Keep keep, Output&& out, std::size_t* num_kept) {
  const std::size_t count = detail::size_of(input);
  evenfold::partition<Tuning>(ctx, detail::begin_of(input), count, keep,
                              detail::output_of("partition", "out", out, count), num_kept);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Keep,
          sequence Output>
std::size_t partition(Context& ctx, const Input& input, Keep keep, Output&& out) {
  const std::size_t count = detail::size_of(input);
  return evenfold::partition<Tuning>(ctx, detail::begin_of(input), count, keep,
                                     detail::output_of("partition", "out", out, count));
}

}  // namespace evenfold
