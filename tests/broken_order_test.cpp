// Sorts, merges and searches with comparisons that are not strict weak orders: `<` with NaN, and
// functions with arbitrary answers, which even change from call to call. The order of the result is
// unspecified, but the result is a permutation, and nothing outside the arrays is read or written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/multiset.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/sort_columns.hpp"
#include "evenfold/table/join.hpp"
#include "support/broken_less.hpp"
#include "support/bytes.hpp"
#include "support/contexts.hpp"
#include "support/guarded.hpp"
#include "support/narrow_merge.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

std::vector<int> numbers_from_0(std::size_t count) {
  std::vector<int> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<int>(i));
  return result;
}

/// Asserts that keys[i] is before[from[i]], and that `from` contains every index of a segment once.
template <class Key>
void expect_permutation(const std::vector<Key>& before, const std::vector<Key>& keys,
                        const std::vector<int>& from, const segments_of<int>& segments) {
  std::vector<bool> seen(before.size(), false);
  for (std::int64_t s = 0; s < segments.num_segments(); ++s) {
    for (std::int64_t i = segments.begin(s); i < segments.end(s); ++i) {
      const auto at = static_cast<std::size_t>(i);
      ASSERT_TRUE(from[at] >= segments.begin(s) && from[at] < segments.end(s)) << "index " << i;
      const auto source = static_cast<std::size_t>(from[at]);
      ASSERT_FALSE(seen[source]) << "value " << source << " came twice";
      seen[source] = true;
      ASSERT_TRUE(same_bytes(keys[at], before[source])) << "key " << i << " lost its value";
    }
  }
}

