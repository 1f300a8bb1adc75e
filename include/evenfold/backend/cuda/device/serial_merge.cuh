#pragma once
// The merge by one thread and by one block: the inner step of each merge, merge sort and search by
// merging.
//
// Whatever `less` returns, a thread only reads within its two runs. The results of a block are a
// permutation if each thread began where the thread before it ended; where threads do not meet,
// callers load the keys again and leave them where they were.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/backend/cuda/device/register_key.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The number of blocks that have so many threads of a multiprocessor, which has at most 32 blocks;
/// at least 1.
constexpr int blocks_of_threads(int threads, int of_block) {
  return std::clamp(threads / of_block, 1, 32);
}

/// The number of blocks per multiprocessor that the compiler leaves registers for: enough for
/// `keys_alone` threads where keys of one word are sorted alone, and for 1024 threads where each
/// holds at most 36 words of keys and slots, or of values. Larger ones get the registers they need
/// (1).
template <class Sizes, class Key, class Value>
constexpr int min_blocks(int keys_alone) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr int key_words = Sizes::items * static_cast<int>((sizeof(Key) + 3) / 4 + indexed);
  constexpr int value_words = Sizes::items * static_cast<int>((sizeof(Value) + 3) / 4);
  constexpr bool are_few = sizeof(Key) <= 16 && key_words <= 36 && (!indexed || value_words <= 36);
  const int threads = !indexed && key_words <= 23 && sizeof(Key) <= 4 ? keys_alone
                      : are_few                                       ? 1024
                                                                      : 0;
  return blocks_of_threads(threads, Sizes::threads);
}

/// Whether threads have so few items, or multiprocessors so few threads, that they wait more than
/// they compute.
template <class Sizes, class Key>
inline constexpr bool has_few_items =
    (sizeof(Key) <= 8 && (Sizes::items <= 8 || requires { Sizes::of_few_blocks; })) ||
    (sizeof(Key) <= 16 && Sizes::items <= 4);

/// slot_merge_path where threads have few items: each step looks at three points, whose keys arrive
/// at the same time, and how many steps there are does not depend on keys.
template <class Key, class Less>
__device__ int slot_merge_path_of_few(const uninitialized<Key>* a, int a_count,
                                      const uninitialized<Key>* b, int b_count, int diagonal,
                                      Less less) {
  int low = max(diagonal - b_count, 0);
  const int high = min(diagonal, a_count);
  if (low >= high) return low;
#pragma unroll 1
  for (int step = 1 << (highest_bit(static_cast<std::uint32_t>(high - low)) & ~1); step > 0;
       step /= 4) {
    int at[3];
    bool is_before[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      at[k] = min(low + (k + 1) * step, high);
      is_before[k] = !less(b[diagonal - at[k]].value, a[at[k] - 1].value);
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) low = is_before[k] ? at[k] : low;
  }
  return low;
}

/// The merge path of two sorted runs of slots: how many of the first `diagonal` results come from
/// `a`, as detail::merge_path. Its unsigned numbers and the slot from which `b` is counted
/// backwards save a fourth of the instructions of each step.
template <class Sizes, class Key, class Less>
__device__ int slot_merge_path(const uninitialized<Key>* a, int a_count,
                               const uninitialized<Key>* b, int b_count, int diagonal, Less less) {
  if constexpr (has_few_items<Sizes, Key>) {
    return slot_merge_path_of_few(a, a_count, b, b_count, diagonal, less);
  } else {
    const uninitialized<Key>* const last = b + (diagonal - 1);
    const unsigned cut = detail::partition_point(
        static_cast<unsigned>(max(diagonal - b_count, 0)),
        static_cast<unsigned>(min(diagonal, a_count)),
        [&](unsigned at) { return !less(last[-static_cast<int>(at)].value, a[at].value); });
    return static_cast<int>(cut);
  }
}

/// Whether serial_merge() compares keys past the end of a run, which takes no branch.
template <class Sizes, class Key, class Less>
inline constexpr bool compares_past_end = compares_numbers<Less, Key> || has_few_items<Sizes, Key>;
/// Whether the Items + 1 slots past the last one of a tile must hold keys, any ones, since they are
/// compared, and not as numbers.
template <class Sizes, class Key, class Less>
inline constexpr bool fills_past_end = has_few_items<Sizes, Key> && !compares_numbers<Less, Key>;

/// The number of steps for so many results, of which a thread can make `Items`: an odd one, with
/// which the results of neighbouring threads lie in different banks.
template <int Items>
__device__ int steps_for(int results) {
  return min(results | 3, Items);
}

/// Whether a loop of steps_for() steps ends before step k, a constant.
__device__ inline bool ends_at(int k, int steps) { return k % 4 == 3 && k >= steps; }

