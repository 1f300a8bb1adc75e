#pragma once
// set_union, set_intersection, set_difference, set_symmetric_difference of sorted multisets.
//
// The r-th of equivalent elements of one multiset is paired with the r-th of the other. Two
// searches tell for every element whether it has a partner; all four operations follow from that.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// out[to] = input[from]
template <class Input, class T>
struct copy_kept {
  Input input;
  T* out;
  template <std::integral Size>
  EF_HD constexpr void operator()(Size to, Size from) const {
    out[to] = static_cast<T>(input[from]);
  }
};

/// Whether an element of `a` has a partner in `b`, if `wanted` is true; else whether it has none.
template <class A, std::integral ASize, class B, std::integral BSize, class Less>
struct is_paired {
  A a;
  B b;
  BSize b_count;
  const ASize* first_equivalent;  ///< for each element of `a`, the first equivalent one
  const BSize* lower_bound;       ///< for each element of `a`, its lower bound in `b`
  Less less;
  bool wanted;

  EF_HD constexpr bool operator()(ASize i) const {
    const auto rank = static_cast<std::uint64_t>(i - first_equivalent[i]);
    const std::uint64_t at = static_cast<std::uint64_t>(lower_bound[i]) + rank;
    const bool paired =
        at < static_cast<std::uint64_t>(b_count) && !less(values_of(a)[i], values_of(b)[at]);
    return paired == wanted;
  }
};

/// The elements of `a` that have a partner in `b`, or those that have none, still to be written.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
compact_plan<Context, ASize> plan_paired(Context& ctx, A a, ASize a_count, B b, BSize b_count,
                                         Less less, bool wanted) {
  array<ASize> first_equivalent(ctx, a_count);
  array<BSize> lower_bound(ctx, a_count);
  sorted_search<bounds::lower>(ctx, a, a_count, a, a_count, first_equivalent.data(), less);
  sorted_search<bounds::lower>(ctx, a, a_count, b, b_count, lower_bound.data(), less);

  auto order = callable_order<element_t<A>>(less);
  return compact_plan<Context, ASize>(
      ctx, a_count,
      is_paired<A, ASize, B, BSize, decltype(order)>{a, b, b_count, first_equivalent.data(),
                                                     lower_bound.data(), order, wanted});
}

/// The same, written.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> paired_elements(Context& ctx, A a, ASize a_count, B b, BSize b_count, Less less,
                                    bool wanted) {
  const auto plan = plan_paired(ctx, a, a_count, b, b_count, less, wanted);
  array<element_t<A>> result(ctx, plan.num_kept());
  plan.write(copy_kept<A, element_t<A>>{a, result.data()});
  return result;
}

/// Checks the arguments that all operations have.
template <context Context, class A, std::integral ASize, class B, std::integral BSize>
void check_multisets(const Context& ctx, const char* algorithm, A a, ASize a_count, B b,
                     BSize b_count) {
  check_count(algorithm, "a_count", a_count);
  check_count(algorithm, "b_count", b_count);
  check_pointer(ctx, algorithm, "a", a, a_count);
  check_pointer(ctx, algorithm, "b", b, b_count);
}

}  // namespace detail

/// The intersection of two multisets, sorted: of an element that is m times in `a` and n times in
/// `b`, the first min(m, n) of `a`.
///
/// - `a`, `b`: iterators to elements of one trivially copyable type, both sorted by `less`, with
///   any number of equivalent elements. 32- or 64-bit counts.
/// - `less`: a strict weak order. If it is not one, the result has unspecified elements of the
///   input; nothing outside of the arrays is read or written.
///
/// Every worker gets the same share of the work, however the elements interleave or repeat. Work
/// O(a_count + b_count), span O(work / workers + log work); reads `a` four times and `b` twice.
/// Scratch: two positions and a byte for each element of `a`. Deterministic: the result is unique.
/// Waits once, for the size of the result.
///
/// Errors: argument_error for a negative count or pointers on the wrong side; allocation_error.
///
/// Example: examples/multiset.cpp. Names elsewhere: std::set_intersection,
/// thrust::set_intersection; numpy.intersect1d, without repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_intersection(Context& ctx, A a, ASize a_count, B b, BSize b_count,
                                     Less less) {
  detail::check_multisets(ctx, "set_intersection", a, a_count, b, b_count);
  return detail::paired_elements(ctx, a, a_count, b, b_count, less, true);
}

