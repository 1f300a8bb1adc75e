// Views, owning matrices, indices in storage order, random matrices, text, mdspan.

#include "evenfold/matrix/matrix.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/for_all_indices.hpp"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/matrix/fill.hpp"
#include "evenfold/matrix/mdspan.hpp"
#include "evenfold/matrix/to_text.hpp"
#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// The message of the argument_error that `work` throws.
template <class Work>
std::string refusal(Work work) {
  try {
    work();
  } catch (const argument_error& problem) {
    return problem.what();
  }
  return "nothing was thrown";
}

// Views

TEST(matrix_view, parts_and_transposes_lie_in_the_same_memory) {
  std::vector<int> memory(30);
  for (int i = 0; i < 30; ++i) memory[i] = i;
  const auto rows = matrix_view<int>::row_major(memory.data(), 5, 4, 6);
  EXPECT_EQ(rows(2, 3), 15);
  EXPECT_EQ(rows.transposed()(3, 2), 15);
  EXPECT_TRUE(rows.is_row_major());
  EXPECT_FALSE(rows.transposed().is_row_major());
  const auto columns = matrix_view<int>::column_major(memory.data(), 5, 4);
  EXPECT_EQ(columns(2, 3), 17);
  const auto part = rows.block(1, 2, 3, 2);
  EXPECT_EQ(part.rows(), 3);
  EXPECT_EQ(part.columns(), 2);
  EXPECT_EQ(part(2, 1), 21);
  EXPECT_EQ(rows.row(4)(0, 1), 25);
  EXPECT_EQ(rows.column(3)(4, 0), 27);
  const matrix_view<const int> readable = rows;
  EXPECT_EQ(&readable(1, 1), &rows(1, 1));
}

TEST(matrix_view, is_contiguous_only_without_gaps) {
  int memory[24] = {};
  EXPECT_TRUE(matrix_view<int>::row_major(memory, 4, 6).is_contiguous());
  EXPECT_FALSE(matrix_view<int>::row_major(memory, 4, 5, 6).is_contiguous());
  EXPECT_FALSE(matrix_view<int>::column_major(memory, 4, 6).is_contiguous());
  EXPECT_TRUE(matrix_view<int>::column_major(memory, 4, 6).transposed().is_contiguous());
  EXPECT_TRUE(matrix_view<int>::row_major(memory, 4, 6).row(2).is_contiguous());
  EXPECT_FALSE(matrix_view<int>::row_major(memory, 4, 6).column(2).is_contiguous());
  EXPECT_TRUE(matrix_view<int>(memory, 0, 5, 7, 7).is_contiguous());
}

TEST(matrix_view, refuses_layouts_that_cannot_be) {
  int memory[24] = {};
  EXPECT_EQ(
      refusal([&] { matrix_view<int>(memory, -1, 2, 1, 1); }),
      "matrix_view: rows is -1, but an extent cannot be negative; pass the number of rows and "
      "of columns");
  EXPECT_EQ(refusal([&] { matrix_view<int>(memory, 2, 2, 2, -1); }),
            "matrix_view: column_stride is -1, but a stride cannot be negative; view the first "
            "element in memory order as element (0, 0)");
  EXPECT_EQ(
      refusal([&] { matrix_view<int>(memory, 2, 5, 4, 1); }),
      "matrix_view: row_stride is 4, but two elements would have the same address; pass more than "
      "the other dimension reaches");
  EXPECT_EQ(
      refusal([&] { matrix_view<int>(memory, 2, 5, 8, 2); }),
      "matrix_view: row_stride is 8, but two elements would have the same address; pass more than "
      "the other dimension reaches");
  EXPECT_EQ(refusal([&] { matrix_view<int>(memory, 2, 5, 5, 0); }),
            "matrix_view: column_stride is 0, but two elements would have the same address; pass "
            "at least "
            "1");
  EXPECT_NE(refusal([&] {
              matrix_view<int>(memory, std::int64_t{1} << 62, 2, 2, 1);
            }).find("exceeds a 64-bit index"),
            std::string::npos);
  EXPECT_NO_THROW((matrix_view<int>(memory, 1, 5, 0, 1)));
  EXPECT_NO_THROW((matrix_view<int>(nullptr, 0, 5, 0, 0)));
  const auto view = matrix_view<int>::row_major(memory, 4, 6);
  EXPECT_EQ(refusal([&] { view.block(1, 0, 4, 6); }),
            "matrix_view::block: rows is 1 to 5, but the matrix has only 4; ask for a part inside "
            "it");
  EXPECT_NE(refusal([&] { view.column(6); }), "nothing was thrown");
  EXPECT_EQ(view.block(4, 6, 0, 0).size(), 0);
}

// Tiles

