#pragma once
// spgemm: the product of two sparse matrices.
//
// Idea: every entry of A makes as many products as the row of B has that its column names. Entries
// of A are segments of products, so that transform_lbs shares the products evenly, whatever the
// rows. The products of a row of the result are sorted by column, stably, and those of one column
// are folded.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/duplicates.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

namespace detail {

/// The number of products of an entry of A: the length of a row of B.
template <std::integral Index, std::integral Offset>
struct products_of_entry {
  const Index* columns;
  const Offset* rows_of_b;
  EF_HD std::int64_t operator()(Offset k) const {
    const Index row = columns[k];
    return static_cast<std::int64_t>(rows_of_b[row + 1]) - rows_of_b[row];
  }
};

/// Where the products of each row begin: at those of its first entry.
template <std::integral Offset>
struct products_before_row {
  const Offset* row_offsets;
  const std::int64_t* offsets;  ///< of the products of each entry
  Offset num_entries;
  std::int64_t num_products;
  template <std::integral Index>
  EF_HD Offset operator()(Index row) const {
    const Offset k = row_offsets[row];
    return static_cast<Offset>(k < num_entries ? offsets[k] : num_products);
  }
};

/// Writes a product of entry k of A and an entry of B.
template <class A, class B, std::integral Index, std::integral Offset, class Multiply, class T>
struct write_product {
  csr_view<const A, Index, Offset> a;
  csr_view<const B, Index, Offset> b;
  Multiply multiply;
  Index* columns;
  T* values;
  EF_HD void operator()(std::int64_t to, Offset k, std::int64_t rank) const {
    const Offset at = b.row_offsets[a.columns[k]] + static_cast<Offset>(rank);
    columns[to] = b.columns[at];
    values[to] = multiply(a.value(k), b.value(at));
  }
};

/// Refuses factors that do not fit.
template <context Context, class A, class B, class Index, class Offset>
void check_factors(Context& ctx, const csr_view<A, Index, Offset>& a,
                   const csr_view<B, Index, Offset>& b) {
  check_rows(ctx, "spgemm", a);
  check_rows(ctx, "spgemm", b);
  if (a.num_columns != b.num_rows) {
    refuse_argument("spgemm", "b.num_rows", b.num_rows,
                    "a has " + std::to_string(a.num_columns) + " columns",
                    "pass one row of b per column of a");
  }
}

/// Refuses more products than the offsets can number, or than there is memory for.
template <std::integral Offset, context Context>
void check_products(Context& ctx, std::int64_t products, std::size_t bytes_each) {
  if (std::cmp_greater(products, std::numeric_limits<Offset>::max())) {
    refuse_argument("spgemm", "the number of products", products,
                    "it does not fit the type of the offsets", "pass wider offsets");
  }
  const std::size_t available = ctx.available_bytes();
  if (static_cast<std::size_t>(products) <= available / bytes_each) return;
  throw allocation_error("spgemm: " + std::to_string(products) + " products need " +
                         std::to_string(bytes_each) + " bytes each, but " +
                         std::to_string(available) +
                         " bytes are available; free some, or multiply some rows at a time");
}

/// The type of the plain product: the common type of the values; counts where there are none.
template <class A, class B>
struct product_value {
  using type = std::common_type_t<A, B>;
};
template <class B>
struct product_value<pattern, B> {
  using type = B;
};
template <class A>
struct product_value<A, pattern> {
  using type = A;
};
template <>
struct product_value<pattern, pattern> {
  using type = std::int64_t;
};

}  // namespace detail