/// The difference of two multisets, sorted: of an element that is m times in `a` and n times in
/// `b`, the last max(m - n, 0) of `a`. Otherwise as set_intersection. Names elsewhere:
/// std::set_difference, thrust::set_difference; numpy.setdiff1d, without repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_difference(Context& ctx, A a, ASize a_count, B b, BSize b_count,
                                   Less less) {
  detail::check_multisets(ctx, "set_difference", a, a_count, b, b_count);
  return detail::paired_elements(ctx, a, a_count, b, b_count, less, false);
}

/// The union of two multisets, sorted: of an element that is m times in `a` and n times in `b`, all
/// m of `a` and then the last max(n - m, 0) of `b`. This is `a` merged with the difference of `b`
/// and `a`. Otherwise as set_intersection, with `a` and `b` exchanged. Names elsewhere:
/// std::set_union, thrust::set_union; numpy.union1d, without repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_union(Context& ctx, A a, ASize a_count, B b, BSize b_count, Less less) {
  detail::check_multisets(ctx, "set_union", a, a_count, b, b_count);
  const array<element_t<A>> more =
      detail::paired_elements(ctx, b, b_count, a, a_count, less, false);
  array<element_t<A>> result(ctx, static_cast<std::size_t>(a_count) + more.size());
  merge(ctx, a, a_count, more.data(), more.size(), result.data(), less);
  return result;
}

/// The symmetric difference of two multisets, sorted: of an element that is m times in `a` and n
/// times in `b`, the last m - n of `a` or the last n - m of `b`. This is the merge of the two
/// differences. Otherwise as set_intersection; waits twice. Names elsewhere:
/// std::set_symmetric_difference, thrust::set_symmetric_difference; numpy.setxor1d, without
/// repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_symmetric_difference(Context& ctx, A a, ASize a_count, B b, BSize b_count,
                                             Less less) {
  detail::check_multisets(ctx, "set_symmetric_difference", a, a_count, b, b_count);
  const array<element_t<A>> only_a =
      detail::paired_elements(ctx, a, a_count, b, b_count, less, false);
  const array<element_t<A>> only_b =
      detail::paired_elements(ctx, b, b_count, a, a_count, less, false);
  array<element_t<A>> result(ctx, only_a.size() + only_b.size());
  merge(ctx, only_a.data(), only_a.size(), only_b.data(), only_b.size(), result.data(), less);
  return result;
}

/// The same for ranges.
template <context Context, sized_range A, sized_range B, class Less>
auto set_intersection(Context& ctx, const A& a, const B& b, Less less) {
  return evenfold::set_intersection(ctx, detail::begin_of(a), detail::size_of(a),
                                    detail::begin_of(b), detail::size_of(b), less);
}
template <context Context, sized_range A, sized_range B, class Less>
auto set_difference(Context& ctx, const A& a, const B& b, Less less) {
  return evenfold::set_difference(ctx, detail::begin_of(a), detail::size_of(a), detail::begin_of(b),
                                  detail::size_of(b), less);
}
template <context Context, sized_range A, sized_range B, class Less>
auto set_union(Context& ctx, const A& a, const B& b, Less less) {
  return evenfold::set_union(ctx, detail::begin_of(a), detail::size_of(a), detail::begin_of(b),
                             detail::size_of(b), less);
}
template <context Context, sized_range A, sized_range B, class Less>
auto set_symmetric_difference(Context& ctx, const A& a, const B& b, Less less) {
  return evenfold::set_symmetric_difference(ctx, detail::begin_of(a), detail::size_of(a),
                                            detail::begin_of(b), detail::size_of(b), less);
}

}  // namespace evenfold
