#include "evenfold/algorithm/segmented_top_k.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/contexts.hpp"
#include "support/segmented_top_k.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Context>
class segmented_top_k_on : public on<Context> {};
TYPED_TEST_SUITE(segmented_top_k_on, contexts);

TYPED_TEST(segmented_top_k_on, is_the_beginning_of_each_sorted_segment) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 20000}) {
      const segments_of<int> data = make_segments<int>(kind, count);
      const std::vector<int> keys = random_values<int>(data.count);
      const std::vector<int> ks = {0, 1, 3, 16, 20000};
      check_segmented_top_k(this->ctx, keys, data.offsets, ks, less{});
      check_segmented_top_k(this->ctx, keys, data.offsets, ks, greater{});
    }
  }
}

TYPED_TEST(segmented_top_k_on, takes_keys_of_any_type) {
  const segments_of<int> data = make_segments<int>(shape::power_law, 20000);
  check_segmented_top_k(this->ctx, random_values<double>(data.count), data.offsets, 5, greater{});
  check_segmented_top_k(this->ctx, random_values<std::uint8_t>(data.count), data.offsets, 5,
                        less{});
  check_segmented_top_k(this->ctx, random_values<wide>(data.count), data.offsets, 2, less{});
}

TYPED_TEST(segmented_top_k_on, does_not_mind_how_keys_are_distributed) {
  const std::vector<int> offsets = {0, 9000, 9000, 9010, 20000};
  const auto check_both = [&](const std::vector<int>& keys) {
    check_segmented_top_k(this->ctx, keys, offsets, 7, less{});
    check_segmented_top_k(this->ctx, keys, offsets, 7, greater{});
  };
  std::vector<int> keys(20000 + 100, 7);
  check_both(keys);
  std::iota(keys.begin(), keys.end(), -5000);
  check_both(keys);
  // One of the groups that items are dealt out to has the smallest keys, and one has the largest.
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i % 7);
  check_both(keys);
}

TYPED_TEST(segmented_top_k_on, takes_many_equal_keys_in_pieces_of_a_segment) {
  const std::vector<int> offsets = {0, 3000, 3100, 5148, 9000};
  std::vector<int> keys(12000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 1024 * 3 % 7);
  for (const int k : {1, 20, 32, 33}) {
    check_segmented_top_k(this->ctx, keys, offsets, k, less{});
    check_segmented_top_k(this->ctx, keys, offsets, k, greater{});
  }
}

TYPED_TEST(segmented_top_k_on, refuses_a_negative_k) {
  const array<int> keys(this->ctx, 3);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0});
  array<int> out(this->ctx, 3), out_offsets(this->ctx, 1);
  EXPECT_THROW(segmented_top_k(this->ctx, keys.data(), 3, offsets.data(), 1, -1, out.data(),
                               out_offsets.data(), less{}),
               argument_error);
}

}  // namespace
}  // namespace evenfold::testing
