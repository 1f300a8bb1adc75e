#pragma once
// top_k, top_k_by_key, top_k_indices: the first k elements of the sorted sequence.
//
// Idea: sort a random sample of the keys. One key of the sample, a little behind the expected k-th
// of all keys, is the threshold. One pass keeps the keys up to the threshold, which are a few more
// than k, and these are sorted. Keys are compared together with their indices, so no two are equal,
// and many equal keys are no special case. With a probability below 10^-4 the threshold is not
// usable; then all keys are sorted.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/random.hpp"

namespace evenfold {

namespace detail {

/// i -> a random index in the i-th of `parts` equal parts of [0, count)
template <class Size>
struct sample_index {
  Size count;
  std::uint32_t parts;

  EF_HD constexpr Size operator()(std::uint32_t i) const {
    const auto items = static_cast<std::uint64_t>(count);
    const std::uint64_t begin = share_begin(items, std::uint64_t{parts}, std::uint64_t{i});
    const std::uint64_t end = share_begin(items, std::uint64_t{parts}, std::uint64_t{i} + 1);
    return static_cast<Size>(begin + random_stream(1).bits64(i) % (end - begin));
  }
};

/// Whether element i is not after the element `threshold` at index `at`. A floating-point threshold
/// is not NaN; NaN are after it.
template <class Keys, class Key, class Size, class Less>
struct not_after {
  Keys keys;
  Key threshold;
  Size at;
  Less less;

  EF_HD constexpr bool operator()(Size i) const {
    const Key key = static_cast<Key>(keys[i]);
    if constexpr (radix_order<Less, Key>) {
      return natural_order_t<Less, Key>{}(key, threshold) || (key == threshold && i <= at);
    } else {
      return less(key, threshold) || (i <= at && !less(threshold, key));
    }
  }
};

/// An output of `length` elements that ignores writes behind its end.
template <class T, class Size>
struct bounded_output {
  using value_type = T;
  T* out;
  Size length;

  struct slot {
    T* out;
    EF_HD constexpr void operator=(const T& value) const {
      if (out != nullptr) *out = value;
    }
  };
  EF_HD constexpr slot operator[](Size i) const { return {i < length ? out + i : nullptr}; }
};

/// Keys and their indices in the input.
template <class Key, class Size>
struct numbered_keys {
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
    transform(ctx, sampled, write_result{sample_index<Size>{count, sampled}, sample.data()});
    gather(ctx, keys, sample.data(), sampled, sample_keys.data());
    sort_by_key(ctx, sample_keys.data(), sample.data(), sampled, less);
    const auto r = static_cast<std::size_t>(rank);
    const std::vector<Key> threshold = to_host(ctx, sample_keys.data() + r, 1);
    const std::vector<Size> at = to_host(ctx, sample.data() + r, 1);

