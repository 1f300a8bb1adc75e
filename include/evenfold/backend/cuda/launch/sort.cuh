#pragma once
// Launches the kernels of backend/cuda/device/sort.cuh.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/device/radix_sort.cuh"
#include "evenfold/backend/cuda/device/sort.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/counting_sort.cuh"
#include "evenfold/backend/cuda/launch/merge_own_span.cuh"
#include "evenfold/backend/cuda/launch/radix_sort.cuh"
#include "evenfold/backend/cuda/launch/rank_sort.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// As what keys are compared in the order of `Less`, `less` or `greater`: floating-point keys as
/// their numbers, which takes no branch for NaN.
template <class Less, class Key>
struct compared_key {
  using type = Key;
  static Less order() { return {}; }
};
template <class Less, std::floating_point Key>
struct compared_key<Less, Key> {
  using type = detail::numbered_key<Less, Key>;
  static detail::numbered_order order() { return {}; }
};

/// Types of characters, which CUB does not know: they are sorted as the integers of the same size
/// and sign.
template <class Key>
concept wide_character = std::same_as<Key, wchar_t> || std::same_as<Key, char8_t> ||
                         std::same_as<Key, char16_t> || std::same_as<Key, char32_t>;
template <wide_character Key>
using character_number =
    std::conditional_t<std::is_signed_v<Key>, std::make_signed_t<Key>, std::make_unsigned_t<Key>>;

/// key -> T(key)
template <class T>
struct convert_to {
  template <class Key>
  EF_HD constexpr T operator()(const Key& key) const {
    return static_cast<T>(key);
  }
};

/// Sorts by one block what fits its tile, as keys of the type `Held`. Returns whether it does.
template <class Tuning, class Held, class Key, class Value, class Less>
bool sort_few(cuda_context& ctx, Key* keys, Value* values, std::uint64_t count, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  const auto sort_in_one = [&]<class Sizes>(std::type_identity<Sizes>) {
    if (count > Sizes::tile) return false;
    const sort_side<Key, Value> user{reinterpret_cast<uninitialized<Key>*>(keys),
                                     reinterpret_cast<uninitialized<Value>*>(values)};
    ctx.launch("sort", sort_tile_kernel<Sizes, Held, Key, Key, Value, Less>, 1, Sizes::threads,
               sizeof(sort_shared<Sizes, Held, indexed>), user, user, count, nullptr, less);
    return true;
  };
  using small = small_sort_tile<detail::tuning_or<Tuning, default_sort_tuning<Key, Value>>>;
  if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(Held) > 8 && sizeof(Held) <= 16) {
    if (sort_in_one(std::type_identity<sort_tile_sizes<512, 3>>{})) return true;
  }
  if (sort_in_one(std::type_identity<small>{})) return true;
  if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(Held) <= 8) {
    constexpr int threads = 2 * small::threads;
    if (sort_in_one(std::type_identity<sort_tile_sizes<threads, small::items>>{})) return true;
    // Several blocks of tiles of smaller keys, of which each has more, take less time than this.
    if constexpr (sizeof(Held) == 8) {
      return sort_in_one(std::type_identity<sort_tile_sizes<threads, 11>>{});
    }
  }
  return false;
}

