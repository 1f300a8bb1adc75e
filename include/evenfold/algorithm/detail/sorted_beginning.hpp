#pragma once
// The beginning of the sorted sequence, for top_k.
//
// Idea: sort a random sample of the keys. One key of the sample, a little after the expected k-th
// of all keys, is the threshold. One pass keeps the keys up to the threshold, which are a few more
// than k, and these are sorted. Keys are compared together with their indices, so no two are equal,
// and many equal keys are no special case. With a probability below 10^-4 the threshold is not
// usable; then all keys are sorted.
//
// A GPU does the same for arithmetic keys in one kernel instead, whose sample is larger and whose
// candidates are in no order; see backend/cuda/device/first_keys.cuh.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/random.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/first_keys.cuh"
#endif

namespace evenfold::detail {

/// Writes a random key from the i-th of `parts` equal parts of [0, count), and its index.
template <class Keys, class Key, class Size>
struct sample_key {
  Keys keys;
  Size count;
  std::uint32_t parts;
  Key* out_keys;
  Size* out_indices;

  EF_HD constexpr void operator()(std::uint32_t i) const {
    const auto items = static_cast<std::uint64_t>(count);
    const std::uint64_t begin = share_begin(items, std::uint64_t{parts}, std::uint64_t{i});
    const std::uint64_t end = share_begin(items, std::uint64_t{parts}, std::uint64_t{i} + 1);
    const auto at = static_cast<Size>(begin + random_stream(1).bits64(i) % (end - begin));
    out_keys[i] = static_cast<Key>(keys[at]);
    out_indices[i] = at;
  }
};

/// Whether element i is not after the element *threshold at index *at. Nothing is kept if a
/// floating-point threshold is NaN.
template <class Keys, class Key, class Size, class Less>
struct not_after {
  Keys keys;
  const Key* threshold;
  const Size* at;
  Less less;

  // Keys in their natural order are compared without a branch, so that the loads of many of them
  // are in flight together.
  EF_HD constexpr bool operator()(Size i) const {
    const Key key = static_cast<Key>(keys[i]);
    const Key last = *threshold;
    const bool is_first = i <= *at;
    if constexpr (radix_order<Less, Key>) {
      return static_cast<bool>(natural_order_t<Less, Key>{}(key, last) |
                               ((key == last) & is_first));
    } else {
      return less(key, last) || (is_first && !less(last, key));
    }
  }
};

/// An output for indices of keys, which also writes the keys, and ignores what is written past its
/// end.
template <class Keys, class Key, class Size>
struct numbered_output {
  using value_type = Size;
  Keys keys;
  Key* out_keys;
  Size* out_indices;
  Size length;

  struct slot {
    const numbered_output& to;
    Size position;
    EF_HD constexpr void operator=(Size index) const {
      if (position >= to.length) return;
      to.out_keys[position] = static_cast<Key>(to.keys[index]);
      to.out_indices[position] = index;
    }
  };
  EF_HD constexpr slot operator[](Size position) const { return {*this, position}; }
};

/// Keys and their indices in the input.
template <class Key, class Size>
struct numbered_keys {
  using key_type = Key;
  array<Key> keys;
  array<Size> indices;
};

/// At least the first k of the sorted keys, in order.
template <context Context, class Keys, std::integral Size, class Less>
numbered_keys<element_t<Keys>, Size> sorted_beginning(Context& ctx, Keys keys, Size count, Size k,
                                                      Less less) {
  using Key = element_t<Keys>;
  constexpr std::uint32_t sampled = 1 << 13;
  const double density = static_cast<double>(sampled) / static_cast<double>(count);
  const double expected = static_cast<double>(k) * density;
  const double rank = std::floor(expected + 4 * std::sqrt(expected) + 8);

  // If the pass would keep many keys, sorting all keys is faster.
  const double most = std::ceil(2 * (rank + 1) / density);
  if (density < 0.125 && 4 * most < static_cast<double>(count)) {
    array<Size> sample(ctx, sampled);
    array<Key> sample_keys(ctx, sampled);
    transform(ctx, sampled,
              sample_key<Keys, Key, Size>{keys, count, sampled, sample_keys.data(), sample.data()});
    sort_by_key(ctx, sample_keys.data(), sample.data(), sampled, less);
    const auto r = static_cast<std::size_t>(rank);

    const auto capacity = static_cast<Size>(most);
    numbered_keys<Key, Size> kept{array<Key>(ctx, capacity), array<Size>(ctx, capacity)};
    const Size num_kept = compact_indices(
        ctx, count,
        not_after<Keys, Key, Size, Less>{keys, sample_keys.data() + r, sample.data() + r, less},
        numbered_output<Keys, Key, Size>{keys, kept.keys.data(), kept.indices.data(), capacity});
    if (k <= num_kept && num_kept <= capacity) {
      sort_by_key(ctx, kept.keys.data(), kept.indices.data(), num_kept, less);
      return kept;
    }
  }
  numbered_keys<Key, Size> all{array<Key>(ctx, count), array<Size>(ctx, count)};
  transform(ctx, count,
            copy_and_number<Keys, Key, Size>{keys, all.keys.data(), all.indices.data()});
  sort_by_key(ctx, all.keys.data(), all.indices.data(), count, less);
  return all;
}

/// j -> emit(j, indices[j], keys[j])
template <class Key, class Size, class Emit>
struct emit_sorted {
  const Key* keys;
  const Size* indices;
  Emit emit;

  EF_HD constexpr void operator()(Size j) const { emit(j, indices[j], keys[j]); }
};

/// Calls emit(rank, index, key) for the first k of the sorted keys, which are at least as many.
template <context Context, class Keys, std::integral Size, class Less, class Emit>
void emit_beginning(Context& ctx, Keys keys, Size count, Size k, Less less, Emit emit) {
  using Key = element_t<Keys>;
#if defined(__CUDACC__)
  if constexpr (Context::traits.shape == work_shape::lanes && radix_order<Less, Key>) {
    if (std::cmp_less_equal(k, backend::most_ranked_results) || k <= count / 8) {
      backend::first_keys(ctx, keys, count, k, less, emit);
      return;
    }
  }
#endif
  const auto first = sorted_beginning(ctx, keys, count, k, less);
  transform(ctx, k, emit_sorted<Key, Size, Emit>{first.keys.data(), first.indices.data(), emit});
}

/// Checks the arguments that the three functions have, and returns the number of results.
template <context Context, class Keys, std::integral Size, class Less>
Size checked_top_k(const Context& ctx, const char* algorithm, Keys keys, Size count, Size k) {
  check_order<element_t<Keys>, Less>();
  check_count(algorithm, "count", count);
  check_count(algorithm, "k", k);
  check_pointer(ctx, algorithm, "keys", keys, count);
  return std::min(k, count);
}

}  // namespace evenfold::detail
