#include "evenfold/algorithm/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

constexpr std::int32_t bin_counts[] = {1, 2, 101, 1025, 4096, (1 << 16) + 1, 1 << 20};

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

/// Numbers of bins, and some that are not bins: three below 0 and three beyond the last.
std::vector<int> random_bins(std::int64_t count, std::int32_t bins) {
  const random_stream random(5);
  std::vector<int> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto n =
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(bins) + 6);
    result.push_back(static_cast<int>(n) - 3);
  }
  return result;
}

/// The definition, on the host.
template <class T, class Number, class Weight>
std::vector<T> counted(const std::vector<Number>& numbers, std::int64_t count, std::int32_t bins,
                       Weight weight) {
  std::vector<T> result(static_cast<std::size_t>(bins), T{});
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto number = static_cast<std::int64_t>(numbers[i]);
    if (number >= 0 && number < bins) {
      T& sum = result[static_cast<std::size_t>(number)];
      sum = sum + weight(i);
    }
  }
  return result;
}

template <class Count, class Number, class Context>
void check_counts(Context& ctx, const std::vector<Number>& numbers, std::int64_t count,
                  std::int32_t bins) {
  const array<Number> input = to_context(ctx, numbers);
  array<Count> out = to_context(ctx, std::vector<Count>(static_cast<std::size_t>(bins), 77));
  histogram(ctx, count, bins, element_of<Number, const Number*>{input.data()}, out.data());
  const auto one = [](std::size_t) { return Count{1}; };
  ASSERT_EQ(to_host(ctx, out), counted<Count>(numbers, count, bins, one))
      << count << " items, " << bins << " bins";
}

template <class T, class Context>
void check_weights(Context& ctx, const std::vector<int>& numbers, std::int64_t count,
                   std::int32_t bins) {
  static const std::vector<T> weights = random_values<T>(large_size);
  const array<int> input = to_context(ctx, numbers);
  const array<T> weight = to_context(ctx, weights);
  array<T> out(ctx, bins);
  histogram(ctx, count, bins, element_of<int, const int*>{input.data()},
            element_of<T, const T*>{weight.data()}, out.data());
  const auto sums = counted<T>(numbers, count, bins, [&](std::size_t i) { return weights[i]; });
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
      counted<double>(numbers, large_size, bins, [&](std::size_t i) { return weights[i]; });
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

/// Value 3k + d - 1 is edge k, moved by d - 1 steps of double. Counts the values in a wrong bin.
template <class Context>
void check_edges(Context& ctx, const regular_bins& binning) {
  const std::int64_t stride = std::max(1, binning.bins / 5000);
  const std::int64_t edges = binning.bins / stride + 1;
  std::vector<double> values;
  std::vector<std::int32_t> right;
  for (std::int64_t n = 0; n < edges; ++n) {
    const double edge = binning.edge(static_cast<std::int32_t>(n * stride));
    for (const double x : {std::nextafter(edge, -HUGE_VAL), edge, std::nextafter(edge, HUGE_VAL)}) {
      values.push_back(x);
      // The last bin whose lower edge is not above x.
      std::int32_t low = -1;
      std::int32_t high = binning.bins;
      while (low < high) {
        const std::int32_t middle = low + (high - low + 1) / 2;
        if (binning.edge(middle) <= x) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      right.push_back(low == -1             ? binning.bins + outlier_below
                      : low == binning.bins ? binning.bins + outlier_above
                                            : low);
    }
  }
  const auto count = static_cast<std::int64_t>(values.size());
  const array<double> input = to_context(ctx, values);
  array<std::int32_t> found(ctx, count);
  const double* const x = input.data();
  std::int32_t* const to = found.data();
  transform(
      ctx, count, EF_LAMBDA(std::int64_t i) { to[i] = binning(x[i]); });
  ASSERT_EQ(to_host(ctx, found), right) << binning.bins << " bins from " << binning.edge(0);
}

template <class Binning, class T, class Context>
std::vector<std::uint64_t> outliers_too(Context& ctx, const Binning& binning,
                                        const std::vector<T>& values) {
  const array<T> input = to_context(ctx, values);
  const T* const x = input.data();
  array<std::uint64_t> out(ctx, binning.bins + outlier_kinds);
  histogram(
      ctx, values.size(), binning.bins + outlier_kinds,
      EF_LAMBDA(std::size_t i) { return binning(x[i]); }, out.data());
  return to_host(ctx, out);
}

template <class Context>
void check_grid(Context& ctx) {
  constexpr int count = 10000;
  const auto grid = grid_bins(even_bins(0, 1, 7), rounding_bins(0, 10, 11));
  ASSERT_EQ(grid.bins, 77);
  const random_stream random(9);
  array<std::uint32_t> out(ctx, grid.bins);
  const auto x = EF_LAMBDA(int i) { return 1.2 * random.uniform<double>(2u * i) - 0.1; };
  const auto y = EF_LAMBDA(int i) { return 12.f * random.uniform<float>(2u * i + 1) - 1; };
  histogram(
      ctx, count, grid.bins, EF_LAMBDA(int i) { return grid(x(i), y(i)); }, out.data());
  std::vector<std::uint32_t> right(77);
  for (int i = 0; i < count; ++i) {
    const double row = std::floor(x(i) * 7);
    const double column = std::floor(y(i) + 0.5);
    if (row < 0 || row >= 7 || column < 0 || column >= 11) continue;
    ++right[static_cast<std::size_t>(row * 11 + column)];
  }
  EXPECT_EQ(to_host(ctx, out), right);
}

template <class Call>
void expect_message(const std::string& message, Call call) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << message;
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, message.size()), message) << e.what();
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
class histogram_on : public on<Context> {};
TYPED_TEST_SUITE(histogram_on, contexts);

