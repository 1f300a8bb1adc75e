#pragma once
// sort on CPU threads: many arithmetic keys are distributed to parts, which are sorted by a radix
// sort. All other keys are a single segment of a segmented sort.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/distribution_sort.hpp"
#include "evenfold/backend/cpu/merge_sort.hpp"
#include "evenfold/backend/cpu/segmented_sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// Sorts keys, and values along with them, by distribution_sort, or returns false.
template <class Tuning, class Key, class Value, class Less>
bool sort_by_distribution(cpu_context& ctx, Key* keys, [[maybe_unused]] Value* values,
                          std::size_t count, const Less& less) {
  const auto bits_of = [keys](std::size_t i) { return detail::radix_key<Less>(keys[i]); };
  if constexpr (std::is_same_v<Value, detail::no_value>) {
    return distribution_sort<Tuning>(
        ctx, count, bits_of, [keys](std::size_t i) { return keys[i]; }, key_order<Less>{{less}},
        [keys](std::size_t first, const Key* sorted, std::size_t n) {
          std::copy_n(sorted, n, keys + first);
        });
  } else {
    struct entry {
      Key key;
      Value value;
    };
    return distribution_sort<Tuning>(
        ctx, count, bits_of,
        [=](std::size_t i) {
          return entry{keys[i], values[i]};
        },
        entry_order<Less>{{less}},
        [=](std::size_t first, const entry* sorted, std::size_t n) {
          for (std::size_t i = 0; i < n; ++i) {
            keys[first + i] = sorted[i].key;
            values[first + i] = sorted[i].value;
          }
        });
  }
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, class Key, class Value, std::integral Size, class Less>
void sort(cpu_context& ctx, Key* keys, Value* values, Size count, Less less) {
  if constexpr (detail::radix_order<Less, Key>) {
    if (cpu::sort_by_distribution<Tuning>(ctx, keys, values, static_cast<std::size_t>(count),
                                          less)) {
      return;
    }
  }
  constexpr Size begin = 0;
  segmented_sort<Tuning>(ctx, keys, values, detail::segment_view(count, &begin, 1), less);
}

/// Sorts numbers of `bits` bits, and values along with them.
template <class Value, std::integral Size>
void sort_bits(cpu_context& ctx, array<std::uint64_t>& keys, Value* values, Size count, int) {
  sort<default_tuning>(ctx, keys.data(), values, count, less{});
}

}  // namespace evenfold::backend
