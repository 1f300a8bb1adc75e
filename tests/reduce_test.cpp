#include "evenfold/algorithm/reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/dot.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// The definition, on the host.
template <class T, class Op>
T fold(const std::vector<T>& values, std::int64_t count, Op op, T init) {
  T result = init;
  for (std::int64_t i = 0; i < count; ++i) result = op(result, values[i]);
  return result;
}

template <class T, class Context, class Op>
void check_sizes(Context& ctx, Op op, T init) {
  const std::vector<T> host = random_values<T>(large_size);
  const array<T> input = to_context(ctx, host);
  for (const std::int64_t count : sizes()) {
    const T expected = fold(host, count, op, init);
    ASSERT_TRUE(reduce(ctx, input.data(), count, op, init) == expected) << count << " values";
  }
}

template <class T, class Context, class Op>
void check_output(Context& ctx, Op op, T init) {
  const std::vector<T> host = random_values<T>(4099);
  const array<T> input = to_context(ctx, host);
  array<T> out(ctx, 1);
  for (const int count : {0, 1, 100, 4099}) {
    reduce(ctx, input.data(), count, op, init, out.data());
    ASSERT_TRUE(to_host(ctx, out)[0] == fold(host, count, op, init)) << count << " values";
  }
}

template <class Context>
void check_transform_reduce(Context& ctx) {
  for (const std::uint32_t count : {0u, 1u, 1000u, 70000u}) {
    const std::uint64_t sum = transform_reduce(
        ctx, count, EF_LAMBDA(std::uint32_t i) { return std::uint64_t{i} * i; }, plus{},
        std::uint64_t{10});
    const std::uint64_t n = count;
    ASSERT_EQ(sum, 10 + (n == 0 ? 0 : (n - 1) * n * (2 * n - 1) / 6));
  }
}

template <class T, class Context>
void check_bits_of_reduce() {
  const std::vector<T> host = random_fractions<T>(large_size);
  std::vector<T> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    const array<T> input = to_context(*ctx, host);
    for (int run = 0; run < 3; ++run) {
      results.push_back(reduce(*ctx, input.data(), large_size, plus{}, T{0.1f}));
    }
  }
  for (const T& result : results) {
    ASSERT_EQ(std::memcmp(&result, &results[0], sizeof(T)), 0) << result << " " << results[0];
  }
}

/// Up to a tile, around the borders between runs and groups, and beyond.
template <class T, class Context>
void check_bits_of_the_reference(Context& ctx) {
  const std::vector<T> host = random_fractions<T>(9000);
  const array<T> input = to_context(ctx, host);
  reference_context reference;
  for (const int border : {0, 16, 32, 512, 1024, 1536, 3584, 4096, 8192}) {
    for (const int count : {border - 17, border - 1, border, border + 1, border + 40}) {
      if (count < 0) continue;
      const T expected = reduce(reference, host.data(), count, plus{}, T{0.1f});
      const T result = reduce(ctx, input.data(), count, plus{}, T{0.1f});
      ASSERT_EQ(std::memcmp(&result, &expected, sizeof(T)), 0) << count << " values";
    }
  }
}

/// Not associative, so that every change in the order of operations shows.
struct shrunken_sum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return (a + b) * T{0.9375f};
  }
};
struct tilted_sum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a * T{0.5f} + b;
  }
};

/// Integers of all sizes, and floating-point numbers that are integers.
template <class Item>
std::vector<Item> narrow_items(const std::vector<std::uint64_t>& bits) {
  std::vector<Item> items;
  items.reserve(bits.size());
  for (const std::uint64_t each : bits) {
    items.push_back(std::is_integral_v<Item> ? static_cast<Item>(each)
                                             : static_cast<Item>(static_cast<std::int8_t>(each)));
  }
  return items;
}

/// Items that are narrower in memory than values, few and so many that a GPU reads several tiles at
/// once, from an aligned address on and from others.
template <class T, class Item, class Context, class Op>
void check_narrow_items(Context& ctx, const std::vector<std::uint64_t>& bits, Op op) {
  const std::vector<Item> host = narrow_items<Item>(bits);
  const array<Item> input = to_context(ctx, host);
  reference_context reference;
  const auto count = static_cast<std::int64_t>(host.size());
  for (const int from : {0, 1, 6, 15}) {
    for (const std::int64_t items :
         {std::int64_t{100}, std::int64_t{70000}, std::int64_t{81920}, count - from}) {
      const T expected = reduce(reference, host.data() + from, items, op, T{1});
      const T result = reduce(ctx, input.data() + from, items, op, T{1});
      ASSERT_EQ(std::memcmp(&result, &expected, sizeof(T)), 0)
          << items << " items from " << from << " on: " << result << " instead of " << expected;
    }
  }
}

