#include "evenfold/algorithm/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Compares a result with the definition, which is computed at the same time.
template <class T, class Op>
void expect_scan(const std::vector<T>& values, const std::vector<T>& got, const T& total,
                 scan_kind kind, Op op, T init) {
  T running = init;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T next = op(running, values[i]);
    ASSERT_TRUE(got[i] == (kind == scan_kind::inclusive ? next : running))
        << "element " << i << " of " << got.size();
    running = next;
  }
  ASSERT_TRUE(total == running) << "total of " << got.size();
}

template <class T, class Context, class Op>
void check_scans(Context& ctx, std::int64_t count, Op op, T init) {
  const std::vector<T> host = random_values<T>(count);
  const array<T> input = to_context(ctx, host);
  array<T> out(ctx, count);
  array<T> total(ctx, 1);

  inclusive_scan(ctx, input.data(), count, out.data(), op, init, total.data());
  expect_scan(host, to_host(ctx, out), to_host(ctx, total)[0], scan_kind::inclusive, op, init);

  exclusive_scan(ctx, input.data(), count, out.data(), op, init, total.data());
  expect_scan(host, to_host(ctx, out), to_host(ctx, total)[0], scan_kind::exclusive, op, init);

  inclusive_scan(ctx, input.data(), count, out.data(), op);
  const std::vector<T> without = to_host(ctx, out);
  if (count > 0) {
    ASSERT_TRUE(without[0] == host[0]);
    expect_scan({host.begin() + 1, host.end()}, {without.begin() + 1, without.end()},
                without.back(), scan_kind::inclusive, op, host[0]);
  }
}

/// Scans items that begin, and whose prefixes begin, anywhere in a line of memory.
template <class T, class Context>
void check_places(Context& ctx) {
  constexpr std::size_t count = 20001;
  const std::vector<T> host = random_values<T>(count + 32);
  const array<T> input = to_context(ctx, host);
  for (const std::size_t from : {0, 1, 17, 31}) {
    for (const std::size_t to : {0, 1, 30}) {
      array<T> out = to_context(ctx, std::vector<T>(count + 32, T{7}));
      inclusive_scan(ctx, input.data() + from, count, out.data() + to, plus{});
      const std::vector<T> got = to_host(ctx, out);
      T sum{};
      for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_prefix = i >= to && i < to + count;
        if (is_prefix) sum = static_cast<T>(sum + host[from + i - to]);
        ASSERT_EQ(got[i], is_prefix ? sum : T{7}) << from << " to " << to << ", item " << i;
      }
    }
  }
}

template <class T, class Context>
void check_in_place(Context& ctx) {
  const std::vector<T> host = random_values<T>(40001);
  array<T> data = to_context(ctx, host);
  inclusive_scan(ctx, data.data(), 40001, data.data(), plus{});
  exclusive_scan(ctx, data.data(), 40001, data.data(), plus{}, T{3});
  const std::vector<T> got = to_host(ctx, data);
  T once{};
  T twice{3};
  for (std::size_t i = 0; i < host.size(); ++i) {
    ASSERT_EQ(got[i], twice) << i;
    once = static_cast<T>(once + host[i]);
    twice = static_cast<T>(twice + once);
  }
}

template <class Context>
void check_transform_scan(Context& ctx) {
  for (const std::uint32_t count : {0u, 1u, 3000u, 70001u}) {
    array<std::uint64_t> squares(ctx, count);
    array<std::uint64_t> total(ctx, 1);
    transform_scan<scan_kind::exclusive>(
        ctx, count, EF_LAMBDA(std::uint32_t i) { return i; }, squares.data(), plus{},
        std::uint64_t{7}, total.data());
    const std::vector<std::uint64_t> got = to_host(ctx, squares);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(got[i], 7 + i * (i - 1) / 2);
    const std::uint64_t n = count;
    ASSERT_EQ(to_host(ctx, total)[0], 7 + (n == 0 ? 0 : n * (n - 1) / 2));
  }
}

