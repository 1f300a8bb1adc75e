#include "evenfold/sparse/edit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/degrees.hpp"
#include "evenfold/sparse/diagonal.hpp"
#include "evenfold/sparse/submatrix.hpp"
#include "support/contexts.hpp"
#include "support/entries.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

template <class T, class Index, class Offset>
entry_list<T, Index, Offset> list_of(const coo<T, Index, Offset>& a) {
  return {a.num_rows,
          a.num_columns,
          {a.rows.begin(), a.rows.end()},
          {a.columns.begin(), a.columns.end()},
          {a.values.begin(), a.values.end()}};
}

template <class T, class Index, class Offset>
void expect_same(const entry_list<T, Index, Offset>& got,
                 const entry_list<T, Index, Offset>& expected) {
  EXPECT_EQ(got.num_rows, expected.num_rows);
  EXPECT_EQ(got.num_columns, expected.num_columns);
  EXPECT_EQ(got.rows, expected.rows);
  EXPECT_EQ(got.columns, expected.columns);
  EXPECT_EQ(got.values, expected.values);
}

/// Entries of a shape in a square matrix. Some are on the diagonal.
template <class T, class Index, class Offset>
entry_list<T, Index, Offset> square_entries(entry_shape shape) {
  auto a = make_entries<T, Index, Offset>(shape);
  a.num_rows = a.num_columns = std::max(a.num_rows, a.num_columns);
  for (std::size_t k = 0; k < a.rows.size(); k += 5) a.columns[k] = a.rows[k];
  return a;
}

template <class T, class Index, class Offset, class Context>
void check_edits(Context& ctx) {
  for (const entry_shape shape : entry_shapes) {
    SCOPED_TRACE(name_of(shape));
    const auto host = square_entries<T, Index, Offset>(shape);
    const auto a = to_context(ctx, host.view());

    entry_list<T, Index, Offset> both{host.num_rows, host.num_columns, {}, {}, {}};
    entry_list<T, Index, Offset> without = both;
    for (std::size_t k = 0; k < host.rows.size(); ++k) {
      both.add(host.rows[k], host.columns[k], host.value(k));
      if (host.rows[k] == host.columns[k]) continue;
      both.add(host.columns[k], host.rows[k], host.value(k));
      without.add(host.rows[k], host.columns[k], host.value(k));
    }
    const auto mirrored = symmetrize(ctx, a.view());
    expect_same(list_of(to_host(ctx, mirrored.view())), both);
    expect_same(list_of(to_host(ctx, drop_self_loops(ctx, a.view()).view())), without);

    // The law: the rows of the result are its columns, values included.
    const auto rows = to_csr(ctx, mirrored.view(), duplicates::first);
    const auto columns = to_csc(ctx, mirrored.view(), duplicates::first);
    EXPECT_EQ(to_host(ctx, rows.columns), to_host(ctx, columns.rows));
    EXPECT_EQ(to_host(ctx, rows.row_offsets), to_host(ctx, columns.column_offsets));
    EXPECT_EQ(to_host(ctx, rows.values), to_host(ctx, columns.values));

    const auto once = remove_duplicates(ctx, a.view(), duplicates::first);
    const auto distinct = to_csr(ctx, a.view(), duplicates::first);
    EXPECT_EQ(once.num_nonzeros, distinct.num_nonzeros);
    expect_rows(to_host(ctx, distinct.view()), list_of(to_host(ctx, once.view())));
  }
}

template <class Context>
using sparse_edit = on<Context>;
TYPED_TEST_SUITE(sparse_edit, contexts);

TYPED_TEST(sparse_edit, mirrors_and_drops) { check_edits<float, int, int>(this->ctx); }
TYPED_TEST(sparse_edit, mirrors_and_drops_without_values) {
  check_edits<pattern, int, std::int64_t>(this->ctx);
}

TYPED_TEST(sparse_edit, cuts_out_a_part) {
  auto& on_ctx = this->ctx;
  for (const entry_shape shape : entry_shapes) {
    SCOPED_TRACE(name_of(shape));
    const auto a =
        to_csr(on_ctx, to_context(on_ctx, make_entries<float, int, int>(shape).view()).view(),
               duplicates::keep);
    const auto all = list_of(to_host(on_ctx, to_coo(on_ctx, a.view()).view()));
    const int m = a.num_rows;
    const int n = a.num_columns;
    for (const index_range<int> rows :
         {index_range<int>{0, m}, {m / 3, m / 2}, {m, m}, {m / 2, m / 2}, {m - m / 3, m}}) {
      for (const index_range<int> columns : {index_range<int>{0, n}, {n / 4, n / 2}, {n, n}}) {
        entry_list<float, int, int> expected{
            rows.end - rows.begin, columns.end - columns.begin, {}, {}, {}};
        for (std::size_t k = 0; k < all.rows.size(); ++k) {
          if (rows.holds(all.rows[k]) && columns.holds(all.columns[k])) {
            expected.add(all.rows[k] - rows.begin, all.columns[k] - columns.begin, all.values[k]);
          }
        }
        expect_rows(to_host(on_ctx, submatrix(on_ctx, a.view(), rows, columns).view()), expected);
      }
    }
  }
}