TEST(matrix_tiles, cover_every_element_once_with_few_tiles) {
  for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
           {1, 1}, {1, 5000}, {5000, 1}, {3, 700}, {700, 3}, {33, 31}, {64, 64}, {65, 129}}) {
    const detail::matrix_tiles tiles(rows, columns, 5, 4);
    std::vector<int> visits(rows * columns, 0);
    for (std::int64_t t = 0; t < tiles.count(); ++t) {
      const detail::matrix_tiles::part part = tiles[t];
      ASSERT_GT(part.rows, 0);
      ASSERT_GT(part.columns, 0);
      ASSERT_LE(part.rows * part.columns, 1 << 9);
      for (int i = 0; i < part.rows; ++i) {
        for (int j = 0; j < part.columns; ++j) {
          ++visits[(part.row + i) * columns + part.column + j];
        }
      }
    }
    EXPECT_EQ(visits, std::vector<int>(rows * columns, 1)) << rows << " x " << columns;
    // In the worst case a tile is half empty in each direction, and each border has one partial
    // tile.
    EXPECT_LE(tiles.count(), rows * columns * 4 / (1 << 9) + 1) << rows << " x " << columns;
  }
}

// Matrices

template <class Context>
void check_matrix(Context& ctx) {
  static_assert(!std::is_copy_constructible_v<matrix<int>>);
  static_assert(std::is_convertible_v<matrix<int>&, matrix_view<int>>);
  static_assert(std::is_convertible_v<const matrix<int>&, matrix_view<const int>>);
  static_assert(!std::is_convertible_v<const matrix<int>&, matrix_view<int>>);

  const std::vector<int> host = random_values<int>(6);
  const auto rows = matrix_view<const int>::row_major(host.data(), 2, 3);
  matrix<int> there = to_context(ctx, rows, storage_order::column_major);
  EXPECT_EQ(there.order(), storage_order::column_major);
  EXPECT_EQ(there.side(), Context::side);
  EXPECT_EQ(to_host(ctx, there.data(), 6),
            (std::vector<int>{host[0], host[3], host[1], host[4], host[2], host[5]}));

  const matrix<int> back = to_host(ctx, there);
  EXPECT_EQ(back.order(), storage_order::column_major);
  EXPECT_EQ(back.side(), memory_side::host);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(back(i, j), rows(i, j));
  }
  const matrix<int> part = to_host(ctx, there.view().block(1, 1, 1, 2));
  EXPECT_EQ(part(0, 1), rows(1, 2));

  int* const data = there.data();
  matrix<int> taken = std::move(there);
  EXPECT_EQ(taken.data(), data);
  EXPECT_TRUE(there.empty());
  EXPECT_EQ(to_context(ctx, rows).order(), storage_order::row_major);
  EXPECT_EQ(to_host(ctx, matrix<int>(ctx, 0, 4)).columns(), 4);
  EXPECT_EQ(refusal([&] { matrix<int>(ctx, 3, -4); }),
            "matrix: columns is -4, but an extent cannot be negative; pass the number of rows and "
            "of columns");
}

// Indices

/// Counts the visits of each element of memory, and the visits with wrong indices.
template <class Context>
void check_indices(Context& ctx, bool by_rows, std::int64_t rows, std::int64_t columns) {
  array<int> visits = to_context(ctx, std::vector<int>(rows * columns, 0));
  const auto view = by_rows ? matrix_view<int>::row_major(visits.data(), rows, columns)
                            : matrix_view<int>::column_major(visits.data(), rows, columns);
  for_all_indices(
      ctx, view, EF_LAMBDA(std::int64_t i, std::int64_t j) { view(i, j) += 1; });
  for_all_indices(
      ctx, rows, columns, EF_LAMBDA(std::int64_t i, std::int64_t j) { view(i, j) += 10; });
  EXPECT_EQ(to_host(ctx, visits), std::vector<int>(rows * columns, 11)) << rows << " x " << columns;
}

/// The positions in memory of the elements of a column-major matrix, in the order of the calls.
std::vector<int> visited_positions(matrix_view<int> view) {
  reference_context ctx;
  std::vector<int> seen(view.size());
  int calls = 0;
  int* const next = &calls;
  int* const positions = seen.data();
  for_all_indices(
      ctx, view, EF_LAMBDA(std::int64_t i, std::int64_t j) {
        positions[(*next)++] = static_cast<int>(&view(i, j) - view.data());
      });
  return seen;
}

