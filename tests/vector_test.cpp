// dot, saxpy and multiply with every length and alignment, on every backend.

#include "evenfold/algorithm/dot.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/algorithm/multiply.hpp"
#include "evenfold/algorithm/saxpy.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Context>
class vectors_on : public on<Context> {};
TYPED_TEST_SUITE(vectors_on, contexts);

/// Small integers, whose sums and products are exact in any order.
template <class T>
std::vector<T> small_values(std::int64_t count, int seed) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<T>((i * 7 + seed) % 13 - 6));
  }
  return values;
}

template <class T, class Context>
void check_dot(Context& ctx) {
  const std::vector<T> x = small_values<T>(large_size, 1), y = small_values<T>(large_size, 2);
  const array<T> left = to_context(ctx, x), right = to_context(ctx, y);
  for (const std::int64_t count : sizes()) {
    T expected{5};
    for (std::int64_t i = 0; i < count; ++i) expected += x[i] * y[i];
    ASSERT_EQ(dot(ctx, left.data(), right.data(), count, T{5}), expected) << count << " elements";
  }
}

TYPED_TEST(vectors_on, dot_of_every_size) {
  check_dot<float>(this->ctx);
  check_dot<std::int64_t>(this->ctx);
}

template <class Context>
void check_dot_at_any_alignment(Context& ctx) {
  // The same values give the same bits at every alignment.
  const std::vector<float> values = random_fractions<float>(large_size);
  const auto count = static_cast<std::int64_t>(values.size()) - 8;
  const array<float> one = to_context(ctx, values);
  float first = 0;
  for (int shift = 0; shift < 5; ++shift) {
    array<float> shifted(ctx, values.size());
    copy(ctx, one.data(), count, shifted.data() + shift);
    const float sum = dot(ctx, shifted.data() + shift, one.data(), count, 0.f);
    if (shift == 0) first = sum;
    ASSERT_EQ(std::memcmp(&sum, &first, sizeof(sum)), 0) << "moved by " << shift;
  }
}
TYPED_TEST(vectors_on, dot_does_not_depend_on_alignment) { check_dot_at_any_alignment(this->ctx); }

TYPED_TEST(vectors_on, dot_stays_in_the_memory_of_the_context) {
  const array<double> x = to_context(this->ctx, std::vector<double>{1, 2, 3});
  array<double> out(this->ctx, 1);
  dot(this->ctx, x.data(), x.data(), 3, 0.5, out.data());
  EXPECT_EQ(to_host(this->ctx, out)[0], 14.5);
}

/// y = a x + y with x and y at some offset. Elements around y must not change.
template <class T, class Context>
void check_saxpy(Context& ctx, std::int64_t count, int shift_x, int shift_y) {
  const std::vector<T> x = small_values<T>(count + 8, 3), y = small_values<T>(count + 8, 4);
  const array<T> from = to_context(ctx, x);
  array<T> to = to_context(ctx, y);
  saxpy(ctx, count, T{3}, from.data() + shift_x, to.data() + shift_y);
  const std::vector<T> result = to_host(ctx, to);
  for (std::int64_t i = 0; i < count + 8; ++i) {
    const std::int64_t k = i - shift_y;
    const T expected = k >= 0 && k < count ? T{3} * x[k + shift_x] + y[i] : y[i];
    ASSERT_EQ(result[i], expected)
        << "element " << i << " of " << count << ", moved by " << shift_x << " and " << shift_y;
  }
}

TYPED_TEST(vectors_on, saxpy_of_every_size) {
  for (const std::int64_t count : sizes()) check_saxpy<float>(this->ctx, count, 0, 0);
}

TYPED_TEST(vectors_on, saxpy_at_any_alignment) {
  for (int shift_x = 0; shift_x < 5; ++shift_x) {
    for (int shift_y = 0; shift_y < 5; ++shift_y) {
      check_saxpy<float>(this->ctx, 1001, shift_x, shift_y);
      check_saxpy<double>(this->ctx, 1001, shift_x, shift_y);
      check_saxpy<float>(this->ctx, 20001, shift_x, shift_y);
      check_saxpy<std::int8_t>(this->ctx, 20001, shift_x, shift_y);
    }
  }
}

TYPED_TEST(vectors_on, saxpy_of_a_sequence_onto_itself) {
  array<int> x = to_context(this->ctx, std::vector<int>{1, 2, 3, 4, 5});
  saxpy(this->ctx, 5, 2, x.data(), x.data());
  EXPECT_EQ(to_host(this->ctx, x), (std::vector<int>{3, 6, 9, 12, 15}));
}

/// Results that are wider than the values, and of another type.
template <class Context>
void check_multiply(Context& ctx) {
  const std::vector<std::int16_t> x = small_values<std::int16_t>(3001, 5);
  const std::vector<std::int16_t> y = small_values<std::int16_t>(3001, 6);
  const array<std::int16_t> left = to_context(ctx, x), right = to_context(ctx, y);
  for (const std::int64_t count : {0, 1, 8, 3001}) {
    array<double> out = to_context(ctx, std::vector<double>(3002, -0.5));
    multiply(ctx, left.data(), right.data(), count, out.data());
    const std::vector<double> result = to_host(ctx, out);
    for (std::int64_t i = 0; i < 3002; ++i) {
      ASSERT_EQ(result[i], i < count ? double(x[i] * y[i]) : -0.5) << "element " << i;
    }
  }
}
TYPED_TEST(vectors_on, multiply_gives_the_type_of_the_output) { check_multiply(this->ctx); }

TYPED_TEST(vectors_on, multiply_in_place) {
  array<float> x = to_context(this->ctx, std::vector<float>{1, 2, 3, 4, 5});
  multiply(this->ctx, x.data(), x.data(), 5, x.data());
  EXPECT_EQ(to_host(this->ctx, x), (std::vector<float>{1, 4, 9, 16, 25}));
}

TYPED_TEST(vectors_on, negative_counts_are_refused) {
  array<float> x(this->ctx, 1);
  EXPECT_THROW(dot(this->ctx, x.data(), x.data(), -1, 0.f), argument_error);
  EXPECT_THROW(saxpy(this->ctx, -1, 1.f, x.data(), x.data()), argument_error);
  EXPECT_THROW(multiply(this->ctx, x.data(), x.data(), -1, x.data()), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
