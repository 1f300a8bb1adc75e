#pragma once
// compact, compact_indices, partition: the elements that a predicate keeps, in their order.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/backend/reference/compact.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/compact.cuh"
#else
#include "evenfold/backend/cpu/compact.hpp"
#endif

namespace evenfold {

namespace detail {

/// The number that `call(number)` leaves in the context's memory, on the host. Waits.
template <std::integral Size, context Context, class Call>
Size counted(Context& ctx, Call call) {
  array<Size> number(ctx, 1);
  call(number.data());
  return to_host(ctx, number)[0];
}

/// Refuses, when compiled, a function that is not a predicate of an Item.
template <class Keep, class Item>
constexpr void check_keep() {
  static_assert(
      detail::can_be_called<bool, Keep, Item>(),
      "keep is called with one element, or with an index of the type of count where there "
      "is no input, and returns a bool; its operator() is const");
}

}  // namespace detail

/// out[k] = the k-th of the elements input[i], 0 <= i < count, for which keep(input[i]) is true;
/// num_kept[0] = how many there are. Their order is kept.
///
/// - `input`: iterator to `count` elements of any trivially copyable type.
/// - `keep`: a predicate of an element. It may be asked more than once for the same element.
/// - `out`: iterator to as many elements as are kept, at most `count`; it does not overlap `input`.
/// - `num_kept`: one `Size` in the context's memory, or nullptr.
///
/// Work O(count), span O(count / workers + log workers). Moves each element in once and each kept
/// one out once on a GPU and on one CPU thread; several CPU threads read the input twice. Scratch:
/// one `Size` a tile of 2^14 elements on the CPU; on a GPU 8 bytes, or 16 for a `Size` of 8 bytes,
/// a tile of 48 KiB of elements. Deterministic: the answer is unique. Does not wait.
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

/// out[k] = the k-th index i, 0 <= i < count, for which keep(i) is true: `compact` of the indices,
/// with the same promises. Names elsewhere: numpy.flatnonzero.
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

/// Writes first the elements for which keep(input[i]) is true, then all others, each part in the
/// order of the input; num_kept[0] = how many come first.
///
/// - `out`: iterator to `count` elements; it does not overlap `input`.
/// - `num_kept`: one `Size` in the context's memory.
///
/// All else as for `compact`, of which this is two: the second one writes behind what the first one
/// kept. Names elsewhere: thrust::stable_partition_copy, cub::DevicePartition::If (which reverses
/// the second part), std::partition_copy.
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
  const element_of<T, Input> item{input};
  backend::compact<Tuning>(ctx, count, item, detail::keep_value<Keep>{keep},
                           detail::write_to<Output>{out}, num_kept);
  backend::compact<Tuning>(ctx, count, item, detail::keep_others<Keep>{keep},
                           detail::write_after<Output, Size>{out, num_kept},
                           static_cast<Size*>(nullptr));
}

/// The same, with the number of kept elements returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Keep, class Output>
Size partition(Context& ctx, Input input, Size count, Keep keep, Output out) {
  return detail::counted<Size>(
      ctx, [&](Size* kept) { evenfold::partition<Tuning>(ctx, input, count, keep, out, kept); });
}

/// A compaction in two steps: first how many are kept, so that room for them can be made, then
/// where each goes.
///
/// The constructor asks keep(i) exactly once for every i in [0, count), and waits; `write(f)` then
/// calls f(to, from) for each kept index, `from` being the to-th of them, in any order, at the same
/// time, and does not wait. It may be called again, with another f. The plan belongs to its
/// context, which must outlive it.
///
/// Work and span as for `compact`. Memory: one byte an index. Deterministic. Errors: argument_error
/// for a negative count; allocation_error. Example: examples/compact.cpp. Names elsewhere:
/// mgpu::transform_compact (upsweep and downsweep).
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

}  // namespace evenfold
