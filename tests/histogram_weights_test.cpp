// The sums of weights in each bin of a histogram: of any type and any number of bins, with the bits
// of the reference.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/core/functional.hpp"
#include "support/contexts.hpp"
#include "support/numbered_bins.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// 16 bytes.
struct two_sums {
  std::int64_t x;
  std::int32_t y;

  static two_sums from(std::uint64_t bits) {
    return {static_cast<std::int64_t>(bits >> 20), static_cast<std::int32_t>(bits & 0xff)};
  }
  friend EF_HD constexpr two_sums operator+(const two_sums& a, const two_sums& b) {
    return {a.x + b.x, a.y + b.y};
  }
  friend bool operator==(const two_sums&, const two_sums&) = default;
};

template <class T, class Context>
void check_weights(Context& ctx, const std::vector<int>& numbers, std::int64_t count,
                   std::int32_t bins) {
  static const std::vector<T> weights = random_values<T>(large_size);
  const array<int> input = to_context(ctx, numbers);
  const array<T> weight = to_context(ctx, weights);
  array<T> out(ctx, bins);
  histogram(ctx, count, bins, element_of<int, const int*>{input.data()},
            element_of<T, const T*>{weight.data()}, out.data());
  const auto sums = binned_sums<T>(numbers, count, bins, [&](std::size_t i) { return weights[i]; });
  ASSERT_TRUE(to_host(ctx, out) == sums) << count << " items, " << bins << " bins";
}

/// Sums of fractions, most of which are in the first few bins.
template <class Context>
void check_bits_of_histogram(std::int32_t bins) {
  std::vector<int> numbers;
  for (const double u : random_fractions<double>(large_size, 1)) {
    numbers.push_back(static_cast<int>(u * u * u * u * bins));
  }
  const std::vector<double> weights = random_fractions<double>(large_size, 2);
  const auto near =
      binned_sums<double>(numbers, large_size, bins, [&](std::size_t i) { return weights[i]; });
  std::vector<double> before;
  for (const auto& ctx : equal_contexts<Context>()) {
    const array<int> input = to_context(*ctx, numbers);
    const array<double> weight = to_context(*ctx, weights);
    array<double> out(*ctx, bins);
    for (int run = 0; run < 3; ++run) {
      histogram(*ctx, large_size, bins, element_of<int, const int*>{input.data()},
                element_of<double, const double*>{weight.data()}, out.data());
      const std::vector<double> result = to_host(*ctx, out);
      if (before.empty()) before = result;
      ASSERT_EQ(std::memcmp(result.data(), before.data(), near.size() * sizeof(double)), 0);
    }
  }
  for (std::size_t b = 0; b < near.size(); ++b) {
    ASSERT_NEAR(before[b], near[b], 1e-12 * near[b]) << "bin " << b;
  }
}

/// The bits of the sums of fractions, beside those of the reference.
template <class T, class Context>
void check_bits_of_many_bins(Context& ctx, const std::vector<int>& numbers, std::int32_t bins) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  const std::vector<T> weights = random_fractions<T>(count, 3);
  const auto sums = [&](auto& on) {
    const array<int> input = to_context(on, numbers);
    const array<T> weight = to_context(on, weights);
    array<T> out(on, bins);
    histogram(on, count, bins, element_of<int, const int*>{input.data()},
              element_of<T, const T*>{weight.data()}, out.data());
    return to_host(on, out);
  };
  reference_context reference;
  const std::vector<T> result = sums(ctx);
  const std::vector<T> right = sums(reference);
  ASSERT_EQ(std::memcmp(result.data(), right.data(), right.size() * sizeof(T)), 0)
      << count << " items, " << bins << " bins";
}

template <class Context>
class histogram_weights_on : public on<Context> {};
TYPED_TEST_SUITE(histogram_weights_on, contexts);

TYPED_TEST(histogram_weights_on, weighs_at_every_size) {
  const std::vector<int> numbers = random_bins(large_size, 101);
  for (const std::int64_t count : sizes()) check_weights<double>(this->ctx, numbers, count, 101);
}

