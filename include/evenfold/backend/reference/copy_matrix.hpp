#pragma once
// copy of a matrix, serially, element by element.

#include <cstdint>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::backend {

template <class Tuning, class T>
void copy_matrix(reference_context&, matrix_view<const T> from, matrix_view<T> to) {
  for (std::int64_t i = 0; i < to.rows(); ++i) {
    for (std::int64_t j = 0; j < to.columns(); ++j) to(i, j) = from(i, j);
  }
}

}  // namespace evenfold::backend