/// Asserts that keys which were sorted without values are a permutation.
template <class Key>
void expect_same_keys(std::vector<Key> before, std::vector<Key> keys,
                      const segments_of<int>& segments) {
  const auto by_bytes = [](const Key& a, const Key& b) {
    if constexpr (sizeof(Key) == sizeof(std::uint32_t)) {
      return word_of(a) < word_of(b);  // not a call of memcmp without optimisation
    } else {
      return std::memcmp(&a, &b, sizeof(Key)) < 0;
    }
  };
  for (std::int64_t s = 0; s < segments.num_segments(); ++s) {
    for (std::vector<Key>* all : {&before, &keys}) {
      if (segments.end(s) - segments.begin(s) < 2) continue;
      std::sort(all->data() + segments.begin(s), all->data() + segments.end(s), by_bytes);
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_TRUE(same_bytes(before[i], keys[i])) << i;
}

template <class Key, class Context>
void check_sorts(Context& ctx, std::int64_t count, broken_less less) {
  const std::vector<Key> before = make_keys<Key>(count, 11);
  const segments_of<int> whole{count, {0}};
  auto keys = make_guarded(ctx, before);
  sort(ctx, keys.data(), count, less);
  expect_same_keys(before, keys.get(), whole);

  auto paired = make_guarded(ctx, before);
  auto values = make_guarded(ctx, numbers_from_0(before.size()));
  sort_by_key(ctx, paired.data(), values.data(), count, less);
  expect_permutation(before, paired.get(), values.get(), whole);

  auto untouched = make_guarded(ctx, before);
  auto indices = make_guarded(ctx, std::vector<int>(before.size(), -1));
  sort_indices(ctx, untouched.data(), indices.data(), count, less);
  const std::vector<int> from = indices.get();
  std::vector<Key> picked;
  for (const int i : from) picked.push_back(before.at(static_cast<std::size_t>(i)));
  expect_permutation(before, picked, from, whole);
}

template <class Key, class Context>
void check_segmented_sorts(Context& ctx, std::int64_t count, broken_less less) {
  for (const shape kind : {shape::single, shape::one_giant, shape::uniform}) {
    const segments_of<int> segments = make_segments(kind, count);
    const auto num_segments = static_cast<int>(segments.num_segments());
    const array<int> offsets = to_context(ctx, segments.offsets);
    const std::vector<Key> before = make_keys<Key>(count, 12);
    auto keys = make_guarded(ctx, before);
    segmented_sort(ctx, keys.data(), count, offsets.data(), num_segments, less);
    expect_same_keys(before, keys.get(), segments);

    auto paired = make_guarded(ctx, before);
    auto values = make_guarded(ctx, numbers_from_0(before.size()));
    segmented_sort(ctx, paired.data(), values.data(), count, offsets.data(), num_segments, less);
    expect_permutation(before, paired.get(), values.get(), segments);

    auto indexed = make_guarded(ctx, before);
    auto indices = make_guarded(ctx, std::vector<int>(before.size(), -1));
    segmented_sort_indices(ctx, indexed.data(), indices.data(), count, offsets.data(), num_segments,
                           less);
    expect_permutation(before, indexed.get(), indices.get(), segments);
  }
}

/// Some segments have a NaN, for which `<` is no order.
template <class Context>
void check_beside_nan(Context& ctx, std::int64_t count, std::int64_t length) {
  segments_of<int> segments{count, {}};
  for (std::int64_t begin = 0; begin < count; begin += length) {
    segments.offsets.push_back(static_cast<int>(begin));
  }
  std::vector<float> before = random_values<float>(count, 15);
  for (std::int64_t s = 0; s < segments.num_segments(); s += 3) {
    const std::int64_t middle = (segments.begin(s) + segments.end(s)) / 2;
    before[static_cast<std::size_t>(middle)] = std::numeric_limits<float>::quiet_NaN();
  }
  const array<int> offsets = to_context(ctx, segments.offsets);
  auto keys = make_guarded(ctx, before);
  segmented_sort(ctx, keys.data(), count, offsets.data(), static_cast<int>(segments.num_segments()),
                 broken_less{broken_answers::plain});
  expect_same_keys(before, keys.get(), segments);
}

template <class Key, class Context>
void check_merges(Context& ctx, std::int64_t a_count, std::int64_t b_count, broken_less less) {
  const std::vector<Key> a = make_run<Key>(a_count, 13);
  const std::vector<Key> b = make_run<Key>(b_count, 14);
  std::vector<Key> before = a;
  before.insert(before.end(), b.begin(), b.end());
  const std::vector<int> numbers = numbers_from_0(before.size());
  const std::int64_t count = a_count + b_count;
  const segments_of<int> whole{count, {0}};

  auto on_a = make_guarded(ctx, a);
  auto on_b = make_guarded(ctx, b);
  auto out = make_guarded(ctx, before);
  merge(ctx, on_a.data(), a_count, on_b.data(), b_count, out.data(), less);
  expect_same_keys(before, out.get(), whole);
  auto of_narrow_tiles = make_guarded(ctx, before);
  merge<narrow_merge>(ctx, on_a.data(), a_count, on_b.data(), b_count, of_narrow_tiles.data(),
                      less);
  expect_same_keys(before, of_narrow_tiles.get(), whole);

  const array<int> values = to_context(ctx, numbers);
  auto out_keys = make_guarded(ctx, before);
  auto out_values = make_guarded(ctx, std::vector<int>(before.size(), -1));
  merge(ctx, on_a.data(), values.data(), a_count, on_b.data(), values.data() + a_count, b_count,
        out_keys.data(), out_values.data(), less);
  expect_permutation(before, out_keys.get(), out_values.get(), whole);
}

template <class Key, class Context>
void check_searches(Context& ctx, std::int64_t num_needles, std::int64_t count, broken_less less) {
  auto needles = make_guarded(ctx, make_run<Key>(num_needles, 15));
  auto haystack = make_guarded(ctx, make_run<Key>(count, 16));
  const std::vector<int> nothing(static_cast<std::size_t>(num_needles), -1);
  const auto expect_inside = [&](const std::vector<int>& positions) {
    for (const int position : positions)
      ASSERT_TRUE(position >= 0 && position <= count) << position;
  };
  auto lower = make_guarded(ctx, nothing);
  auto upper = make_guarded(ctx, nothing);
  auto any = make_guarded(ctx, nothing);
  sorted_search<bounds::lower>(ctx, needles.data(), num_needles, haystack.data(), count,
                               lower.data(), less);
  sorted_search<bounds::upper>(ctx, needles.data(), num_needles, haystack.data(), count,
                               upper.data(), less);
  auto merged = make_guarded(ctx, nothing);
  sorted_search<bounds::lower, narrow_merge>(ctx, needles.data(), num_needles, haystack.data(),
                                             count, merged.data(), less);
  search<bounds::lower>(ctx, needles.data(), num_needles, haystack.data(), count, any.data(), less);
  expect_inside(lower.get());
  expect_inside(merged.get());
  expect_inside(upper.get());
  expect_inside(any.get());

  const auto check_ranges = [&](auto search_ranges) {
    auto first = make_guarded(ctx, nothing);
    auto counts = make_guarded(ctx, nothing);
    search_ranges(first.data(), counts.data());
    const std::vector<int> begin = first.get();
    const std::vector<int> length = counts.get();
    for (std::size_t i = 0; i < begin.size(); ++i) {
      ASSERT_TRUE(begin[i] >= 0 && length[i] >= 0 && begin[i] + length[i] <= count)
          << begin[i] << " + " << length[i];
    }
  };
  check_ranges([&](int* first, int* counts) {
    sorted_equal_range(ctx, needles.data(), num_needles, haystack.data(), count, first, counts,
                       less);
  });
  check_ranges([&](int* first, int* counts) {
    sorted_equal_range<narrow_merge>(ctx, needles.data(), num_needles, haystack.data(), count,
                                     first, counts, less);
  });
}

/// Enough items for several tiles.
constexpr std::int64_t many_items = third_if_sanitized(100000);

/// Tests one order and one type with all counts.
template <class Key, class Context>
void check_order(Context& ctx, broken_less less, std::int64_t largest) {
  for (const std::int64_t count :
       {std::int64_t{100}, std::int64_t{1000}, many_items, std::int64_t{1000000}}) {
    if (count > largest) break;
    check_sorts<Key>(ctx, count, less);
    check_segmented_sorts<Key>(ctx, count, less);
    check_merges<Key>(ctx, count / 2, count / 2, less);
    check_merges<Key>(ctx, count / 10, count, less);
    check_searches<Key>(ctx, count, count, less);
    check_searches<Key>(ctx, count / 10, count, less);
    check_searches<Key>(ctx, count / 1000, count, less);
    if (::testing::Test::HasFatalFailure()) FAIL() << count << " items";
  }
}

/// The reference has no tiles, so that large sizes are left out; under a sanitizer they take too
/// long.
template <class Context>
constexpr std::int64_t most =
    std::is_same_v<Context, reference_context> || is_sanitized ? many_items : 1000000;

template <class Context>
void check_multisets(Context& ctx, broken_less less) {
  const auto a = to_context(ctx, make_run<float>(3000, 17));
  const auto b = to_context(ctx, make_run<float>(2000, 18));
  const auto both = set_intersection(ctx, a.data(), 3000, b.data(), 2000, less);
  const auto only_a = set_difference(ctx, a.data(), 3000, b.data(), 2000, less);
  const auto either = set_union(ctx, a.data(), 3000, b.data(), 2000, less);
  const auto only_one = set_symmetric_difference(ctx, a.data(), 3000, b.data(), 2000, less);
  EXPECT_LE(both.size(), 3000u);
  EXPECT_LE(only_a.size(), 3000u);
  EXPECT_TRUE(either.size() >= 3000 && either.size() <= 5000) << either.size();
  EXPECT_LE(only_one.size(), 5000u);
}

template <class Context>
void check_joins(Context& ctx, broken_less less) {
  const auto left = to_context(ctx, make_run<float>(900, 19));
  const auto right = to_context(ctx, make_run<float>(700, 20));
  const auto expect_rows = [&](const array<int>& rows, int count) {
    for (const int row : to_host(ctx, rows)) ASSERT_TRUE(row >= -1 && row < count) << row;
  };
  const auto inner = inner_join(ctx, left.data(), 900, right.data(), 700, less);
  const auto full = full_join(ctx, left.data(), 900, right.data(), 700, less);
  const auto semi = semi_join(ctx, left.data(), 900, right.data(), 700, less);
  for (const auto* rows : {&inner, &full}) {
    expect_rows(rows->left, 900);
    expect_rows(rows->right, 700);
  }
  expect_rows(semi, 900);
}

template <class Context>
void check_columns(Context& ctx, broken_less less) {
  for (const int count : {100, 20000}) {
    const std::vector<float> before = make_keys<float>(count, 21);
    auto first = make_guarded(ctx, before);
    auto second = make_guarded(ctx, numbers_from_0(before.size()));
    auto indices = make_guarded(ctx, std::vector<int>(before.size(), -1));
    const auto columns = make_tuple(ordered_by(first.data(), less), descending(second.data()));
    sort_indices(ctx, columns, indices.data(), count);
    expect_permutation(numbers_from_0(before.size()), indices.get(), indices.get(), {count, {0}});
    sort_columns(ctx, columns, count);
    expect_permutation(before, first.get(), second.get(), {count, {0}});
  }
}

template <class Context>
class broken_order_on : public on<Context> {};
TYPED_TEST_SUITE(broken_order_on, contexts);

TYPED_TEST(broken_order_on, nan) {
  check_order<float>(this->ctx, broken_less{broken_answers::plain}, most<TypeParam>);
}
TYPED_TEST(broken_order_on, nan_in_some_segments) {
  for (const int length : {7, 300, 1000, 4000, 30000}) check_beside_nan(this->ctx, 60000, length);
  check_beside_nan(this->ctx, large_size, 20000);
}
TYPED_TEST(broken_order_on, random) {
  check_order<float>(this->ctx, broken_less{broken_answers::random}, most<TypeParam>);
}
TYPED_TEST(broken_order_on, hashed) {
  check_order<float>(this->ctx, broken_less{broken_answers::hashed}, many_items);
}
TYPED_TEST(broken_order_on, always) {
  check_order<float>(this->ctx, broken_less{broken_answers::always}, many_items);
}
TYPED_TEST(broken_order_on, never) {
  check_order<float>(this->ctx, broken_less{broken_answers::never}, many_items);
}
TYPED_TEST(broken_order_on, of_large_keys) {
  check_order<triple>(this->ctx, broken_less{broken_answers::random}, many_items);
  check_order<triple>(this->ctx, broken_less{broken_answers::hashed}, 1000);
}
TYPED_TEST(broken_order_on, of_many_threads) {
  if constexpr (takes_threads<TypeParam>) {
    TypeParam many(40);
    check_order<float>(many, broken_less{broken_answers::random}, many_items);
    check_order<float>(many, broken_less{broken_answers::plain}, many_items);
    std::vector<float> keys = random_values<float>(100000);
    sort(many, keys.data(), 100000, broken_less{broken_answers::plain});
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end())) << "an order is kept";
  }
}
TYPED_TEST(broken_order_on, of_multisets) {
  check_multisets(this->ctx, broken_less{broken_answers::plain});
  check_multisets(this->ctx, broken_less{broken_answers::random});
  check_multisets(this->ctx, broken_less{broken_answers::hashed});
}
TYPED_TEST(broken_order_on, of_joins) {
  check_joins(this->ctx, broken_less{broken_answers::plain});
  check_joins(this->ctx, broken_less{broken_answers::random});
  check_joins(this->ctx, broken_less{broken_answers::hashed});
}
TYPED_TEST(broken_order_on, of_columns) {
  check_columns(this->ctx, broken_less{broken_answers::plain});
  check_columns(this->ctx, broken_less{broken_answers::random});
  check_columns(this->ctx, broken_less{broken_answers::hashed});
  check_columns(this->ctx, broken_less{broken_answers::always});
}

}  // namespace
}  // namespace evenfold::testing
