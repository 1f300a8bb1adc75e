#include "evenfold/algorithm/fill.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Context>
class fill_on : public on<Context> {};
TYPED_TEST_SUITE(fill_on, contexts);

template <class T, class Context>
void check_fill(Context& ctx, std::int64_t count, const T& before, const T& value) {
  array<T> out = to_context(ctx, std::vector<T>(static_cast<std::size_t>(count + 2), before));
  fill(ctx, out.data() + 1, count, value);
  std::vector<T> expected(static_cast<std::size_t>(count + 2), value);
  expected.front() = expected.back() = before;
  ASSERT_TRUE(to_host(ctx, out) == expected) << count;
}

TYPED_TEST(fill_on, writes_every_element_and_no_other) {
  for (const std::int64_t count : sizes()) {
    check_fill<std::int8_t>(this->ctx, count, 1, 2);
    check_fill<double>(this->ctx, count, -1, 0.5);
    check_fill(this->ctx, count, triple{1, 2, 3}, triple{4, 5, 6});
  }
  check_fill(this->ctx, 100, wide(1), wide(2));
}

template <class T, class Context>
void check_iota(Context& ctx, std::int64_t count, T first, T step) {
  array<T> out(ctx, count);
  iota(ctx, out.data(), count, first, step);
  const std::vector<T> result = to_host(ctx, out);
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(result[i], static_cast<T>(first + static_cast<T>(static_cast<T>(i) * step))) << i;
  }
}

TYPED_TEST(fill_on, iota_counts_up_and_down) {
  for (const std::int64_t count : sizes()) {
    check_iota<std::int64_t>(this->ctx, count, 0, 1);
    check_iota<int>(this->ctx, count, 7, -3);
    check_iota<std::uint8_t>(this->ctx, count, 250, 1);
    check_iota<double>(this->ctx, count, 0.5, 0.25);
  }
  array<std::int64_t> plain(this->ctx, 3);
  iota(this->ctx, plain.data(), 3);
  EXPECT_EQ(to_host(this->ctx, plain), (std::vector<std::int64_t>{0, 1, 2}));
}

TYPED_TEST(fill_on, refuses_a_negative_count) {
  array<int> out(this->ctx, 1);
  EXPECT_THROW(fill(this->ctx, out.data(), -1, 0), argument_error);
  EXPECT_THROW(iota(this->ctx, out.data(), -1), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
