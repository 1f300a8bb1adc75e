#pragma once
// histogram, serially.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/balance/weight_chunks.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

inline detail::weight_layout layout_of_weights(const reference_context&, std::uint64_t chunks,
                                               std::uint32_t bins) {
  return {bins, 1, chunks * bins};
}

/// The sums of each chunk of `length` items.
template <class Tuning, std::integral Size, class F, class Weight, class T>
void weigh_chunks(reference_context&, Size count, std::uint32_t bins, std::uint64_t length, F f,
                  Weight weight, T* sums) {
  const std::uint64_t chunks = detail::ceil_div(static_cast<std::uint64_t>(count), length);
  std::fill_n(sums, chunks * bins, T{});
  for (Size i = 0; i < count; ++i) {
    const std::uint32_t bin = detail::bin_or_none(f(i), bins);
    if (bin >= bins) continue;
    T& sum = sums[static_cast<std::uint64_t>(i) / length * bins + bin];
    sum = sum + static_cast<T>(weight(i));
  }
}

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(reference_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  const auto items = static_cast<std::uint64_t>(count);
  const std::uint64_t length = detail::weight_chunk_length(items, bins);
  const std::uint64_t chunks = detail::ceil_div(items, length);
  array<T> sums(ctx, chunks * bins);
  weigh_chunks<Tuning>(ctx, count, bins, length, f, weight, sums.data());
  for (std::uint64_t b = 0; b < bins; ++b) {
    out[b] = reference::canonical_fold(
        std::uint64_t{0}, chunks, [&](std::uint64_t c) { return sums[c * bins + b]; }, plus{}, T{});
  }
}

template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(reference_context&, Size count, std::uint32_t bins, F f, Count* out) {
  std::fill_n(out, bins, Count{});
  for (Size i = 0; i < count; ++i) {
    const std::uint32_t bin = detail::bin_or_none(f(i), bins);
    if (bin < bins) ++out[bin];
  }
}

}  // namespace evenfold::backend