    bool usable = true;
    if constexpr (std::is_floating_point_v<Key>) usable = !std::isnan(threshold[0]);
    const auto capacity = static_cast<Size>(most);
    numbered_keys<Key, Size> kept{{}, array<Size>(ctx, capacity)};
    const Size num_kept = compact_indices(
        ctx, count, not_after<Keys, Key, Size, Less>{keys, threshold[0], at[0], less},
        bounded_output<Size, Size>{kept.indices.data(), capacity});
    if (usable && k <= num_kept && num_kept <= capacity) {
      kept.keys = array<Key>(ctx, num_kept);
      gather(ctx, keys, kept.indices.data(), num_kept, kept.keys.data());
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

/// Checks the arguments that the three functions have, and returns the number of results.
template <context Context, class Keys, std::integral Size, class Less>
Size checked_top_k(const Context& ctx, const char* algorithm, Keys keys, Size count, Size k) {
  check_order<element_t<Keys>, Less>();
  check_count(algorithm, "count", count);
  check_count(algorithm, "k", k);
  check_pointer(ctx, algorithm, "keys", keys, count);
  return std::min(k, count);
}

}  // namespace detail

/// out[j] = the j-th of the sorted keys, 0 <= j < min(k, count): with `less{}` the k smallest in
/// ascending order, with `greater{}` the k largest in descending order. Equivalent keys are taken
/// in the order of the input.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type, which are not changed.
/// - `out`: iterator to min(k, count) elements; it does not overlap `keys`.
/// - `less`: a strict weak order, with the rules of `sort` for NaN and for other orders.
///
/// If count is above 2^16 and k below about count / 8, every key is read once, and the work is
/// O(count
/// + k log k); otherwise it is that of `sort_indices`. Scratch: 2^13 keys and indices; a key and an
/// index for each of about 2 k + 2^-9 count elements; that of `compact_indices` and `sort_by_key`.
/// Deterministic: the result is unique. Waits three times.
///
/// Errors: argument_error for a negative count or k, or an argument on the wrong side;
/// allocation_error, with `out` untouched.
///
/// Example: examples/top_k.cpp.
/// Source: the sample bounds the k-th key as in Floyd and Rivest, "Expected time bounds for
/// selection", CACM 1975. Names elsewhere: std::partial_sort_copy, torch.topk, numpy.partition.
template <context Context, class Keys, std::integral Size, class Output, class Less>
void top_k(Context& ctx, Keys keys, Size count, std::type_identity_t<Size> k, Output out,
           Less less) {
  const Size length =
      detail::checked_top_k<Context, Keys, Size, Less>(ctx, "top_k", keys, count, k);
  detail::check_pointer(ctx, "top_k", "out", out, length);
  if (length == 0) return;
  auto first = detail::sorted_beginning(ctx, keys, count, length, less);
  using Key = element_t<Keys>;
  transform(ctx, length, write_result{element_of<Key, const Key*>{first.keys.data()}, out});
}

/// The same with one value per key: out_values[j] is the value of the key out_keys[j].
///
/// - `values`: iterator to `count` elements, of which those of the result are read.
/// - `out_keys`, `out_values`: iterators to min(k, count) elements.
///
/// Names elsewhere: torch.topk.
template <context Context, class Keys, class Values, std::integral Size, class OutKeys,
          class OutValues, class Less>
void top_k_by_key(Context& ctx, Keys keys, Values values, Size count, std::type_identity_t<Size> k,
                  OutKeys out_keys, OutValues out_values, Less less) {
  const Size length =
      detail::checked_top_k<Context, Keys, Size, Less>(ctx, "top_k_by_key", keys, count, k);
  detail::check_pointer(ctx, "top_k_by_key", "values", values, count);
  detail::check_pointer(ctx, "top_k_by_key", "out_keys", out_keys, length);
  detail::check_pointer(ctx, "top_k_by_key", "out_values", out_values, length);
  if (length == 0) return;
  auto first = detail::sorted_beginning(ctx, keys, count, length, less);
  using Key = element_t<Keys>;
  transform(ctx, length, write_result{element_of<Key, const Key*>{first.keys.data()}, out_keys});
  gather(ctx, values, first.indices.data(), length, out_values);
}

/// indices[j] = the index in `keys` of the j-th of the sorted keys, 0 <= j < min(k, count): the
/// first k results of `sort_indices`. Otherwise as `top_k`.
///
/// - `indices`: min(k, count) integers of the type of `count`.
///
/// Names elsewhere: numpy.argpartition, torch.topk.
template <context Context, class Keys, std::integral Size, class Less>
void top_k_indices(Context& ctx, Keys keys, Size count, std::type_identity_t<Size> k, Size* indices,
                   Less less) {
  const Size length =
      detail::checked_top_k<Context, Keys, Size, Less>(ctx, "top_k_indices", keys, count, k);
  detail::check_pointer(ctx, "top_k_indices", "indices", indices, length);
  if (length == 0) return;
  auto first = detail::sorted_beginning(ctx, keys, count, length, less);
  copy(ctx, first.indices.data(), length, indices);
}

}  // namespace evenfold
