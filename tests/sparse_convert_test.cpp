#include "evenfold/sparse/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/contexts.hpp"
#include "support/entries.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

/// The entries in a map: positions in order, and the values of each position in the order of the
/// list.
template <class T, class Index, class Offset>
entry_list<T, Index, Offset> sorted_by_map(const entry_list<T, Index, Offset>& a, duplicates how) {
  std::map<std::pair<Index, Index>, std::vector<T>> positions;
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    positions[{a.rows[k], a.columns[k]}].push_back(a.value(k));
  }
  entry_list<T, Index, Offset> result{a.num_rows, a.num_columns, {}, {}, {}};
  for (const auto& [position, values] : positions) {
    if (how == duplicates::keep) {
      for (const T& value : values) result.add(position.first, position.second, value);
    } else {
      T sum = values[0];
      if constexpr (!is_pattern<T>) {
        for (std::size_t i = 1; i < values.size() && how == duplicates::sum; ++i) sum += values[i];
      }
      result.add(position.first, position.second, sum);
    }
  }
  return result;
}

template <class T, class Index, class Offset, class Context>
void check_conversions(Context& ctx, const entry_list<T, Index, Offset>& host) {
  const auto a = to_context(ctx, host.view());
  for (const duplicates how : {duplicates::keep, duplicates::sum, duplicates::first}) {
    SCOPED_TRACE(static_cast<int>(how));
    const auto expected = sorted_by_map(host, how);
    const auto by_rows = to_csr(ctx, a.view(), how);
    expect_rows(to_host(ctx, by_rows.view()), expected);
    expect_rows(transposed(to_host(ctx, to_csc(ctx, a.view(), how).view())),
                sorted_by_map(exchanged(host), how));
    const auto turned = transpose(ctx, by_rows.view());
    expect_rows(to_host(ctx, turned.view()), sorted_by_map(exchanged(expected), duplicates::keep));
    expect_rows(to_host(ctx, transpose(ctx, turned.view()).view()), expected);

    const auto list = to_host(ctx, to_coo(ctx, by_rows.view()).view());
    EXPECT_EQ(std::vector(list.rows.begin(), list.rows.end()), expected.rows);
    EXPECT_EQ(std::vector(list.columns.begin(), list.columns.end()), expected.columns);
    EXPECT_EQ(std::vector(list.values.begin(), list.values.end()), expected.values);
  }
}

template <class T, class Index, class Offset, class Context>
void check_shapes(Context& ctx) {
  for (const entry_shape shape : entry_shapes) {
    SCOPED_TRACE(name_of(shape));
    check_conversions(ctx, make_entries<T, Index, Offset>(shape));
  }
}

template <class Context>
using sparse_convert = on<Context>;
TYPED_TEST_SUITE(sparse_convert, contexts);

TYPED_TEST(sparse_convert, agrees_with_a_map) { check_shapes<float, int, int>(this->ctx); }
TYPED_TEST(sparse_convert, agrees_in_64_bits_and_double) {
  check_shapes<double, int, std::int64_t>(this->ctx);
}
TYPED_TEST(sparse_convert, agrees_without_values) {
  check_shapes<pattern, std::int64_t, std::int64_t>(this->ctx);
}

TYPED_TEST(sparse_convert, takes_columns_beyond_32_bits) {
  const std::int64_t many = std::int64_t{1} << 62;
  entry_list<pattern, std::int64_t, std::int64_t> host{3, many, {}, {}, {}};
  for (const std::int64_t column : {many - 1, std::int64_t{1} << 32, std::int64_t{0}, many - 1}) {
    host.add(2, column, {});
    host.add(0, column, {});
  }
  const auto a = to_context(this->ctx, host.view());
  for (const duplicates how : {duplicates::keep, duplicates::sum}) {
    expect_rows(to_host(this->ctx, to_csr(this->ctx, a.view(), how).view()),
                sorted_by_map(host, how));
  }
}

