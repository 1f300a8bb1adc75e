#pragma once
// compact, serially.

#include <concepts>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/compact_parts.hpp"

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

/// The second pass writes the other items after the kept ones.
template <class Tuning, std::integral Size, class Item, class Keep, class Output>
void partition(reference_context& ctx, Size count, Item item, Keep keep, Output out,
               Size* num_kept) {
  backend::compact<Tuning>(ctx, count, item, detail::keep_value<Keep>{keep},
                           detail::write_to<Output>{out}, num_kept);
  backend::compact<Tuning>(ctx, count, item, detail::keep_others<Keep>{keep},
                           detail::write_after<Output, Size>{out, num_kept},
                           static_cast<Size*>(nullptr));
}

}  // namespace evenfold::backend
