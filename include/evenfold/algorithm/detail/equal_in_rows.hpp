#pragma once
// One result for each run of equal numbers in rows, on CPU threads (backend/cpu/equal_in_rows.hpp).

#include "evenfold/contexts.hpp"

#if !defined(__CUDACC__)

#include <cstddef>

#include "evenfold/backend/cpu/equal_in_rows.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/core/access.hpp"

namespace evenfold::detail {

using cpu::equal_in_rows;

/// init (+) values[begin] (+) ... (+) values[end - 1] in the canonical order.
template <class T, class Op>
T fold_run_of_values(const T* values, std::size_t begin, std::size_t end, Op op, T init) {
  return cpu::fold_range(begin, end, element_of<T, const T*>{values}, op, init);
}

}  // namespace evenfold::detail

#endif