template <class T, class Context>
void check_bits_of_scan() {
  const std::vector<T> host = random_fractions<T>(large_size);
  std::vector<std::vector<T>> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    const array<T> input = to_context(*ctx, host);
    array<T> out(*ctx, large_size);
    array<T> total(*ctx, 1);
    for (int run = 0; run < 2; ++run) {
      inclusive_scan(*ctx, input.data(), large_size, out.data(), plus{}, T{0.1f}, total.data());
      results.push_back(to_host(*ctx, out));
      results.back().push_back(to_host(*ctx, total)[0]);
    }
  }
  for (const std::vector<T>& result : results) {
    ASSERT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(T)), 0);
  }
}

/// A sum that rounds, and an operand that tells where it begins: neither commutes.
struct rounded_sum {
  float sum;
  int first;

  static rounded_sum from(std::uint64_t bits) {
    return {std::ldexp(static_cast<float>(bits & 0xffffff), static_cast<int>(bits >> 32 & 31) - 36),
            static_cast<int>(bits >> 40)};
  }
  friend EF_HD constexpr rounded_sum operator+(const rounded_sum& a, const rounded_sum& b) {
    return {a.sum + b.sum, a.first};
  }
};

/// The same in 72 bytes.
struct wide_sum {
  rounded_sum part[9];

  static wide_sum from(std::uint64_t bits) {
    wide_sum value;
    for (std::uint64_t i = 0; i < 9; ++i) value.part[i] = rounded_sum::from(bits * (2 * i + 1));
    return value;
  }
  friend EF_HD constexpr wide_sum operator+(wide_sum a, const wide_sum& b) {
    for (int i = 0; i < 9; ++i) a.part[i] = a.part[i] + b.part[i];
    return a;
  }
};

/// Tiles of 512 values on every backend.
struct small_tiles {
  static constexpr std::size_t tile = 512;
  static constexpr int threads = 32;
  static constexpr int items = 16;
  static constexpr int group = 16;
  [[maybe_unused]] static constexpr int blocks = 3;  // for a GPU alone
};

template <class T>
bool equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Compares scans with those of the reference.
template <class Tuning, class T, class Context>
void check_canonical_order(Context& ctx, const std::vector<T>& numbers, std::int64_t count) {
  const std::vector<T> host(numbers.begin(), numbers.begin() + count);
  const auto scans = [&]<class On>(On& on) {
    const array<T> input = to_context(on, host);
    array<T> out(on, count);
    array<T> total(on, 1);
    std::vector<std::vector<T>> results;
    inclusive_scan<Tuning>(on, input.data(), count, out.data(), plus{});
    results.push_back(to_host(on, out));
    inclusive_scan<Tuning>(on, input.data(), count, out.data(), plus{}, host[0], total.data());
    results.push_back(to_host(on, out));
    results.push_back(to_host(on, total));
    exclusive_scan<Tuning>(on, input.data(), count, out.data(), plus{}, host[0], total.data());
    results.push_back(to_host(on, out));
    results.push_back(to_host(on, total));
    return results;
  };
  reference_context serial;
  const auto expected = scans(serial);
  const auto got = scans(ctx);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    ASSERT_TRUE(equal_bits(got[k], expected[k])) << "scan " << k << " of " << count;
  }
}

template <class T>
std::vector<T> rounding_values(std::int64_t count) {
  if constexpr (std::floating_point<T>) {
    return random_fractions<T>(count);
  } else {
    return random_values<T>(count);
  }
}

template <class Tuning, class T, class Context>
void check_canonical_order(Context& ctx, const std::vector<std::int64_t>& counts) {
  const std::vector<T> host = rounding_values<T>(*std::max_element(counts.begin(), counts.end()));
  for (const std::int64_t count : counts) check_canonical_order<Tuning>(ctx, host, count);
}

template <class Context>
class scan_on : public on<Context> {};
TYPED_TEST_SUITE(scan_on, contexts);

TYPED_TEST(scan_on, scans_so_many_tiles_that_a_gpu_reads_ahead) {
  check_scans<std::uint8_t>(this->ctx, third_if_sanitized(19'000'003), plus{}, 3);
}

TYPED_TEST(scan_on, sums_at_every_size) {
  for (const std::int64_t count : sizes()) check_scans<int>(this->ctx, count, plus{}, 3);
}

