#pragma once
// partial_reduce on a GPU: one scan per block of the cut, of which only the total is written. The
// total of a scan without an initial value is the fold of its items.

#include <concepts>
#include <cstdint>
#include <vector>

#include "evenfold/backend/cuda/device/partial_reduce.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/scan.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <class Tuning, class T, std::integral Size, class F, class Op>
partial_fold<T> partial_reduce(cuda_context& ctx, Size count, F f, Op op, std::uint64_t begin) {
  const std::uint64_t end = begin + static_cast<std::uint64_t>(count);
  array<T> folds(ctx, partial_fold<T>::capacity);
  T* next = folds.data();
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t length = detail::fold_block_length(detail::first_fold_level(at, end));
    const device::items_from<Size, F> block{f, static_cast<Size>(at - begin)};
    transform_scan<scan_kind::inclusive, Tuning>(ctx, static_cast<Size>(length), block,
                                                 device::no_output<T>{}, op, no_init{}, next++);
    at += length;
  }
  const std::vector<T> host =
      to_host(ctx, folds.data(), static_cast<std::size_t>(next - folds.data()));
  return {begin, end, host.data()};
}

}  // namespace evenfold::backend
