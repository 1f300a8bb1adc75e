// Philox4x32-10 and the streams drawn from it.

#include "evenfold/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "support/contexts.hpp"

namespace evenfold::testing {
namespace {

void expect_block(philox_block counter, std::uint64_t key, philox_block expected) {
  const philox_block got = philox4x32(counter, key);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(got.word[i], expected.word[i]) << "word " << i;
}

// Test vectors from the file kat_vectors of Random123, "philox4x32 10".
TEST(random, agrees_with_the_known_answers_of_random123) {
  expect_block({{0, 0, 0, 0}}, 0, {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}});
  expect_block({{~0u, ~0u, ~0u, ~0u}}, ~std::uint64_t{0},
               {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}});
  expect_block({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0x299f31d0a4093822u,
               {{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}});
}

TEST(random, streams_are_read_by_index) {
  const random_stream random(42);
  const philox_block first = philox4x32({{0, 0, 0, 0}}, 42);
  const philox_block far = philox4x32({{5, 1, 0, 0}}, 42);
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(random.bits32(i), first.word[i]);
    EXPECT_EQ(random.bits32(4 * ((std::uint64_t{1} << 32) + 5) + i), far.word[i]);
  }
  EXPECT_EQ(random.bits64(1), first.word[2] | std::uint64_t{first.word[3]} << 32);
}

TEST(random, below_is_the_high_half_of_the_product) {
  const random_stream random(3);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    for (const std::uint64_t bound :
         {1ull, 2ull, 17ull, 0xffffffffull, 0x123456789abcdefull, ~0ull}) {
      const auto product = static_cast<unsigned __int128>(random.bits64(i)) * bound;
      EXPECT_EQ(random.below(i, bound), static_cast<std::uint64_t>(product >> 64));
    }
  }
}

TEST(random, uniform_numbers_fill_the_unit_interval_evenly) {
  const random_stream random(9);
  constexpr int draws = 100000;
  int in_bin[10] = {};
  for (int i = 0; i < draws; ++i) {
    const float small = random.uniform<float>(i);
    const double number = random.uniform<double>(i);
    ASSERT_GE(small, 0.f);
    ASSERT_LT(small, 1.f);
    ASSERT_GE(number, 0.);
    ASSERT_LT(number, 1.);
    ++in_bin[static_cast<int>(number * 10)];
  }
  // Chi-squared with 9 degrees of freedom: one stream in a thousand exceeds 27.9. This stream is
  // always the same.
  double chi_squared = 0;
  for (const int n : in_bin) chi_squared += (n - draws / 10.) * (n - draws / 10.) / (draws / 10.);
  EXPECT_LT(chi_squared, 27.9);
}

TEST(random, normal_quantiles_are_those_of_the_error_function) {
  // Probabilities far in both tails and in the middle.
  for (const double p :
       {1e-15, 1e-9, 1e-4, 0.01, 0.0749, 0.0751, 0.3, 0.5 - 1e-9, 0.6, 0.93, 0.99}) {
    const double x = detail::normal_quantile(p);
    EXPECT_NEAR(std::erfc(-x / std::sqrt(2.)) / 2 / p, 1, 1e-13) << "p = " << p;
    if (p > 1e-4) {
      EXPECT_NEAR(detail::normal_quantile(1 - p), -x, 1e-12) << "p = " << p;
    }
  }
  EXPECT_EQ(detail::normal_quantile(0.5), 0);
  // The nearest double to 0.975 differs by 2e-17, which changes the quantile by 17 times that.
  EXPECT_NEAR(detail::normal_quantile(0.975), 1.9599639845400545, 2e-15);
  for (const double x : {0x1p-52, 1e-5, 0.7, 0.99, 1., 1.5, 12345.}) {
    EXPECT_NEAR(detail::portable_log(x), std::log(x), 4e-16 * std::fabs(std::log(x))) << x;
  }
}

TEST(random, normal_numbers_have_mean_0_and_deviation_1) {
  const random_stream random(10);
  constexpr int draws = 100000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.normal<double>(i);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  // Each value is within four standard errors.
  EXPECT_NEAR(sum / draws, 0, 4 * std::sqrt(1. / draws));
  EXPECT_NEAR(squares / draws, 1, 4 * std::sqrt(2. / draws));
  EXPECT_NEAR(fourths / draws, 3, 4 * std::sqrt(96. / draws));
}

template <class Context>
void check_stream(Context& ctx) {
  constexpr int count = 10001;
  const random_stream random(123);
  array<std::uint64_t> words(ctx, count);
  array<double> numbers(ctx, count);
  array<double> normals(ctx, count);
  std::uint64_t* w = words.data();
  double* n = numbers.data();
  double* g = normals.data();
  transform(
      ctx, count, EF_LAMBDA(int i) {
        w[i] = random.bits64(i);
        n[i] = random.uniform<double>(i);
        g[i] = random.normal<double>(i);
      });
  const std::vector<std::uint64_t> host_words = to_host(ctx, words);
  const std::vector<double> host_numbers = to_host(ctx, numbers);
  const std::vector<double> host_normals = to_host(ctx, normals);
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(host_words[i], random.bits64(i));
    ASSERT_EQ(host_numbers[i], random.uniform<double>(i));
    ASSERT_EQ(host_normals[i], random.normal<double>(i));
  }
}

template <class Context>
class random_on : public on<Context> {};
TYPED_TEST_SUITE(random_on, contexts);

TYPED_TEST(random_on, draws_the_same_stream_as_the_host) { check_stream(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
