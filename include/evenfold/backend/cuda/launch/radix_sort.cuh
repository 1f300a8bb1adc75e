#pragma once
// Launches the kernels of backend/cuda/device/radix_sort.cuh.

#include <concepts>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/util_type.cuh>
#include <cuda/type_traits>
#include <type_traits>

#include "evenfold/backend/cuda/device/radix_sort.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The bits of the key with a number.
template <class Less, class Key>
EF_HD constexpr detail::radix_bits_t<Key> bits_of_number(detail::radix_bits_t<Key> number) {
  return detail::bit_cast<detail::radix_bits_t<Key>>(detail::key_of_radix<Less, Key>(number));
}

}  // namespace evenfold::device

/// Has CUB take the digits of -0 from the number of +0: the zeros are equal.
template <class Less, class Key>
inline constexpr bool cuda::is_floating_point_v<evenfold::device::totally_ordered<Less, Key>> =
    true;

/// CUB sorts by the numbers of the keys, in which NaN come last. Every key has its own number, so
/// that each of them keeps its bits.
template <class Less, class Key>
struct cub::NumericTraits<evenfold::device::totally_ordered<Less, Key>> {
  using UnsignedBits = evenfold::detail::radix_bits_t<Key>;
  static constexpr bool is_primitive = true;
  static constexpr UnsignedBits LOWEST_KEY = evenfold::device::bits_of_number<Less, Key>(0);
  static constexpr UnsignedBits MAX_KEY =
      evenfold::device::bits_of_number<Less, Key>(static_cast<UnsignedBits>(-1));

  EF_HD static constexpr UnsignedBits TwiddleIn(UnsignedBits bits) {
    const auto key = evenfold::detail::bit_cast<Key>(bits);
    return evenfold::detail::numbered_key<Less, Key>(key).number;
  }
  EF_HD static constexpr UnsignedBits TwiddleOut(UnsignedBits number) {
    return evenfold::device::bits_of_number<Less, Key>(number);
  }
};

/// CUB's tuning for keys of 4 bytes without values, but for the keys per thread: with 20 of them,
/// those of our type take so many registers that two blocks are resident instead of three.
template <class Less, class Key, class Offset>
  requires(sizeof(Key) == 4)
struct cub::detail::radix::policy_hub<evenfold::device::totally_ordered<Less, Key>, cub::NullType,
                                      Offset> {
  using of_key = policy_hub<Key, cub::NullType, Offset>;
  struct Policy900 : cub::ChainedPolicy<900, Policy900, typename of_key::Policy800>,
                     of_key::template OnesweepSmallKeyTunedPolicy<
                         sm90_small_key_tuning<sizeof(Key), 0, sizeof(Offset)>> {
    using OnesweepPolicy =
        cub::AgentRadixSortOnesweepPolicy<384, 17, Key, 1, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                          cub::BLOCK_SCAN_RAKING_MEMOIZE,
                                          cub::RADIX_SORT_STORE_DIRECT, 8>;
  };
  using MaxPolicy = Policy900;
};

namespace evenfold::device {

/// The type as which CUB moves values: a number where one has the size of a value, which is faster.
template <class Value>
using plain_value = std::conditional_t<
    std::is_same_v<Value, detail::no_value>, cub::NullType,
    std::conditional_t<(sizeof(Value) <= 8 && sizeof(Value) == alignof(Value)),
                       detail::radix_bits_t<Value>, value_words<sizeof(Value), alignof(Value)>>>;

/// Sorts by the lowest `bits` bits of the keys with CUB; the results are in the current buffers.
/// Scratch: what CUB asks for.
template <class Less, class Key, class Value, class Size>
void sort_digits(cuda_context& ctx, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<Value>& values,
                 Size count, int bits) {
  const auto call = [&](void* scratch, std::size_t& bytes) {
    // The numbers of floating-point keys ascend in either order.
    if constexpr (std::same_as<Less, greater> && std::integral<Key>) {
      check_cuda(cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, values, count, 0,
                                                           bits, ctx.stream()),
                 "cub::DeviceRadixSort");
    } else {
      check_cuda(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, count, 0, bits,
                                                 ctx.stream()),
                 "cub::DeviceRadixSort");
    }
  };
  const device_scope scope(ctx.device());
  std::size_t bytes = 0;
  call(nullptr, bytes);
  array<unsigned char> scratch(ctx, bytes);
  call(scratch.data(), bytes);
}

