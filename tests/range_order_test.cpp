// Algorithms that order, merge, search and group take ranges where an iterator and a count stand.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/multiset.hpp"
#include "evenfold/algorithm/multiset_by_key.hpp"
#include "evenfold/algorithm/multiway_merge.hpp"
#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segmented_top_k.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/top_k.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/table/group_by.hpp"
#include "evenfold/table/join.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

using ints = std::vector<int>;
using positions = std::vector<std::size_t>;

/// How the elements of an array are passed: as the array, or as a span.
struct as_array {
  template <class Array>
  Array& operator()(Array& elements) const {
    return elements;
  }
};
struct as_span {
  template <class Array>
  auto operator()(Array& elements) const {
    return std::span(elements.data(), elements.size());
  }
};

/// Expects the first elements of an array.
template <class Context, class T>
void expect_begins(Context& ctx, const array<T>& found, const std::vector<T>& expected) {
  EXPECT_EQ(to_host(ctx, found.data(), expected.size()), expected);
}

template <class Context, class View>
void check_sorts(Context& ctx, View view) {
  const ints unsorted{3, 1, 2, 9, 8};
  const array<int> input = to_context(ctx, unsorted);
  const array<int> offsets = to_context(ctx, ints{0, 3});
  array<int> keys = to_context(ctx, unsorted);
  array<int> values = to_context(ctx, ints{0, 1, 2, 3, 4});
  sort(ctx, view(keys), less{});
  expect_begins(ctx, keys, {1, 2, 3, 8, 9});
  sort_indices(ctx, view(input), view(keys), less{});
  expect_begins(ctx, keys, {1, 2, 0, 4, 3});
  sort_by_key(ctx, view(keys), view(values), less{});
  expect_begins(ctx, values, {2, 0, 1, 4, 3});
  sort_by_key(ctx, view(values), keys.data(), less{});
  expect_begins(ctx, keys, {1, 2, 0, 4, 3});

  keys = to_context(ctx, unsorted);
  segmented_sort_indices(ctx, view(keys), view(values), view(offsets), less{});
  expect_begins(ctx, values, {1, 2, 0, 4, 3});
  segmented_sort(ctx, view(values), view(keys), view(offsets), less{});
  expect_begins(ctx, keys, {3, 1, 2, 9, 8});
  segmented_sort(ctx, view(keys), view(offsets), less{});
  expect_begins(ctx, keys, {1, 2, 3, 8, 9});
}

template <class Context, class View>
void check_merges(Context& ctx, View view) {
  const array<int> a = to_context(ctx, ints{1, 3, 5});
  const array<int> b = to_context(ctx, ints{2, 3});
  const array<int> in_a = to_context(ctx, ints{10, 30, 50});
  const array<int> in_b = to_context(ctx, ints{20, 31});
  array<int> out(ctx, 5);
  array<int> values(ctx, 5);
  merge(ctx, view(a), view(b), view(out), less{});
  expect_begins(ctx, out, {1, 2, 3, 3, 5});
  merge(ctx, view(a), view(in_a), view(b), view(in_b), view(out), view(values), less{});
  expect_begins(ctx, values, {10, 20, 30, 31, 50});

  const array<int> keys = to_context(ctx, ints{1, 4, 2, 3, 0});
  const array<int> in = to_context(ctx, ints{0, 1, 2, 3, 4});
  multiway_merge(ctx, view(keys), {0, 2, 4}, view(out), less{});
  expect_begins(ctx, out, {0, 1, 2, 3, 4});
  multiway_merge(ctx, view(keys), view(in), {0, 2, 4}, view(out), view(values), less{});
  expect_begins(ctx, values, {4, 0, 2, 3, 1});
}

