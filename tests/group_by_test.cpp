#include "evenfold/table/group_by.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

using flags = std::vector<unsigned char>;

/// One row of the result, for all aggregates.
struct group_results {
  std::int64_t first_row, rows, present;
  double sum, smallest, largest, mean, variance, first, last, median, high;
  std::int64_t argmin;

  friend bool operator==(const group_results&, const group_results&) = default;
};

std::ostream& operator<<(std::ostream& out, const group_results& row) {
  return out << row.first_row << ": " << row.rows << ' ' << row.present << ' ' << row.sum << ' '
             << row.smallest << ' ' << row.largest << ' ' << row.mean << ' ' << row.variance << ' '
             << row.first << ' ' << row.last << ' ' << row.median << ' ' << row.high << ' '
             << row.argmin;
}

constexpr double infinity = std::numeric_limits<double>::infinity();
/// In place of NaN, which is not equal to itself.
constexpr double nothing = 12345.5;
double known(double value) { return std::isnan(value) ? nothing : value; }

double quantile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return nothing;
  const double index = fraction * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(index);
  const double part = index - static_cast<double>(low);
  return part == 0 ? sorted[low] : sorted[low] + (sorted[low + 1] - sorted[low]) * part;
}

/// The aggregates by their definitions, for the rows of each group.
std::vector<group_results> expected(const std::vector<std::vector<int>>& groups,
                                    const std::vector<double>& x, const flags& nulls) {
  std::vector<group_results> result;
  for (const std::vector<int>& rows : groups) {
    std::vector<double> values;
    std::int64_t argmin = -1;
    for (const int row : rows) {
      if (nulls[row] != 0) continue;
      values.push_back(x[row]);
      if (argmin < 0 || x[row] < x[argmin]) argmin = row;
    }
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(values.size());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    double squares = 0;
    for (const double value : values) squares += (value - sum / n) * (value - sum / n);
    result.push_back({rows.front(), static_cast<std::int64_t>(rows.size()),
                      static_cast<std::int64_t>(values.size()), sum,
                      values.empty() ? infinity : sorted.front(),
                      values.empty() ? -infinity : sorted.back(), known(sum / n),
                      values.size() < 2 ? nothing : squares / (n - 1),
                      values.empty() ? 0 : values.front(), values.empty() ? 0 : values.back(),
                      quantile(sorted, 0.5), quantile(sorted, 0.95), argmin});
  }
  return result;
}

template <class Context>
std::vector<group_results> aggregated(Context& ctx, const row_groups<int>& groups,
                                      const std::vector<double>& host_x, const flags& host_nulls) {
  const array<double> x = to_context(ctx, host_x);
  const array<unsigned char> nulls = to_context(ctx, host_nulls);
  const double* const v = x.data();
  const unsigned char* const n = nulls.data();
  const auto found = aggregate_groups(ctx, groups, count_rows(), count_of(n), sum_of(v, n),
                                      min_of(v, n), max_of(v, n), mean_of(v, n), variance_of(v, n),
                                      first_value_of(v, n), last_value_of(v, n), median_of(v, n),
                                      quantile_of(v, 0.95, n), argmin_of(v, n));
  const auto at = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    return to_host(ctx, get<I>(found.values));
  };
  const auto first_rows = to_host(ctx, found.first_rows);
  const auto rows = at(std::integral_constant<std::size_t, 0>());
  const auto present = at(std::integral_constant<std::size_t, 1>());
  const auto sum = at(std::integral_constant<std::size_t, 2>());
  const auto smallest = at(std::integral_constant<std::size_t, 3>());
  const auto largest = at(std::integral_constant<std::size_t, 4>());
  const auto mean = at(std::integral_constant<std::size_t, 5>());
  const auto variance = at(std::integral_constant<std::size_t, 6>());
  const auto first = at(std::integral_constant<std::size_t, 7>());
  const auto last = at(std::integral_constant<std::size_t, 8>());
  const auto median = at(std::integral_constant<std::size_t, 9>());
  const auto high = at(std::integral_constant<std::size_t, 10>());
  const auto argmin = at(std::integral_constant<std::size_t, 11>());
  std::vector<group_results> result;
  for (std::size_t g = 0; g < found.size(); ++g) {
    result.push_back({first_rows[g], rows[g], present[g], sum[g], smallest[g], largest[g],
                      known(mean[g]), known(variance[g]), first[g], last[g], known(median[g]),
                      known(high[g]), argmin[g]});
  }
  return result;
}

