#include "evenfold/sparse/spmv.hpp"
#include "evenfold/sparse/spmm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A matrix with rows of a shape, on the host and in the memory of a context. Values and vectors
/// are small integers, so that their sums are exact in any order.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct example {
  Index num_columns;
  std::vector<Offset> offsets;
  std::vector<Index> columns;
  std::vector<Value> values;
  csr<Value, Index, Offset> there;

  template <class Context>
  example(Context& ctx, const segments_of<Offset>& rows, Index width)
      : num_columns(width), offsets(rows.offsets) {
    offsets.push_back(static_cast<Offset>(rows.count));
    const random_stream random(3);
    for (std::int64_t k = 0; k < rows.count; ++k) {
      const std::uint64_t bits = random.bits64(static_cast<std::uint64_t>(k));
      columns.push_back(static_cast<Index>(bits % static_cast<std::uint64_t>(width)));
      if constexpr (!is_pattern<Value>) values.push_back(value_from<Value>(bits >> 40));
    }
    there = to_context(ctx, host());
  }
  Index num_rows() const { return static_cast<Index>(offsets.size()) - 1; }
  csr_view<const Value, Index, Offset> host() const {
    return {num_rows(), num_columns, offsets.back(), offsets.data(), columns.data(), values.data()};
  }
  csr_view<const Value, Index, Offset> view() const {
    return static_cast<const csr<Value, Index, Offset>&>(there).view();
  }

  /// The product by its definition.
  template <class T, class X>
  std::vector<T> times(const std::vector<X>& x, T alpha, T beta, std::vector<T> y) const {
    for (std::size_t r = 0; r < y.size(); ++r) {
      T sum{0};
      for (Offset k = offsets[r]; k < offsets[r + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        sum += static_cast<T>(detail::value_at(values.data(), k)) *
               static_cast<T>(x[static_cast<std::size_t>(columns[at])]);
      }
      y[r] = beta == T{0} ? alpha * sum : alpha * sum + beta * y[r];
    }
    return y;
  }
};

template <class Value, class X, class T, class Index = std::int32_t, class Offset = Index,
          class Context>
void check_product(Context& ctx, const segments_of<Offset>& rows, T alpha = T{1}, T beta = T{0}) {
  const example<Value, Index, Offset> a(ctx, rows, 1000);
  const std::vector<X> x = random_values<X>(a.num_columns, 11);
  const std::vector<T> before = random_values<T>(a.num_rows(), 12);
  const array<X> x_there = to_context(ctx, x);
  array<T> y = to_context(ctx, before);
  spmv(ctx, a.view(), x_there.data(), y.data(), alpha, beta);
  EXPECT_EQ(to_host(ctx, y), a.times(x, alpha, beta, before));
}

template <class Context>
class spmv_on : public on<Context> {};
TYPED_TEST_SUITE(spmv_on, contexts);

TYPED_TEST(spmv_on, multiplies_rows_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 5000, 300000}) {
      check_product<float, float, float>(this->ctx, make_segments<int>(kind, count));
    }
  }
}

TYPED_TEST(spmv_on, adds_multiples_of_y) {
  for (const shape kind : {shape::one_giant, shape::alternating, shape::all_empty}) {
    for (const float beta : {1.f, -3.f}) {
      check_product<float, float, float>(this->ctx, make_segments<int>(kind, 20000), 2.f, beta);
    }
  }
}

TYPED_TEST(spmv_on, does_not_read_y_where_beta_is_0) {
  const example<float> a(this->ctx, make_segments<int>(shape::alternating, 20000), 100);
  const array<float> x = to_context(this->ctx, std::vector<float>(100, 1.f));
  array<float> y = to_context(
      this->ctx, std::vector<float>(a.offsets.size() - 1, std::numeric_limits<float>::quiet_NaN()));
  spmv(this->ctx, a.view(), x.data(), y.data(), 3.f);
  for (const float sum : to_host(this->ctx, y)) ASSERT_EQ(sum, sum);
  spmv(this->ctx, a.view(), x.data(), y.data(), 1.f, 0.f);
  for (const float sum : to_host(this->ctx, y)) ASSERT_EQ(sum, sum);
}

TYPED_TEST(spmv_on, takes_other_types) {
  const auto rows = make_segments<int>(shape::power_law, 30000);
  check_product<double, double, double>(this->ctx, rows, 2., 3.);
  check_product<float, float, double>(this->ctx, rows);
  check_product<pattern, float, float>(this->ctx, rows);
  check_product<std::int64_t, std::int32_t, std::int64_t, std::int64_t>(
      this->ctx, make_segments<std::int64_t>(shape::one_giant, 30000));
  check_product<float, float, float, std::int32_t, std::int64_t>(
      this->ctx, make_segments<std::int64_t>(shape::uniform, 30000));
}

