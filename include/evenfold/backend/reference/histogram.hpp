#pragma once
// histogram, serially.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/bin_number.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(reference_context&, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  std::fill_n(out, bins, T{});
  for (Size i = 0; i < count; ++i) {
    const std::uint32_t bin = detail::bin_or_none(f(i), bins);
    if (bin < bins) out[bin] = out[bin] + static_cast<T>(weight(i));
  }
}

template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(reference_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  histogram<Tuning>(
      ctx, count, bins, f, [](Size) { return Count{1}; }, out);
}

}  // namespace evenfold::backend