template <class Context, class View>
void check_multisets(Context& ctx, View view) {
  const array<int> a = to_context(ctx, ints{1, 2, 2, 4});
  const array<int> b = to_context(ctx, ints{2, 3, 4, 4, 4});
  EXPECT_EQ(to_host(ctx, set_intersection(ctx, view(a), view(b), less{})), (ints{2, 4}));
  EXPECT_EQ(to_host(ctx, set_difference(ctx, view(a), view(b), less{})), (ints{1, 2}));
  EXPECT_EQ(to_host(ctx, set_union(ctx, view(a), view(b), less{})), (ints{1, 2, 2, 3, 4, 4, 4}));
  EXPECT_EQ(to_host(ctx, set_symmetric_difference(ctx, view(a), view(b), less{})),
            (ints{1, 2, 3, 4, 4}));

  const array<int> in_a = to_context(ctx, ints{10, 20, 21, 40});
  const array<int> in_b = to_context(ctx, ints{22, 30, 41, 42, 43});
  const auto expect = [&](const auto& found, const ints& keys, const ints& values) {
    EXPECT_EQ(to_host(ctx, found.keys), keys);
    EXPECT_EQ(to_host(ctx, found.values), values);
  };
  expect(set_intersection_by_key(ctx, view(a), view(in_a), view(b), less{}), {2, 4}, {20, 40});
  expect(set_difference_by_key(ctx, view(a), view(in_a), view(b), less{}), {1, 2}, {10, 21});
  expect(set_union_by_key(ctx, view(a), view(in_a), view(b), view(in_b), less{}),
         {1, 2, 2, 3, 4, 4, 4}, {10, 20, 21, 30, 40, 42, 43});
  expect(set_symmetric_difference_by_key(ctx, view(a), view(in_a), view(b), view(in_b), less{}),
         {1, 2, 3, 4, 4}, {10, 21, 30, 42, 43});
}

template <class Context, class View>
void check_searches(Context& ctx, View view) {
  const array<int> needles = to_context(ctx, ints{1, 2, 4});
  const array<int> haystack = to_context(ctx, ints{1, 2, 2, 3});
  array<int> first(ctx, 3);
  array<int> counts(ctx, 3);
  sorted_search<bounds::lower>(ctx, view(needles), view(haystack), view(first), less{});
  expect_begins(ctx, first, {0, 1, 4});
  search<bounds::upper>(ctx, view(needles), view(haystack), view(first), less{});
  expect_begins(ctx, first, {1, 3, 4});
  sorted_equal_range(ctx, view(needles), view(haystack), view(first), view(counts), less{});
  expect_begins(ctx, first, {0, 1, 4});
  expect_begins(ctx, counts, {1, 2, 0});
}

template <class Context, class View>
void check_first_keys(Context& ctx, View view) {
  const array<int> keys = to_context(ctx, ints{3, 1, 2, 9, 8});
  const array<int> in = to_context(ctx, ints{30, 10, 20, 90, 80});
  const array<int> offsets = to_context(ctx, ints{0, 3});
  array<int> out(ctx, 4);
  array<int> values(ctx, 4);
  array<std::size_t> indices(ctx, 5);
  array<std::size_t> begins(ctx, 2);
  top_k(ctx, view(keys), 2, view(out), less{});
  expect_begins(ctx, out, {1, 2});
  top_k_by_key(ctx, view(keys), view(in), 3, view(out), view(values), less{});
  expect_begins(ctx, values, {10, 20, 30});
  top_k_indices(ctx, view(keys), 9, view(indices), less{});
  expect_begins(ctx, indices, {1, 2, 0, 4, 3});

  std::size_t found =
      segmented_top_k(ctx, view(keys), view(offsets), 2, view(out), view(begins), less{});
  EXPECT_EQ(found, 4u);
  expect_begins(ctx, out, {1, 2, 8, 9});
  expect_begins(ctx, begins, {0, 2});
  found = segmented_top_k_by_key(ctx, view(keys), view(in), view(offsets), 2, view(out),
                                 view(values), view(begins), less{});
  EXPECT_EQ(found, 4u);
  expect_begins(ctx, values, {10, 20, 80, 90});
  found = segmented_top_k_indices(ctx, view(keys), view(offsets), 9, view(indices), view(begins),
                                  less{});
  EXPECT_EQ(found, 5u);
  expect_begins(ctx, indices, {1, 2, 0, 4, 3});
}