// Every third row twice, and columns backwards without some of them; then all of them reversed.
template <class T, class Context>
void check_selections(Context& ctx) {
  for (const entry_shape shape : entry_shapes) {
    SCOPED_TRACE(name_of(shape));
    const auto host = make_entries<T, int, int>(shape);
    const auto a = to_csr(ctx, to_context(ctx, host.view()).view(), duplicates::keep);
    const auto all = to_host(ctx, to_coo(ctx, a.view()).view());
    std::vector<int> rows, columns, down, left;
    for (int r = 0; r < a.num_rows; r += 3) rows.insert(rows.end(), 2, a.num_rows - 1 - r);
    for (int c = a.num_columns - 1; c >= 0; --c) {
      left.push_back(c);
      if (c % 5 != 0) columns.insert(columns.end(), 1 + c % 2, c);
    }
    for (int r = a.num_rows - 1; r >= 0; --r) down.push_back(r);
    const auto expect_selection = [&](const std::vector<int>& i, const std::vector<int>& j,
                                      const csr<T, int, int>& got) {
      std::vector<std::vector<int>> columns_of(static_cast<std::size_t>(a.num_columns));
      for (int c = 0; c < static_cast<int>(j.size()); ++c) columns_of[j[c]].push_back(c);
      entry_list<T, int, int> expected{
          static_cast<int>(i.size()), static_cast<int>(j.size()), {}, {}, {}};
      const auto offsets = to_host(ctx, a.row_offsets);
      for (int r = 0; r < expected.num_rows; ++r) {
        std::vector<std::pair<int, int>> row;  // column and entry
        for (int k = offsets[i[r]]; k < offsets[i[r] + 1]; ++k) {
          for (const int c : columns_of[all.columns[k]]) row.emplace_back(c, k);
        }
        std::sort(row.begin(), row.end());
        for (const auto& [c, k] : row) {
          expected.add(r, c, is_pattern<T> ? T{} : *(all.values.data() + k));
        }
      }
      expect_rows(to_host(ctx, got.view()), expected);
    };
    const array<int> on_rows = to_context(ctx, rows), on_columns = to_context(ctx, columns);
    expect_selection(rows, columns,
                     submatrix(ctx, a.view(), on_rows.data(), static_cast<int>(rows.size()),
                               on_columns.data(), static_cast<int>(columns.size())));
    const array<int> on_down = to_context(ctx, down), on_left = to_context(ctx, left);
    expect_selection(down, left, permute(ctx, a.view(), on_down.data(), on_left.data()));

    std::vector<int> on_diagonal(static_cast<std::size_t>(std::min(a.num_rows, a.num_columns)));
    for (std::size_t k = 0; k < host.rows.size(); ++k) {
      if (host.rows[k] == host.columns[k]) {
        on_diagonal[host.rows[k]] += static_cast<int>(host.value(k));
      }
    }
    const auto got = to_host(ctx, diagonal(ctx, a.view()));
    EXPECT_EQ(std::vector<int>(got.begin(), got.end()), on_diagonal);
  }
}

TYPED_TEST(sparse_edit, selects_and_permutes) { check_selections<float>(this->ctx); }
TYPED_TEST(sparse_edit, selects_and_permutes_without_values) {
  check_selections<pattern>(this->ctx);
}

TYPED_TEST(sparse_edit, refuses_indices_outside_of_the_matrix) {
  const csr<float> a =
      to_csr(this->ctx,
             to_context(this->ctx, make_entries<float, int, int>(entry_shape::one).view()).view());
  const array<int> list = to_context(this->ctx, std::vector<int>{0, 8, 7, -1});
  expect_refusal("submatrix", "columns[1]",
                 [&] { submatrix(this->ctx, a.view(), list.data(), 2, list.data(), 2); });
  expect_refusal("submatrix", "rows[3]",
                 [&] { submatrix(this->ctx, a.view(), list.data(), 4, list.data(), 1); });
  std::vector<int> outside(static_cast<std::size_t>(std::max(a.num_rows, a.num_columns)));
  outside[3] = -1;
  const array<int> order = to_context(this->ctx, outside);
  expect_refusal("permute", "row_order[3]",
                 [&] { permute(this->ctx, a.view(), order.data(), order.data()); });
}

