#pragma once
// top_k, top_k_by_key, top_k_indices: the first k elements of the sorted sequence.
//
// Idea: one pass keeps the keys up to a threshold, which a random sample gives, and these are
// sorted; see detail/sorted_beginning.hpp.

#include <algorithm>
#include <concepts>

#include "evenfold/algorithm/detail/sorted_beginning.hpp"
#include "evenfold/algorithm/detail/write_first.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[j] = the j-th of the sorted keys, 0 <= j < min(k, count): with `less{}` the k smallest in
/// ascending order, with `greater{}` the k largest in descending order. Equivalent keys are taken
/// in the order of the input.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type, which are not changed.
/// - `out`: iterator to min(k, count) elements; it does not overlap `keys`.
/// - `less`: a strict weak order, with the rules of `sort` for NaN and for other orders.
///
/// If count is above 2^16 and k below about count / 8, every key is read once, and the work is
/// O(count + k log k); otherwise it is that of `sort_indices`. Scratch: 2^13 keys and indices; a
/// key and an index for each of about 2 k + 2^-9 count elements; that of `compact_indices` and
/// `sort_by_key`. On a GPU, arithmetic keys in the order of `less` or `greater` are read once, for
/// any count, if k is at most 1024 or count / 8; for about one input in a thousand the sample gives
/// no usable bound of the k-th key, and they are read again. Their scratch is 2^13 radix keys with
/// their indices if k is at most 1024, else that of `sort` for a few more than k of them. From 2^23
/// keys of at most 4 bytes on, with k of at most 32, a few keys are always read again, and the
/// scratch is a radix key with its index for each resident thread, or for each 4000 keys if these
/// are more. Deterministic: the result is unique. Waits once, except for arithmetic keys in these
/// orders on a GPU if k is at most 1024.
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
  detail::emit_beginning(ctx, keys, count, length, less, detail::write_first_key<Output>{out});
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
  detail::emit_beginning(
      ctx, keys, count, length, less,
      detail::write_first_pair<Values, OutKeys, OutValues>{values, out_keys, out_values});
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
  detail::emit_beginning(ctx, keys, count, length, less, detail::write_first_index<Size>{indices});
}

/// The same for a range of keys: the values and the outputs may be ranges, too. Indices are
/// std::size_t.
template <context Context, sized_range Keys, sequence Output, class Less>
void top_k(Context& ctx, const Keys& keys, std::size_t k, Output&& out, Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::top_k(ctx, detail::begin_of(keys), count, k,
                  detail::output_of("top_k", "out", out, std::min(k, count)), less);
}
template <context Context, sized_range Keys, sequence Values, sequence OutKeys, sequence OutValues,
          class Less>
void top_k_by_key(Context& ctx, const Keys& keys, Values&& values, std::size_t k,
                  OutKeys&& out_keys, OutValues&& out_values, Less less) {
  const char* const name = "top_k_by_key";
  const std::size_t count = detail::size_of(keys);
  const std::size_t length = std::min(k, count);
  evenfold::top_k_by_key(ctx, detail::begin_of(keys),
                         detail::input_of(name, "values", values, count, "keys"), count, k,
                         detail::output_of(name, "out_keys", out_keys, length),
                         detail::output_of(name, "out_values", out_values, length), less);
}
template <context Context, sized_range Keys, sequence Indices, class Less>
void top_k_indices(Context& ctx, const Keys& keys, std::size_t k, Indices&& indices, Less less) {
  const std::size_t count = detail::size_of(keys);
  std::size_t* const to =
      detail::output_of("top_k_indices", "indices", indices, std::min(k, count));
  evenfold::top_k_indices(ctx, detail::begin_of(keys), count, k, to, less);
}

}  // namespace evenfold
