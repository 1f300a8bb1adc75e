#pragma once
// `csr_view`: a sparse matrix in compressed rows, in memory that it does not own.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/pattern.hpp"

namespace evenfold {

/// A sparse matrix in compressed rows (CSR), in memory that the view does not own. The entries of
/// row r are row_offsets[r] to row_offsets[r + 1] - 1; entry k is in column columns[k], counted
/// from 0. There are num_rows + 1 offsets; they begin with 0, never decrease, and end with
/// num_nonzeros.
///
/// `Index` is the type of rows and columns, `Offset` that of entries. `Value` is const if the
/// values must not change, and `pattern` if there are none. The columns of a row may be in any
/// order, unless an algorithm says otherwise.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct csr_view {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  const Offset* row_offsets = nullptr;
  const Index* columns = nullptr;
  Value* values = nullptr;

  EF_HD std::remove_const_t<Value> value(Offset k) const { return detail::value_at(values, k); }

  template <std::same_as<const Value> Const>
  operator csr_view<Const, Index, Offset>() const {
    return {num_rows, num_columns, num_nonzeros, row_offsets, columns, values};
  }
  /// The structure of the matrix: the same entries without their values.
  csr_view<const pattern, Index, Offset> structure() const {
    return {num_rows, num_columns, num_nonzeros, row_offsets, columns, nullptr};
  }
};

}  // namespace evenfold
