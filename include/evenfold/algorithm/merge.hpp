#pragma once
// merge: merges two sorted sequences.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/reference/merge.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/merge.cuh"
#else
#include "evenfold/backend/cpu/merge.hpp"
#endif

namespace evenfold {

/// out_keys[0, a_count + b_count) = the stable merge of `a_keys` and `b_keys`: equivalent keys of
/// `a` come before those of `b`, and each sequence keeps its order. out_values gets the values of
/// the keys in the same order.
///
/// - `a_keys`, `b_keys`: iterators to `a_count` and `b_count` keys of one trivially copyable type,
///   each sequence sorted by `less`. The counts may be 32- or 64-bit, also one of each.
/// - `a_values`, `b_values`: iterators to one value per key.
/// - `out_keys`, `out_values`: iterators to a_count + b_count keys and values; they overlap no
///   input.
/// - `less`: a strict weak order, by which both sequences are sorted. If it is not one, such as <
///   with NaN among the keys, or if a sequence is not sorted, the order of the result is
///   unspecified; but it has every key of the input once, and nothing outside of the arrays is read
///   or written.
///
/// Every worker gets the same number of results, however the keys interleave. Work O(a_count +
/// b_count), span O((a_count + b_count) / workers + log(a_count + b_count)); reads and writes each
/// key and value once. Scratch on a GPU: 8 bytes per tile of 5888 keys of 4 bytes, and none for up
/// to 3 x 10^6 of them; on the CPU: 16 bytes per thread. Deterministic: the result is unique. Does
/// not wait.
///
/// Errors: argument_error for a negative count or pointers on the wrong side; allocation_error,
/// with the output untouched. If `less` throws on a host context, the caller gets the exception,
/// and the values of the output are unspecified.
///
/// Example: examples/merge.cpp.
/// Source: Odeh et al., "Merge Path", IPDPSW 2012; Green et al., "GPU Merge Path", ICS 2012.
/// Names elsewhere: thrust::merge_by_key, cub::DeviceMerge::MergePairs, mgpu::merge.
template <class Tuning = default_tuning, context Context, class A, class AValues,
          std::integral ASize, class B, class BValues, std::integral BSize, class Output,
          class OutputValues, class Less>
void merge(Context& ctx, A a_keys, AValues a_values, ASize a_count, B b_keys, BValues b_values,
           BSize b_count, Output out_keys, OutputValues out_values, Less less) {
  static_assert(std::is_same_v<element_t<A>, element_t<B>>, "both sides have keys of one type");
  detail::check_order<element_t<A>, Less>();
  detail::check_count("merge", "a_count", a_count);
  detail::check_count("merge", "b_count", b_count);
  const auto num_a = static_cast<std::uint64_t>(a_count);
  const auto num_b = static_cast<std::uint64_t>(b_count);
  detail::check_pointer(ctx, "merge", "a_keys", a_keys, num_a);
  detail::check_pointer(ctx, "merge", "b_keys", b_keys, num_b);
  detail::check_pointer(ctx, "merge", "out_keys", out_keys, num_a + num_b);
  if constexpr (!std::is_same_v<OutputValues, detail::no_value*>) {
    detail::check_pointer(ctx, "merge", "a_values", a_values, num_a);
    detail::check_pointer(ctx, "merge", "b_values", b_values, num_b);
    detail::check_pointer(ctx, "merge", "out_values", out_values, num_a + num_b);
  }
  if (num_a == 0 && num_b == 0) return;
  backend::merge<Tuning>(ctx, detail::values_of(a_keys), detail::values_of(a_values), num_a,
                         detail::values_of(b_keys), detail::values_of(b_values), num_b, out_keys,
                         out_values, detail::callable_order<element_t<A>>(less));
}

/// The same without values. Names elsewhere: std::merge, thrust::merge,
/// cub::DeviceMerge::MergeKeys, mgpu::merge.
template <class Tuning = default_tuning, context Context, class A, std::integral ASize, class B,
          std::integral BSize, class Output, class Less>
void merge(Context& ctx, A a_keys, ASize a_count, B b_keys, BSize b_count, Output out_keys,
           Less less) {
  detail::no_value* const none = nullptr;
  merge<Tuning>(ctx, a_keys, none, a_count, b_keys, none, b_count, out_keys, none, less);
}

/// The same for ranges of keys: the values and the outputs may be ranges, too.
template <class Tuning = default_tuning, context Context, sized_range A, sequence AValues,
          sized_range B, sequence BValues, sequence Output, sequence OutputValues, class Less>
void merge(Context& ctx, const A& a_keys, AValues&& a_values, const B& b_keys, BValues&& b_values,
           Output&& out_keys, OutputValues&& out_values, Less less) {
  const std::size_t a_count = detail::size_of(a_keys);
  const std::size_t b_count = detail::size_of(b_keys);
  const std::size_t count = a_count + b_count;
  evenfold::merge<Tuning>(ctx, detail::begin_of(a_keys),
                          detail::input_of("merge", "a_values", a_values, a_count, "a_keys"),
                          a_count, detail::begin_of(b_keys),
                          detail::input_of("merge", "b_values", b_values, b_count, "b_keys"),
                          b_count, detail::output_of("merge", "out_keys", out_keys, count),
                          detail::output_of("merge", "out_values", out_values, count), less);
}
template <class Tuning = default_tuning, context Context, sized_range A, sized_range B,
          sequence Output, class Less>
void merge(Context& ctx, const A& a_keys, const B& b_keys, Output&& out_keys, Less less) {
  const std::size_t a_count = detail::size_of(a_keys);
  const std::size_t b_count = detail::size_of(b_keys);
  evenfold::merge<Tuning>(ctx, detail::begin_of(a_keys), a_count, detail::begin_of(b_keys), b_count,
                          detail::output_of("merge", "out_keys", out_keys, a_count + b_count),
                          less);
}

}  // namespace evenfold
