// Compaction and sorting beyond 2^31, only on the CUDA backend: see huge_test.cpp.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <cstdint>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

constexpr std::int64_t huge_count = (std::int64_t{1} << 31) + 12345;

bool has(std::size_t bytes) { return cuda_context().available_bytes() > bytes; }

template <class F>
std::int64_t mismatches(cuda_context& ctx, std::int64_t count, F is_wrong) {
  return transform_reduce(ctx, count, is_wrong, plus{}, std::int64_t{0});
}

/// keys[i] = the lowest bits of factor * i.
array<std::uint8_t> multiples(cuda_context& ctx, std::int64_t factor) {
  array<std::uint8_t> keys(ctx, huge_count);
  std::uint8_t* const p = keys.data();
  transform(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { p[i] = static_cast<std::uint8_t>(factor * i); });
  return keys;
}

void check_compact(cuda_context& ctx) {
  const array<std::uint8_t> input = multiples(ctx, 1);
  array<std::uint8_t> out(ctx, huge_count);
  const std::int64_t num_kept = compact(
      ctx, input.data(), huge_count, EF_LAMBDA(std::uint8_t x) { return x % 4 != 3; }, out.data());
  EXPECT_EQ(num_kept, huge_count - huge_count / 4);
  const std::uint8_t* const p = out.data();
  EXPECT_EQ(mismatches(
                ctx, num_kept,
                EF_LAMBDA(std::int64_t k) {
                  return std::int64_t{p[k] != static_cast<std::uint8_t>(k / 3 * 4 + k % 3)};
                }),
            0);
}

void check_compact_indices(cuda_context& ctx) {
  array<std::int64_t> out(ctx, huge_count / 1000);
  EXPECT_EQ(compact_indices(
                ctx, huge_count, EF_LAMBDA(std::int64_t i) { return i % 1000 == 999; }, out.data()),
            huge_count / 1000);
  const std::int64_t* const p = out.data();
  EXPECT_EQ(mismatches(
                ctx, huge_count / 1000,
                EF_LAMBDA(std::int64_t k) { return std::int64_t{p[k] != 1000 * k + 999}; }),
            0);
}

/// The order of less{}, which the library does not recognise, so that keys are sorted by merging.
struct in_order {
  EF_HD constexpr bool operator()(std::uint8_t a, std::uint8_t b) const { return a < b; }
};

/// Expects sorted keys with the same sum, and each key about as often as before.
template <class Less>
void check_sort(cuda_context& ctx, Less less) {
  array<std::uint8_t> keys = multiples(ctx, 7);
  std::uint8_t* const p = keys.data();
  const auto value = EF_LAMBDA(std::int64_t i) { return std::int64_t{p[i]}; };
  const std::int64_t sum = transform_reduce(ctx, huge_count, value, plus{}, std::int64_t{0});
  sort(ctx, p, huge_count, less);
  EXPECT_EQ(transform_reduce(ctx, huge_count, value, plus{}, std::int64_t{0}), sum);
  EXPECT_EQ(mismatches(
                ctx, huge_count,
                EF_LAMBDA(std::int64_t i) {
                  constexpr std::int64_t times =
                      huge_count / 256;  // occurrences of each key, or one more
                  return std::int64_t{(i > 0 && p[i] < p[i - 1]) || p[i] > i / times ||
                                      p[i] < i / (times + 1)};
                }),
            0);
}

TEST(huge_sort, compacts_more_than_2_to_the_31_values) {
  if (!has(3 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_compact(ctx);
}

TEST(huge_sort, compacts_more_than_2_to_the_31_indices) {
  cuda_context ctx;
  check_compact_indices(ctx);
}

TEST(huge_sort, of_more_than_2_to_the_31_keys_by_radix) {
  if (!has(4 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_sort(ctx, less{});
}

TEST(huge_sort, of_more_than_2_to_the_31_keys_by_merging) {
  if (!has(3 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_sort(ctx, in_order{});
}

}  // namespace
}  // namespace evenfold::testing

#endif
