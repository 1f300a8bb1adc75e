#pragma once
// spmv: a sparse matrix whose rows are distributed over ranks, times a vector.
//
// The entries are cut in one dimension, by equal entries + rows. Every rank gathers all of x.

#include <cstdint>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/segments.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

/// A sparse matrix by rows: each rank has an equal share of entries + rows. A row may span ranks.
/// The entries of a `pattern` have no values.
template <class Value, class Index, class Offset>
struct sharded_csr {
  std::uint64_t num_columns = 0;
  sharded_segments<Offset> rows;  ///< rows are segments of entries
  sharded<Index> columns;         ///< as rows.items()
  sharded<Value> values;          ///< as rows.items()

  /// The rows that begin at `row_offsets`, whose entries are in any shards.
  template <class Context>
  sharded_csr(Context& ctx, std::uint64_t columns_of_matrix, const sharded<Offset>& row_offsets,
              const sharded<Index>& entry_columns, const sharded<Value>& entry_values)
      : num_columns(columns_of_matrix),
        rows(ctx, entry_columns.size(), row_offsets),
        columns(redistribute(ctx, entry_columns, rows.items())),
        values(redistribute(ctx, entry_values, rows.items())) {}

  /// The same without values.
  template <class Context>
    requires(is_pattern<Value>)
  sharded_csr(Context& ctx, std::uint64_t columns_of_matrix, const sharded<Offset>& row_offsets,
              const sharded<Index>& entry_columns)
      : num_columns(columns_of_matrix),
        rows(ctx, entry_columns.size(), row_offsets),
        columns(redistribute(ctx, entry_columns, rows.items())) {}

  std::uint64_t num_rows() const { return rows.segments().size(); }
  std::uint64_t num_nonzeros() const { return columns.size(); }
};

/// y = A x, with sums in T: y[r] = the sum of a_rj x[j], in shards of the rows that each rank
/// closes. Has the bits of `spmv` on one context.
///
/// Each rank receives all of x, num_columns elements, and the partial folds of rows that span
/// ranks. Waits.
///
/// Errors: argument_error if x has not one element per column, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <class T, context Local, class Communicator, class Value, class Index, class Offset,
          class X>
sharded<T> spmv(distributed_context<Local, Communicator>& ctx,
                const sharded_csr<Value, Index, Offset>& a, const sharded<X>& x) {
  if (x.size() != a.num_columns) {
    detail::refuse_argument("spmv", "x", x.size(), "the matrix has another number of columns",
                            "pass one element of x per column");
  }
  return detail::run_on_all_ranks(ctx, "spmv", {{"a", a.num_nonzeros()}, {"x", x.size()}}, [&] {
    const array<X> all = detail::gather_shards(ctx, ctx.local(), x.data(), x.map());
    using multiply = detail::multiply_entry<T, detail::multiply_as<T>>;
    const auto sum_rows = [&](auto... values) {
      const auto entry = gathered(multiply{}, all.data(), a.columns.data(), values...);
      return detail::fold_segments_of_shards(ctx, a.rows, entry, plus{}, T{0});
    };
    if constexpr (is_pattern<Value>) {
      return sum_rows();
    } else {
      return sum_rows(a.values.data());
    }
  });
}

}  // namespace evenfold
