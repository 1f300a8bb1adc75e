// Products and element-wise sums and products of sparse matrices, compared with dense loops.

#include "evenfold/sparse/spgemm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/sparse/elementwise.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A matrix on the host and in the memory of a context. Columns are in any order, and occur several
/// times per row unless `distinct`. Values are small integers: their sums are exact in any order.
struct example {
  csr<double> there;
  std::vector<std::vector<double>> dense;  ///< NaN where there is no entry

  template <class Context>
  example(Context& ctx, const segments_of<int>& rows, int width, std::uint64_t seed, bool distinct)
      : dense(rows.offsets.size(), std::vector<double>(static_cast<std::size_t>(width), none)) {
    const random_stream random(seed);
    std::vector<int> offsets = rows.offsets, columns;
    std::vector<double> values;
    offsets.push_back(static_cast<int>(rows.count));
    for (std::size_t r = 0; r < dense.size(); ++r) {
      const int begin = static_cast<int>(columns.size());
      for (int k = offsets[r]; k < offsets[r + 1]; ++k) {
        const std::uint64_t bits = random.bits64(static_cast<std::uint64_t>(k));
        const auto column = static_cast<std::size_t>(bits % static_cast<std::uint64_t>(width));
        double& cell = dense[r][column];
        if (distinct && cell == cell) continue;
        const auto value = static_cast<double>((bits >> 40) % 9) - 4;
        cell = cell == cell ? cell + value : value;
        columns.push_back(static_cast<int>(column));
        values.push_back(value);
      }
      offsets[r] = begin;
    }
    offsets.back() = static_cast<int>(columns.size());
    there = to_context(ctx,
                       csr_view<const double>{static_cast<int>(dense.size()), width, offsets.back(),
                                              offsets.data(), columns.data(), values.data()});
  }
  csr_view<const double> view() const { return there.view(); }
};

/// The entries that are numbers, by rows.
template <class Context>
void expect_matrix(Context& ctx, const csr<double>& got,
                   const std::vector<std::vector<double>>& dense) {
  std::vector<int> offsets = {0}, columns;
  std::vector<double> values;
  for (const std::vector<double>& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] != row[j]) continue;
      columns.push_back(static_cast<int>(j));
      values.push_back(row[j]);
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  EXPECT_EQ(to_host(ctx, got.row_offsets), offsets);
  EXPECT_EQ(to_host(ctx, got.columns), columns);
  EXPECT_EQ(to_host(ctx, got.values), values);
}

template <class Context>
void expect_products(Context& ctx, const segments_of<int>& of_a, const segments_of<int>& of_b) {
  const auto inner = static_cast<int>(of_b.offsets.size());
  const example a(ctx, of_a, inner, 3, false);
  const example b(ctx, of_b, 37, 4, false);
  std::vector<std::vector<double>> sums(a.dense.size(), std::vector<double>(37, none));
  for (std::size_t i = 0; i < a.dense.size(); ++i) {
    for (std::size_t k = 0; k < b.dense.size(); ++k) {
      for (std::size_t j = 0; j < 37; ++j) {
        const double x = a.dense[i][k], y = b.dense[k][j];
        if (x != x || y != y) continue;
        double& sum = sums[i][j];
        sum = sum == sum ? sum + x * y : x * y;
      }
    }
  }
  expect_matrix(ctx, spgemm(ctx, a.view(), b.view()), sums);
}

template <class Context>
void expect_joined(Context& ctx, const segments_of<int>& of_a, const segments_of<int>& of_b) {
  const example a(ctx, of_a, 29, 3, true);
  // A view of a matrix that is not const has values that may be written.
  example b(ctx, of_b, 29, 4, true);
  const csr_view<double> of_values = b.there.view();
  std::vector<std::vector<double>> either = a.dense, both = a.dense;
  for (std::size_t i = 0; i < a.dense.size(); ++i) {
    for (std::size_t j = 0; j < 29; ++j) {
      const double x = a.dense[i][j], y = b.dense[i][j];
      either[i][j] = x != x ? y : y != y ? x : x - y;
      both[i][j] = x * y;
    }
  }
  expect_matrix(ctx, elementwise_add(ctx, a.view(), of_values, minus{}), either);
  expect_matrix(ctx, elementwise_multiply(ctx, of_values, a.view()), both);
}

}  // namespace