/// The steps of serial_merge. `NearEnd`: a run may end before the last step.
template <class Sizes, bool NearEnd, bool Indexed, class Key, int Items, class Less>
__device__ int merge_steps(const uninitialized<Key>* slots, int a, int a_end, int b, int b_end,
                           uninitialized<register_key<Key>> (&merged)[Items], int (&source)[Items],
                           int steps, Less less) {
  using held_key = uninitialized<register_key<Key>>;
  const auto order = order_in_registers<Key>(less);
  // Where nobody asks for the slots, positions are bytes, which spares a multiplication per step.
  constexpr unsigned unit = Indexed ? 1 : sizeof(uninitialized<Key>);
  const auto slot_at = [=](unsigned position) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(slots);
    return to_register(*reinterpret_cast<const uninitialized<Key>*>(
        bytes + position * static_cast<unsigned>(sizeof(uninitialized<Key>) / unit)));
  };
  const unsigned end_a = a_end * unit;
  const unsigned end_b = b_end * unit;
  unsigned at_a = a * unit;
  unsigned at_b = b * unit;
  held_key key_a = slot_at(at_a);
  held_key key_b = slot_at(at_b);
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (ends_at(k, steps)) break;
    bool take_b;
    if constexpr (!NearEnd) {
      take_b = order(key_b.value, key_a.value);
    } else if constexpr (compares_past_end<Sizes, Key, Less>) {
      take_b = at_a >= end_a | (at_b < end_b & order(key_b.value, key_a.value));
    } else {
      take_b = at_a >= end_a || (at_b < end_b && order(key_b.value, key_a.value));
    }
    merged[k] = take_b ? key_b : key_a;
    const unsigned taken = take_b ? at_b : at_a;
    if constexpr (Indexed) source[k] = static_cast<int>(taken);
    const unsigned next = taken + unit;
    const held_key loaded = slot_at(next);
    if (take_b) {
      at_b = next;
      key_b = loaded;
    } else {
      at_a = next;
      key_a = loaded;
    }
  }
  return static_cast<int>(at_a / unit);
}

/// Merges the sorted slots [a, a_end) and [b, b_end): Items results from the point (a, b) of the
/// merge path on, or as many as `steps`, a number of steps_for(). `source` gets the slots they came
/// from. Past the last result it continues without a branch and reads up to Items + 1 slots past
/// the last. Returns where `a` ends.
template <class Sizes, bool Indexed, class Key, int Items, class Less>
__device__ int serial_merge(const uninitialized<Key>* slots, int a, int a_end, int b, int b_end,
                            uninitialized<register_key<Key>> (&merged)[Items], int (&source)[Items],
                            Less less, int steps = Items) {
  // Where threads have many items, most warps are far from the ends of both runs.
  if (has_few_items<Sizes, Key> ||
      __any_sync(__activemask(), a + steps > a_end || b + steps > b_end)) {
    return merge_steps<Sizes, true, Indexed>(slots, a, a_end, b, b_end, merged, source, steps,
                                             less);
  }
  return merge_steps<Sizes, false, Indexed>(slots, a, a_end, b, b_end, merged, source, steps, less);
}

/// Writes a thread's run of `results` keys, at most `steps`, and the slots they come from, to the
/// slots from `from` on.
template <bool Indexed, class Key, int Items>
__device__ void store_run(uninitialized<Key>* keys, std::uint16_t* sources, int from, int results,
                          const uninitialized<register_key<Key>> (&key)[Items],
                          const int (&source)[Items], int steps = Items) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (ends_at(k, steps)) break;
    if (k < results) {
      keys[from + k] = from_register<Key>(key[k]);
      if constexpr (Indexed) sources[from + k] = static_cast<std::uint16_t>(source[k]);
    }
  }
}

/// Notes that the keys in slots [0, count) are those that were loaded there. Synchronises the
/// block.
template <bool Indexed>
__device__ void keep_sources(std::uint16_t* sources, int count) {
  if constexpr (Indexed) {
#pragma unroll 1
    for (int slot = static_cast<int>(threadIdx.x); slot < count;
         slot += static_cast<int>(blockDim.x)) {
      sources[slot] = static_cast<std::uint16_t>(slot);
    }
  }
  __syncthreads();
}

/// The block merges the sorted runs [0, a_count) and [a_count, count) of `slots` in place;
/// `sources` gets the slots that the results came from. Each thread merges one run of the results,
/// found by merge path. Returns, in all threads, whether each thread ended, in the first run, where
/// the next one began. If not, `less` is not a strict weak order, and the slots may have lost keys.
/// Synchronises the block before and after it writes.
template <class Sizes, bool Indexed, class Key, class Less>
__device__ bool merge_slots(uninitialized<Key>* slots, std::uint16_t* sources, int a_count,
                            int count, Less less) {
  constexpr bool is_strict = detail::is_strict_order<Less, Key>;
  constexpr int items = Sizes::items;
  __shared__ std::uint16_t begins[Sizes::threads];
  uninitialized<register_key<Key>> key[items];
  int source[items];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread * items;
  int a_to = 0;
  if (first < count) {
    const int a =
        slot_merge_path<Sizes>(slots, a_count, slots + a_count, count - a_count, first, less);
    if constexpr (!is_strict) begins[thread] = static_cast<std::uint16_t>(a);
    a_to = serial_merge<Sizes, Indexed>(slots, a, a_count, a_count + first - a, count, key, source,
                                        less);
  }
  __syncthreads();
  const bool meets = is_strict || first + items >= count || begins[thread + 1] == a_to;
  // Past the last result, slots get keys that nobody reads.
  store_run<Indexed>(slots, sources, first, items, key, source);
  return __syncthreads_and(meets);
}

}  // namespace evenfold::device
