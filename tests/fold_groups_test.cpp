// backends: host
// The folds of segments in groups have the canonical order, with and without prefetching, wherever
// the items end.

#include "evenfold/backend/cpu/fold_groups.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold::testing {
namespace {

template <class T>
void check_groups(int count, std::uint64_t longest, bool prefetches) {
  const random_stream random(longest);
  std::vector<int> offsets, columns;
  std::vector<T> x;
  for (int at = 0, s = 0; at < count; ++s) {
    offsets.push_back(at);
    const auto bits = static_cast<std::uint64_t>(s);
    at += static_cast<int>(random.below(2 * bits, 50) == 0 ? random.below(2 * bits + 1, 3000)
                                                           : random.below(2 * bits + 1, longest));
  }
  for (int i = 0; i < count; ++i) columns.push_back(count - 1 - i);
  for (int i = 0; i < count; ++i) x.push_back(random.normal<T>(static_cast<std::uint64_t>(i)));
  const auto num_segments = static_cast<int>(offsets.size());
  const detail::segment_view segments{count, offsets.data(), num_segments};
  const gathered item(detail::multiply_entry<T, detail::multiply_as<T>>{}, x.data(),
                      columns.data());

  std::vector<T> out(offsets.size());
  cpu::fold_groups<T, plus> groups(plus{}, prefetches);
  int seg = 0, begin = 0;
  groups(segments, seg, num_segments - 1, begin, count, item, out.data(), T{0.5f});
  // All that end in a whole group are written.
  EXPECT_EQ(begin, segments.begin(seg));
  EXPECT_TRUE(seg == num_segments - 1 || segments.end(seg) > count / 512 * 512);
  for (int s = 0; s < seg; ++s) {
    const T expected =
        reference::canonical_fold(segments.begin(s), segments.end(s), item, plus{}, T{0.5f});
    ASSERT_EQ(std::memcmp(&out[static_cast<std::size_t>(s)], &expected, sizeof(T)), 0)
        << "segment [" << segments.begin(s) << ", " << segments.end(s) << ") of " << count;
  }
}

TEST(fold_groups, have_the_canonical_order) {
  for (const int count : {1, 511, 512, 513, 1024, 1087, 1088, 100000}) {
    for (const std::uint64_t longest : {3, 20, 200}) {
      for (const bool prefetches : {false, true}) {
        check_groups<float>(count, longest, prefetches);
        check_groups<double>(count, longest, prefetches);
      }
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
