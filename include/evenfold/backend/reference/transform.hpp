#pragma once
// transform, serially.

#include <concepts>

#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F>
void transform(reference_context&, Size count, F f) {
  for (Size i = 0; i < count; ++i) f(i);
}

}  // namespace evenfold::backend