template <class Context, class View>
void check_folds(Context& ctx, View view) {
  const array<int> keys = to_context(ctx, ints{7, 7, 7, 5, 7});
  const array<int> in = to_context(ctx, ints{3, 1, 2, 9, 8});
  const array<int> offsets = to_context(ctx, ints{0, 3});
  array<int> out(ctx, 5);
  array<int> folds(ctx, 5);
  array<std::size_t> begins(ctx, 5);
  array<std::size_t> found(ctx, 1);
  segmented_scan<scan_kind::inclusive>(ctx, view(in), view(offsets), view(out), plus{}, no_init{});
  expect_begins(ctx, out, {3, 4, 6, 9, 17});
  scan_by_key<scan_kind::exclusive>(ctx, view(keys), view(in), view(out), equal_to{}, plus{}, 1);
  expect_begins(ctx, out, {1, 4, 5, 1, 1});

  EXPECT_EQ(unique(ctx, view(keys), equal_to{}, view(out)), 3u);
  expect_begins(ctx, out, {7, 5, 7});
  unique(ctx, view(keys), equal_to{}, view(out), found.data());
  expect_begins(ctx, found, {3});
  EXPECT_EQ(unique_offsets(ctx, view(keys), equal_to{}, view(out), view(begins)), 3u);
  expect_begins(ctx, begins, {0, 3, 4});
  unique_offsets(ctx, view(keys), equal_to{}, view(out), view(begins), nullptr);

  EXPECT_EQ(
      reduce_by_key(ctx, view(keys), view(in), equal_to{}, view(out), view(folds), plus{}, 10), 3u);
  expect_begins(ctx, folds, {16, 19, 18});
  reduce_by_key(ctx, view(keys), view(in), equal_to{}, view(out), view(folds), plus{}, 0, nullptr);
  expect_begins(ctx, folds, {6, 9, 8});
  transform_reduce_by_key(ctx, view(keys), constant<int>{1}, equal_to{}, view(out), view(folds),
                          plus{}, 0, found.data());
  expect_begins(ctx, folds, {3, 1, 1});
}

template <class Context, class View>
void check_tables(Context& ctx, View view) {
  const array<int> left = to_context(ctx, ints{1, 2, 2});
  const array<int> right = to_context(ctx, ints{2, 3});
  using rows = std::vector<std::int64_t>;
  const auto inner = inner_join(ctx, view(left), view(right), less{});
  EXPECT_EQ(to_host(ctx, inner.left), (rows{1, 2}));
  EXPECT_EQ(to_host(ctx, inner.right), (rows{0, 0}));
  EXPECT_EQ(to_host(ctx, anti_join(ctx, view(left), view(right), less{}, never_null{})), (rows{0}));
  EXPECT_EQ(join_count(ctx, join_kind::full, view(left), view(right), less{}), 4);
  EXPECT_EQ(join_count(ctx, join_kind::inner, view(left), view(right), less{}, never_null{}), 2);

  const array<int> keys = to_context(ctx, ints{7, 3, 7});
  const auto groups = group_rows(ctx, view(keys));
  EXPECT_EQ(to_host(ctx, groups.rows), (positions{1, 0, 2}));
  EXPECT_EQ(to_host(ctx, groups.offsets), (positions{0, 1}));
  const auto grouped = group_by<group_order::appearance>(ctx, view(keys), sum_of(left.data()));
  EXPECT_EQ(to_host(ctx, grouped.first_rows), (positions{0, 1}));
  EXPECT_EQ(to_host(ctx, get<0>(grouped.values)), (rows{3, 2}));
}

template <class Context, class View>
void check_all(Context& ctx, View view) {
  check_sorts(ctx, view);
  check_merges(ctx, view);
  check_multisets(ctx, view);
  check_searches(ctx, view);
  check_first_keys(ctx, view);
  check_folds(ctx, view);
  check_tables(ctx, view);
}

/// Expects that a range is refused, named as in these words, for its size.
template <class Call>
void refuses(const std::string& words, Call call) {
  expect_argument_error(words + " is a range of size ", call);
}

