#include "evenfold/algorithm/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evenfold/core/functional.hpp"
#include "support/contexts.hpp"
#include "support/narrow_merge.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Key, class Less>
std::vector<Key> sorted_keys(std::int64_t count, std::uint64_t seed, Less less) {
  std::vector<Key> result = random_values<Key>(count, seed);
  std::sort(result.begin(), result.end(), less);
  return result;
}

template <class Index, class Key, class Context, class Less>
void check_bounds(Context& ctx, const std::vector<Key>& needles, const std::vector<Key>& haystack,
                  Less less) {
  const array<Key> on_needles = to_context(ctx, needles);
  const array<Key> on_haystack = to_context(ctx, haystack);
  const auto count = static_cast<int>(needles.size());
  array<Index> lower(ctx, count), upper(ctx, count), first(ctx, count), equal(ctx, count);
  array<Index> plain_lower(ctx, count), plain_upper(ctx, count);
  sorted_search<bounds::lower>(ctx, on_needles.data(), count, on_haystack.data(), haystack.size(),
                               lower.data(), less);
  sorted_search<bounds::upper>(ctx, on_needles.data(), count, on_haystack.data(), haystack.size(),
                               upper.data(), less);
  sorted_equal_range(ctx, on_needles.data(), count, on_haystack.data(), haystack.size(),
                     first.data(), equal.data(), less);
  array<Index> merged_upper(ctx, count), merged_first(ctx, count), merged_equal(ctx, count);
  sorted_search<bounds::upper, narrow_merge>(ctx, on_needles.data(), count, on_haystack.data(),
                                             haystack.size(), merged_upper.data(), less);
  sorted_equal_range<narrow_merge>(ctx, on_needles.data(), count, on_haystack.data(),
                                   haystack.size(), merged_first.data(), merged_equal.data(), less);
  search<bounds::lower>(ctx, on_needles.data(), count, on_haystack.data(), haystack.size(),
                        plain_lower.data(), less);
  search<bounds::upper>(ctx, on_needles.data(), count, on_haystack.data(), haystack.size(),
                        plain_upper.data(), less);
  std::vector<Index> expected_lower, expected_upper, expected_equal;
  for (const Key& needle : needles) {
    const auto run = std::equal_range(haystack.begin(), haystack.end(), needle, less);
    expected_lower.push_back(static_cast<Index>(run.first - haystack.begin()));
    expected_upper.push_back(static_cast<Index>(run.second - haystack.begin()));
    expected_equal.push_back(static_cast<Index>(run.second - run.first));
  }
  ASSERT_EQ(to_host(ctx, lower), expected_lower);
  ASSERT_EQ(to_host(ctx, upper), expected_upper);
  ASSERT_EQ(to_host(ctx, first), expected_lower);
  ASSERT_EQ(to_host(ctx, equal), expected_equal);
  ASSERT_EQ(to_host(ctx, merged_upper), expected_upper);
  ASSERT_EQ(to_host(ctx, merged_first), expected_lower);
  ASSERT_EQ(to_host(ctx, merged_equal), expected_equal);
  ASSERT_EQ(to_host(ctx, plain_lower), expected_lower);
  ASSERT_EQ(to_host(ctx, plain_upper), expected_upper);
}

/// Every kind of haystack with every kind of needles: runs longer than a tile, gaps between them,
/// needles below and above the haystack.
template <class Context>
void check_patterns(Context& ctx) {
  constexpr int count = 20000;
  std::vector<int> ascending, even, equal(count, 7), few, ends;
  for (int i = 0; i < count; ++i) {
    ascending.push_back(i);
    even.push_back(2 * i);
    few.push_back(i / 9000 * 7);
    ends.push_back(i < count / 2 ? -1 : 1000000);
  }
  const std::vector<std::vector<int>> sides = {ascending, even, equal, few, ends, {}, {7}};
  for (const std::vector<int>& needles : sides) {
    for (const std::vector<int>& haystack : sides) {
      SCOPED_TRACE(::testing::Message()
                   << (&needles - sides.data()) << " in " << (&haystack - sides.data()));
      check_bounds<int>(ctx, needles, haystack, less{});
    }
  }
}

template <class Context>
void check_unsorted(Context& ctx) {
  const std::vector<int> needles = random_values<int>(30000, 5);
  const std::vector<int> haystack = sorted_keys<int>(20000, 6, greater{});
  const array<int> on_needles = to_context(ctx, needles);
  const array<int> on_haystack = to_context(ctx, haystack);
  array<std::uint16_t> found(ctx, needles.size());
  search<bounds::upper>(ctx, on_needles.data(), needles.size(), on_haystack.data(), haystack.size(),
                        found.data(), greater{});
  const std::vector<std::uint16_t> got = to_host(ctx, found);
  for (std::size_t i = 0; i < needles.size(); ++i) {
    ASSERT_EQ(got[i],
              std::upper_bound(haystack.begin(), haystack.end(), needles[i], std::greater<>{}) -
                  haystack.begin())
        << "needle " << i;
  }
}