/// The two buffers of the values between which CUB moves them; empty where there are no values.
template <class Value>
struct value_buffers {
  static constexpr bool present = !std::is_same_v<Value, detail::no_value>;
  using type = plain_value<Value>;
  type* user;
  array<type> more;
  cub::DoubleBuffer<type> both;

  template <class Size>
  value_buffers(cuda_context& ctx, Value* values, Size count)
      : user(reinterpret_cast<type*>(values)),
        more(ctx, present ? count : Size{0}),
        both(user, more.data()) {}

  /// Copies the sorted values to the user's buffer, if they are in the other one.
  template <class Size>
  void settle(cuda_context& ctx, Size count) {
    if constexpr (present) {
      if (both.Current() != user) copy(ctx, more.data(), count, user);
    }
  }
};

/// Sorts keys, and values with them, in place. Scratch: `count` keys and values, and what CUB asks
/// for.
template <class Less, class Key, class Value, class Size>
void radix_sort(cuda_context& ctx, Key* user, Value* values, Size count) {
  using key = sorted_key<Less, Key>;
  auto* const keys = reinterpret_cast<key*>(user);
  array<key> more_keys(ctx, count);
  cub::DoubleBuffer<key> both_keys(keys, more_keys.data());
  value_buffers<Value> along(ctx, values, count);
  sort_digits<Less>(ctx, both_keys, along.both, count, 8 * sizeof(Key));
  if (both_keys.Current() != keys) copy(ctx, more_keys.data(), count, keys);
  along.settle(ctx, count);
}

/// Sorts numbers of `bits` bits, and values with them, in one pass per 8 bits. The values end in
/// place; `keys` takes over the array that the sorted keys end in.
template <class Value, class Size>
void radix_sort_bits(cuda_context& ctx, array<std::uint64_t>& keys, Value* values, Size count,
                     int bits) {
  array<std::uint64_t> more_keys(ctx, count);
  cub::DoubleBuffer<std::uint64_t> both_keys(keys.data(), more_keys.data());
  value_buffers<Value> along(ctx, values, count);
  sort_digits<less>(ctx, both_keys, along.both, count, bits);
  if (both_keys.Current() != keys.data()) keys.swap(more_keys);
  along.settle(ctx, count);
}

/// The same for keys of any unsigned type; `values`, too, takes over the array that they end in.
template <class Key, class Value, class Size>
void radix_sort_bits(cuda_context& ctx, array<Key>& keys, array<Value>& values, Size count,
                     int bits) {
  using plain = plain_value<Value>;
  array<Key> more_keys(ctx, count);
  array<Value> more_values(ctx, count);
  cub::DoubleBuffer<Key> both_keys(keys.data(), more_keys.data());
  cub::DoubleBuffer<plain> both_values(reinterpret_cast<plain*>(values.data()),
                                       reinterpret_cast<plain*>(more_values.data()));
  sort_digits<less>(ctx, both_keys, both_values, count, bits);
  if (both_keys.Current() != keys.data()) keys.swap(more_keys);
  if (both_values.Current() != reinterpret_cast<plain*>(values.data())) values.swap(more_values);
}

/// Sorts numbers of `bits` bits, and values with them, from one pair of arrays to another. Scratch:
/// what CUB asks for.
template <class Key, class Value, class Size>
void radix_sort_to(cuda_context& ctx, const Key* keys, Key* out_keys, const Value* values,
                   Value* out_values, Size count, int bits) {
  using plain = plain_value<Value>;
  const auto call = [&](void* scratch, std::size_t& bytes) {
    check_cuda(cub::DeviceRadixSort::SortPairs(
                   scratch, bytes, keys, out_keys, reinterpret_cast<const plain*>(values),
                   reinterpret_cast<plain*>(out_values), count, 0, bits, ctx.stream()),
               "cub::DeviceRadixSort");
  };
  const device_scope scope(ctx.device());
  std::size_t bytes = 0;
  call(nullptr, bytes);
  array<unsigned char> scratch(ctx, bytes);
  call(scratch.data(), bytes);
}

}  // namespace evenfold::device
