#pragma once
// set_union_by_key, set_intersection_by_key, set_difference_by_key,
// set_symmetric_difference_by_key: operations on sorted multisets of keys, which have values.

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "evenfold/algorithm/multiset.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// Keys, and as many values.
template <class Key, class Value>
struct keyed_arrays {
  array<Key> keys;
  array<Value> values;
};

namespace detail {

template <class Keys, class Values>
using keyed_arrays_of = keyed_arrays<element_t<Keys>, element_t<Values>>;

/// The keys of `a` that have a partner in `b`, or those that have none, with their values.
template <context Context, class A, class AValues, std::integral ASize, class B,
          std::integral BSize, class Less>
keyed_arrays_of<A, AValues> paired_by_key(Context& ctx, A a_keys, AValues a_values, ASize a_count,
                                          B b_keys, BSize b_count, Less less, bool wanted) {
  const auto plan = plan_paired(ctx, a_keys, a_count, b_keys, b_count, less, wanted);
  keyed_arrays_of<A, AValues> result{array<element_t<A>>(ctx, plan.num_kept()),
                                     array<element_t<AValues>>(ctx, plan.num_kept())};
  plan.write(copy_kept<A, element_t<A>>{a_keys, result.keys.data()});
  plan.write(copy_kept<AValues, element_t<AValues>>{a_values, result.values.data()});
  return result;
}

/// `a` and `b` merged.
template <context Context, class A, class AValues, std::integral ASize, class B, class BValues,
          std::integral BSize, class Less>
keyed_arrays_of<A, AValues> merged_by_key(Context& ctx, A a_keys, AValues a_values, ASize a_count,
                                          B b_keys, BValues b_values, BSize b_count, Less less) {
  static_assert(std::is_same_v<element_t<AValues>, element_t<BValues>>,
                "both sides have values of one type");
  const std::size_t count = static_cast<std::size_t>(a_count) + static_cast<std::size_t>(b_count);
  keyed_arrays_of<A, AValues> result{array<element_t<A>>(ctx, count),
                                     array<element_t<AValues>>(ctx, count)};
  merge(ctx, a_keys, a_values, a_count, b_keys, b_values, b_count, result.keys.data(),
        result.values.data(), less);
  return result;
}

}  // namespace detail

/// The intersection of two sorted multisets of keys: the keys of set_intersection, and the value of
/// each of them in `a`.
///
/// - `a_keys`, `b_keys`: iterators to keys of one trivially copyable type, both sorted by `less`.
/// - `a_values`: iterator to `a_count` values of any trivially copyable type.
///
/// Work and span as for set_intersection; also reads the values, and writes the keys and values of
/// the result. Scratch: two positions and a byte for each key of `a`. Deterministic: the result is
/// unique. Waits once, for the size of the result.
///
/// Errors: argument_error for a negative count or pointers on the wrong side; allocation_error.
///
/// Example: examples/multiset.cpp. Names elsewhere: thrust::set_intersection_by_key.
template <context Context, class A, class AValues, std::integral ASize, class B,
          std::integral BSize, class Less>
detail::keyed_arrays_of<A, AValues> set_intersection_by_key(Context& ctx, A a_keys,
                                                            AValues a_values, ASize a_count,
                                                            B b_keys, BSize b_count, Less less) {
  const char* const name = "set_intersection_by_key";
  detail::check_multisets(ctx, name, a_keys, a_count, b_keys, b_count);
  detail::check_pointer(ctx, name, "a_values", a_values, a_count);
  return detail::paired_by_key(ctx, a_keys, a_values, a_count, b_keys, b_count, less, true);
}

/// The difference: the keys of set_difference, and their values in `a`. Otherwise as
/// set_intersection_by_key. Names elsewhere: thrust::set_difference_by_key, which also takes the
/// values of `b`.
template <context Context, class A, class AValues, std::integral ASize, class B,
          std::integral BSize, class Less>
detail::keyed_arrays_of<A, AValues> set_difference_by_key(Context& ctx, A a_keys, AValues a_values,
                                                          ASize a_count, B b_keys, BSize b_count,
                                                          Less less) {
  const char* const name = "set_difference_by_key";
  detail::check_multisets(ctx, name, a_keys, a_count, b_keys, b_count);
  detail::check_pointer(ctx, name, "a_values", a_values, a_count);
  return detail::paired_by_key(ctx, a_keys, a_values, a_count, b_keys, b_count, less, false);
}

/// The union: the keys of set_union, each with its value in the multiset that it is taken from. The
/// values of `a` and `b` have one type. Otherwise as set_intersection_by_key, with `a` and `b`
/// exchanged. Names elsewhere: thrust::set_union_by_key.
template <context Context, class A, class AValues, std::integral ASize, class B, class BValues,
          std::integral BSize, class Less>
