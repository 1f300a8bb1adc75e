#include "evenfold/algorithm/argmin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

struct operator_less {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class T, class Context>
void check_argmin(Context& ctx, std::int64_t count) {
  const std::vector<T> host = random_values<T>(count);
  const array<T> input = to_context(ctx, host);
  const auto smallest = std::min_element(host.begin(), host.end()) - host.begin();
  const auto largest = std::max_element(host.begin(), host.end()) - host.begin();
  ASSERT_EQ(argmin(ctx, input.data(), count, operator_less{}), smallest) << count;
  ASSERT_EQ(argmax(ctx, input.data(), count, operator_less{}), largest) << count;
  if constexpr (std::is_arithmetic_v<T>) {
    ASSERT_EQ(argmin(ctx, input.data(), count), smallest) << count;
    ASSERT_EQ(argmax(ctx, input.data(), count), largest) << count;
  }
}

template <class Context>
class argmin_on : public on<Context> {};
TYPED_TEST_SUITE(argmin_on, contexts);

TYPED_TEST(argmin_on, finds_the_first_of_equals) {
  for (const std::int64_t count : sizes()) {
    if (count == 0) continue;
    check_argmin<int>(this->ctx, count);
    check_argmin<double>(this->ctx, count);
    check_argmin<triple>(this->ctx, count);
  }
  check_argmin<wide>(this->ctx, 5000);
}

TYPED_TEST(argmin_on, finds_the_first_nan_before_any_number) {
  const double nan = std::nan("");
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> host = {1, -infinite, nan, infinite, nan};
  const array<double> input = to_context(this->ctx, host);
  EXPECT_EQ(argmin(this->ctx, input.data(), 5), 2);
  EXPECT_EQ(argmax(this->ctx, input.data(), 5), 2);
  EXPECT_EQ(argmin(this->ctx, input.data(), 2), 1);
  EXPECT_EQ(argmax(this->ctx, input.data() + 3, 2), 1);
}

TYPED_TEST(argmin_on, takes_zeros_of_both_signs_for_equals) {
  const std::vector<float> host = {0, -0.f, 0, -0.f};
  const array<float> input = to_context(this->ctx, host);
  for (const int first : {0, 1}) {
    EXPECT_EQ(argmin(this->ctx, input.data() + first, 3), 0);
    EXPECT_EQ(argmax(this->ctx, input.data() + first, 3), 0);
  }
}

TYPED_TEST(argmin_on, refuses_an_empty_sequence) {
  const array<int> nothing(this->ctx, 0);
  try {
    argmin(this->ctx, nothing.data(), 0);
    FAIL() << "took an empty sequence";
  } catch (const argument_error& fault) {
    EXPECT_NE(std::string(fault.what()).find("argmin"), std::string::npos) << fault.what();
  }
  EXPECT_THROW(argmax(this->ctx, nothing.data(), -1), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
