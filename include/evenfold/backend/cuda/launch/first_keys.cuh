#pragma once
// Launches the kernels of backend/cuda/device/first_keys.cuh and first_few_keys.cuh.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/cuda/device/first_few_keys.cuh"
#include "evenfold/backend/cuda/device/first_keys.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/sort.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {

namespace device {

/// How the bound for the first k of `count` keys is chosen by a number of blocks, and how many
/// candidates there are hardly ever more than.
struct bound_plan {
  bound_choice choice;
  double most;

  bound_plan(std::uint64_t count, std::uint64_t k, std::size_t blocks, double capacity) {
    using sizes = first_keys_sizes;
    const double part = static_cast<double>(k) / static_cast<double>(count);
    const std::size_t groups = std::min<std::size_t>(blocks * sizes::warps, sizes::sampled);
    const bool is_listed = groups >= sizes::sampled / 2 && part <= 0.125;
    choice = {is_listed ? static_cast<int>(groups) : 0, 1, 1, 0};
    const double listed = is_listed ? choice.listed : sizes::sampled;
    for (;;) {
      const double of_group = choice.lanes * choice.rounds;
      // The expected number of groups whose first key is among the first k, and a few more, so that
      // the bound fails about once in a thousand times.
      const double expected = -listed * std::expm1(of_group * std::log1p(-part));
      const double rank = expected + 3 * std::sqrt(expected) + 1;
      choice.rank = static_cast<int>(std::min(rank, listed - 1));
      const double reached =
          std::min((choice.rank * 17 / 16 + 3 + 3 * std::sqrt(rank)) / listed, 0.999999);
      most = -static_cast<double>(count) * std::expm1(std::log1p(-reached) / of_group) + 64;
      if (!is_listed || 4 * of_group * part > 1) return;
      if (choice.lanes < warp_threads) {
        choice.lanes *= 2;
      } else if (most > capacity && choice.rounds < 32) {
        choice.rounds *= 2;
      } else {
        return;
      }
    }
  }
};

template <class Item>
struct in_order_of_bits {
  EF_HD constexpr bool operator()(const Item& a, const Item& b) const { return a < b; }
};

/// j -> emit(j, index, key) for the j-th of the sorted candidates
template <class Item, class Keys, class Size, class Emit>
struct emit_candidate {
  const Item* candidates;
  Keys keys;
  Emit emit;

  EF_HD constexpr void operator()(Size j) const {
    const auto at = static_cast<Size>(candidates[j].index);
    emit(j, at, static_cast<element_t<Keys>>(keys[at]));
  }
};

}  // namespace device