detail::keyed_arrays_of<A, AValues> set_union_by_key(Context& ctx, A a_keys, AValues a_values,
                                                     ASize a_count, B b_keys, BValues b_values,
                                                     BSize b_count, Less less) {
  const char* const name = "set_union_by_key";
  detail::check_multisets(ctx, name, a_keys, a_count, b_keys, b_count);
  detail::check_pointer(ctx, name, "a_values", a_values, a_count);
  detail::check_pointer(ctx, name, "b_values", b_values, b_count);
  const auto more =
      detail::paired_by_key(ctx, b_keys, b_values, b_count, a_keys, a_count, less, false);
  return detail::merged_by_key(ctx, a_keys, a_values, a_count, more.keys.data(), more.values.data(),
                               more.keys.size(), less);
}

/// The symmetric difference: the keys of set_symmetric_difference, each with its value in the
/// multiset that it is taken from. Otherwise as set_union_by_key; waits twice. Names elsewhere:
/// thrust::set_symmetric_difference_by_key.
template <context Context, class A, class AValues, std::integral ASize, class B, class BValues,
          std::integral BSize, class Less>
detail::keyed_arrays_of<A, AValues> set_symmetric_difference_by_key(Context& ctx, A a_keys,
                                                                    AValues a_values, ASize a_count,
                                                                    B b_keys, BValues b_values,
                                                                    BSize b_count, Less less) {
  const char* const name = "set_symmetric_difference_by_key";
  detail::check_multisets(ctx, name, a_keys, a_count, b_keys, b_count);
  detail::check_pointer(ctx, name, "a_values", a_values, a_count);
  detail::check_pointer(ctx, name, "b_values", b_values, b_count);
  const auto only_a =
      detail::paired_by_key(ctx, a_keys, a_values, a_count, b_keys, b_count, less, false);
  const auto only_b =
      detail::paired_by_key(ctx, b_keys, b_values, b_count, a_keys, a_count, less, false);
  return detail::merged_by_key(ctx, only_a.keys.data(), only_a.values.data(), only_a.keys.size(),
                               only_b.keys.data(), only_b.values.data(), only_b.keys.size(), less);
}

/// The same for ranges of keys: the values may be ranges, too.
template <context Context, sized_range A, sequence AValues, sized_range B, class Less>
auto set_intersection_by_key(Context& ctx, const A& a_keys, AValues&& a_values, const B& b_keys,
                             Less less) {
  const std::size_t a_count = detail::size_of(a_keys);
  return evenfold::set_intersection_by_key(
      ctx, detail::begin_of(a_keys),
      detail::input_of("set_intersection_by_key", "a_values", a_values, a_count, "a_keys"), a_count,
      detail::begin_of(b_keys), detail::size_of(b_keys), less);
}
template <context Context, sized_range A, sequence AValues, sized_range B, class Less>
auto set_difference_by_key(Context& ctx, const A& a_keys, AValues&& a_values, const B& b_keys,
                           Less less) {
  const std::size_t a_count = detail::size_of(a_keys);
  return evenfold::set_difference_by_key(
      ctx, detail::begin_of(a_keys),
      detail::input_of("set_difference_by_key", "a_values", a_values, a_count, "a_keys"), a_count,
      detail::begin_of(b_keys), detail::size_of(b_keys), less);
}
template <context Context, sized_range A, sequence AValues, sized_range B, sequence BValues,
          class Less>
auto set_union_by_key(Context& ctx, const A& a_keys, AValues&& a_values, const B& b_keys,
                      BValues&& b_values, Less less) {
  const char* const name = "set_union_by_key";
  const std::size_t a_count = detail::size_of(a_keys);
  const std::size_t b_count = detail::size_of(b_keys);
  return evenfold::set_union_by_key(ctx, detail::begin_of(a_keys),
                                    detail::input_of(name, "a_values", a_values, a_count, "a_keys"),
                                    a_count, detail::begin_of(b_keys),
                                    detail::input_of(name, "b_values", b_values, b_count, "b_keys"),
                                    b_count, less);
}
template <context Context, sized_range A, sequence AValues, sized_range B, sequence BValues,
          class Less>
auto set_symmetric_difference_by_key(Context& ctx, const A& a_keys, AValues&& a_values,
                                     const B& b_keys, BValues&& b_values, Less less) {
  const char* const name = "set_symmetric_difference_by_key";
  const std::size_t a_count = detail::size_of(a_keys);
  const std::size_t b_count = detail::size_of(b_keys);
  return evenfold::set_symmetric_difference_by_key(
      ctx, detail::begin_of(a_keys),
      detail::input_of(name, "a_values", a_values, a_count, "a_keys"), a_count,
      detail::begin_of(b_keys), detail::input_of(name, "b_values", b_values, b_count, "b_keys"),
      b_count, less);
}

}  // namespace evenfold
