#include "evenfold/algorithm/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "support/contexts.hpp"
#include "support/numbered_bins.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Count, class Number, class Context>
void check_counts(Context& ctx, const std::vector<Number>& numbers, std::int64_t count,
                  std::int32_t bins) {
  const array<Number> input = to_context(ctx, numbers);
  array<Count> out = to_context(ctx, std::vector<Count>(static_cast<std::size_t>(bins), 77));
  histogram(ctx, count, bins, element_of<Number, const Number*>{input.data()}, out.data());
  const auto one = [](std::size_t) { return Count{1}; };
  ASSERT_EQ(to_host(ctx, out), binned_sums<Count>(numbers, count, bins, one))
      << count << " items, " << bins << " bins";
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