/// The rows of each key by a serial map, in the order of the keys or of their first rows.
template <class Key>
std::vector<std::vector<int>> groups_of(const std::vector<Key>& keys, group_order order) {
  std::map<Key, std::vector<int>> found;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    found[keys[row]].push_back(static_cast<int>(row));
  }
  std::vector<std::vector<int>> groups;
  for (const auto& [key, rows] : found) groups.push_back(rows);
  if (order == group_order::appearance) std::sort(groups.begin(), groups.end());
  return groups;
}

/// Variances are rounded differently from the two passes of `expected`.
void expect_equal(std::vector<group_results> got, const std::vector<group_results>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t g = 0; g < got.size(); ++g) {
    ASSERT_NEAR(got[g].variance, wanted[g].variance, 1e-11 * wanted[g].variance);
    got[g].variance = wanted[g].variance;
    ASSERT_EQ(got[g], wanted[g]);
  }
}

/// Integers, whose sums are exact, and some nulls.
std::vector<double> small_integers(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = static_cast<double>(random_stream(3).bits64(i) % 1000);
  return x;
}
flags some_nulls(std::size_t count) {
  flags nulls(count);
  for (std::size_t i = 0; i < count; ++i) nulls[i] = random_stream(4).bits64(i) % 3 == 0 ? 7 : 0;
  return nulls;
}

template <class Context>
void check_group_by(Context& ctx, const std::vector<int>& host) {
  const auto count = static_cast<int>(host.size());
  const std::vector<double> x = small_integers(host.size());
  const flags nulls = some_nulls(host.size());
  const array<int> keys = to_context(ctx, host);
  expect_equal(aggregated(ctx, group_rows(ctx, keys.data(), count), x, nulls),
               expected(groups_of(host, group_order::keys), x, nulls));
  const auto by_appearance = group_rows<group_order::appearance>(ctx, keys.data(), count);
  expect_equal(aggregated(ctx, by_appearance, x, nulls),
               expected(groups_of(host, group_order::appearance), x, nulls));
}

template <class Context>
class group_by_on : public on<Context> {};
TYPED_TEST_SUITE(group_by_on, contexts);

TYPED_TEST(group_by_on, agrees_with_a_serial_map) {
  for (const int count : {0, 1, 2, 33, 5000, 40000}) {
    const auto size = static_cast<std::size_t>(count);
    check_group_by(this->ctx, std::vector<int>(size, -5));
    std::vector<int> keys(size);
    std::iota(keys.rbegin(), keys.rend(), -count / 2);
    check_group_by(this->ctx, keys);
    for (std::size_t i = 0; i < size; ++i) {
      // Key k has a share of about 1 / k.
      keys[i] =
          static_cast<int>(1e5 / static_cast<double>(1 + random_stream(5).bits64(i) % 100000));
    }
    check_group_by(this->ctx, keys);
  }
}

/// A long text as a key.
struct text_key {
  char text[40];
  friend bool operator<(const text_key& a, const text_key& b) {
    return std::memcmp(a.text, b.text, sizeof a.text) < 0;
  }
};
struct text_less {
  EF_HD bool operator()(const text_key& a, const text_key& b) const {
    for (int i = 0; i < 40; ++i) {
      if (a.text[i] != b.text[i]) return a.text[i] < b.text[i];
    }
    return false;
  }
};

template <class Context>
void check_columns(Context& ctx) {
  const int count = 3000;
  std::vector<text_key> texts(count);
  std::vector<int> years(count);
  std::vector<std::pair<text_key, int>> both(count);
  for (int i = 0; i < count; ++i) {
    std::fill(std::begin(texts[i].text), std::end(texts[i].text), 'x');
    texts[i].text[39] = static_cast<char>('a' + random_stream(1).bits64(i) % 5);
    years[i] = static_cast<int>(random_stream(2).bits64(i) % 7);
    both[i] = {texts[i], -years[i]};
  }
  const array<text_key> text = to_context(ctx, texts);
  const array<int> year = to_context(ctx, years);
  const auto keys = make_tuple(ordered_by(text.data(), text_less{}), descending(year.data()));
  const std::vector<double> x = small_integers(count);
  const flags nulls = some_nulls(count);
  expect_equal(aggregated(ctx, group_rows(ctx, keys, count), x, nulls),
               expected(groups_of(both, group_order::keys), x, nulls));
}

