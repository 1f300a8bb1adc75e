#pragma once
// sort in plain loops: a segmented sort of a single segment.

#include <concepts>
#include <cstdint>

#include "evenfold/backend/reference/segmented_sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class Key, class Value, std::integral Size, class Less>
void sort(reference_context& ctx, Key* keys, Value* values, Size count, Less less) {
  constexpr Size begin = 0;
  segmented_sort<Tuning>(ctx, keys, values, detail::segment_view(count, &begin, 1), less);
}

/// Sorts numbers of `bits` bits, and values along with them.
template <class Value, std::integral Size>
void sort_bits(reference_context& ctx, array<std::uint64_t>& keys, Value* values, Size count, int) {
  sort<default_tuning>(ctx, keys.data(), values, count, less{});
}

}  // namespace evenfold::backend