TEST(for_all_indices, follows_the_order_of_memory) {
  std::vector<int> memory(12);
  EXPECT_EQ(visited_positions(matrix_view<int>::column_major(memory.data(), 3, 4)),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

// Random matrices

template <class T, class Context>
void check_random(Context& ctx) {
  constexpr int rows = 61, columns = 47;
  matrix<T> by_rows(ctx, rows, columns);
  matrix<T> by_columns(ctx, rows, columns, storage_order::column_major);
  reference_context plain;
  const random_stream random(5);
  fill_uniform(ctx, by_rows.view(), 5, T(-0.3), T(2.1));
  fill_uniform(ctx, by_columns.view(), 5, T(-0.3), T(2.1));
  const matrix<T> a = to_host(ctx, by_rows), b = to_host(ctx, by_columns);
  fill_normal(ctx, by_rows.view(), 6, T(1.5), T(0.7));
  fill_normal(ctx, by_columns.view(), 6, T(1.5), T(0.7));
  const matrix<T> c = to_host(ctx, by_rows), d = to_host(ctx, by_columns);
  matrix<T> uniform(plain, rows, columns), normal(plain, rows, columns);
  fill_uniform(plain, uniform.view(), 5, T(-0.3), T(2.1));
  fill_normal(plain, normal.view(), 6, T(1.5), T(0.7));
  double sum = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      ASSERT_EQ(a(i, j), uniform(i, j));
      ASSERT_EQ(b(i, j), uniform(i, j));
      ASSERT_EQ(c(i, j), normal(i, j));
      ASSERT_EQ(d(i, j), normal(i, j));
      ASSERT_GE(a(i, j), T(-0.3));
      ASSERT_LE(a(i, j), T(2.1));
      sum += static_cast<double>(c(i, j));
    }
  }
  EXPECT_NEAR(sum / (rows * columns), 1.5, 4 * 0.7 / std::sqrt(rows * columns));
  EXPECT_EQ(uniform(3, 4), std::fma(random.uniform<T>(3 * columns + 4), T(2.1) - T(-0.3), T(-0.3)));
}

template <class Context>
class matrix_on : public on<Context> {};
TYPED_TEST_SUITE(matrix_on, contexts);

TYPED_TEST(matrix_on, matrices_are_copied_to_a_context_and_back_in_any_order) {
  check_matrix(this->ctx);
}

TYPED_TEST(matrix_on, indices_are_visited_once) {
  for (const bool by_rows : {false, true}) {
    for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
             {0, 0}, {0, 7}, {7, 0}, {1, 1}, {1, 100003}, {100003, 1}, {3, 5001}, {333, 257}}) {
      check_indices(this->ctx, by_rows, rows, columns);
    }
  }
}

TYPED_TEST(matrix_on, random_matrices_do_not_depend_on_layout_or_backend) {
  check_random<float>(this->ctx);
  check_random<double>(this->ctx);
}

// Text

TEST(to_text, aligns_columns) {
  const double values[] = {1, -2.5, 1000000, 3.14159265, 0, 7};
  EXPECT_EQ(to_text(matrix_view<const double>::row_major(values, 2, 3)),
            "      1  -2.5  1e+06\n"
            "3.14159     0      7\n");
  const std::uint8_t bytes[] = {1, 200};
  EXPECT_EQ(to_text(matrix_view<const std::uint8_t>::column_major(bytes, 2, 1)), "  1\n200\n");
  EXPECT_EQ(to_text(matrix_view<const double>::row_major(values, 1, 4), {.digits = 3}),
            "1  -2.5  1e+06  3.14\n");
}

TEST(to_text, leaves_out_the_middle) {
  std::vector<int> values(7 * 9);
  for (int i = 0; i < 63; ++i) values[i] = i;
  const auto view = matrix_view<const int>::row_major(values.data(), 7, 9);
  EXPECT_EQ(to_text(view, {.most_rows = 3, .most_columns = 4}),
            "  0    1  ...    7    8\n"
            "  9   10  ...   16   17\n"
            "...  ...  ...  ...  ...\n"
            " 54   55  ...   61   62\n"
            "(7 x 9)\n");
  EXPECT_EQ(to_text(view.block(0, 0, 0, 5)), "(0 x 5)\n");
}

#if defined(__CUDACC__)

TEST(to_text, refuses_device_memory) {
  cuda_context ctx;
  const matrix<int> there(ctx, 2, 2);
  EXPECT_NE(refusal([&] { to_text(there.view()); }).find("to_text: values is a device pointer"),
            std::string::npos);
}

TEST(mdspan, has_the_same_elements_both_ways) {
  std::vector<int> memory(40);
  for (int i = 0; i < 40; ++i) memory[i] = i;
  const auto view = matrix_view<int>(memory.data() + 1, 4, 3, 9, 2);
  const auto strided = to_mdspan(view);
  const auto back = to_matrix_view(strided);
  EXPECT_EQ(back.row_stride(), 9);
  EXPECT_EQ(back.column_stride(), 2);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(&strided(i, j), &view(i, j));
      EXPECT_EQ(&back(i, j), &view(i, j));
    }
  }
  const auto rows = matrix_view<const int>::row_major(memory.data(), 5, 8);
  const auto right = to_mdspan<::cuda::std::layout_right>(rows);
  EXPECT_EQ(&right(3, 5), &rows(3, 5));
  EXPECT_TRUE(to_matrix_view(right).is_contiguous());
  const auto left = to_mdspan<::cuda::std::layout_left>(rows.transposed());
  EXPECT_EQ(&left(5, 3), &rows(3, 5));
  EXPECT_FALSE(to_matrix_view(left).is_row_major());
  EXPECT_EQ(refusal([&] { to_mdspan<::cuda::std::layout_right>(view); }),
            "to_mdspan: view is of strides 9 and 2, but layout_right is row-major without gaps; "
            "ask for layout_stride, or copy() it into a matrix of that order");
}

#endif

}  // namespace
}  // namespace evenfold::testing