TYPED_TEST(histogram_on, counts_at_every_size) {
  const std::vector<int> numbers = random_bins(large_size, 101);
  for (const std::int64_t count : sizes()) {
    check_counts<std::uint64_t>(this->ctx, numbers, count, 101);
  }
}

TYPED_TEST(histogram_on, counts_any_number_of_bins) {
  for (const std::int32_t bins : bin_counts) {
    check_counts<std::uint32_t>(this->ctx, random_bins(large_size, bins), large_size, bins);
  }
}

TYPED_TEST(histogram_on, counts_when_all_are_in_one_bin) {
  for (const std::int32_t bins : {1, 101, 1 << 17}) {
    const std::vector<int> last(large_size, bins - 1);
    check_counts<std::uint64_t>(this->ctx, last, large_size, bins);
    std::vector<int> half = random_bins(large_size, bins);
    for (std::size_t i = 0; i < half.size(); i += 2) half[i] = bins / 2;
    check_counts<std::uint64_t>(this->ctx, half, large_size, bins);
  }
}

TYPED_TEST(histogram_on, counts_many_items_in_many_bins) {
  // A GPU sorts so many items by range of bins.
  constexpr bool sorts = TypeParam::side == memory_side::device;
  constexpr std::int64_t count = sorts ? (1 << 23) + 77 : large_size;
  for (const std::int32_t bins : {700001, 1 << 20}) {
    check_counts<std::uint32_t>(this->ctx, random_bins(count, bins), count, bins);
  }
  std::vector<int> one(count, 699999);
  check_counts<std::uint64_t>(this->ctx, one, count, 700000);
  for (std::int64_t i = 0; i < count; i += 3) one[i] = static_cast<int>(i % 800000) - 50000;
  check_counts<std::uint64_t>(this->ctx, one, count, 700000);
  check_counts<std::uint64_t>(this->ctx, std::vector<int>(count, -1), count, 700000);
}

