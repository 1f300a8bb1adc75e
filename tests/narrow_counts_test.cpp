// Counts of 8 and 16 bits, up to the largest number of their type: the algorithms over segments
// compile for them, pass them to functions, and access no item or segment that does not exist.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "evenfold/algorithm/interval_expand.hpp"
#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/optional.hpp"
#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Segments of 0, 1, 2, 3, 0, 1, ... items. The last one has the rest.
template <class Size>
std::vector<Size> offsets_up_to(Size count) {
  std::vector<Size> offsets;
  int begin = 0;
  for (int s = 0; begin <= count && std::cmp_less(s, std::numeric_limits<Size>::max()); ++s) {
    offsets.push_back(static_cast<Size>(begin));
    begin += s % 4;
  }
  return offsets;
}

/// The arguments of a function for an item, combined into one number.
template <class Size>
struct item_number {
  EF_HD std::int64_t operator()(Size index, Size seg, Size rank) const {
    return (std::int64_t{seg} << 40) + (std::int64_t{rank} << 20) + index;
  }
};

template <class Size>
struct store_item_number {
  std::int64_t* out;
  EF_HD void operator()(Size index, Size seg, Size rank) const {
    out[index] = item_number<Size>{}(index, seg, rank);
  }
};

/// Creates a new item for every third item.
template <class Size>
struct every_third {
  EF_HD optional<std::int64_t> operator()(Size index, Size seg, Size rank) const {
    optional<std::int64_t> made;
    if (index % 3 == 0) made = item_number<Size>{}(index, seg, rank);
    return made;
  }
};

template <class Size, class Context>
void check_counts(Context& ctx) {
  constexpr Size most = std::numeric_limits<Size>::max();
  for (const Size count : {Size{0}, Size{1}, Size{100}, static_cast<Size>(most - 1), most}) {
    SCOPED_TRACE(std::to_string(count));
    const std::vector<Size> begins = offsets_up_to(count);
    const auto num_segments = static_cast<Size>(begins.size());
    const array<Size> offsets = to_context(ctx, begins);

    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> sums(begins.size(), 7);
    std::vector<Size> segments;
    for (std::size_t s = 0; s < begins.size(); ++s) {
      const int end = s + 1 < begins.size() ? begins[s + 1] : count;
      for (int i = begins[s]; i < end; ++i) {
        numbers.push_back(item_number<Size>{}(static_cast<Size>(i), static_cast<Size>(s),
                                              static_cast<Size>(i - begins[s])));
        sums[s] += numbers.back();
        segments.push_back(static_cast<Size>(s));
      }
    }
    std::vector<std::int64_t> thirds;
    for (std::size_t i = 0; i < numbers.size(); i += 3) thirds.push_back(numbers[i]);

    array<std::int64_t> called(ctx, count);
    transform_lbs(ctx, count, store_item_number<Size>{called.data()}, offsets.data(), num_segments);
    EXPECT_EQ(to_host(ctx, called), numbers);

    array<std::int64_t> folded(ctx, num_segments);
    lbs_segreduce(ctx, count, item_number<Size>{}, offsets.data(), num_segments, folded.data(),
                  plus{}, std::int64_t{7});
    EXPECT_EQ(to_host(ctx, folded), sums);
    ctx.synchronize();
    segreduce(ctx, called.data(), count, offsets.data(), num_segments, folded.data(), plus{},
              std::int64_t{7});
    EXPECT_EQ(to_host(ctx, folded), sums);

    array<std::int64_t> made(ctx, count);
    const Size num_made =
        lbs_workcreate(ctx, count, every_third<Size>{}, offsets.data(), num_segments, made.data());
    ASSERT_EQ(static_cast<std::size_t>(num_made), thirds.size());
    EXPECT_EQ(to_host(ctx, made.data(), thirds.size()), thirds);

    array<Size> found(ctx, count);
    load_balance_search(ctx, count, offsets.data(), num_segments, found.data());
    EXPECT_EQ(to_host(ctx, found), segments);
    array<Size> expanded(ctx, count);
    interval_expand(ctx, offsets.data(), count, offsets.data(), num_segments, expanded.data());
    for (Size& s : segments) s = begins[s];
    EXPECT_EQ(to_host(ctx, expanded), segments);

    std::vector<int> keys = random_values<int>(count);
    array<int> sorted = to_context(ctx, keys);
    array<Size> sources(ctx, count);
    segmented_sort_indices(ctx, sorted.data(), sources.data(), count, offsets.data(), num_segments,
                           less{});
    std::vector<int> picked;
    for (const Size i : to_host(ctx, sources)) picked.push_back(keys.at(i));
    EXPECT_EQ(to_host(ctx, sorted), picked);
    for (std::size_t s = 0; s < begins.size(); ++s) {
      std::sort(keys.begin() + begins[s],
                s + 1 < begins.size() ? keys.begin() + begins[s + 1] : keys.end());
    }
    EXPECT_EQ(picked, keys);
  }
}

template <class Context>
using narrow_counts = on<Context>;
TYPED_TEST_SUITE(narrow_counts, contexts);

TYPED_TEST(narrow_counts, signed_8_bits) { check_counts<std::int8_t>(this->ctx); }
TYPED_TEST(narrow_counts, unsigned_8_bits) { check_counts<std::uint8_t>(this->ctx); }
TYPED_TEST(narrow_counts, signed_16_bits) { check_counts<std::int16_t>(this->ctx); }
TYPED_TEST(narrow_counts, unsigned_16_bits) { check_counts<std::uint16_t>(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
