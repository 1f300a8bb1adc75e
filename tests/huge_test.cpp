// Counts beyond 2^31, only on the CUDA backend, because a GPU has the memory and the bandwidth for
// them. A test for which the device has too little memory is skipped with a message.

#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

constexpr std::int64_t huge_count = (std::int64_t{1} << 31) + 12345;

/// The fixture skips a test for which the device has too little memory.
class Huge : public ::testing::Test {
 protected:
  /// Returns false if `bytes` bytes cannot be allocated.
  bool has(std::size_t bytes) {
    std::size_t free = 0;
    std::size_t total = 0;
    device::check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free > bytes + (std::size_t{1} << 30);
  }
  cuda_context ctx;
};

/// The number of indices below `count` for which a predicate is false: 0 if a result is as
/// expected.
template <class F>
std::int64_t mismatches(cuda_context& ctx, std::int64_t count, F is_wrong) {
  return transform_reduce(ctx, count, is_wrong, plus{}, std::int64_t{0});
}

void check_transform(cuda_context& ctx) {
  array<std::uint8_t> out(ctx, huge_count);
  std::uint8_t* p = out.data();
  transform(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { p[i] = static_cast<std::uint8_t>(i * 7 + 3); });
  EXPECT_EQ(mismatches(
                ctx, huge_count,
                EF_LAMBDA(std::int64_t i) {
                  return std::int64_t{p[i] != static_cast<std::uint8_t>(i * 7 + 3)};
                }),
            0);
}

void check_reduce(cuda_context& ctx) {
  const std::uint32_t unsigned_count = 4294967295u;
  EXPECT_EQ(
      transform_reduce(
          ctx, unsigned_count, EF_LAMBDA(std::uint32_t i) { return static_cast<std::uint64_t>(i); },
          plus{}, std::uint64_t{0}),
      std::uint64_t{unsigned_count} * (unsigned_count - 1) / 2);
  EXPECT_EQ(transform_reduce(
                ctx, 3 * huge_count, EF_LAMBDA(std::int64_t i) { return i & 1; }, plus{},
                std::int64_t{0}),
            3 * huge_count / 2);
}

void check_scan(cuda_context& ctx) {
  array<std::uint8_t> out(ctx, huge_count);
  array<std::uint8_t> total(ctx, 1);
  std::uint8_t* p = out.data();
  transform_scan<scan_kind::exclusive>(
      ctx, huge_count, EF_LAMBDA(std::int64_t) { return std::uint8_t{3}; }, p, plus{},
      std::uint8_t{5}, total.data());
  EXPECT_EQ(mismatches(
                ctx, huge_count,
                EF_LAMBDA(std::int64_t i) {
                  return std::int64_t{p[i] != static_cast<std::uint8_t>(5 + 3 * i)};
                }),
            0);
  EXPECT_EQ(to_host(ctx, total)[0], static_cast<std::uint8_t>(5 + 3 * huge_count));
}

/// Segments of 1000 items each; the last one is shorter.
array<std::int64_t> thousands(cuda_context& ctx) {
  const std::int64_t num_segments = detail::ceil_div(huge_count, 1000);
  array<std::int64_t> offsets(ctx, num_segments);
  std::int64_t* p = offsets.data();
  transform(
      ctx, num_segments, EF_LAMBDA(std::int64_t s) { p[s] = 1000 * s; });
  return offsets;
}

void check_load_balance(cuda_context& ctx) {
  const array<std::int64_t> offsets = thousands(ctx);
  const auto num_segments = static_cast<std::int64_t>(offsets.size());
  array<std::uint8_t> seen(ctx, huge_count);
  std::uint8_t* p = seen.data();
  transform_lbs(
      ctx, huge_count,
      EF_LAMBDA(std::int64_t i, std::int64_t seg, std::int64_t rank) {
        p[i] = seg == i / 1000 && rank == i % 1000;
      },
      offsets.data(), num_segments);
  EXPECT_EQ(mismatches(
                ctx, huge_count, EF_LAMBDA(std::int64_t i) { return std::int64_t{p[i] != 1}; }),
            0);
}

void check_segreduce(cuda_context& ctx) {
  const array<std::int64_t> offsets = thousands(ctx);
  const auto num_segments = static_cast<std::int64_t>(offsets.size());
  array<std::int64_t> sums(ctx, num_segments);
  transform_segreduce(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { return i % 1000; }, offsets.data(), num_segments,
      sums.data(), plus{}, std::int64_t{1});
  const std::int64_t* p = sums.data();
  EXPECT_EQ(mismatches(
                ctx, num_segments - 1,
                EF_LAMBDA(std::int64_t s) { return std::int64_t{p[s] != 499501}; }),
            0);
  const std::int64_t rest = huge_count - 1000 * (num_segments - 1);
  EXPECT_EQ(to_host(ctx, sums.data() + num_segments - 1, 1)[0], 1 + rest * (rest - 1) / 2);

  const array<std::int64_t> one = to_context(ctx, std::vector<std::int64_t>{0});
  transform_segreduce(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { return i & 1; }, one.data(), 1, sums.data(),
      plus{}, std::int64_t{0});
  EXPECT_EQ(to_host(ctx, sums.data(), 1)[0], huge_count / 2);
}

/// An order that is not known to be the natural one, so that keys are merged and not counted.
struct smaller {
  EF_HD constexpr bool operator()(std::uint8_t a, std::uint8_t b) const { return a < b; }
};

template <class Less>
void check_sort(cuda_context& ctx, Less order) {
  const array<std::int64_t> offsets = to_context(ctx, std::vector<std::int64_t>{0, 5000});
  array<std::uint8_t> keys(ctx, huge_count);
  std::uint8_t* p = keys.data();
  transform(
      ctx, huge_count, EF_LAMBDA(std::int64_t i) { p[i] = static_cast<std::uint8_t>(i * 7); });
  const auto sum = EF_LAMBDA(std::int64_t i) { return std::int64_t{p[i]}; };
  const std::int64_t before = transform_reduce(ctx, huge_count, sum, plus{}, std::int64_t{0});
  segmented_sort(ctx, p, huge_count, offsets.data(), 2, order);
  EXPECT_EQ(transform_reduce(ctx, huge_count, sum, plus{}, std::int64_t{0}), before);
  EXPECT_EQ(mismatches(
                ctx, huge_count - 1,
                EF_LAMBDA(std::int64_t i) { return std::int64_t{i != 4999 && p[i + 1] < p[i]}; }),
            0);
}

TEST_F(Huge, transform) {
  if (!has(huge_count)) GTEST_SKIP() << "too little memory";
  check_transform(ctx);
}
TEST_F(Huge, reduce) { check_reduce(ctx); }
TEST_F(Huge, scan) {
  if (!has(2 * huge_count)) GTEST_SKIP() << "too little memory";
  check_scan(ctx);
}
TEST_F(Huge, transform_lbs) {
  if (!has(2 * huge_count)) GTEST_SKIP() << "too little memory";
  check_load_balance(ctx);
}
TEST_F(Huge, segreduce) {
  if (!has(huge_count)) GTEST_SKIP() << "too little memory";
  check_segreduce(ctx);
}
TEST_F(Huge, segmented_sort) {
  if (!has(10 * huge_count)) GTEST_SKIP() << "too little memory";
  check_sort(ctx, less{});
  check_sort(ctx, smaller{});
}

}  // namespace
}  // namespace evenfold::testing

#endif