namespace backend {

/// The largest k for which candidates are ranked.
inline constexpr int most_ranked_results = device::first_keys_sizes::most_ranked / 4;

/// Calls emit(rank, index, key) for the first k of the sorted keys; k is at most that of lanes of a
/// warp.
template <class Less, class Keys, std::integral Size, class Emit>
void first_few_keys(cuda_context& ctx, Keys keys, Size count, Size k, Emit emit) {
  using sizes = device::first_few_sizes;
  using item = typename device::first_few_block<Less, Keys, Size>::item;
  constexpr std::size_t shared_bytes = sizeof(device::first_few_shared<Less, Keys, Size>);
  const auto kernel = device::first_few_keys_kernel<Less, Keys, Size, item, Emit>;
  const auto total = static_cast<std::uint64_t>(count);
  const auto units = static_cast<unsigned>(detail::ceil_div(total, std::uint64_t{sizes::unit}));
  const device::unit_turns turns{
      units, static_cast<unsigned>(std::min<std::size_t>(
                 units, ctx.resident_blocks(kernel, sizes::threads, shared_bytes)))};
  // The list has an item for each lane, and then the keys of the tiles of k of them.
  const std::uint64_t lanes = std::uint64_t{turns.blocks()} * sizes::threads;
  const std::uint64_t reread =
      std::uint64_t{device::warp_threads} * sizes::tile * turns.rounds_of_lane();
  array<item> list(ctx, std::max(lanes, reread));
  ctx.launch(
      "top_k", kernel, turns.blocks(), sizes::threads, shared_bytes, keys, count,
      device::first_few_task<item>{static_cast<int>(k), turns, list.data(),
                                   reinterpret_cast<device::first_few_state*>(ctx.wide_counters())},
      emit);
}

/// Calls emit(rank, index, key) for the first k of the sorted keys, which are all of them at most.
/// Waits if k is larger.
template <class Keys, std::integral Size, class Less, class Emit>
void first_keys(cuda_context& ctx, Keys keys, Size count, Size k, Less, Emit emit) {
  using sizes = device::first_keys_sizes;
  using order = detail::natural_order_t<Less, element_t<Keys>>;
  using block = device::first_keys_block<order, Keys, Size>;
  using item = typename block::item;
  constexpr std::size_t shared_bytes = sizeof(device::first_keys_shared<item>);
  const auto total = static_cast<std::uint64_t>(count);
  if constexpr (sizeof(element_t<Keys>) <= sizeof(std::uint32_t)) {
    using few = device::first_few_sizes;
    if (k <= few::most_results && total >= few::least_keys && total <= few::most_keys) {
      first_few_keys<order>(ctx, keys, count, k, emit);
      return;
    }
  }
  const auto launch = [&](auto kernel, const auto& result, array<item>& candidates) {
    const std::uint64_t tiles = detail::ceil_div(total, sizes::threads * block::items);
    const std::size_t resident = ctx.resident_blocks(kernel, sizes::threads, shared_bytes);
    std::size_t grid = std::min<std::uint64_t>(tiles, resident);
    const device::bound_plan plan(
        total, static_cast<std::uint64_t>(k), grid,
        static_cast<double>(candidates.empty() ? total : candidates.size()));
    if (candidates.empty()) {
      candidates = array<item>(ctx, std::min(static_cast<std::uint64_t>(plan.most), total));
    } else {
      // Where few blocks read few keys, more of them rank the candidates.
      const std::uint64_t ranked =
          total <= candidates.size() ? total : static_cast<std::uint64_t>(plan.most);
      if (ranked > 4 * tiles * sizes::warps) {
        grid = std::min<std::uint64_t>(detail::ceil_div(ranked, std::uint64_t{sizes::warps}),
                                       resident);
      }
    }
    array<item> list(ctx, plan.choice.listed);
    ctx.launch_together(
        "top_k", kernel, grid, sizes::threads, shared_bytes, keys, count,
        device::first_keys_task<item>{static_cast<std::uint64_t>(k), plan.choice, list.data(),
                                      candidates.data(), candidates.size(), ctx.wide_counters(),
                                      ctx.scratch<unsigned long long>()},
        result, device::grid_barrier(ctx.counters(), ctx.counters() + 1));
  };
  if (k <= most_ranked_results) {
    array<item> few(ctx, sizes::most_ranked);
    launch(device::first_keys_kernel<order, true, Keys, Size, item, Emit>, emit, few);
    return;
  }
  array<item> candidates;
  const auto sent = ctx.to_mailbox<std::uint64_t>();
  launch(device::first_keys_kernel<order, false, Keys, Size, item, decltype(sent)>, sent,
         candidates);
  const auto found = static_cast<Size>(ctx.from_mailbox(sent));
  const auto none = static_cast<detail::no_value*>(nullptr);
  if constexpr (sizeof(item) == sizeof(std::uint64_t)) {
    sort<default_tuning>(ctx, reinterpret_cast<std::uint64_t*>(candidates.data()), none, found,
                         less{});
  } else {
    sort<default_tuning>(ctx, candidates.data(), none, found, device::in_order_of_bits<item>{});
  }
  transform<default_tuning>(
      ctx, k, device::emit_candidate<item, Keys, Size, Emit>{candidates.data(), keys, emit});
}

}  // namespace backend

}  // namespace evenfold
