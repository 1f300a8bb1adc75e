#pragma once
// segmented_sort and segmented_sort_indices, serially: a stable sort of each segment.

#include <cstddef>
#include <memory>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/backend/reference/stable_sort.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {
namespace reference {

/// A key and what moves with it.
template <class Key, class Value>
struct sort_entry {
  Key key;
  Value value;
};

/// The order of `less`, total where keys have one. An order of the user's is called as it is: it
/// may be a function for hosts alone.
template <class Key, class Less>
auto order_of(Less less) {
  if constexpr (detail::radix_order<Less, Key>) {
    return detail::total_order<Less>{less};
  } else {
    return less;
  }
}

/// Orders entries by their keys.
template <class Order>
struct entry_order {
  Order order;
  template <class Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    return order(a.key, b.key);
  }
};
template <class Order>
entry_order(Order) -> entry_order<Order>;

}  // namespace reference

namespace backend {

template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort(reference_context& ctx, Key* keys, Value* values,
                    detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  if constexpr (std::is_same_v<Value, detail::no_value>) {
    array<Key> scratch(ctx, segments.count);
    for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
      const Size begin = segments.begin(seg);
      reference::stable_sort(keys + begin, scratch.data() + begin,
                             static_cast<std::size_t>(segments.end(seg) - begin),
                             reference::order_of<Key>(less));
    }
  } else {
    using entry = reference::sort_entry<Key, Value>;
    array<entry> entries(ctx, segments.count);
    for (Size i = 0; i < segments.count; ++i) {
      std::construct_at(&entries[i], entry{keys[i], values[i]});
    }
    const reference::entry_order order{reference::order_of<Key>(less)};
    segmented_sort<Tuning>(ctx, entries.data(), static_cast<detail::no_value*>(nullptr), segments,
                           order);
    for (Size i = 0; i < segments.count; ++i) {
      keys[i] = entries[i].key;
      values[i] = entries[i].value;
    }
  }
}

template <class Tuning, class Key, class Index, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort_indices(reference_context& ctx, Key* keys, Index* indices,
                            detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  for (Size i = 0; i < segments.count; ++i) indices[i] = static_cast<Index>(i);
  segmented_sort<Tuning>(ctx, keys, indices, segments, less);
}

}  // namespace backend
}  // namespace evenfold