template <class Context>
std::string refused(Context& ctx, int num_needles, int haystack_count) {
  array<int> some(ctx, 1);
  array<std::int8_t> narrow(ctx, 1);
  try {
    sorted_search<bounds::lower>(ctx, some.data(), num_needles, some.data(), haystack_count,
                                 narrow.data(), less{});
  } catch (const argument_error& e) {
    return e.what();
  }
  return "";
}

template <class Context>
class search_on : public on<Context> {};
TYPED_TEST_SUITE(search_on, contexts);

TYPED_TEST(search_on, finds_both_bounds_at_every_size) {
  for (const std::int64_t count : sizes()) {
    SCOPED_TRACE(count);
    const std::vector<int> some = sorted_keys<int>(count, 1, less{});
    check_bounds<int>(this->ctx, some, sorted_keys<int>(count, 2, less{}), less{});
    check_bounds<int>(this->ctx, some, sorted_keys<int>(50, 2, less{}), std::less<>{});
    check_bounds<int>(this->ctx, sorted_keys<int>(50, 3, less{}), some, less{});
  }
}

TYPED_TEST(search_on, finds_few_needles_in_a_large_haystack) {
  for (const int few : {1, 2, 7, 100}) {
    for (const int each : {16, 256}) {
      EXPECT_TRUE(detail::needles_are_few(few, each * few, each));
      EXPECT_FALSE(detail::needles_are_few(few, each * few - 1, each));
    }
    for (const int count : {16 * few - 1, 16 * few, 256 * few - 1, 256 * few, 100003}) {
      SCOPED_TRACE(::testing::Message() << few << " in " << count);
      std::vector<int> haystack;  // every even number twice
      haystack.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) haystack.push_back(i / 2 * 2);
      std::vector<int> needles;  // even and odd numbers, in the haystack and on both sides of it
      needles.reserve(static_cast<std::size_t>(few));
      for (int i = 0; i < few; ++i) needles.push_back(i * (count + 10) / few - 5);
      check_bounds<int>(this->ctx, needles, haystack, less{});
      check_bounds<int>(this->ctx, needles, std::vector<int>(count, 3), less{});
    }
  }
}

/// Needles that are few compared with the haystack, but more than a GPU has groups of lanes for.
TYPED_TEST(search_on, finds_many_needles_in_a_larger_haystack) {
  constexpr int needles = large_size / 8;
  check_bounds<int>(this->ctx, sorted_keys<int>(needles, 8, less{}),
                    sorted_keys<int>(16 * needles, 9, less{}), less{});
}

/// Needles that a GPU searches for one by one, and more, which it merges with the haystack.
TYPED_TEST(search_on, finds_needles_around_the_limit_of_merging) {
  for (const std::int64_t needles : {large_size / 50, large_size / 3, large_size * 3 / 5}) {
    SCOPED_TRACE(needles);
    check_bounds<int>(this->ctx, sorted_keys<int>(needles, 10, less{}),
                      sorted_keys<int>(needles / 3, 11, less{}), less{});
  }
}

TYPED_TEST(search_on, finds_whatever_the_interleaving) { check_patterns(this->ctx); }

TYPED_TEST(search_on, keys_of_1_to_64_bytes_and_any_order) {
  check_bounds<std::int64_t>(this->ctx, sorted_keys<std::int8_t>(20000, 1, greater{}),
                             sorted_keys<std::int8_t>(3000, 2, greater{}), greater{});
  check_bounds<std::uint32_t>(this->ctx, sorted_keys<double>(9000, 1, less{}),
                              sorted_keys<double>(9000, 2, less{}), less{});
  check_bounds<int>(this->ctx, sorted_keys<wide>(3000, 1, less{}),
                    sorted_keys<wide>(9000, 2, less{}), less{});
}

TYPED_TEST(search_on, plain_search_takes_needles_in_any_order) { check_unsorted(this->ctx); }

TYPED_TEST(search_on, refuses_what_does_not_fit) {
  EXPECT_EQ(refused(this->ctx, -1, 1),
            "sorted_search: num_needles is -1, but a count cannot be negative; pass the number of "
            "elements");
  EXPECT_EQ(refused(this->ctx, 1, 128),
            "sorted_search: haystack_count is 128, but it does not fit the type of out; pass wider "
            "integers");
}

}  // namespace
}  // namespace evenfold::testing
