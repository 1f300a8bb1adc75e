// The function objects, with operands of two types, and with products and sums beyond the type of
// the elements.

#include "evenfold/core/functional.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/dot.hpp"
#include "evenfold/algorithm/multiply.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/matrix/aggregate.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

TEST(functional, operators_on_one_type_stay_in_it) {
  using byte = std::uint8_t;
  static_assert(std::is_same_v<decltype(plus{}(byte{1}, byte{2})), byte>);
  static_assert(std::is_same_v<decltype(multiplies{}(byte{1}, byte{2})), byte>);
  static_assert(std::is_same_v<decltype(minimum{}(byte{1}, byte{2})), byte>);
  EXPECT_EQ(multiplies{}(byte{200}, byte{200}), 64);
  // 65535 squared does not fit an int.
  EXPECT_EQ(multiplies{}(std::uint16_t{65535}, std::uint16_t{65535}), 1);
}

TEST(functional, operators_on_two_types_lose_nothing) {
  EXPECT_EQ(plus{}(std::int64_t{1} << 40, 1), (std::int64_t{1} << 40) + 1);
  EXPECT_EQ(plus{}(1, 0.5), 1.5);
  EXPECT_EQ(multiplies{}(3, std::int64_t{1} << 40), std::int64_t{3} << 40);
  EXPECT_EQ(minimum{}(2, 2.5), 2);
  EXPECT_EQ(maximum{}(2, 2.5), 2.5);
  EXPECT_EQ(maximum{}(std::int8_t{-1}, std::uint8_t{255}), 255);
  EXPECT_EQ(minimum{}(std::int64_t{-1}, 5u), -1);
  static_assert(std::is_same_v<decltype(maximum{}(1.f, 2.)), double>);
}

TEST(functional, comparisons_of_two_types_are_those_of_the_numbers) {
  EXPECT_TRUE(less{}(-1, 1u));
  EXPECT_FALSE(less{}(1u, -1));
  EXPECT_TRUE(greater{}(1u, -1));
  EXPECT_FALSE(less{}(std::numeric_limits<std::uint64_t>::max(), std::int64_t{-1}));
  EXPECT_FALSE(equal_to{}(-1, std::numeric_limits<unsigned>::max()));
  EXPECT_TRUE(equal_to{}(std::int64_t{7}, std::uint8_t{7}));
  EXPECT_TRUE(less{}(1, 1.5));
  EXPECT_FALSE(equal_to{}(true, 2));
}

template <class Context>
void check_commutative_lambda(Context& ctx) {
  std::vector<int> numbers(100000);
  int expected = 5;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<int>(i * 2654435761u);
    expected ^= numbers[i];
  }
  const array<int> on_context = to_context(ctx, numbers);
  const auto count = static_cast<int>(numbers.size());
  const auto either = commutative(EF_LAMBDA(int a, int b) { return a ^ b; });
  EXPECT_EQ(reduce(ctx, on_context.data(), count, either, 5), expected);
  array<int> sums(ctx, numbers.size());
  inclusive_scan(ctx, on_context.data(), count, sums.data(), either);
  EXPECT_EQ(to_host(ctx, sums).back(), expected ^ 5);
  const array<int> offsets = to_context(ctx, std::vector<int>{0, 70000});
  array<int> folds(ctx, 2);
  segreduce(ctx, on_context.data(), count, offsets.data(), 2, folds.data(), either, 0);
  const std::vector<int> got = to_host(ctx, folds);
  EXPECT_EQ(got[0] ^ got[1], expected ^ 5);
}

template <class Context>
class types_on : public on<Context> {};
TYPED_TEST_SUITE(types_on, contexts);

TYPED_TEST(types_on, lambdas_can_be_declared_commutative) { check_commutative_lambda(this->ctx); }

TYPED_TEST(types_on, products_are_computed_in_the_type_of_init) {
  const array<std::uint8_t> bytes = to_context(this->ctx, std::vector<std::uint8_t>{200, 200});
  EXPECT_EQ(dot(this->ctx, bytes.data(), bytes.data(), 2, 0), 80000);
  const array<int> wide = to_context(this->ctx, std::vector<int>(3, 1 << 30));
  EXPECT_EQ(dot(this->ctx, wide.data(), wide.data(), 3, std::int64_t{5}),
            5 + (std::int64_t{3} << 60));
  // A part of the sequence at an odd address, which cannot be read by wide accesses.
  EXPECT_EQ(dot(this->ctx, bytes.data() + 1, wide.data(), 1, std::int64_t{0}),
            std::int64_t{200} << 30);
}

