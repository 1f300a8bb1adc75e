#pragma once
// copy of a matrix, serially, element by element.

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::backend {

template <class Tuning, class T>
void copy_matrix(reference_context&, matrix_view<const T> from, matrix_view<T> to) {
  detail::copy_element_by_element(from, to);
}

}  // namespace evenfold::backend
