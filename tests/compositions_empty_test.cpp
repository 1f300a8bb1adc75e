// Compositions with count 0 read and write no pointer either: joins, matrices, sparse matrices,
// graphs, places. See argument_empty_test.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

/// Joins of some keys with an empty side, whose pointer must not be accessed: {left rows, right
/// rows}.
template <class Context>
void check_joins(Context& ctx, const int* end) {
  const array<int> some = to_context(ctx, std::vector<int>{5, 6});
  const int* const keys = some.data();
  for (const int left : {0, 2}) {
    for (const int right : {0, 2}) {
      if (left == 2 && right == 2) continue;
      const int* const a = left == 0 ? end : keys;
      const int* const b = right == 0 ? end : keys;
      const auto rows = [&](const auto& joined) { return joined.left.size(); };
      EXPECT_EQ(rows(inner_join(ctx, a, left, b, right, less{})), 0u);
      EXPECT_EQ(rows(left_join(ctx, a, left, b, right, less{})), std::size_t(left));
      EXPECT_EQ(rows(right_join(ctx, a, left, b, right, less{})), std::size_t(right));
      EXPECT_EQ(rows(full_join(ctx, a, left, b, right, less{})), std::size_t(left + right));
      EXPECT_EQ(semi_join(ctx, a, left, b, right, less{}).size(), 0u);
      EXPECT_EQ(anti_join(ctx, a, left, b, right, less{}).size(), std::size_t(left));
      EXPECT_EQ(join_count(ctx, join_kind::inner, a, left, b, right, less{}), 0);
    }
  }
}

template <class Context>
void check_matrices(Context& ctx, double* end) {
  const auto none = matrix_view<double>::row_major(end, 0, 5);
  copy(ctx, none, none);
  fill_uniform(ctx, none, 1);
  fill_normal(ctx, none, 1);
  set_border(ctx, none, 1, 2, 3, 4);
  EXPECT_EQ(aggregate(ctx, none, plus{}), 0);
  EXPECT_EQ(max_abs_difference(ctx, none, none), 0);
  aggregate_rows(ctx, none, end, plus{});
  aggregate_columns(ctx, none.transposed(), end, plus{});
}

template <class Context>
void check_sparse(Context& ctx, int* end) {
  using csr = csr_view<const int, int, int>;
  const coo_view<const int, int, int> entries{3, 4, 0, end, end, end};
  EXPECT_EQ(to_csr(ctx, entries).row_offsets.size(), 4u);
  EXPECT_EQ(to_csc(ctx, entries).column_offsets.size(), 5u);
  EXPECT_EQ(drop_self_loops(ctx, entries).rows.size(), 0u);
  EXPECT_EQ(remove_duplicates(ctx, entries).rows.size(), 0u);
  const csr no_rows{0, 0, 0, end, end, end};
  spmv(ctx, no_rows, end, end);
  EXPECT_EQ(degree_statistics(ctx, no_rows).rows, 0);
  EXPECT_EQ(to_coo(ctx, no_rows).rows.size(), 0u);
  EXPECT_EQ(transpose(ctx, no_rows).row_offsets.size(), 1u);
  const array<int> zeros = to_context(ctx, std::vector<int>(4, 0));
  const csr no_entries{3, 4, 0, zeros.data(), end, end};
  const array<int> x = to_context(ctx, std::vector<int>(4, 1));
  array<int> y(ctx, 3);
  spmv(ctx, no_entries, x.data(), y.data());
  EXPECT_EQ(to_host(ctx, y), std::vector<int>(3, 0));
  EXPECT_EQ(submatrix(ctx, no_entries, {0, 2}, {1, 2}).columns.size(), 0u);
}

template <class Context>
void check_graphs(Context& ctx, int* end) {
  using rows = csr_view<const pattern, int, int>;
  const graph_view<const pattern, int, int> none{rows{0, 0, 0, end, end, nullptr},
                                                 rows{0, 0, 0, end, end, nullptr}};
  connected_components(ctx, none, end);
  EXPECT_EQ(count_components(ctx, static_cast<const int*>(end), 0).components, 0);
  EXPECT_EQ(pagerank<double>(ctx, none).ranks.size(), 0u);
  EXPECT_EQ(bfs(ctx, none, {}).levels.size(), 0u);
  EXPECT_EQ(bfs_direction(ctx, none, end, 0, end).reached, 0);
  EXPECT_TRUE(bfs_verify(ctx, none, {}, end).ok());
}

template <class Context>
void check_places(Context& ctx, double* end, std::int32_t* groups) {
  EXPECT_EQ(nearest(ctx, end, end, groups, 0, 0, 3, 1.).neighbours.size(), 0u);
}

template <class Context>
class compositions_empty_on : public on<Context> {
 protected:
  misplaced<Context::side> elsewhere;
  int* end = elsewhere.address();
  double* real_end = reinterpret_cast<double*>(elsewhere.address());
};
TYPED_TEST_SUITE(compositions_empty_on, contexts);

TYPED_TEST(compositions_empty_on, joins_access_nothing) { check_joins(this->ctx, this->end); }
TYPED_TEST(compositions_empty_on, matrices_access_nothing) {
  check_matrices(this->ctx, this->real_end);
}
TYPED_TEST(compositions_empty_on, sparse_matrices_access_nothing) {
  check_sparse(this->ctx, this->end);
}
TYPED_TEST(compositions_empty_on, graphs_access_nothing) { check_graphs(this->ctx, this->end); }
TYPED_TEST(compositions_empty_on, places_access_nothing) {
  check_places(this->ctx, this->real_end, this->end);
}

}  // namespace
}  // namespace evenfold::testing
