#pragma once
// Stable merging and sorting of runs on one CPU thread. Runs of arithmetic keys in their natural
// order are sorted by a radix sort, all others by merging, without branches that depend on the
// keys.

#include <algorithm>
#include <cstddef>

#include "evenfold/backend/cpu/radix_sort.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::cpu {

/// Merges the sorted runs a[0, a_count) and b[0, b_count) into `out`, which overlaps neither; of
/// equivalent elements those of `a` come first. While both runs have n elements, the n smallest and
/// the n largest are found at the same time from both ends, which hides the latency of one chain
/// behind the other and needs no check for the end of a run.
template <class T, class Less>
void merge_runs(const T* a, std::ptrdiff_t a_count, const T* b, std::ptrdiff_t b_count, T* out,
                const Less& less) {
  const T* const a_begin = a;
  const T* const b_begin = b;
  T* const out_begin = out;
  const T* a_end = a + a_count;
  const T* b_end = b + b_count;
  T* out_end = out + a_count + b_count;
  if (a != a_end && b != b_end && less(b[0], a_end[-1])) {
    for (std::ptrdiff_t n; (n = std::min(a_end - a, b_end - b)) > 0;) {
      for (; n > 0; --n) {
        const bool low_b = less(*b, *a);
        *out++ = *(low_b ? b : a);
        b += low_b;
        a += !low_b;
        const bool high_a = less(b_end[-1], a_end[-1]);
        *--out_end = *((high_a ? a_end : b_end) - 1);
        a_end -= high_a;
        b_end -= !high_a;
      }
    }
    if (a > a_end || b > b_end) {
      // The two ends cross only if `less` is no strict weak order, such as < with NaN. Then any
      // merge will do.
      std::merge(a_begin, a_begin + a_count, b_begin, b_begin + b_count, out_begin, less);
      return;
    }
  }
  std::copy(b, b_end, std::copy(a, a_end, out));
}

/// The order of keys that are sorted alone.
template <class Less>
struct key_order {
  detail::total_order<Less> less;

  template <class Key>
  bool operator()(const Key& a, const Key& b) const {
    return less(a, b);
  }
  template <class Key>
    requires detail::radix_order<Less, Key>
  static auto bits(const Key& key) {
    return detail::radix_key<Less>(key);
  }
};

/// The order of entries that have a member `key`.
template <class Less>
struct entry_order {
  detail::total_order<Less> less;

  template <class Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    return less(a.key, b.key);
  }
  template <class Entry>
    requires detail::radix_order<Less, decltype(Entry::key)>
  static auto bits(const Entry& entry) {
    return detail::radix_key<Less>(entry.key);
  }
};

/// Sorts data[0, count) stably; the result lies in `data`, or in `other` if `into_other`. Both are
/// written.
template <class T, class Order>
void sort_run(T* data, T* other, std::ptrdiff_t count, bool into_other, const Order& order) {
  if constexpr (requires { order.bits(data[0]); }) {
    // The histograms of shorter runs would cost more than they save.
    constexpr std::ptrdiff_t shortest = 32 * sizeof(order.bits(data[0]));
    if (count >= shortest) {
      radix_sort_run(data, other, count, into_other, [&](const T& x) { return order.bits(x); });
      return;
    }
  }
  constexpr std::ptrdiff_t smallest = 8;
  bool odd = false;
  for (std::ptrdiff_t width = smallest; width < count; width *= 2) odd = !odd;
  T* from = data;
  T* to = other;
  if (odd != into_other) {
    std::copy(data, data + count, other);
    std::swap(from, to);
  }
  for (std::ptrdiff_t begin = 0; begin < count; begin += smallest) {
    const std::ptrdiff_t end = std::min(count, begin + smallest);
    for (std::ptrdiff_t i = begin + 1; i < end; ++i) {
      const T moving = from[i];
      std::ptrdiff_t at = i;
      for (; at > begin && order(moving, from[at - 1]); --at) from[at] = from[at - 1];
      from[at] = moving;
    }
  }
  for (std::ptrdiff_t width = smallest; width < count; width *= 2) {
    for (std::ptrdiff_t begin = 0; begin < count; begin += 2 * width) {
      const std::ptrdiff_t middle = std::min(count, begin + width);
      const std::ptrdiff_t end = std::min(count, middle + width);
      merge_runs(from + begin, middle - begin, from + middle, end - middle, to + begin, order);
    }
    std::swap(from, to);
  }
}

}  // namespace evenfold::cpu