TYPED_TEST(types_on, products_are_computed_in_the_type_of_the_output) {
  const array<std::uint8_t> bytes = to_context(this->ctx, std::vector<std::uint8_t>{200, 3, 255});
  array<int> out(this->ctx, 3);
  multiply(this->ctx, bytes.data(), bytes.data(), 3, out.data());
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<int>{40000, 9, 65025}));
}

TYPED_TEST(types_on, folds_of_bytes_are_computed_in_the_type_of_init) {
  const array<std::uint8_t> bytes = to_context(this->ctx, std::vector<std::uint8_t>(1000, 200));
  EXPECT_EQ(reduce(this->ctx, bytes.data(), 1000, plus{}, 0), 200000);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 4});
  array<int> sums(this->ctx, 2);
  segreduce(this->ctx, bytes.data(), 1000, offsets.data(), 2, sums.data(), plus{}, 0);
  EXPECT_EQ(to_host(this->ctx, sums), (std::vector<int>{800, 199200}));
}

TYPED_TEST(types_on, scans_without_an_initial_value_are_computed_in_the_type_of_the_output) {
  const array<std::uint8_t> bytes = to_context(this->ctx, std::vector<std::uint8_t>(1000, 200));
  array<std::int64_t> out(this->ctx, 1000);
  inclusive_scan(this->ctx, bytes.data(), 1000, out.data(), plus{});
  EXPECT_EQ(to_host(this->ctx, out)[999], 200000);
  array<std::int64_t> total(this->ctx, 1);
  transform_scan<scan_kind::inclusive>(this->ctx, 1000,
                                       element_of<std::uint8_t, const std::uint8_t*>{bytes.data()},
                                       out.data(), plus{}, no_init{}, total.data());
  EXPECT_EQ(to_host(this->ctx, total)[0], 200000);
}

TYPED_TEST(types_on, sums_and_products_of_small_integers_have_64_bits) {
  const array<std::uint8_t> bytes = to_context(this->ctx, std::vector<std::uint8_t>(12, 200));
  // A view with gaps, one without, and a column-major one.
  const auto whole = matrix_view<const std::uint8_t>::row_major(bytes.data(), 3, 4);
  EXPECT_EQ(aggregate(this->ctx, whole.block(0, 0, 2, 2), plus{}), 800u);
  EXPECT_EQ(aggregate(this->ctx, whole, plus{}), 2400u);
  EXPECT_EQ(aggregate(this->ctx, whole.transposed(), plus{}), 2400u);
  EXPECT_EQ(aggregate(this->ctx, whole.block(0, 0, 2, 2), multiplies{}), 1600000000u);
  static_assert(std::is_same_v<decltype(aggregate(this->ctx, whole, maximum{})), std::uint8_t>);
  EXPECT_EQ(aggregate(this->ctx, whole, plus{}, std::int16_t{0}), 2400);
}

/// The number of calls for each index.
struct count_calls {
  unsigned char* calls;
  EF_HD int operator()(int i) const {
    calls[i] = static_cast<unsigned char>(calls[i] + 1);
    return 1;
  }
};

/// `plus`, but not declared commutative.
struct ordered_plus {
  EF_HD int operator()(int a, int b) const { return a + b; }
};

template <class Context, class Op>
void check_calls(Context& ctx, Op op) {
  for (const int count : {1, 31, 33, 1000, 4097, 200000}) {
    const array<unsigned char> calls = to_context(ctx, std::vector<unsigned char>(count, 0));
    array<int> out(ctx, 1);
    auto* const counters = const_cast<unsigned char*>(calls.data());
    ASSERT_EQ(transform_reduce(ctx, count, count_calls{counters}, op, 0), count);
    transform_reduce(ctx, count, count_calls{counters}, op, 0, out.data());
    ASSERT_EQ(to_host(ctx, calls), std::vector<unsigned char>(count, 2)) << count;
  }
}

TYPED_TEST(types_on, transform_reduce_calls_its_function_once_per_index) {
  check_calls(this->ctx, plus{});
  check_calls(this->ctx, ordered_plus{});
}

}  // namespace
}  // namespace evenfold::testing