template <class Context>
void check_refused_sizes(Context& ctx) {
  const ints x(3), y(4);
  ints to(3), other(4), more(8);
  positions at(4), two(2);
  const less order;
  const equal_to equal;
  const plus op;
  refuses("sort_by_key: values", [&] { sort_by_key(ctx, to, other, order); });
  refuses("sort_indices: indices", [&] { sort_indices(ctx, y, to, order); });
  refuses("segmented_sort: values", [&] { segmented_sort(ctx, to, other, x, order); });
  refuses("segmented_sort_indices: indices",
          [&] { segmented_sort_indices(ctx, other, to, x, order); });
  refuses("merge: out_keys", [&] { merge(ctx, x, x, other, order); });
  refuses("merge: a_values", [&] { merge(ctx, x, y, x, x, more, more, order); });
  refuses("merge: b_values", [&] { merge(ctx, x, x, x, y, more, more, order); });
  refuses("merge: out_values", [&] { merge(ctx, x, x, x, x, more, to, order); });
  refuses("multiway_merge: out_keys", [&] { multiway_merge(ctx, y, {0}, to, order); });
  refuses("multiway_merge: values", [&] { multiway_merge(ctx, x, y, {0}, to, to, order); });
  refuses("multiway_merge: out_values", [&] { multiway_merge(ctx, y, y, {0}, other, to, order); });
  refuses("set_intersection_by_key: a_values",
          [&] { set_intersection_by_key(ctx, x, y, x, order); });
  refuses("set_difference_by_key: a_values", [&] { set_difference_by_key(ctx, x, y, x, order); });
  refuses("set_union_by_key: b_values", [&] { set_union_by_key(ctx, x, x, y, x, order); });
  refuses("set_symmetric_difference_by_key: a_values",
          [&] { set_symmetric_difference_by_key(ctx, x, y, x, x, order); });
  refuses("sorted_search: out", [&] { sorted_search<bounds::lower>(ctx, y, x, to, order); });
  refuses("search: out", [&] { search<bounds::upper>(ctx, y, x, to, order); });
  refuses("sorted_equal_range: out_first",
          [&] { sorted_equal_range(ctx, y, x, to, other, order); });
  refuses("sorted_equal_range: out_counts",
          [&] { sorted_equal_range(ctx, y, x, other, to, order); });
  refuses("top_k: out", [&] { top_k(ctx, y, 4, to, order); });
  refuses("top_k_by_key: values", [&] { top_k_by_key(ctx, x, y, 2, to, to, order); });
  refuses("top_k_by_key: out_values", [&] { top_k_by_key(ctx, y, y, 9, other, to, order); });
  refuses("top_k_indices: indices", [&] { top_k_indices(ctx, y, 4, two, order); });
  refuses("segmented_top_k: out", [&] { segmented_top_k(ctx, y, x, 2, to, at, order); });
  refuses("segmented_top_k: out_offsets", [&] { segmented_top_k(ctx, x, x, 1, to, two, order); });
  refuses("segmented_top_k_by_key: values",
          [&] { segmented_top_k_by_key(ctx, x, y, x, 1, to, to, at, order); });
  refuses("segmented_top_k_indices: indices",
          [&] { segmented_top_k_indices(ctx, y, x, 2, two, at, order); });
  refuses("segmented_scan: out",
          [&] { segmented_scan<scan_kind::inclusive>(ctx, y, x, to, op, no_init{}); });
  refuses("scan_by_key: input",
          [&] { scan_by_key<scan_kind::exclusive>(ctx, x, y, to, equal, op, 1); });
  refuses("scan_by_key: out",
          [&] { scan_by_key<scan_kind::exclusive>(ctx, y, y, to, equal, op, 1); });
  refuses("unique: out", [&] { unique(ctx, y, equal, to); });
  refuses("unique: out", [&] { unique(ctx, y, equal, to, nullptr); });
  refuses("unique_offsets: keys_out", [&] { unique_offsets(ctx, y, equal, to, at); });
  refuses("unique_offsets: offsets", [&] { unique_offsets(ctx, y, equal, other, two, nullptr); });
  refuses("reduce_by_key: values", [&] { reduce_by_key(ctx, x, y, equal, to, to, op, 10); });
  refuses("reduce_by_key: keys_out",
          [&] { reduce_by_key(ctx, y, y, equal, to, other, op, 0, nullptr); });
  refuses("transform_reduce_by_key: out", [&] {
    transform_reduce_by_key(ctx, y, constant<int>{1}, equal, other, to, op, 0, nullptr);
  });
}

template <class Context>
class range_order_on : public on<Context> {};
TYPED_TEST_SUITE(range_order_on, contexts);

TYPED_TEST(range_order_on, takes_arrays) { check_all(this->ctx, as_array{}); }

TYPED_TEST(range_order_on, takes_spans) { check_all(this->ctx, as_span{}); }

TYPED_TEST(range_order_on, refuses_ranges_of_a_wrong_size) { check_refused_sizes(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
