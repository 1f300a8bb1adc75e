#pragma once
// set_union, set_intersection, set_difference, set_symmetric_difference of sorted multisets.
//
// The r-th of equivalent elements of one side pairs with the r-th on the other side. Two searches
// tell for every element whether it has a partner; all four operations follow from that.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

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

/// Whether an element of `a` has a partner in `b`, or whether it has none.
template <class A, std::integral ASize, class B, std::integral BSize, class Less>
struct is_paired {
  A a;
  B b;
  BSize b_count;
  const ASize* first_equivalent;  ///< of each element of `a`, where its equivalents begin
  const BSize* lower_bound;       ///< of each element of `a`, in `b`
  Less less;
  bool wanted;

  EF_HD constexpr bool operator()(ASize i) const {
    const auto rank = static_cast<std::uint64_t>(i - first_equivalent[i]);
    const std::uint64_t at = static_cast<std::uint64_t>(lower_bound[i]) + rank;
    const bool paired = at < static_cast<std::uint64_t>(b_count) &&
                        !less(detail::values_of(a)[i], detail::values_of(b)[at]);
    return paired == wanted;
  }
};

/// The elements of `a` that have a partner in `b`, or those that have none.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> paired_elements(Context& ctx, A a, ASize a_count, B b, BSize b_count, Less less,
                                    bool wanted) {
  array<ASize> first_equivalent(ctx, a_count);
  array<BSize> lower_bound(ctx, a_count);
  sorted_search<bounds::lower>(ctx, a, a_count, a, a_count, first_equivalent.data(), less);
  sorted_search<bounds::lower>(ctx, a, a_count, b, b_count, lower_bound.data(), less);

  const compact_plan<Context, ASize> plan(
      ctx, a_count,
      is_paired<A, ASize, B, BSize, Less>{a, b, b_count, first_equivalent.data(),
                                          lower_bound.data(), less, wanted});
  array<element_t<A>> result(ctx, plan.num_kept());
  plan.write(copy_kept<A, element_t<A>>{a, result.data()});
  return result;
}

/// What the operations check before they start.
template <context Context, class A, std::integral ASize, class B, std::integral BSize>
void check_multisets(const Context& ctx, const char* algorithm, A a, ASize a_count, B b,
                     BSize b_count) {
  detail::check_count(algorithm, "a_count", a_count);
  detail::check_count(algorithm, "b_count", b_count);
  detail::check_pointer(ctx, algorithm, "a", a, a_count);
  detail::check_pointer(ctx, algorithm, "b", b, b_count);
}

}  // namespace detail

/// The elements that `a` and `b` have in common, sorted: of an element that is m times in `a` and n
/// times in `b`, the first min(m, n) of `a`.
///
/// - `a`, `b`: iterators to elements of one trivially copyable type, both sorted by `less`, with as
///   many equivalents as you like. 32- or 64-bit counts.
/// - `less`: a strict weak order. From one that is none follow unspecified elements of the input;
///   nothing outside the arrays is read or written.
///
/// The result is an array of exactly the right size. Every worker gets the same share, however the
/// elements interleave or repeat. Work O(a_count + b_count), span O(work / workers + log work);
/// reads `a` four times and `b` two times. Scratch: two positions and a byte for each element of
/// `a`. Deterministic: the answer is unique. Waits once, for the size.
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

/// `a` without what `b` has: of an element that is m times in `a` and n times in `b`, the last
/// max(m - n, 0) of `a`. All else as for set_intersection. Names elsewhere: std::set_difference,
/// thrust::set_difference; numpy.setdiff1d, without repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_difference(Context& ctx, A a, ASize a_count, B b, BSize b_count,
                                   Less less) {
  detail::check_multisets(ctx, "set_difference", a, a_count, b, b_count);
  return detail::paired_elements(ctx, a, a_count, b, b_count, less, false);
}

/// What either side has, sorted: of an element that is m times in `a` and n times in `b`, all m of
/// `a` and then the last max(n - m, 0) of `b`. It is `a` merged with the difference of `b` and `a`.
/// All else as for set_intersection, with the roles exchanged. Names elsewhere: std::set_union,
/// thrust::set_union; numpy.union1d, without repetitions.
template <context Context, class A, std::integral ASize, class B, std::integral BSize, class Less>
array<element_t<A>> set_union(Context& ctx, A a, ASize a_count, B b, BSize b_count, Less less) {
  detail::check_multisets(ctx, "set_union", a, a_count, b, b_count);
  const array<element_t<A>> more =
      detail::paired_elements(ctx, b, b_count, a, a_count, less, false);
  array<element_t<A>> result(ctx, static_cast<std::size_t>(a_count) + more.size());
  merge(ctx, a, a_count, more.data(), more.size(), result.data(), less);
  return result;
}

/// What only one side has, sorted: of an element that is m times in `a` and n times in `b`, the
/// last m - n of `a` or the last n - m of `b`. It is the two differences, merged. All else as for
/// set_intersection; waits twice. Names elsewhere: std::set_symmetric_difference,
/// thrust::set_symmetric_difference; numpy.setxor1d, without repetitions.
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

}  // namespace evenfold
