// backends: host
#include "evenfold/core/divisor.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/core/random.hpp"

namespace evenfold::testing {
namespace {

template <class Size>
class divisor_of : public ::testing::Test {};
using sizes_of_index = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(divisor_of, sizes_of_index);

/// Small numbers, and numbers within 2 of a power of two or of the largest number.
template <class Size>
std::vector<Size> edges() {
  constexpr Size most = std::numeric_limits<Size>::max();
  std::vector<Size> result;
  for (Size n = 0; n < 300; ++n) result.push_back(n);
  for (Size power = 512; power > 0 && power <= most / 2; power *= 2) {
    for (Size by = -2; by <= 2; ++by) result.push_back(power + by);
  }
  for (Size by = 0; by <= 2; ++by) result.push_back(most - by);
  for (Size by = -2; by <= 2; ++by) result.push_back(most / 2 + 1 + by);
  return result;
}

template <class Size>
::testing::AssertionResult divides(const detail::divisor<Size>& d, Size n) {
  if (d.quotient(n) == n / d.value() && d.remainder(n) == n % d.value()) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << n << " / " << d.value() << " gave " << d.quotient(n)
                                       << ", remainder " << d.remainder(n);
}

TYPED_TEST(divisor_of, divides_the_edges_by_the_edges) {
  const std::vector<TypeParam> numbers = edges<TypeParam>();
  for (const TypeParam value : numbers) {
    if (value == 0) continue;
    const detail::divisor<TypeParam> d(value);
    for (const TypeParam n : numbers) ASSERT_TRUE(divides(d, n));
  }
}

/// A quotient that is too large by one is so just below a multiple, and one that is too small at a
/// multiple.
TYPED_TEST(divisor_of, steps_at_multiples) {
  constexpr TypeParam most = std::numeric_limits<TypeParam>::max();
  const random_stream random(11);
  std::uint64_t draw = 0;
  const auto any = [&](int shift) {
    return static_cast<TypeParam>(random.bits64(draw++) >> (64 - 8 * sizeof(TypeParam)) >> shift);
  };
  for (int shift = 1; shift < static_cast<int>(8 * sizeof(TypeParam)); ++shift) {
    for (int i = 0; i < 500; ++i) {
      const detail::divisor<TypeParam> d(any(shift) / 2 + 1);
      const TypeParam multiple = any(1) / d.value() * d.value();
      const TypeParam last = most / d.value() * d.value();
      for (const TypeParam n : {multiple, last}) {
        ASSERT_TRUE(divides(d, n));
        if (n > 0) {
          ASSERT_TRUE(divides(d, static_cast<TypeParam>(n - 1)));
        }
        if (n <= most - d.value()) {
          ASSERT_TRUE(divides(d, static_cast<TypeParam>(n + d.value() - 1)));
        }
      }
      ASSERT_TRUE(divides(d, most));
    }
  }
}

TYPED_TEST(divisor_of, divides_at_compile_time) {
  constexpr detail::divisor<TypeParam> seven(7);
  static_assert(seven.quotient(48) == 6 && seven.remainder(48) == 6);
  static_assert(seven.quotient(49) == 7 && seven.remainder(49) == 0);
}

}  // namespace
}  // namespace evenfold::testing
