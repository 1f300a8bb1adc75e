#pragma once
// symmetrize, drop_self_loops: a list of entries with some more, or some less.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

/// Copies entry `from` of a list to entry `to` of another, with rows and columns exchanged if
/// `exchanged`.
template <bool Exchanged, class Value, class Index, class Offset>
struct copy_entry {
  coo_view<const Value, Index, Offset> source;
  Index* rows;
  Index* columns;
  Value* values;

  EF_HD void operator()(Offset to, Offset from) const {
    rows[to] = Exchanged ? source.columns[from] : source.rows[from];
    columns[to] = Exchanged ? source.rows[from] : source.columns[from];
    if constexpr (!is_pattern<Value>) values[to] = source.values[from];
  }
};

/// Whether an entry lies off the diagonal.
template <class Value, class Index, class Offset>
struct off_diagonal {
  coo_view<const Value, Index, Offset> a;
  EF_HD bool operator()(Offset k) const { return a.rows[k] != a.columns[k]; }
};

/// All entries of a matrix, and then those off the diagonal again with row and column exchanged.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> symmetrize(Context& ctx,
                                                          coo_view<Value, Index, Offset> a) {
  using T = std::remove_const_t<Value>;
  const coo_view<const T, Index, Offset> source = a;
  const Offset count = a.num_nonzeros;
  const compact_plan mirrored(ctx, count, off_diagonal<T, Index, Offset>{source});
  coo<T, Index, Offset> result(ctx, a.num_rows, a.num_columns, count + mirrored.num_kept());
  copy(ctx, a.rows, count, result.rows.data());
  copy(ctx, a.columns, count, result.columns.data());
  if constexpr (!is_pattern<T>) copy(ctx, a.values, count, result.values.data());
  mirrored.write(copy_entry<true, T, Index, Offset>{
      source, result.rows.data() + count, result.columns.data() + count,
      is_pattern<T> ? nullptr : result.values.data() + count});
  return result;
}

/// The entries off the diagonal, in their order.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> drop_self_loops(Context& ctx,
                                                               coo_view<Value, Index, Offset> a) {
  using T = std::remove_const_t<Value>;
  const coo_view<const T, Index, Offset> source = a;
  const compact_plan kept(ctx, a.num_nonzeros, off_diagonal<T, Index, Offset>{source});
  coo<T, Index, Offset> result(ctx, a.num_rows, a.num_columns, kept.num_kept());
  kept.write(copy_entry<false, T, Index, Offset>{source, result.rows.data(), result.columns.data(),
                                                 result.values.data()});
  return result;
}

}  // namespace evenfold
