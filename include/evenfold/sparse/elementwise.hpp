#pragma once
// elementwise_add, elementwise_multiply: entries of two sparse matrices at the same positions.
//
// Idea: row r of the one matrix, followed by row r of the other, is sorted by column, stably. Two
// neighbours in the same column are then the entries of both matrices.

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/duplicates.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

namespace detail {

/// The sum of the elements of two sequences.
template <std::integral Offset>
struct sum_of_offsets {
  const Offset* a;
  const Offset* b;
  template <std::integral Size>
  EF_HD Offset operator()(Size i) const {
    return a[i] + b[i];
  }
};

/// Writes an entry of one matrix to the joint row, after `before[row]` entries of the other matrix.
template <class Value, std::integral Index, std::integral Offset>
struct write_beside {
  csr_view<const Value, Index, Offset> from;
  const Offset* before;
  Index* columns;
  Value* values;
  EF_HD void operator()(Offset k, Index row, Offset) const {
    columns[k + before[row]] = from.columns[k];
    values[k + before[row]] = from.values[k];
  }
};

/// Whether the next entry has the same row and column, for an entry that is the first in them.
template <std::integral Index, std::integral Offset>
struct is_in_both {
  const Index* columns;
  const unsigned char* begins;
  Offset count;
  EF_HD bool operator()(Offset k) const {
    return begins[k] != 0 && k + 1 < count && begins[k + 1] == 0;
  }
};

/// op of an entry and the next one if both have the same position, else the entry.
template <class Value, std::integral Index, std::integral Offset, class Op>
struct join_at_position {
  const Value* values;
  const Offset* from;
  is_in_both<Index, Offset> joined;
  Op op;
  EF_HD Value operator()(Offset k) const {
    const Offset at = from[k];
    return joined(at) ? static_cast<Value>(op(values[at], values[at + 1])) : values[at];
  }
};

/// The entries of both matrices, of which `Both` keeps the positions that both have.
template <bool Both, context Context, class Value, class Index, class Offset, class Op>
csr<Value, Index, Offset> join_elements(Context& ctx, const char* function,
                                        const csr_view<const Value, Index, Offset>& a,
                                        const csr_view<const Value, Index, Offset>& b, Op op) {
  check_rows(ctx, function, a);
  check_rows(ctx, function, b);
  if (a.num_rows != b.num_rows || a.num_columns != b.num_columns) {
    refuse_argument(
        function, "b", std::to_string(b.num_rows) + " x " + std::to_string(b.num_columns),
        "a is a matrix of " + std::to_string(a.num_rows) + " x " + std::to_string(a.num_columns),
        "pass matrices of equal extents");
  }
  if (a.num_nonzeros > std::numeric_limits<Offset>::max() - b.num_nonzeros) {
    refuse_argument(function, "b.num_nonzeros", b.num_nonzeros,
                    "both matrices have more entries than the type of the offsets can number",
                    "pass wider offsets");
  }
  csr<Value, Index, Offset> all(ctx, a.num_rows, a.num_columns,
                                static_cast<Offset>(a.num_nonzeros + b.num_nonzeros));
  const auto write = [&](const csr_view<const Value, Index, Offset>& from, const Offset* before) {
    transform_lbs(
        ctx, from.num_nonzeros,
        write_beside<Value, Index, Offset>{from, before, all.columns.data(), all.values.data()},
        from.row_offsets, from.num_rows);
  };
  transform(
      ctx, all.row_offsets.size(),
      write_result{sum_of_offsets<Offset>{a.row_offsets, b.row_offsets}, all.row_offsets.data()});
  write(a, b.row_offsets);
  write(b, a.row_offsets + 1);
  segmented_sort(ctx, all.columns.data(), all.values.data(), all.num_nonzeros,
                 all.row_offsets.data(), all.num_rows, less{});

  const array<unsigned char> begins = mark_positions(ctx, all);
  const is_in_both<Index, Offset> in_both{all.columns.data(), begins.data(), all.num_nonzeros};
  const auto keep = [&](const compact_plan<Context, Offset>& plan) {
    keep_positions(ctx, all, plan, [&](const Offset* from, Offset kept, Value* values) {
      transform(ctx, kept,
                write_result{join_at_position<Value, Index, Offset, Op>{all.values.data(), from,
                                                                        in_both, op},
                             values});
    });
  };
  if constexpr (Both) {
    keep(compact_plan(ctx, all.num_nonzeros, in_both));
  } else {
    keep(compact_plan(ctx, all.num_nonzeros, is_flagged{begins.data()}));
  }
  return all;
}

}  // namespace detail

/// The matrix with an entry wherever `a` or `b` has one: op(a_ij, b_ij) where both have, else the
/// entry of the one that has. With `plus` the sum A + B. Rows are sorted by column.
///
/// - `a`, `b`: of equal extents, with at most one entry per position (see `remove_duplicates`).
/// - `op`: (value of a, value of b) -> value.
///
/// Work O(n log(longest row)) for n entries of both, span O(work / workers + log^2 n), however
/// uneven the rows. Scratch: the entries of both twice, one byte each, and one Offset per entry of
/// the result. Deterministic. Waits.
///
/// Errors: argument_error for different extents, for more entries than an Offset can number, and
/// for pointers on the wrong side; allocation_error.
///
/// Example: examples/spgemm.cpp.
/// Names elsewhere: GrB_eWiseAdd, A + B in SciPy.
template <context Context, class A, class B, class Index, class Offset, class Op = plus>
csr<std::remove_const_t<A>, Index, Offset> elementwise_add(Context& ctx,
                                                           csr_view<A, Index, Offset> a,
                                                           csr_view<B, Index, Offset> b,
                                                           Op op = {}) {
  using T = std::remove_const_t<A>;
  static_assert(std::same_as<T, std::remove_const_t<B>>, "both matrices have values of one type");
  using view = csr_view<const T, Index, Offset>;
  return detail::join_elements<false, Context, T>(ctx, "elementwise_add", view(a), view(b), op);
}

/// The matrix with the entry op(a_ij, b_ij) wherever both `a` and `b` have one. With `multiplies`,
/// the default, the product of the elements (Hadamard). Otherwise as `elementwise_add`.
///
/// Example: examples/spgemm.cpp.
/// Names elsewhere: GrB_eWiseMult, A.multiply(B) in SciPy.
template <context Context, class A, class B, class Index, class Offset, class Op = multiplies>
csr<std::remove_const_t<A>, Index, Offset> elementwise_multiply(Context& ctx,
                                                                csr_view<A, Index, Offset> a,
                                                                csr_view<B, Index, Offset> b,
                                                                Op op = {}) {
  using T = std::remove_const_t<A>;
  static_assert(std::same_as<T, std::remove_const_t<B>>, "both matrices have values of one type");
  using view = csr_view<const T, Index, Offset>;
  return detail::join_elements<true, Context, T>(ctx, "elementwise_multiply", view(a), view(b), op);
}

}  // namespace evenfold