TYPED_TEST(histogram_weights_on, weighs_any_number_of_bins) {
  for (const std::int32_t bins : bin_counts) {
    check_weights<double>(this->ctx, random_bins(large_size, bins), large_size, bins);
  }
  check_weights<double>(this->ctx, std::vector<int>(large_size, 50), large_size, 101);
}

// A GPU sorts the items by bin, since these are too many for ranges.
TYPED_TEST(histogram_weights_on, weighs_runs_of_any_length_among_many_bins) {
  constexpr bool sorts = TypeParam::side == memory_side::device;
  constexpr std::int32_t bins = sorts ? (1 << 21) + 1 : 1 << 17;
  check_weights<double>(this->ctx, std::vector<int>(large_size, bins - 1), large_size, bins);
  // Bin b has b items, those of every third bin are left out, and bin 1500 has all that are left.
  std::vector<int> numbers;
  for (int bin = 0; bin < 1000; ++bin) numbers.insert(numbers.end(), bin, bin % 3 == 0 ? -1 : bin);
  numbers.resize(large_size, 1500);
  check_weights<double>(this->ctx, numbers, large_size, bins);
  check_weights<std::int64_t>(this->ctx, numbers, large_size - 17, bins);
}

// A GPU sorts the items by range of bins; a warp adds rows of them, in which bins repeat or do not.
TYPED_TEST(histogram_weights_on, weighs_rows_of_any_bins_in_their_order) {
  constexpr bool sorts = TypeParam::side == memory_side::device;
  constexpr std::int64_t count = sorts ? (3 << 20) + 77 : large_size;
  for (const std::int32_t bins : {4096, 70001, sorts ? 1 << 21 : 1 << 17}) {
    std::vector<int> numbers = random_bins(count, bins);
    check_bits_of_many_bins<float>(this->ctx, numbers, bins);
    check_bits_of_many_bins<double>(this->ctx, numbers, bins);
    for (std::int64_t i = 0; i < count; ++i) {
      int& number = numbers[static_cast<std::size_t>(i)];
      if (number < 0 || number >= bins) continue;
      // Few of all bins at first, then a few neighbours, then mostly one, and then one alone.
      const std::int64_t quarter = 4 * i / count;
      if (quarter == 0) number -= number % 1024;
      if (quarter == 1) number %= 40;
      if (quarter > 2 || (quarter == 2 && i % 5 != 0)) number = bins - 1;
    }
    check_bits_of_many_bins<float>(this->ctx, numbers, bins);
    check_bits_of_many_bins<double>(this->ctx, numbers, bins);
  }
}

TYPED_TEST(histogram_weights_on, weights_have_any_type) {
  check_weights<two_sums>(this->ctx, random_bins(large_size, 5000), large_size, 5000);
  check_weights<std::int64_t>(this->ctx, random_bins(large_size, 4096), large_size, 4096);
  check_weights<triple>(this->ctx, random_bins(large_size, 30000), large_size, 30000);
}

// A GPU adds integers in any order: in one, two or three ranges of bins, or without ranges.
TYPED_TEST(histogram_weights_on, weighs_by_integers) {
  for (const std::int32_t bins : {1, 101, 30000, 66000, 200000}) {
    const std::vector<int> numbers = random_bins(large_size, bins);
    check_weights<int>(this->ctx, numbers, large_size, bins);
    check_weights<std::uint64_t>(this->ctx, numbers, large_size - 5, bins);
    const std::vector<int> one_bin(large_size, bins - 1);
    check_weights<int>(this->ctx, one_bin, large_size, bins);
    check_weights<std::uint64_t>(this->ctx, one_bin, large_size, bins);
  }
}

TYPED_TEST(histogram_weights_on, gives_the_same_bits_every_time) {
  for (const std::int32_t bins : {5, 101, 5000, 100000}) check_bits_of_histogram<TypeParam>(bins);
}

}  // namespace
}  // namespace evenfold::testing
