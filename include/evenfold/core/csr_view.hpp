#pragma once
// `csr_view`: the rows of a sparse matrix that lie elsewhere, as every room names them.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/pattern.hpp"

namespace evenfold {

/// Rows that lie elsewhere: the entries of row r are those from row_offsets[r] to row_offsets[r +
/// 1] (the offsets are num_rows + 1 numbers that begin with 0, end with num_nonzeros and never
/// decrease); entry k is in column columns[k], counted from 0.
///
/// `Index` numbers rows and columns, `Offset` entries. Value is const where the values must not
/// change, and `pattern` where there are none. No algorithm needs the columns of a row in order
/// unless it says so.
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
  /// Where the entries are, without their values.
  csr_view<const pattern, Index, Offset> where() const {
    return {num_rows, num_columns, num_nonzeros, row_offsets, columns, nullptr};
  }
};

}  // namespace evenfold
