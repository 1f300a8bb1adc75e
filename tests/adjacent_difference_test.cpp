#include "evenfold/algorithm/adjacent_difference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/algorithm/scan.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// An operator that does not commute, so that its operands can be told apart.
struct twice_minus {
  EF_HD constexpr std::int64_t operator()(int a, int b) const { return 2 * std::int64_t{a} - b; }
};

template <class Context>
class adjacent_difference_on : public on<Context> {};
TYPED_TEST_SUITE(adjacent_difference_on, contexts);

TYPED_TEST(adjacent_difference_on, undoes_a_scan) {
  for (const std::int64_t count : sizes()) {
    const std::vector<std::int64_t> host = random_values<std::int64_t>(count);
    const array<std::int64_t> input = to_context(this->ctx, host);
    array<std::int64_t> sums(this->ctx, count);
    array<std::int64_t> back(this->ctx, count);
    inclusive_scan(this->ctx, input.data(), count, sums.data(), plus{});
    adjacent_difference(this->ctx, sums.data(), count, back.data());
    ASSERT_EQ(to_host(this->ctx, back), host) << count;
  }
}

/// The differences of elements from `from` on, written from `to` on, which need not be aligned.
template <class Result, class T, class Context>
void check_differences(Context& ctx, const std::vector<T>& host, std::int64_t count, int from,
                       int to) {
  const array<T> input = to_context(ctx, host);
  std::vector<Result> expected(static_cast<std::size_t>(count + to + 1), Result{1});
  array<Result> out = to_context(ctx, expected);
  adjacent_difference(ctx, input.data() + from, count, out.data() + to);
  for (std::int64_t i = 0; i < count; ++i) {
    const T& own = host[i + from];
    expected[i + to] = static_cast<Result>(i == 0 ? own : minus{}(own, host[i + from - 1]));
  }
  ASSERT_EQ(to_host(ctx, out), expected) << count << " from " << from << " to " << to;
}

TYPED_TEST(adjacent_difference_on, elements_of_every_width_wherever_they_lie) {
  for (const std::int64_t count : sizes()) {
    const auto bytes = random_values<std::uint8_t>(count + 3);
    const auto halves = random_values<std::int16_t>(count + 3);
    const auto words = random_values<int>(count + 3);
    const auto reals = random_values<double>(count + 3);
    const auto longs = random_values<std::int64_t>(count + 3);
    for (const int from : {0, 1, 3}) {
      for (const int to : {0, 1}) {
        check_differences<std::uint8_t>(this->ctx, bytes, count, from, to);
        check_differences<std::int16_t>(this->ctx, halves, count, from, to);
        check_differences<std::int64_t>(this->ctx, words, count, from, to);
        check_differences<double>(this->ctx, reals, count, from, to);
        check_differences<std::int8_t>(this->ctx, longs, count, from, to);
      }
    }
  }
}

TYPED_TEST(adjacent_difference_on, takes_an_operator_and_another_type) {
  const array<int> input = to_context(this->ctx, std::vector<int>{5, 7, 2});
  array<std::int64_t> out(this->ctx, 3);
  adjacent_difference(this->ctx, input.data(), 3, out.data(), twice_minus{});
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<std::int64_t>{5, 9, -3}));
}

}  // namespace
}  // namespace evenfold::testing
