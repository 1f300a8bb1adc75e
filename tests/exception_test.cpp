// backends: host
// An exception that a function of the user throws leaves the call of the algorithm, with any number
// of threads.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

struct stop : std::runtime_error {
  stop() : std::runtime_error("stop") {}
};

/// Throws at one index.
struct throwing_at {
  int index;

  int operator()(int i) const {
    if (i == index) throw stop();
    return i % 1000;
  }
  int operator()(int i, int, int) const { return (*this)(i); }
};

template <class Context>
class exception_on : public ::testing::Test {};
TYPED_TEST_SUITE(exception_on, contexts);

TYPED_TEST(exception_on, leaves_every_algorithm) {
  constexpr int count = 70000;
  const std::vector<int> offsets = {0, 10, 10, 30000};
  const int num_segments = static_cast<int>(offsets.size());
  std::vector<int> out(count);
  for (const auto& context : equal_contexts<TypeParam>()) {
    TypeParam& ctx = *context;
    for (const int index : {0, 29999, 35000, count - 1}) {
      const throwing_at f{index};
      EXPECT_THROW(transform(ctx, count, f), stop);
      EXPECT_THROW(transform_reduce(ctx, count, f, plus{}, 0), stop);
      EXPECT_THROW(
          transform_scan<scan_kind::inclusive>(ctx, count, f, out.data(), plus{}, no_init{}), stop);
      EXPECT_THROW(transform_scan<scan_kind::exclusive>(ctx, count, f, out.data(), plus{}, 0),
                   stop);
      EXPECT_THROW(transform_lbs(ctx, count, f, offsets.data(), num_segments), stop);
      EXPECT_THROW(
          lbs_segreduce(ctx, count, f, offsets.data(), num_segments, out.data(), plus{}, 0), stop);
      EXPECT_THROW(
          transform_segreduce(ctx, count, f, offsets.data(), num_segments, out.data(), plus{}, 0),
          stop);
    }
    std::vector<int> keys(count);
    for (int i = 0; i < count; ++i) keys[i] = (i * 7919) % count;
    const auto less_or_stop = [](int a, int b) {
      if (a == 12345 || b == 12345) throw stop();
      return a < b;
    };
    EXPECT_THROW(
        segmented_sort(ctx, keys.data(), count, offsets.data(), num_segments, less_or_stop), stop);
    // The threads can be used afterwards.
    EXPECT_EQ(transform_reduce(ctx, 100, throwing_at{-1}, plus{}, 0), 4950);
  }
}

}  // namespace
}  // namespace evenfold::testing