/// Sorts tiles and merges them, as keys of the type `Held`: in one launch while each tile has a
/// block of its own on the device, else in one for the tiles and one for all passes.
template <class Sizes, class Held, class Key, class Value, class Less>
void merge_sort_together(cuda_context& ctx, Key* keys, Value* values, std::uint64_t count,
                         Less less) {
  using sizes = Sizes;
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr std::size_t merge_bytes = sizeof(merge_shared<sizes, Held, int, indexed>);
  constexpr std::size_t sort_bytes = sizeof(sort_shared<sizes, Held, indexed>);
  const std::uint64_t tiles = detail::ceil_div(count, sizes::tile);
  const sort_side<Key, Value> given{reinterpret_cast<uninitialized<Key>*>(keys),
                                    reinterpret_cast<uninitialized<Value>*>(values)};
  if (tiles == 1) {
    ctx.launch("sort", sort_tile_kernel<sizes, Held, Key, Key, Value, Less>, 1, sizes::threads,
               sort_bytes, given, given, count, nullptr, less);
    return;
  }
  array<uninitialized<Held>> more_keys(ctx, count);
  array<uninitialized<Value>> more_values(ctx, indexed ? count : 0);
  const sort_buffers<Held, Value> buffers{
      reinterpret_cast<uninitialized<Held>*>(keys), more_keys.data(),
      reinterpret_cast<uninitialized<Value>*>(values), more_values.data()};
  const auto together = sort_together_kernel<sizes, Held, Key, Value, Less>;
  constexpr std::size_t together_bytes = sizeof(tile_and_span_shared<sizes, Held, int, indexed>);
  if (fit_at_once(ctx, together, sizes::threads, together_bytes, tiles)) {
    const span_row words(ctx, tiles);
    ctx.launch_together("sort", together, tiles, sizes::threads, together_bytes, given, buffers,
                        static_cast<int>(count), words.view(), less);
    return;
  }
  array<unsigned long long> zeros(ctx, tiles + 2);
  const whole_cuts<int> cuts{static_cast<int>(count), sizes::span};
  using side = sort_side<Held, Value>;
  const side user{buffers.user_keys, buffers.user_values};
  const side more{buffers.more_keys, buffers.more_values};
  ctx.launch("sort", sort_tile_kernel<sizes, Held, Key, Held, Value, Less>, tiles, sizes::threads,
             sort_bytes, given, cuts.passes() % 2 == 0 ? user : more, count, zeros.data(), less);
  const auto kernel = merge_spans_kernel<sizes, int, Held, Value, whole_cuts<int>, Less>;
  const std::size_t grid =
      std::min<std::size_t>(tiles, ctx.resident_blocks(kernel, sizes::threads, merge_bytes));
  ctx.launch_together("sort", kernel, grid, sizes::threads, merge_bytes, buffers, cuts, tiles,
                      merge_state{zeros.data(), zeros.data() + 1}, less);
  if constexpr (!std::is_same_v<Held, Key>) {
    backend::transform<default_tuning>(
        ctx, count,
        write_result{elementwise(convert_to<Key>{}, reinterpret_cast<const Held*>(keys)), keys});
  }
}

/// Sorts keys that are few enough for a few tiles per multiprocessor, and of which two tiles fit
/// the shared memory, as keys of the type `Held`. Returns whether they are.
template <class Held, class Key, class Value, class Less>
bool merge_sort_few(cuda_context& ctx, Key* keys, Value* values, std::uint64_t count, Less less) {
  using small = small_span<default_sort_tuning<Key, Value>>;
  using half = half_tile<default_sort_tuning<Key, Value>>;
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr std::size_t most_bytes = 96 * 1024;
  // Half tiles of keys of more than 4 bytes have few items already.
  constexpr bool has_small_tiles = 2 * small::tile <= half::tile;
  constexpr std::uint64_t most_each = !has_small_tiles ? 1 : indexed ? 2 : 3;
  const auto multiprocessors = static_cast<std::uint64_t>(ctx.multiprocessors());
  const std::uint64_t half_tiles = detail::ceil_div(count, half::tile);
  if (sizeof(merge_shared<half, Key, int, indexed>) > most_bytes ||
      half_tiles > most_each * multiprocessors) {
    return false;
  }
  if constexpr (has_small_tiles) {
    // Smaller tiles are sorted sooner and keep more multiprocessors busy, which is worth one more
    // pass, or two where no values move.
    constexpr int more_passes = indexed ? 1 : 2;
    const std::uint64_t small_tiles = detail::ceil_div(count, small::tile);
    if (half_tiles > 1 && small_tiles <= multiprocessors &&
        std::bit_width(small_tiles - 1) <= std::bit_width(half_tiles - 1) + more_passes) {
      merge_sort_together<small, Held>(ctx, keys, values, count, less);
      return true;
    }
  }
  merge_sort_together<half, Held>(ctx, keys, values, count, less);
  return true;
}