TYPED_TEST(histogram_on, bins_have_any_integral_type) {
  check_counts<std::int64_t>(this->ctx, random_values<std::int8_t>(5000), 5000, 100);
  check_counts<std::int32_t>(this->ctx, random_values<std::uint8_t>(5000), 5000, 256);
  std::vector<std::int64_t> far = {0, 1, 2, -1, INT64_MIN, INT64_MAX, 1ll << 32, (1ll << 32) + 1};
  check_counts<std::uint64_t>(this->ctx, far, 8, 3);
}

TYPED_TEST(histogram_on, weighs_at_every_size) {
  const std::vector<int> numbers = random_bins(large_size, 101);
  for (const std::int64_t count : sizes()) check_weights<double>(this->ctx, numbers, count, 101);
}

TYPED_TEST(histogram_on, weighs_any_number_of_bins) {
  for (const std::int32_t bins : bin_counts) {
    check_weights<double>(this->ctx, random_bins(large_size, bins), large_size, bins);
  }
  check_weights<double>(this->ctx, std::vector<int>(large_size, 50), large_size, 101);
}

// A GPU sorts the items by bin, since these are too many for ranges.
TYPED_TEST(histogram_on, weighs_runs_of_any_length_among_many_bins) {
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
TYPED_TEST(histogram_on, weighs_rows_of_any_bins_in_their_order) {
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

TYPED_TEST(histogram_on, weights_have_any_type) {
  check_weights<two_sums>(this->ctx, random_bins(large_size, 5000), large_size, 5000);
  check_weights<std::int64_t>(this->ctx, random_bins(large_size, 4096), large_size, 4096);
  check_weights<triple>(this->ctx, random_bins(large_size, 30000), large_size, 30000);
}

// A GPU adds integers in any order: in one, two or three ranges of bins, or without ranges.
TYPED_TEST(histogram_on, weighs_by_integers) {
  for (const std::int32_t bins : {1, 101, 30000, 66000, 200000}) {
    const std::vector<int> numbers = random_bins(large_size, bins);
    check_weights<int>(this->ctx, numbers, large_size, bins);
    check_weights<std::uint64_t>(this->ctx, numbers, large_size - 5, bins);
    const std::vector<int> one_bin(large_size, bins - 1);
    check_weights<int>(this->ctx, one_bin, large_size, bins);
    check_weights<std::uint64_t>(this->ctx, one_bin, large_size, bins);
  }
}

TYPED_TEST(histogram_on, gives_the_same_bits_every_time) {
  for (const std::int32_t bins : {5, 101, 5000, 100000}) check_bits_of_histogram<TypeParam>(bins);
}

TYPED_TEST(histogram_on, values_on_an_edge_belong_above_it) {
  check_edges(this->ctx, even_bins(0, 1, 10));
  check_edges(this->ctx, even_bins(0, 1, 101));
  check_edges(this->ctx, even_bins(-0.1, 0.7, 1000003));
  check_edges(this->ctx, even_bins(-5, 1403, 176));
  check_edges(this->ctx, even_bins(1e15, 1e15 + 3, 100));
  check_edges(this->ctx, even_bins(1, 1 + 0x1p-50, 1000));
  check_edges(this->ctx, even_bins(-8e304, 8e304, 999));
  check_edges(this->ctx, even_bins(0, 0x1p-1060, 50));
  check_edges(this->ctx, rounding_bins(0, 100, 101));
  check_edges(this->ctx, rounding_bins(-0.3, 0.3, 7));
}

TYPED_TEST(histogram_on, outliers_are_told_apart) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {-1, -HUGE_VAL, 0, 0.5, 1, 2,   2.5,   3,
                                      3,  3.5,       4, nan, 4, 1e9, 1e300, HUGE_VAL};
  using counts = std::vector<std::uint64_t>;
  EXPECT_EQ(outliers_too(this->ctx, even_bins(0, 4, 4), values), (counts{2, 1, 2, 3, 2, 5, 1}));
  EXPECT_EQ(outliers_too(this->ctx, even_bins(0, 4, 4, true), values),
            (counts{2, 1, 2, 5, 2, 3, 1}));
  EXPECT_EQ(outliers_too(this->ctx, rounding_bins(0, 4, 5), values),
            (counts{1, 2, 1, 3, 3, 2, 3, 1}));
  const array<double> edges = to_context(this->ctx, std::vector<double>{0, 1, 1, 4});
  EXPECT_EQ(outliers_too(this->ctx, custom_edges<double>{edges.data(), 3}, values),
            (counts{2, 0, 6, 2, 5, 1}));
  EXPECT_EQ(outliers_too(this->ctx, custom_edges<double>{edges.data(), 3, true}, values),
            (counts{2, 0, 8, 2, 3, 1}));
  const std::vector<std::int64_t> integers = {-7, 0, 1, 2, 3, 4, INT64_MAX};
  EXPECT_EQ(outliers_too(this->ctx, even_bins(0, 4, 2), integers), (counts{2, 2, 1, 2, 0}));
}

TYPED_TEST(histogram_on, two_dimensions_are_rows_of_columns) { check_grid(this->ctx); }

TYPED_TEST(histogram_on, refuses_what_makes_no_sense) {
  array<int> numbers = to_context(this->ctx, std::vector<int>{1, 2, 3});
  array<std::uint32_t> out = to_context(this->ctx, std::vector<std::uint32_t>{7, 7, 7, 7});
  const element_of<int, const int*> f{numbers.data()};
  expect_message("histogram: count is -1, but",
                 [&] { histogram(this->ctx, -1, 4, f, out.data()); });
  expect_message("histogram: bins is -4, but", [&] { histogram(this->ctx, 3, -4, f, out.data()); });
  expect_message("histogram: bins is 2147483648, but a histogram has fewer than 2^31 bins; ",
                 [&] { histogram(this->ctx, 3, std::int64_t{1} << 31, f, f, out.data()); });
  EXPECT_EQ(to_host(this->ctx, out), std::vector<std::uint32_t>(4, 7));
  histogram(this->ctx, 3, 0, f, out.data());
  EXPECT_EQ(to_host(this->ctx, out), std::vector<std::uint32_t>(4, 7));
}

TEST(bins, refuse_what_makes_no_sense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_message("even_bins: bins is 0, but there are 1 to 2^30 bins of one width; pass",
                 [] { even_bins(0, 1, 0); });
  expect_message("even_bins: the range is 1.000000 to 0.000000, but its length is above 0",
                 [] { even_bins(1, 0, 10); });
  expect_message("even_bins: the range is ", [] { even_bins(1, 1, 10); });
  expect_message("even_bins: the range is ", [=] { even_bins(0, nan, 10); });
  expect_message("even_bins: the range is ", [] { even_bins(-1e307, 1e307, 10); });
  expect_message("rounding_bins: bins is 1, but there are 2 to", [] { rounding_bins(0, 1, 1); });
  expect_message("rounding_bins: the range is ", [] { rounding_bins(3, 1, 5); });
  expect_message("grid_bins: rows * columns is 10000000000, but",
                 [] { grid_bins(even_bins(0, 1, 100000), even_bins(0, 1, 100000)); });
}

#if defined(__CUDACC__)
void check_huge(cuda_context& ctx) {
  constexpr std::int64_t count = 3 * (std::int64_t{1} << 31) + 5;
  array<std::uint64_t> out(ctx, 3);
  histogram(
      ctx, count, 3, EF_LAMBDA(std::int64_t i) { return i < 5 ? 1 : 0; }, out.data());
  EXPECT_EQ(to_host(ctx, out), (std::vector<std::uint64_t>{count - 5, 5, 0}));
  array<double> sums(ctx, 1);
  histogram(
      ctx, count, 1, EF_LAMBDA(std::int64_t) { return 0; }, EF_LAMBDA(std::int64_t) { return 1.; },
      sums.data());
  EXPECT_EQ(to_host(ctx, sums)[0], static_cast<double>(count));
}

TEST(histogram, counts_beyond_31_bits) {
  cuda_context ctx;
  check_huge(ctx);
}
#endif

}  // namespace
}  // namespace evenfold::testing