TYPED_TEST(sparse_edit, summarises_degrees) {
  for (const entry_shape shape : entry_shapes) {
    SCOPED_TRACE(name_of(shape));
    const auto host = make_entries<float, int, int>(shape);
    const auto a = to_csr(this->ctx, to_context(this->ctx, host.view()).view(), duplicates::keep);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(host.num_rows));
    for (const int row : host.rows) ++lengths[static_cast<std::size_t>(row)];
    std::sort(lengths.begin(), lengths.end());
    const degree_summary got = degree_statistics(this->ctx, a.view());
    EXPECT_EQ(got.rows, host.num_rows);
    EXPECT_EQ(got.entries, static_cast<std::int64_t>(host.rows.size()));
    if (lengths.empty()) {
      EXPECT_TRUE(got.rows_by_length.empty());
      continue;
    }
    const std::size_t n = lengths.size();
    EXPECT_EQ(got.min, lengths.front());
    EXPECT_EQ(got.max, lengths.back());
    EXPECT_EQ(got.empty_rows, std::count(lengths.begin(), lengths.end(), 0));
    EXPECT_DOUBLE_EQ(got.median, static_cast<double>(lengths[(n - 1) / 2] + lengths[n / 2]) / 2);
    std::map<std::int64_t, std::int64_t> rows_of;  // per length
    std::vector<std::int64_t> by_length;
    for (const std::int64_t length : lengths) {
      ++rows_of[length];
      const auto bin = static_cast<std::size_t>(length == 0 ? 0 : std::ilogb(length) + 1);
      if (by_length.size() <= bin) by_length.resize(bin + 1);
      ++by_length[bin];
    }
    EXPECT_EQ(got.rows_by_length, by_length);
    if (got.entries > 0) {
      // The definition of the Gini coefficient: the mean difference of two rows, divided by twice
      // the mean.
      double differences = 0;
      for (const auto& [one, rows] : rows_of) {
        for (const auto& [other, more] : rows_of) {
          differences += static_cast<double>(rows * more * std::abs(one - other));
        }
      }
      const auto pairs = static_cast<double>(n) * static_cast<double>(n);
      EXPECT_NEAR(got.gini, differences / pairs / (2 * got.mean), 1e-12);
      EXPECT_DOUBLE_EQ(got.skew * got.mean, static_cast<double>(got.max));
    }
  }
}

TYPED_TEST(sparse_edit, makes_graphs) {
  const entry_list<float, int, int> host{3, 3, {0, 0, 1}, {1, 2, 2}, {5, 6, 7}};
  const auto edges = to_context(this->ctx, host.view());
  const auto directed = directed_graph(this->ctx, to_csr(this->ctx, edges.view()));
  EXPECT_FALSE(directed.view().is_undirected());
  expect_rows(to_host(this->ctx, directed.view().in), {3, 3, {1, 2, 2}, {0, 0, 1}, {5, 6, 7}});
  const auto undirected = undirected_graph(
      this->ctx, to_csr(this->ctx, symmetrize(this->ctx, edges.view()).view()), symmetry_check::on);
  EXPECT_TRUE(undirected.view().is_undirected());
  EXPECT_EQ(undirected.view().num_edges(), 6);
}

TYPED_TEST(sparse_edit, refuses_bad_arguments) {
  const entry_list<float, int, int> wide{2, 3, {0}, {2}, {1}};
  const entry_list<float, int, int> one_way{3, 3, {0}, {2}, {1}};
  const auto a = to_context(this->ctx, wide.view());
  const auto b = to_context(this->ctx, one_way.view());
  const auto rows = [&](const auto& entries) { return to_csr(this->ctx, entries.view()); };
  expect_refusal("symmetrize", "a.num_columns", [&] { symmetrize(this->ctx, a.view()); });
  expect_refusal("directed_graph", "edges.num_columns",
                 [&] { directed_graph(this->ctx, rows(a)); });
  expect_refusal("undirected_graph", "edges.num_columns",
                 [&] { undirected_graph(this->ctx, rows(a)); });
  expect_refusal("undirected_graph", "edges",
                 [&] { undirected_graph(this->ctx, rows(b), symmetry_check::on); });
  undirected_graph(this->ctx, rows(b));
  const auto part = [&](index_range<int> r, index_range<int> c) {
    submatrix(this->ctx, rows(a).view(), r, c);
  };
  expect_refusal("submatrix", "rows", [&] { part({-1, 1}, {0, 3}); });
  expect_refusal("submatrix", "rows", [&] { part({2, 1}, {0, 3}); });
  expect_refusal("submatrix", "columns", [&] { part({0, 2}, {0, 4}); });
  const auto whole = rows(a);
  auto shorter = whole.view();
  --shorter.num_nonzeros;
  const int most = static_cast<int>(shorter.num_rows);
  expect_refusal("submatrix", "a.row_offsets", [&] {
    submatrix(this->ctx, shorter, {0, most}, {0, 3});
  });
}

}  // namespace
}  // namespace evenfold::testing