TYPED_TEST(sparse_convert, takes_unsigned_indices_in_the_upper_half_of_their_range) {
  entry_list<float, std::uint32_t, int> host{3, 4000000000u, {}, {}, {}};
  host.add(2, 3999999999u, 1);
  host.add(0, 3000000000u, 2);
  host.add(2, 1, 3);
  host.add(0, 5, 4);
  const auto a = to_context(this->ctx, host.view());
  expect_rows(to_host(this->ctx, to_csr(this->ctx, a.view(), duplicates::keep).view()),
              sorted_by_map(host, duplicates::keep));
}

TYPED_TEST(sparse_convert, keeps_the_sign_of_a_zero) {
  entry_list<float, int, int> host{1, 2, {}, {}, {}};
  host.add(0, 1, 1);
  host.add(0, 0, -0.f);
  host.add(0, 1, 1);
  const auto a = to_context(this->ctx, host.view());
  const auto sums = to_host(this->ctx, to_csr(this->ctx, a.view()).view());
  EXPECT_TRUE(std::signbit(sums.values[0]));
  EXPECT_EQ(sums.values[1], 2);
}

TYPED_TEST(sparse_convert, refuses_positions_outside_and_repeated_ones) {
  const auto refusal = [&](const entry_list<float, int, int>& host, duplicates how) {
    const auto a = to_context(this->ctx, host.view());
    try {
      to_csr(this->ctx, a.view(), how);
    } catch (const argument_error& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  const entry_list<float, int, int> twice{3, 4, {2, 1, 2, 1}, {0, 3, 0, 3}, {1, 2, 3, 4}};
  EXPECT_EQ(refusal(twice, duplicates::keep), "none");
  EXPECT_EQ(refusal(twice, duplicates::refuse),
            "to_csr: row 1, column 3 has more than one entry; pass duplicates::sum, first or keep");
  EXPECT_EQ(refusal({3, 4, {2, 1}, {0, 3}, {1, 2}}, duplicates::refuse), "none");
  const std::string rule =
      ", but the matrix has 3 rows and 4 columns; count rows and columns from 0, or make the "
      "matrix larger";
  EXPECT_EQ(refusal({3, 4, {0, 3}, {0, 0}, {1, 2}}, duplicates::sum),
            "to_csr: a.rows[1] is 3" + rule);
  EXPECT_EQ(refusal({3, 4, {0, 2, -1}, {0, -1, 0}, {1, 2, 3}}, duplicates::sum),
            "to_csr: a.columns[1] is -1" + rule);
  EXPECT_EQ(refusal({3, 4, {0, 2}, {0, 4}, {1, 2}}, duplicates::sum),
            "to_csr: a.columns[1] is 4" + rule);
  constexpr int least = std::numeric_limits<int>::min();
  EXPECT_EQ(refusal({3, 4, {least}, {0}, {1}}, duplicates::sum),
            "to_csr: a.rows[0] is -2147483648" + rule);
  EXPECT_EQ(refusal({3, 4, {0, 0, 0}, {4, 0, 1}, {1, 2, 3}}, duplicates::sum),
            "to_csr: a.columns[0] is 4" + rule);
  EXPECT_EQ(refusal({3, 4, {2}, {3}, {1}}, duplicates::refuse), "none");
  EXPECT_EQ(refusal({0, 0, {}, {}, {}}, duplicates::refuse), "none");
}

TYPED_TEST(sparse_convert, gives_the_same_bits_every_time) {
  const auto host = make_entries<float, int, int>(entry_shape::repeated);
  std::vector<std::vector<float>> all;
  for (const auto& equal : equal_contexts<TypeParam>()) {
    const auto a = to_context(*equal, host.view());
    const auto b = to_csr(*equal, a.view());
    all.push_back(to_host(*equal, b.values));
  }
  for (const auto& values : all) EXPECT_EQ(values, all[0]);
}

}  // namespace
}  // namespace evenfold::testing