TYPED_TEST(group_by_on, takes_several_columns_of_any_type) { check_columns(this->ctx); }

TYPED_TEST(group_by_on, knows_nan_and_both_zeros) {
  const double nan = std::nan("");
  const array<double> keys =
      to_context(this->ctx, std::vector<double>{nan, 0.0, 1.0, -0.0, nan, 1.0, -infinity});
  const array<double> x =
      to_context(this->ctx, std::vector<double>{1, -0.0, nan, 0.0, 2, 5, infinity});
  const auto found = group_by(this->ctx, keys.data(), 7, count_rows(), sum_of(x.data()),
                              min_of(x.data()), argmax_of(x.data()), quantile_of(x.data(), 0));
  EXPECT_EQ(to_host(this->ctx, found.first_rows), (std::vector<int>{6, 1, 2, 0}));
  EXPECT_EQ(to_host(this->ctx, get<0>(found.values)), (std::vector<std::int64_t>{1, 2, 2, 2}));
  const std::vector<double> sums = to_host(this->ctx, get<1>(found.values));
  EXPECT_EQ(sums[0], infinity);
  EXPECT_TRUE(std::isnan(sums[2]));
  EXPECT_EQ(sums[3], 3);
  const std::vector<double> smallest = to_host(this->ctx, get<2>(found.values));
  EXPECT_TRUE(smallest[1] == 0 && std::signbit(smallest[1]));
  EXPECT_TRUE(std::isnan(smallest[2]));
  EXPECT_EQ(to_host(this->ctx, get<3>(found.values)), (std::vector<std::int64_t>{6, 1, 2, 4}));
  EXPECT_EQ(to_host(this->ctx, get<4>(found.values))[2], 5);
}

TYPED_TEST(group_by_on, interpolates_between_values_whose_difference_is_no_double) {
  const std::vector<int> host_keys{0, 0, 1, 1, 2, 2, 3, 3, 4, 4};
  const std::vector<double> host_x{1e308,    -1e308,   1.5e308, -0.5e308, -infinity,
                                   infinity, infinity, -1,      -1,       -infinity};
  const array<int> keys = to_context(this->ctx, host_keys);
  const array<double> x = to_context(this->ctx, host_x);
  const auto found =
      group_by(this->ctx, keys.data(), 10, median_of(x.data()), quantile_of(x.data(), 0.25));
  const std::vector<double> medians = to_host(this->ctx, get<0>(found.values));
  const std::vector<double> quarters = to_host(this->ctx, get<1>(found.values));
  EXPECT_EQ(medians[0], 0);
  EXPECT_EQ(medians[1], 0.5e308);
  EXPECT_TRUE(std::isnan(medians[2]));
  EXPECT_EQ(medians[3], infinity);
  EXPECT_EQ(medians[4], -infinity);
  EXPECT_EQ(quarters[0], -0.5e308);
  EXPECT_EQ(quarters[1], 0);
}

TYPED_TEST(group_by_on, has_no_variance_of_infinity) {
  const std::vector<int> host_keys{0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4};
  const std::vector<double> host_x{infinity, 1,         2, 1, 2,       infinity,
                                   infinity, -infinity, 1, 3, infinity};
  const array<int> keys = to_context(this->ctx, host_keys);
  const array<double> x = to_context(this->ctx, host_x);
  const auto found = group_by(this->ctx, keys.data(), 11, variance_of(x.data()));
  const std::vector<double> variances = to_host(this->ctx, get<0>(found.values));
  ASSERT_EQ(variances.size(), 5u);
  EXPECT_EQ(variances[3], 2);
  for (const std::size_t group : {0, 1, 2, 4}) EXPECT_TRUE(std::isnan(variances[group])) << group;
}

/// The results for fractions, whose sums depend on the order of operations.
template <class Context>
std::vector<group_results> rounded(Context& ctx, const std::vector<int>& host,
                                   const std::vector<double>& x) {
  const array<int> keys = to_context(ctx, host);
  return aggregated(ctx, group_rows(ctx, keys.data(), static_cast<int>(host.size())), x,
                    some_nulls(host.size()));
}