/// One step of all shortest paths from a set of vertices, with their number.
template <class Context>
void check_semiring(Context& ctx) {
  const example<float> a(ctx, make_segments<int>(shape::empty_ends, 30000), 500);
  std::vector<float> x = random_values<float>(500, 5);
  constexpr float far = std::numeric_limits<float>::infinity();
  for (std::size_t j = 0; j < x.size(); j += 3) x[j] = far;
  const array<float> x_there = to_context(ctx, x);
  array<float> y(ctx, a.num_rows());
  spmv(ctx, a.view(), x_there.data(), y.data(), plus{}, minimum{}, far);
  array<float> y_where(ctx, a.num_rows());
  spmv(ctx, a.view().structure(), x_there.data(), y_where.data(), plus{}, minimum{}, far);
  const std::vector<float> got = to_host(ctx, y);
  const std::vector<float> got_where = to_host(ctx, y_where);
  for (std::size_t r = 0; r < got.size(); ++r) {
    float nearest = far, nearest_where = far;
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      const float at = x[static_cast<std::size_t>(a.columns[k])];
      nearest = std::min(nearest, a.values[k] + at);
      nearest_where = std::min(nearest_where, 1 + at);
    }
    ASSERT_EQ(got[r], nearest) << "row " << r;
    ASSERT_EQ(got_where[r], nearest_where) << "row " << r;
  }
}

/// A product that does not commute: operands must be in the order of the entries.
struct scale_matrix {
  EF_HD matrix2 operator()(int value, const matrix2& x) const {
    const auto by = static_cast<std::uint32_t>(value);
    return x * matrix2(1, by, 0, 1);
  }
};

template <class Context>
void check_order(Context& ctx) {
  const example<int> a(ctx, make_segments<int>(shape::one_giant, 30000), 50);
  const std::vector<matrix2> x = random_values<matrix2>(50, 5);
  const array<matrix2> x_there = to_context(ctx, x);
  array<matrix2> y(ctx, a.num_rows());
  const matrix2 one(1, 0, 0, 1);
  spmv(ctx, a.view(), x_there.data(), y.data(), scale_matrix{}, multiplies{}, one);
  const std::vector<matrix2> got = to_host(ctx, y);
  for (std::size_t r = 0; r < got.size(); ++r) {
    matrix2 expected = one;
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      expected = expected * scale_matrix{}(a.values[k], x[static_cast<std::size_t>(a.columns[k])]);
    }
    ASSERT_TRUE(got[r] == expected) << "row " << r;
  }
}

TYPED_TEST(spmv_on, works_over_any_semiring) {
  check_semiring(this->ctx);
  check_order(this->ctx);
}

/// Strides of x and y for `columns` right-hand sides.
struct layout {
  std::int64_t row, column;
};

template <class Context>
void check_right_hand_sides(Context& ctx, std::int64_t count, layout of_x, layout of_y) {
  const example<float> a(ctx, make_segments<int>(shape::one_giant, 5000), 60);
  const std::int64_t rows = a.num_rows();
  const auto size = [](std::int64_t extent, std::int64_t columns, layout by) {
    return extent * by.row + columns * by.column;
  };
  const std::vector<float> x = random_values<float>(size(60, count, of_x), 5);
  const std::vector<float> before = random_values<float>(size(rows, count, of_y), 6);
  const array<float> x_there = to_context(ctx, x);
  array<float> y_there = to_context(ctx, before);
  spmm(ctx, a.view(), matrix_view<const float>(x_there.data(), 60, count, of_x.row, of_x.column),
       matrix_view<float>(y_there.data(), rows, count, of_y.row, of_y.column), 2.f, 3.f);

  std::vector<float> expected = before;
  for (std::int64_t j = 0; j < count; ++j) {
    std::vector<float> x_column, y_column;
    const auto index_of = [&](std::int64_t i, layout by) {
      return static_cast<std::size_t>(i * by.row + j * by.column);
    };
    for (std::int64_t i = 0; i < 60; ++i) x_column.push_back(x[index_of(i, of_x)]);
    for (std::int64_t r = 0; r < rows; ++r) y_column.push_back(before[index_of(r, of_y)]);
    const std::vector<float> product = a.times(x_column, 2.f, 3.f, y_column);
    for (std::int64_t r = 0; r < rows; ++r) {
      expected[index_of(r, of_y)] = product[static_cast<std::size_t>(r)];
    }
  }
  EXPECT_EQ(to_host(ctx, y_there), expected) << count << " columns";
}

