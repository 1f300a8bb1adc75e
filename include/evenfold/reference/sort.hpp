#pragma once
// sort on a host: a segmented sort of a single segment, whose backends share it out.

#include <concepts>

#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/core/context.hpp"

namespace evenfold::backend {

template <class Tuning, std::derived_from<host_context> Context, class Key, class Value,
          std::integral Size, class Less>
void sort(Context& ctx, Key* keys, Value* values, Size count, Less less) {
  constexpr Size begin = 0;
  segmented_sort<Tuning>(ctx, keys, values, segment_view(count, &begin, 1), less);
}

}  // namespace evenfold::backend