template <class Tuning, class Key, class Value, class Less>
void merge_sort(cuda_context& ctx, Key* keys, Value* values, std::uint64_t count, Less less) {
  using tuning = detail::tuning_or<Tuning, default_sort_tuning<Key, Value>>;
  using sizes = sort_tile_sizes<tuning::threads, tuning::items>;
  using merge_sizes = sort_tile_sizes<tuning::merge_threads, tuning::items>;
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr std::size_t sort_bytes = sizeof(sort_shared<sizes, Key, indexed>);
  constexpr std::size_t merge_bytes = sizeof(merge_tile_shared<merge_sizes, Key, indexed>);
  const std::uint64_t sort_tiles = detail::ceil_div(count, sizes::tile);
  const std::uint64_t tiles = detail::ceil_div(count, merge_sizes::tile);
  const int passes = std::bit_width(sort_tiles - 1);

  array<uninitialized<Key>> more_keys(ctx, passes > 0 ? count : 0);
  array<uninitialized<Value>> more_values(ctx, passes > 0 && indexed ? count : 0);
  array<std::uint64_t> cuts(ctx, passes > 0 ? tiles : 0);
  using side = sort_side<Key, Value>;
  const side user{reinterpret_cast<uninitialized<Key>*>(keys),
                  reinterpret_cast<uninitialized<Value>*>(values)};
  const side more{more_keys.data(), more_values.data()};
  side from = passes % 2 == 0 ? user : more;
  side to = passes % 2 == 0 ? more : user;
  ctx.launch("sort", sort_tile_kernel<sizes, Key, Key, Key, Value, Less>, sort_tiles,
             sizes::threads, sort_bytes, user, from, count, nullptr, less);
  // There are fewer than 2^31 blocks, and therefore tiles.
  unsigned pair_tiles = 2 * sizes::tile / merge_sizes::tile;
  for (int pass = 0; pass < passes; ++pass, pair_tiles *= 2) {
    const bool blocks_meet = cuts_per_block % pair_tiles != 0;
    ctx.launch("sort", cut_runs_kernel<merge_sizes, Key, Value, Less>,
               detail::ceil_div(tiles, cuts_per_block), cuts_per_block * cut_lanes, 0, from, count,
               pair_tiles, static_cast<unsigned>(tiles), cuts.data(), blocks_meet, ctx.counters(),
               less);
    ctx.launch("sort", merge_runs_kernel<merge_sizes, Key, Value, Less>, tiles,
               merge_sizes::threads, merge_bytes, from, to, count, pair_tiles, cuts.data(), less);
    std::swap(from, to);
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class Key, class Value, std::integral Size, class Less>
void sort(cuda_context& ctx, Key* keys, Value* values, Size count, Less less) {
  const auto total = static_cast<std::uint64_t>(count);
  if constexpr (detail::radix_order<Less, Key> && device::wide_character<Key>) {
    sort<Tuning>(ctx, reinterpret_cast<device::character_number<Key>*>(keys), values, count,
                 detail::natural_order_t<Less, Key>{});
  } else if constexpr (detail::radix_order<Less, Key>) {
    using order = detail::natural_order_t<Less, Key>;
    using compared = device::compared_key<order, Key>;
    using held = typename compared::type;
    const auto in_total = compared::order();
    if constexpr (!std::is_same_v<Tuning, default_tuning>) {
      if (device::sort_few<Tuning, held>(ctx, keys, values, total, in_total)) return;
    } else {
      if (total <= device::most_ranked_keys<Key>(ctx, total)) {
        const detail::segment_view<std::int32_t, detail::one_segment, int> whole{
            static_cast<std::int32_t>(count), {}, 1};
        device::rank_sort<order>(ctx, "sort", keys, values, device::read_value<Value>{values},
                                 whole);
        return;
      }
      // Up to about 2^15 keys per byte of a key, the launches of a radix sort take longer than
      // merges.
      if constexpr (sizeof(Key) >= 4) {
        constexpr std::uint64_t most = sizeof(Key) << 15;
        if (total <= most && device::merge_sort_few<held>(ctx, keys, values, total, in_total)) {
          return;
        }
      }
    }
    if constexpr (device::counted_key<order, Key> && std::is_same_v<Value, detail::no_value>) {
      if (total >= device::least_counted_keys<Key>) {
        device::counting_sort<order>(ctx, keys, count);
        return;
      }
    }
    device::radix_sort<order>(ctx, keys, values, count);
  } else {
    if (device::sort_few<Tuning, Key>(ctx, keys, values, total, less)) return;
    if constexpr (std::is_same_v<Tuning, default_tuning>) {
      if (device::merge_sort_few<Key>(ctx, keys, values, total, less)) return;
    }
    device::merge_sort<Tuning>(ctx, keys, values, total, less);
  }
}

template <class Value, std::integral Size>
void sort_bits(cuda_context& ctx, array<std::uint64_t>& keys, Value* values, Size count, int bits) {
  device::radix_sort_bits(ctx, keys, values, count, bits);
}

/// Sorts numbers of `bits` bits, at least 1, and values with them, from one pair of arrays to
/// another.
template <class Key, class Value, std::integral Size>
void sort_bits_to(cuda_context& ctx, const Key* keys, Key* out_keys, const Value* values,
                  Value* out_values, Size count, int bits) {
  device::radix_sort_to(ctx, keys, out_keys, values, out_values, count, bits);
}

}  // namespace backend

}  // namespace evenfold