TYPED_TEST(spmv_on, multiplies_several_vectors_in_any_layout) {
  for (const std::int64_t count : {0, 1, 3, 4, 9}) {
    check_right_hand_sides(this->ctx, count, {count, 1}, {count, 1});
    check_right_hand_sides(this->ctx, count, {1, 60}, {1, 20000});
    check_right_hand_sides(this->ctx, count, {2 * count + 3, 2}, {1, 30000});
  }
}

// Each column has the bits of a product with one vector.
TYPED_TEST(spmv_on, sums_several_vectors_in_the_order_of_one) {
  const example<float> a(this->ctx, make_segments<int>(shape::one_giant, 3000), 60);
  const auto rows = static_cast<std::int64_t>(a.num_rows());
  const array<float> x = to_context(this->ctx, random_fractions<float>(60 * 6));
  array<float> y(this->ctx, rows * 6);
  array<float> column(this->ctx, rows);
  spmm(this->ctx, a.view(), matrix_view<const float>::column_major(x.data(), 60, 6),
       matrix_view<float>::column_major(y.data(), rows, 6));
  const std::vector<float> all = to_host(this->ctx, y);
  for (std::int64_t j = 0; j < 6; ++j) {
    spmv(this->ctx, a.view(), x.data() + 60 * j, column.data());
    const std::vector<float> one = to_host(this->ctx, column);
    ASSERT_EQ(std::memcmp(one.data(), all.data() + rows * j, one.size() * sizeof(float)), 0) << j;
  }
}

TYPED_TEST(spmv_on, multiplies_by_columns_and_transposed) {
  const example<double> a(this->ctx, make_segments<int>(shape::power_law, 20000), 700);
  const std::vector<double> x = random_values<double>(a.num_rows(), 5);
  const array<double> x_there = to_context(this->ctx, x);
  array<double> y = to_context(this->ctx, std::vector<double>(700, 5.));
  spmv(this->ctx, transposed(a.view()), x_there.data(), y.data(), 2., 3.);
  std::vector<double> expected(700, 15.);
  for (std::size_t r = 0; r + 1 < a.offsets.size(); ++r) {
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      expected[static_cast<std::size_t>(a.columns[k])] += 2 * a.values[k] * x[r];
    }
  }
  EXPECT_EQ(to_host(this->ctx, y), expected);
}

template <class Context>
void check_bits_of_spmv() {
  std::vector<std::vector<float>> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    const example<float> a(*ctx, make_segments<int>(shape::one_giant, 200000), 5000);
    const array<float> x = to_context(*ctx, random_fractions<float>(5000));
    array<float> y(*ctx, a.num_rows());
    for (int run = 0; run < 2; ++run) {
      spmv(*ctx, a.view(), x.data(), y.data(), 0.1f);
      results.push_back(to_host(*ctx, y));
    }
  }
  for (const std::vector<float>& result : results) {
    ASSERT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(float)), 0);
  }
}

TYPED_TEST(spmv_on, gives_the_same_bits_every_time) { check_bits_of_spmv<TypeParam>(); }

TYPED_TEST(spmv_on, refuses_bad_arguments) {
  const example<float> a(this->ctx, make_segments<int>(shape::uniform, 100), 50);
  array<float> x(this->ctx, 100), y(this->ctx, 1000);
  const auto rows = static_cast<std::int64_t>(a.num_rows());
  const auto dense = [](array<float>& data, std::int64_t r, std::int64_t c) {
    return matrix_view<float>::row_major(data.data(), r, c);
  };
  csr_view<const float> bad = a.view();
  bad.num_nonzeros = -1;
  expect_refusal("spmv", "a.num_nonzeros", [&] { spmv(this->ctx, bad, x.data(), y.data()); });
  expect_refusal("spmv", "y", [&] { spmv(this->ctx, a.view(), x.data(), x.data() + 49); });
  expect_refusal("spmm", "x.rows()",
                 [&] { spmm(this->ctx, a.view(), dense(x, 49, 2), dense(y, rows, 2)); });
  expect_refusal("spmm", "y.rows()",
                 [&] { spmm(this->ctx, a.view(), dense(x, 50, 2), dense(y, rows + 1, 2)); });
  expect_refusal("spmm", "y.columns()",
                 [&] { spmm(this->ctx, a.view(), dense(x, 50, 2), dense(y, rows, 1)); });
  misplaced<TypeParam::side> elsewhere;
  bad = a.view();
  bad.columns = elsewhere.address();
  expect_refusal("spmv", "a.columns", [&] { spmv(this->ctx, bad, x.data(), y.data()); });
}

}  // namespace
}  // namespace evenfold::testing
