#pragma once
// The lengths of the rows of a sparse matrix, which are the degrees of the vertices of a graph.

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// The length of a row.
template <class Offset>
struct row_length {
  const Offset* offsets;
  template <class Index>
  EF_HD Offset operator()(Index row) const {
    return static_cast<Offset>(offsets[row + 1] - offsets[row]);
  }
};

}  // namespace evenfold::detail
