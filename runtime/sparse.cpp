// The operations on sparse matrices. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/sparse.hpp"

#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/degrees.hpp"
#include "evenfold/sparse/edit.hpp"
#include "evenfold/sparse/spgemm.hpp"
#include "evenfold/sparse/spmm.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "runtime/ranks.hpp"
#include "runtime/sparse_views.hpp"

namespace evenfold::runtime {

namespace {

/// Whether entry k is on the diagonal, given the row of each.
struct on_diagonal {
  const std::int32_t* rows;
  const std::int32_t* columns;
  EF_HD std::int64_t operator()(std::int64_t k) const { return rows[k] == columns[k] ? 1 : 0; }
};

/// The length of run i, from the beginnings of all runs.
struct run_length {
  const std::int64_t* begins;
  std::int64_t runs, keys;
  EF_HD std::int64_t operator()(std::int64_t i) const {
    return (i + 1 < runs ? begins[i + 1] : keys) - begins[i];
  }
};

class sparse_here final : public sparse_operations, private sparse_family<backend_context> {
 public:
  using sparse_family::sparse_family;

  sparse_entries drop_self_loops(const sparse_entries& a) override {
    return visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      return owning_matrix(evenfold::drop_self_loops(ctx, view<Value>("drop_self_loops", a)));
    });
  }

  sparse_entries symmetrize(const sparse_entries& a) override {
    return visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      return owning_matrix(evenfold::symmetrize(ctx, view<Value>("symmetrize", a)));
    });
  }

  sparse_rows to_rows(const sparse_entries& a, duplicates how) override {
    return visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      return owning_matrix(to_csr(ctx, view<Value>("to_rows", a), how));
    });
  }

  sparse_entries to_entries(const sparse_rows& a) override {
    return visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      return owning_matrix(to_coo(ctx, view<Value>("to_entries", a)));
    });
  }

  sparse_rows transpose(const sparse_rows& a) override {
    return visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      return owning_matrix(evenfold::transpose(ctx, view<Value>("transpose", a)));
    });
  }

  void spmv(const sparse_rows& a, const array& x, array& y, double alpha, double beta) override {
    check_size("spmv", "x", x, static_cast<std::size_t>(a.num_columns));
    check_size("spmv", "y", y, static_cast<std::size_t>(a.num_rows));
    visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      if constexpr (can_have_ranks<backend_context>) {
        if (has_ranks()) {
          return spmv_on_ranks<Value>(state(), shared_rows<Value>("spmv", a),
                                      read<double>("spmv", "x", x), write<double>("spmv", "y", y),
                                      alpha, beta);
        }
      }
      evenfold::spmv(ctx, view<Value>("spmv", a), read<double>("spmv", "x", x),
                     write<double>("spmv", "y", y), alpha, beta);
    });
  }

  void spmm(const sparse_rows& a, const array& x, array& y, std::int64_t width, double alpha,
            double beta) override {
    using dense = matrix_view<double>;
    using dense_input = matrix_view<const double>;
    check_size("spmm", "x", x, static_cast<std::size_t>(a.num_columns * width));
    check_size("spmm", "y", y, static_cast<std::size_t>(a.num_rows * width));
    const auto from = dense_input::row_major(read<double>("spmm", "x", x), a.num_columns, width);
    const auto to = dense::row_major(write<double>("spmm", "y", y), a.num_rows, width);
    visit_values(a.has_values, [&]<class Value>(std::type_identity<Value>) {
      evenfold::spmm(ctx, view<Value>("spmm", a), from, to, alpha, beta);
    });
  }

  sparse_rows spgemm(const sparse_rows& a, const sparse_rows& b) override {
    return visit_values(a.has_values, [&]<class A>(std::type_identity<A>) {
      return visit_values(b.has_values, [&]<class B>(std::type_identity<B>) {
        return owning_matrix(evenfold::spgemm(ctx, view<A>("spgemm", a), view<B>("spgemm", b),
                                              detail::multiply_as<double>{}, plus{}, 0.));
      });
    });
  }

  degree_summary degrees(const sparse_rows& a) override {
    return degree_statistics(ctx, view<pattern>("degrees", a));
  }

  degree_distribution distribution(const sparse_rows& a) override {
    const auto rows = view<pattern>("distribution", a);
    const std::int64_t count = rows.num_rows;
    evenfold::array<std::int64_t> lengths(ctx, count);
    evenfold::array<std::int64_t> begins(ctx, count);
    evenfold::array<std::int64_t> degrees(ctx, count);
    transform(ctx, count,
              write_result{detail::row_length<std::int64_t>{rows.row_offsets}, lengths.data()});
    sort(ctx, lengths.data(), count, less{});
    const std::int64_t runs =
        unique_offsets(ctx, lengths.data(), count, equal_to{}, degrees.data(), begins.data());
    evenfold::array<std::int64_t> distinct(ctx, runs);
    evenfold::array<std::int64_t> numbers(ctx, runs);
    copy(ctx, degrees.data(), runs, distinct.data());
    transform(ctx, runs, write_result{run_length{begins.data(), runs, count}, numbers.data()});
    return {owning(std::move(distinct)), owning(std::move(numbers))};
  }

  std::int64_t count_on_diagonal(const sparse_rows& a) override {
    const auto rows = view<pattern>("count_on_diagonal", a);
    const evenfold::array<std::int32_t> row_of = rows_of_entries(ctx, rows);
    return transform_reduce(ctx, rows.num_nonzeros, on_diagonal{row_of.data(), rows.columns},
                            plus{}, std::int64_t{0});
  }

  bool have_same_pattern(const sparse_rows& a, const sparse_rows& b) override {
    if (a.num_rows != b.num_rows || a.num_columns != b.num_columns) return false;
    return evenfold::have_same_pattern(ctx, view<pattern>("have_same_pattern", a),
                                       view<pattern>("have_same_pattern", b));
  }
};

}  // namespace

std::unique_ptr<sparse_operations> make_sparse(const backend_state& state) {
  return std::make_unique<sparse_here>(state);
}

}  // namespace evenfold::runtime

namespace evenfold {

template csr<pattern, std::int32_t, std::int64_t> to_csr(
    runtime::backend_context&, coo_view<const pattern, std::int32_t, std::int64_t>, duplicates);
template coo<pattern, std::int32_t, std::int64_t> drop_self_loops(
    runtime::backend_context&, coo_view<const pattern, std::int32_t, std::int64_t>);

}  // namespace evenfold