/// C = A B over any semiring: c_ij = zero (+) multiply(a_ik, b_kj) (+) ... over all k with an entry
/// a_ik and an entry b_kj. C has an entry wherever there is such a k, also where the sum is 0. Its
/// rows are sorted by column.
///
/// - `a`, `b`: a.num_columns = b.num_rows. Their rows may have any order, and several entries of
///   one column. The value of an entry of a matrix without values is a `pattern`, which converts to
///   1.
/// - `multiply`: (value of A, value of B) -> T. `add`: associative; the operands have the order of
///   the entries of the row of A, and then of those of the row of B, unless `is_commutative<Add,
///   T>`.
/// - `zero`: the first operand of each sum. T is its type.
///
/// Work O(P log(longest row of products)) for P products, span O(work / workers + log^2 P); every
/// worker gets the same number of products plus entries, however uneven the rows. Scratch: 2 (T +
/// Index) and one byte per product, which are compared with the available memory before they are
/// allocated, 8 bytes per entry of A, and one Offset per entry of C. Deterministic, by the
/// canonical order of folds. Waits.
///
/// Errors: argument_error for extents that do not fit, for more products than an Offset can number,
/// and for pointers on the wrong side; allocation_error, also where the products need more memory
/// than there is.
///
/// Example: examples/spgemm.cpp.
/// Source: Dalton, Olson, Bell, "Optimizing sparse matrix-matrix multiplication for the GPU", TOMS
/// 2015 (expansion, sorting, contraction). Names elsewhere: GrB_mxm, cusparseSpGEMM,
/// scipy.sparse.csr_array @ csr_array.
template <context Context, class A, class B, std::integral Index, std::integral Offset,
          class Multiply, class Add, class T>
csr<T, Index, Offset> spgemm(Context& ctx, csr_view<A, Index, Offset> a,
                             csr_view<B, Index, Offset> b, Multiply multiply, Add add, T zero) {
  using left = std::remove_const_t<A>;
  using right = std::remove_const_t<B>;
  static_assert(detail::can_be_called<T, Multiply, const left&, const right&>(),
                "spgemm: multiply is called as multiply(value of a, value of b), and its result "
                "converts to the type of zero; its operator() is const");
  detail::check_operator<T, Add>();
  detail::check_factors(ctx, a, b);
  const Offset entries = a.num_nonzeros;
  array<std::int64_t> offsets(ctx, entries);
  array<std::int64_t> sum(ctx, 1);
  transform_scan<scan_kind::exclusive>(
      ctx, entries, detail::products_of_entry<Index, Offset>{a.columns, b.row_offsets},
      offsets.data(), plus{}, std::int64_t{0}, sum.data());
  const std::int64_t products = to_host(ctx, sum)[0];
  detail::check_products<Offset>(ctx, products, 2 * (sizeof(T) + sizeof(Index)) + 1);

  csr<T, Index, Offset> result(ctx, a.num_rows, b.num_columns, static_cast<Offset>(products));
  transform(ctx, result.row_offsets.size(),
            write_result{detail::products_before_row<Offset>{a.row_offsets, offsets.data(), entries,
                                                             products},
                         result.row_offsets.data()});
  transform_lbs(ctx, products,
                detail::write_product<left, right, Index, Offset, Multiply, T>{
                    a, b, multiply, result.columns.data(), result.values.data()},
                offsets.data(), entries);
  segmented_sort(ctx, result.columns.data(), result.values.data(), result.num_nonzeros,
                 result.row_offsets.data(), result.num_rows, less{});
  if (products == 0) return result;

  const array<unsigned char> begins = detail::mark_positions(ctx, result);
  const compact_plan plan(ctx, result.num_nonzeros, detail::is_flagged{begins.data()});
  detail::keep_positions(ctx, result, plan, [&](const Offset* from, Offset kept, T* values) {
    segreduce(ctx, static_cast<const T*>(result.values.data()), result.num_nonzeros, from, kept,
              values, add, zero);
  });
  return result;
}

/// C = A B with products and sums of numbers, in the common type of the values. The product of two
/// matrices without values counts: c_ij is the number of paths of two edges from i to j. Otherwise
/// as above.
template <context Context, class A, class B, std::integral Index, std::integral Offset>
auto spgemm(Context& ctx, csr_view<A, Index, Offset> a, csr_view<B, Index, Offset> b) {
  using T = typename detail::product_value<std::remove_const_t<A>, std::remove_const_t<B>>::type;
  return spgemm(ctx, a, b, detail::multiply_as<T>{}, plus{}, T{0});
}

}  // namespace evenfold