TYPED_TEST(scan_on, sums_of_every_arithmetic_type) {
  check_scans<std::int8_t>(this->ctx, 20001, plus{}, 3);
  check_scans<std::uint16_t>(this->ctx, 20001, plus{}, 3);
  check_scans<std::int64_t>(this->ctx, 20001, plus{}, -3);
  check_scans<float>(this->ctx, 20001, plus{}, 0.25f);
  check_scans<double>(this->ctx, 20001, plus{}, 0.25);
}

TYPED_TEST(scan_on, running_extremes) {
  check_scans<int>(this->ctx, 20001, maximum{}, -5);
  check_scans<int>(this->ctx, 500003, maximum{}, -5);
  check_scans<float>(this->ctx, 20001, minimum{}, 4.f);
}

TYPED_TEST(scan_on, keeps_the_order_of_operands) {
  for (const std::int64_t count : sizes()) {
    check_scans<matrix2>(this->ctx, count, multiplies{}, matrix2(1, 1, 0, 1));
  }
  check_scans<int>(this->ctx, 20001, last_nonzero{}, 17);
}

// A GPU has smaller tiles for up to 57344, and up to 262144 items of 16 bytes.
TYPED_TEST(scan_on, keeps_the_order_of_operands_of_more_and_more_tiles) {
  for (const std::int64_t count : {57344, 57345, 262144, 262145}) {
    check_scans<matrix2>(this->ctx, count, multiplies{}, matrix2(1, 1, 0, 1));
  }
}

TYPED_TEST(scan_on, values_of_24_and_64_bytes) {
  for (const std::int64_t count : {1, 4097, 20001}) {
    check_scans<triple>(this->ctx, count, plus{}, triple{1, 2, 3});
    check_scans<wide>(this->ctx, count, plus{}, wide(5));
  }
}

TYPED_TEST(scan_on, begins_anywhere_in_memory) {
  check_places<std::uint8_t>(this->ctx);
  check_places<std::uint32_t>(this->ctx);
  check_places<std::uint64_t>(this->ctx);
}

TYPED_TEST(scan_on, works_in_place) {
  check_in_place<std::uint32_t>(this->ctx);
  check_in_place<std::uint64_t>(this->ctx);
}

TYPED_TEST(scan_on, values_come_from_a_function_and_are_widened) {
  check_transform_scan(this->ctx);
}

TYPED_TEST(scan_on, gives_the_same_bits_every_time) {
  check_bits_of_scan<float, TypeParam>();
  check_bits_of_scan<double, TypeParam>();
}

template <class Context>
class scan_order_on : public on<Context> {};
TYPED_TEST_SUITE(scan_order_on, parallel_contexts);

TYPED_TEST(scan_order_on, is_that_of_the_reference) {
  const std::vector<std::int64_t> counts = {1,    15,   16,   17,   511,   512,          513,
                                            4096, 8191, 8192, 8193, 70001, 16 * 8192 + 1};
  check_canonical_order<default_tuning, float>(this->ctx, counts);
  check_canonical_order<default_tuning, double>(this->ctx, counts);
  check_canonical_order<default_tuning, rounded_sum>(this->ctx, counts);
  check_canonical_order<default_tuning, wide_sum>(this->ctx, {1, 16, 513, 16 * 512 + 17, 40000});
  check_canonical_order<default_tuning, float>(this->ctx, {third_if_sanitized(300) * 8192 + 77});
}

TYPED_TEST(scan_order_on, is_that_of_the_reference_at_any_tile) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t tiles : {1, 15, 16, 17, 31, 32, 33, 48, 64, 255, 256, 257, 272, 1030}) {
    for (const std::int64_t beside : {-1, 0, 1}) {
      if (512 * tiles + beside <= 2 * large_size) counts.push_back(512 * tiles + beside);
    }
  }
  check_canonical_order<small_tiles, float>(this->ctx, counts);
  check_canonical_order<small_tiles, rounded_sum>(this->ctx, counts);
}

}  // namespace
}  // namespace evenfold::testing
