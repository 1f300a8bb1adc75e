#pragma once
// for_all_indices, serially.

#include <cstdint>

#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, class F>
void for_all_indices(reference_context&, std::int64_t rows, std::int64_t columns, F f) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) f(i, j);
  }
}

}  // namespace evenfold::backend
