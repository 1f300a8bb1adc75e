#pragma once
// compact, serially.

#include <concepts>

#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(reference_context&, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  Size kept = 0;
  for (Size i = 0; i < count; ++i) {
    const auto value = item(i);
    if (keep(i, value)) emit(kept++, value);
  }
  if (num_kept != nullptr) *num_kept = kept;
}

}  // namespace evenfold::backend