template <class Context>
class spgemm_on : public on<Context> {};
TYPED_TEST_SUITE(spgemm_on, contexts);

TYPED_TEST(spgemm_on, shapes) {
  const auto short_rows = make_segments<int>(shape::uniform, 400);
  const auto giant = make_segments<int>(shape::one_giant, 300);
  segments_of<int> nothing;
  nothing.offsets = {0, 0, 0};
  nothing.count = 0;
  expect_products(this->ctx, short_rows, giant);
  expect_products(this->ctx, giant, short_rows);
  expect_products(this->ctx, giant, nothing);
  expect_products(this->ctx, nothing, giant);
  expect_joined(this->ctx, short_rows, short_rows);
  expect_joined(this->ctx, giant, giant);
}

// Paths of two edges are counted, and the shortest one is a product over (minimum, plus).
TYPED_TEST(spgemm_on, semirings) {
  const std::vector<int> offsets = {0, 2, 3, 4, 4}, columns = {1, 2, 3, 3};
  const std::vector<double> lengths = {1, 5, 7, 2};
  const csr<double> a = to_context(
      this->ctx, csr_view<const double>{4, 4, 4, offsets.data(), columns.data(), lengths.data()});
  const csr<std::int64_t> paths = spgemm(this->ctx, a.view().structure(), a.view().structure());
  EXPECT_EQ(to_host(this->ctx, paths.columns), std::vector<int>{3});
  EXPECT_EQ(to_host(this->ctx, paths.values), std::vector<std::int64_t>{2});
  const csr<double> shortest = spgemm(this->ctx, a.view(), a.view(), plus{}, minimum{},
                                      std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_host(this->ctx, shortest.values), std::vector<double>{7});
}

template <class Context>
void expect_same_bits() {
  const auto rows = make_segments<int>(shape::one_giant, 2000);
  const auto size = static_cast<int>(rows.offsets.size());
  const auto product_on = [&](auto& any) {
    example a(any, rows, size, 5, false);
    const std::vector<double> values = random_fractions<double>(a.there.num_nonzeros);
    copy(any, values.data(), values.size(), a.there.values.data());
    return to_host(any, spgemm(any, a.view(), a.view()).values);
  };
  reference_context reference;
  const std::vector<double> right = product_on(reference);
  for (const auto& any : equal_contexts<Context>()) EXPECT_EQ(product_on(*any), right);
}

TYPED_TEST(spgemm_on, same_bits) { expect_same_bits<TypeParam>(); }

TYPED_TEST(spgemm_on, refusals) {
  const example a(this->ctx, make_segments<int>(shape::uniform, 100), 9, 3, true);
  expect_refusal("spgemm", "b.num_rows", [&] { spgemm(this->ctx, a.view(), a.view()); });
  csr_view<const double> wide = a.view();
  ++wide.num_columns;
  expect_refusal("elementwise_add", "b", [&] { elementwise_add(this->ctx, a.view(), wide); });
  // A row of 2^20 entries, 2^20 times.
  const auto many = std::int64_t{1} << 20;
  const array<std::int64_t> offsets = to_context(this->ctx, std::vector<std::int64_t>{0, many});
  array<int> columns(this->ctx, many);
  transform(this->ctx, many, write_result{constant<int>{0}, columns.data()});
  const csr_view<const pattern, int, std::int64_t> row{1, 1, many, offsets.data(), columns.data()};
  EXPECT_THROW(spgemm(this->ctx, row, row), allocation_error);
}

}  // namespace evenfold::testing