TYPED_TEST(group_by_on, has_the_same_bits_on_every_context) {
  const std::size_t count = 30000;
  std::vector<int> keys(count);
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random_stream(7).bits64(i);
    keys[i] = bits % 2 == 0 ? 0 : static_cast<int>(bits % 300);
    x[i] = std::ldexp(static_cast<double>(bits >> 20), static_cast<int>(bits % 100) - 80);
  }
  reference_context reference;
  const std::vector<group_results> wanted = rounded(reference, keys, x);
  for (const auto& each : equal_contexts<TypeParam>()) {
    EXPECT_EQ(rounded(*each, keys, x), wanted);
  }
}

/// Groups keys from `first` on, `step` apart, in ascending order.
template <class Context, class Key>
void check_integers(Context& ctx, Key first, Key step) {
  const std::size_t count = 5000;
  const int groups = 300;
  std::vector<Key> keys(count);
  std::vector<int> x(count);
  std::vector<std::int64_t> sums(groups);
  std::vector<Key> rows(groups, static_cast<Key>(-1));
  for (std::size_t i = 0; i < count; ++i) {
    const auto group = static_cast<int>(random_stream(9).below(i, groups));
    keys[i] = static_cast<Key>(first + static_cast<Key>(group) * step);
    x[i] = static_cast<int>(random_stream(8).below(i, 1000));
    sums[group] += x[i];
    if (rows[group] == static_cast<Key>(-1)) rows[group] = static_cast<Key>(i);
  }
  const array<Key> k = to_context(ctx, keys);
  const array<int> v = to_context(ctx, x);
  const auto found =
      group_by(ctx, k.data(), static_cast<std::make_signed_t<Key>>(count), sum_of(v.data()));
  EXPECT_EQ(to_host(ctx, get<0>(found.values)), sums) << "from " << first;
  const auto first_rows = to_host(ctx, found.first_rows);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), first_rows.begin(), first_rows.end(),
                         std::cmp_equal<Key, std::make_signed_t<Key>>))
      << "from " << first;
}

TYPED_TEST(group_by_on, takes_integers_of_any_range) {
  // Within one byte or across several, of one sign or of both.
  for (const int first : {0, 250, 65500, 1 << 24, -300, -5, -100000,
                          std::numeric_limits<int>::min(), std::numeric_limits<int>::max() - 299}) {
    check_integers<TypeParam, int>(this->ctx, first, 1);
  }
  check_integers<TypeParam, int>(this->ctx, -65536, 13);
  check_integers<TypeParam, std::uint32_t>(this->ctx, (1u << 31) - 150, 1);
  check_integers<TypeParam, std::int64_t>(this->ctx, std::int64_t{1} << 40, 1);
  check_integers<TypeParam, std::int64_t>(this->ctx, -150, 1);
  check_integers<TypeParam, std::uint64_t>(this->ctx, std::uint64_t(-1) - 299, 1);
}

TYPED_TEST(group_by_on, sums_integers_in_64_bits) {
  const array<int> keys = to_context(this->ctx, std::vector<int>{1, 1});
  const array<int> x = to_context(this->ctx, std::vector<int>{2000000000, 2000000000});
  const auto found =
      group_by(this->ctx, descending(keys.data()), std::int64_t{2}, sum_of(x.data()));
  EXPECT_EQ(to_host(this->ctx, get<0>(found.values)), (std::vector<std::int64_t>{4000000000}));
}

TYPED_TEST(group_by_on, refuses_bad_arguments) {
  array<int> keys = to_context(this->ctx, std::vector<int>{1, 1});
  const int* const x = keys.data();
  const int* const none = nullptr;
  const auto call = [&](int count, auto aggregate) {
    return [&, count, aggregate] { group_by(this->ctx, x, count, aggregate); };
  };
  EXPECT_THROW(call(-1, sum_of(x))(), argument_error);
  EXPECT_THROW(call(2, sum_of(none))(), argument_error);
  EXPECT_THROW(call(2, sum_of(x, none))(), argument_error);
  EXPECT_THROW(call(2, quantile_of(x, 95))(), argument_error);
  EXPECT_THROW(call(2, quantile_of(x, std::nan("")))(), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