/// The same for products of two sequences, which begin at different places in their lines.
template <class T, class Item, class Context>
void check_narrow_products(Context& ctx, const std::vector<std::uint64_t>& bits) {
  const std::vector<Item> host = narrow_items<Item>(bits);
  const array<Item> input = to_context(ctx, host);
  reference_context reference;
  const auto items = static_cast<std::int64_t>(host.size()) - 40;
  for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {3, 0}, {9, 38}}) {
    const T expected = dot(reference, host.data() + a, host.data() + b, items, T{1});
    const T result = dot(ctx, input.data() + a, input.data() + b, items, T{1});
    ASSERT_EQ(std::memcmp(&result, &expected, sizeof(T)), 0)
        << "from " << a << " and " << b << " on: " << result << " instead of " << expected;
  }
}

template <class Context>
class reduce_on : public on<Context> {};
TYPED_TEST_SUITE(reduce_on, contexts);

TYPED_TEST(reduce_on, sums_at_every_size) {
  check_sizes<int>(this->ctx, plus{}, 3);
  check_sizes<double>(this->ctx, plus{}, 0.5);
}

TYPED_TEST(reduce_on, sums_of_every_arithmetic_type) {
  check_output<std::int8_t>(this->ctx, plus{}, 3);
  check_output<std::uint16_t>(this->ctx, plus{}, 3);
  check_output<std::int64_t>(this->ctx, plus{}, -3);
  check_output<float>(this->ctx, plus{}, 0.25f);
}

TYPED_TEST(reduce_on, products_and_extremes) {
  check_output<std::uint32_t>(this->ctx, multiplies{}, 3u);
  check_output<int>(this->ctx, minimum{}, std::numeric_limits<int>::max());
  check_output<float>(this->ctx, minimum{}, 100.f);
  check_output<float>(this->ctx, maximum{}, -100.f);
  check_output<double>(this->ctx, minimum{}, -100.);
}

TYPED_TEST(reduce_on, keeps_the_order_of_operands) {
  check_sizes<matrix2>(this->ctx, multiplies{}, matrix2(1, 1, 0, 1));
  check_output<int>(this->ctx, last_nonzero{}, 17);
}

TYPED_TEST(reduce_on, values_of_24_and_64_bytes) {
  check_output<triple>(this->ctx, plus{}, triple{1, 2, 3});
  check_sizes<wide>(this->ctx, plus{}, wide(5));
}

TYPED_TEST(reduce_on, values_come_from_a_function) { check_transform_reduce(this->ctx); }

TYPED_TEST(reduce_on, gives_the_bits_of_the_reference) {
  check_bits_of_the_reference<float>(this->ctx);
  check_bits_of_the_reference<double>(this->ctx);
}

TYPED_TEST(reduce_on, items_that_are_narrower_than_values) {
  // More than 1024 blocks of 4096 items.
  const std::vector<std::uint64_t> bits = random_bits(is_sanitized ? 100000 : 4300019, 5);
  check_narrow_items<float, std::int8_t>(this->ctx, bits, commutative(shrunken_sum{}));
  check_narrow_items<double, std::int8_t>(this->ctx, bits, commutative(shrunken_sum{}));
  check_narrow_items<float, std::int16_t>(this->ctx, bits, tilted_sum{});
  check_narrow_items<double, std::int16_t>(this->ctx, bits, commutative(shrunken_sum{}));
  check_narrow_items<double, int>(this->ctx, bits, commutative(shrunken_sum{}));
  check_narrow_items<double, float>(this->ctx, bits, tilted_sum{});
  check_narrow_items<double, std::uint32_t>(this->ctx, bits, tilted_sum{});
  check_narrow_items<float, std::uint8_t>(this->ctx, bits, plus{});
  check_narrow_items<float, std::uint16_t>(this->ctx, bits, plus{});
  check_narrow_items<double, std::uint16_t>(this->ctx, bits, plus{});
  check_narrow_products<float, std::int8_t>(this->ctx, bits);
  check_narrow_products<double, std::int16_t>(this->ctx, bits);
  check_narrow_products<double, int>(this->ctx, bits);
}

TYPED_TEST(reduce_on, gives_the_same_bits_every_time) {
  check_bits_of_reduce<float, TypeParam>();
  check_bits_of_reduce<double, TypeParam>();
}

}  // namespace
}  // namespace evenfold::testing
