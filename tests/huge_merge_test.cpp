// Merging, searching and joining beyond 2^31, only on the CUDA backend: see huge_test.cpp.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/table/join.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

constexpr std::int64_t huge_count = (std::int64_t{1} << 31) + 12345;

/// The length of the runs of equal elements.
constexpr std::int64_t run = 1 << 24;

bool has(std::size_t bytes) { return cuda_context().available_bytes() > bytes; }

template <class F>
std::int64_t mismatches(cuda_context& ctx, std::int64_t count, F is_wrong) {
  return transform_reduce(ctx, count, is_wrong, plus{}, std::int64_t{0});
}

array<std::uint8_t> runs(cuda_context& ctx) {
  array<std::uint8_t> keys(ctx, huge_count);
  std::uint8_t* const p = keys.data();
  transform(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { p[i] = static_cast<std::uint8_t>(i / run); });
  return keys;
}

void check_merge(cuda_context& ctx) {
  const array<std::uint8_t> keys = runs(ctx);
  array<std::uint8_t> out(ctx, 2 * huge_count);
  merge(ctx, keys.data(), huge_count, keys.data(), huge_count, out.data(), less{});
  const std::uint8_t* const p = out.data();
  EXPECT_EQ(mismatches(
                ctx, 2 * huge_count,
                EF_LAMBDA(std::int64_t i) { return std::int64_t{p[i] != i / (2 * run)}; }),
            0);
}

void check_search(cuda_context& ctx) {
  const array<std::uint8_t> keys = runs(ctx);
  const array<std::uint8_t> needles =
      to_context(ctx, std::vector<std::uint8_t>{0, 1, 100, 127, 128, 129, 255});
  array<std::int64_t> first(ctx, 7);
  array<std::int64_t> counts(ctx, 7);
  sorted_equal_range(ctx, needles.data(), 7, keys.data(), huge_count, first.data(), counts.data(),
                     less{});
  EXPECT_EQ(to_host(ctx, first), (std::vector<std::int64_t>{0, run, 100 * run, 127 * run, 128 * run,
                                                            huge_count, huge_count}));
  EXPECT_EQ(to_host(ctx, counts),
            (std::vector<std::int64_t>{run, run, run, run, huge_count - 128 * run, 0, 0}));
}

/// A join with 2^31 + 2^15 results.
void check_join(cuda_context& ctx) {
  constexpr int left_count = (1 << 16) + 1;
  constexpr int right_count = 1 << 15;
  const array<std::uint8_t> keys = to_context(ctx, std::vector<std::uint8_t>(left_count, 1));
  const auto rows = inner_join(ctx, keys.data(), left_count, keys.data(), right_count, less{});
  ASSERT_EQ(rows.size(), std::size_t{left_count} * right_count);
  const int* const left = rows.left.data();
  const int* const right = rows.right.data();
  EXPECT_EQ(mismatches(
                ctx, static_cast<std::int64_t>(rows.size()),
                EF_LAMBDA(std::int64_t i) {
                  return std::int64_t{left[i] != i / right_count || right[i] != i % right_count};
                }),
            0);
}

TEST(huge_merge, of_more_than_2_to_the_31_keys) {
  if (!has(7 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_merge(ctx);
}

TEST(huge_merge, search_in_more_than_2_to_the_31_keys) {
  if (!has(2 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_search(ctx);
}

TEST(huge_merge, join_of_more_than_2_to_the_31_results) {
  if (!has(9 * huge_count)) GTEST_SKIP() << "too little memory";
  cuda_context ctx;
  check_join(ctx);
}

}  // namespace
}  // namespace evenfold::testing

#endif
