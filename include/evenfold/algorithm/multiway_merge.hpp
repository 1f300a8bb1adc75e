#pragma once
// multiway_merge: merges any number of sorted runs.

#include <bit>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// Refuses offsets that do not ascend from 0 to `count`.
template <std::integral Size>
void check_runs(Size count, const std::vector<Size>& offsets) {
  if (count > 0 && offsets.empty()) {
    refuse_argument("multiway_merge", "offsets.size()", offsets.size(), "there are keys",
                    "pass where each run begins");
  }
  for (std::size_t r = 0; r < offsets.size(); ++r) {
    const Size least = r == 0 ? Size{0} : offsets[r - 1];
    const Size most = r == 0 ? Size{0} : count;
    if (offsets[r] >= least && offsets[r] <= most) continue;
    refuse_argument(
        "multiway_merge", "offsets[" + std::to_string(r) + "]", offsets[r],
        "the run begins between " + std::to_string(least) + " and " + std::to_string(most),
        "pass where each run begins, in ascending order from 0");
  }
}

/// Merges run 0 with run 1, run 2 with run 3 and so on; a last run without a partner is copied.
/// `begins` has where each run begins and the end of the last one, before and after the call.
template <class Tuning, context Context, class Keys, class Values, std::integral Size, class Key,
          class Value, class Less>
void merge_pairs(Context& ctx, Keys keys, Values values, std::vector<Size>& begins, Key* to_keys,
                 Value* to_values, Less less) {
  const std::size_t runs = begins.size() - 1;
  std::size_t pairs = 0;
  for (std::size_t r = 0; r < runs; r += 2) {
    const Size begin = begins[r];
    const Size middle = begins[r + 1];
    const Size end = r + 1 < runs ? begins[r + 2] : middle;
    const auto a_count = static_cast<Size>(middle - begin);
    const auto b_count = static_cast<Size>(end - middle);
    if constexpr (std::is_same_v<Value, no_value>) {
      merge<Tuning>(ctx, keys + begin, a_count, keys + middle, b_count, to_keys + begin, less);
    } else {
      merge<Tuning>(ctx, keys + begin, values + begin, a_count, keys + middle, values + middle,
                    b_count, to_keys + begin, to_values + begin, less);
    }
    begins[pairs++] = begin;
  }
  begins[pairs] = begins[runs];
  begins.resize(pairs + 1);
}

}  // namespace detail

/// out_keys[0, count) = the stable merge of all runs: equivalent keys have the order of their runs,
/// and each run keeps its order. out_values gets the values of the keys in the same order.
///
/// - `keys`: iterator to `count` keys of any trivially copyable type, which can be advanced by +;
///   the runs lie one after the other, each sorted by `less`.
/// - `values`: such an iterator to one value per key.
/// - `offsets`: on the host, where each run begins, in ascending order from 0. The last run ends at
///   `count`. A run may be empty.
/// - `out_keys`, `out_values`: pointers to `count` keys and values; they overlap no input.
/// - `less`: a strict weak order, as for `merge`.
///
/// Neighbouring runs are merged two by two until one is left. Each of these merges is shared
/// equally by all workers, so that a few long runs are merged fast; very many short runs are sorted
/// faster than merged. Work O(count log runs + runs), span O(runs * log count + work / workers);
/// reads and writes each key and value once per round, ceil(log2(runs)) times. Scratch: `count`
/// keys and values if there are more than two runs, and that of `merge`. Deterministic: the result
/// is unique. Does not wait.
///
/// Errors: argument_error for a negative count, offsets as above, or pointers on the wrong side;
/// allocation_error. If `less` throws on a host context, the caller gets the exception, and the
/// values of the output are unspecified.
///
/// Example: examples/merge.cpp.
/// Source: Knuth, "The Art of Computer Programming 3", section 5.4.1. Names elsewhere:
/// __gnu_parallel::multiway_merge, heapq.merge.
template <class Tuning = default_tuning, context Context, class Keys, class Values,
          std::integral Size, class Key, class Value, class Less>
void multiway_merge(Context& ctx, Keys keys, Values values, Size count,
                    const std::vector<std::type_identity_t<Size>>& offsets, Key* out_keys,
                    Value* out_values, Less less) {
  static_assert(std::is_same_v<element_t<Keys>, Key>, "input and output have keys of one type");
  constexpr bool has_values = !std::is_same_v<Value, detail::no_value>;
  detail::check_order<Key, Less>();
  detail::check_count("multiway_merge", "count", count);
  detail::check_pointer(ctx, "multiway_merge", "keys", keys, count);
  detail::check_pointer(ctx, "multiway_merge", "out_keys", out_keys, count);
  if constexpr (has_values) {
    detail::check_pointer(ctx, "multiway_merge", "values", values, count);
    detail::check_pointer(ctx, "multiway_merge", "out_values", out_values, count);
  }
  detail::check_runs(count, offsets);
  if (count == 0) return;

  std::vector<Size> begins = offsets;
  begins.push_back(count);
  const bool several_rounds = offsets.size() > 2;
  array<Key> scratch_keys(ctx, several_rounds ? count : Size{0});
  array<Value> scratch_values(ctx, has_values && several_rounds ? count : Size{0});
  Key* to_keys = out_keys;
  Value* to_values = out_values;
  Key* other_keys = scratch_keys.data();
  Value* other_values = scratch_values.data();
  const auto swap_buffers = [&] {
    std::swap(to_keys, other_keys);
    std::swap(to_values, other_values);
  };
  // The last round writes the output: the first one, too, if the number of rounds is odd.
  if (several_rounds && std::bit_width(offsets.size() - 1) % 2 == 0) swap_buffers();
  detail::merge_pairs<Tuning>(ctx, keys, values, begins, to_keys, to_values, less);
  while (begins.size() > 2) {
    swap_buffers();
    detail::merge_pairs<Tuning>(ctx, static_cast<const Key*>(other_keys),
                                static_cast<const Value*>(other_values), begins, to_keys, to_values,
                                less);
  }
}

/// The same without values.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size, class Key,
          class Less>
void multiway_merge(Context& ctx, Keys keys, Size count,
                    const std::vector<std::type_identity_t<Size>>& offsets, Key* out_keys,
                    Less less) {
  detail::no_value* const none = nullptr;
  multiway_merge<Tuning>(ctx, keys, none, count, offsets, out_keys, none, less);
}

/// The same for a range of keys, with offsets in std::size_t: the values and the outputs may be
/// ranges, too.
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence Values,
          sequence OutKeys, sequence OutValues, class Less>
void multiway_merge(Context& ctx, const Keys& keys, Values&& values,
                    const std::vector<std::size_t>& offsets, OutKeys&& out_keys,
                    OutValues&& out_values, Less less) {
  const char* const name = "multiway_merge";
  const std::size_t count = detail::size_of(keys);
  evenfold::multiway_merge<Tuning>(ctx, detail::begin_of(keys),
                                   detail::input_of(name, "values", values, count, "keys"), count,
                                   offsets, detail::output_of(name, "out_keys", out_keys, count),
                                   detail::output_of(name, "out_values", out_values, count), less);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, sequence OutKeys,
          class Less>
void multiway_merge(Context& ctx, const Keys& keys, const std::vector<std::size_t>& offsets,
                    OutKeys&& out_keys, Less less) {
  const std::size_t count = detail::size_of(keys);
  evenfold::multiway_merge<Tuning>(ctx, detail::begin_of(keys), count, offsets,
                                   detail::output_of("multiway_merge", "out_keys", out_keys, count),
                                   less);
}

}  // namespace evenfold
