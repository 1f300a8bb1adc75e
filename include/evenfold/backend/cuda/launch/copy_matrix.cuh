#pragma once
// Launches the kernels of backend/cuda/device/copy_matrix.cuh.

#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/copy_matrix.cuh"
#include "evenfold/backend/cuda/device/for_all_indices.cuh"
#include "evenfold/backend/cuda/device/transpose.cuh"
#include "evenfold/backend/cuda/device/transpose_blocks.cuh"
#include "evenfold/backend/cuda/device/transpose_skewed.cuh"
#include "evenfold/backend/cuda/device/transpose_tiles.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/for_all_indices.cuh"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// Whether an address can be reached by copies of the driver only.
inline bool lies_on_host(const void* pointer) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeUnregistered || attributes.type == cudaMemoryTypeHost;
}

/// Copies by the driver between two views of adjacent elements in the same order. The direction is
/// stated, since the driver takes memory that was allocated while a graph is captured for host
/// memory.
template <class T>
void transfer(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to,
              cudaMemcpyKind direction) {
  if (from.rows() > 1 && !from.is_row_major()) {
    return transfer<T>(ctx, from.transposed(), to.transposed(), direction);
  }
  const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(T); };
  const device_scope scope(ctx.device());
  const auto copy_run = [&](const T* source, T* target, std::int64_t count) {
    check_cuda(cudaMemcpyAsync(target, source, bytes(count), direction, ctx.stream()),
               "cudaMemcpyAsync");
  };
  if (from.is_contiguous() && to.is_contiguous()) {
    copy_run(from.data(), to.data(), to.size());
  } else if (bytes(std::max(from.row_stride(), to.row_stride())) <= longest_pitch) {
    check_cuda(cudaMemcpy2DAsync(to.data(), bytes(to.row_stride()), from.data(),
                                 bytes(from.row_stride()), bytes(to.columns()),
                                 static_cast<std::size_t>(to.rows()), direction, ctx.stream()),
               "cudaMemcpy2DAsync");
  } else {
    for (std::int64_t i = 0; i < to.rows(); ++i) copy_run(&from(i, 0), &to(i, 0), to.columns());
  }
}

/// Copies rows to rows inside the device; short rows are copied element by element, which fills the
/// lanes better.
template <class T>
void copy_rows(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  if (to.columns() >= 4 * widest_pack<T> &&
      lies_wide(from.data(), from.column_stride(), from.row_stride()) &&
      lies_wide(to.data(), to.column_stride(), to.row_stride())) {
    backend::for_all_indices<default_tuning>(
        ctx, to.rows(), detail::ceil_div(to.columns(), widest_pack<T>), copy_chunk<T>{from, to});
  } else if (to.columns() >= least_columns_for_driver<T> && has_adjacent(from) &&
             has_adjacent(to)) {
    transfer(ctx, from, to, cudaMemcpyDeviceToDevice);
  } else {
    backend::for_all_indices<default_tuning>(ctx, to.rows(), to.columns(),
                                             copy_element<T>{from, to});
  }
}

template <class Tuning, bool AllWide, class T>
void launch_transpose(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to,
                      bool wide_from, bool wide_to) {
  using tile = transpose_tile<Tuning, T>;
  const detail::matrix_tiles tiles(to.rows(), to.columns(), (tile::area_bits + 1) / 2,
                                   tile::area_bits / 2);
  ctx.launch("copy", transpose_kernel<Tuning, AllWide, T>, static_cast<std::size_t>(tiles.count()),
             Tuning::threads, tile::area * sizeof(T), tiles, from, to, wide_from, wide_to);
}

/// Copies columns to rows inside the device by tiles of a fixed shape. Returns false, without any
/// work, for a matrix that is smaller than a tile.
template <class Tile, class T>
bool transpose_by_tiles(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  if (to.rows() < Tile::rows || to.columns() < Tile::columns) return false;
  const std::int64_t across = detail::ceil_div(to.columns() + Tile::left, Tile::columns);
  const std::int64_t tiles = across * detail::ceil_div(to.rows(), Tile::rows);
  ctx.launch("copy", transpose_tiles_kernel<Tile, T>, static_cast<std::size_t>(tiles),
             Tile::threads, sizeof(Tile), from, to, static_cast<unsigned>(across));
  return true;
}

/// A view of elements of 4 bytes as words.
template <class Word, class T>
matrix_view<Word> as_words(matrix_view<T> view) {
  return {reinterpret_cast<Word*>(view.data()), view.rows(), view.columns(), view.row_stride(),
          view.column_stride()};
}

/// Copies columns to rows inside the device. Accesses are 16 bytes wide only where the matrix has
/// at least as many rows, or columns, as such an access has elements.
template <class Tuning, class T>
void transpose(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  const bool wide_from = to.rows() >= widest_pack<T> &&
                         lies_wide(from.data(), from.row_stride(), from.column_stride());
  const bool wide_to =
      to.columns() >= widest_pack<T> && lies_wide(to.data(), to.column_stride(), to.row_stride());
  if constexpr (widest_access % sizeof(T) == 0) {
    if (wide_from && wide_to) {
      if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(T) == 4) {
        if (transpose_by_tiles<block_tile<block_copy_tuning<>>>(
                ctx, as_words<const std::uint32_t>(from), as_words<std::uint32_t>(to))) {
          return;
        }
      }
      return launch_transpose<detail::tuning_or<Tuning, copy_matrix_tuning<>>, true>(ctx, from, to,
                                                                                     true, true);
    }
  }
  if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(T) == 4) {
    if (from.row_stride() == 1 && to.column_stride() == 1 &&
        transpose_by_tiles<skewed_tile<skewed_copy_tuning<>, T>>(ctx, from, to)) {
      return;
    }
  }
  launch_transpose<detail::tuning_or<Tuning, copy_matrix_tuning<128, 1 << 13>>, false>(
      ctx, from, to, wide_from, wide_to);
}

template <class Tuning, class T>
void copy_inside(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  if (!in_same_order(from, to)) {
    transpose<Tuning>(ctx, from, to);
  } else if (from.is_contiguous() && to.is_contiguous()) {
    transfer(ctx, from, to, cudaMemcpyDeviceToDevice);
  } else {
    copy_rows(ctx, from, to);
  }
}

/// Copies from a host view of adjacent elements: first in their order, then into the order of `to`.
template <class Tuning, class T>
void copy_to_device(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  if (in_same_order(from, to) && has_adjacent(to)) {
    return transfer(ctx, from, to, cudaMemcpyHostToDevice);
  }
  array<T> scratch(ctx, from.size());
  const matrix_view<T> dense = dense_like(from, scratch.data());
  transfer(ctx, from, dense, cudaMemcpyHostToDevice);
  copy_inside<Tuning, T>(ctx, dense, to);
}

/// Copies to a host view of adjacent elements: first into its order, then over the bus.
template <class Tuning, class T>
void copy_to_host(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  if (in_same_order(from, to) && has_adjacent(from)) {
    return transfer(ctx, from, to, cudaMemcpyDeviceToHost);
  }
  array<T> scratch(ctx, to.size());
  const matrix_view<T> dense = dense_like(to, scratch.data());
  copy_inside<Tuning>(ctx, from, dense);
  transfer<T>(ctx, dense, to, cudaMemcpyDeviceToHost);
}

}  // namespace device

namespace backend {

/// The elements of a row of `to` are adjacent, or `to` is a single row.
template <class Tuning, class T>
void copy_matrix(cuda_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  const bool from_host = device::lies_on_host(from.data());
  const bool to_host = device::lies_on_host(to.data());
  if (!from_host && !to_host) {
    device::copy_inside<Tuning>(ctx, from, to);
  } else if (from_host && to_host) {
    ctx.synchronize();
    detail::copy_element_by_element(from, to);
  } else if (from_host && device::has_adjacent(from)) {
    device::copy_to_device<Tuning>(ctx, from, to);
  } else if (to_host && device::has_adjacent(to)) {
    device::copy_to_host<Tuning>(ctx, from, to);
  } else {
    // The host view is packed or unpacked on the host.
    host_context host;
    array<T> scratch(host, to.size());
    const matrix_view<T> dense = device::dense_like(from_host ? from : to, scratch.data());
    if (from_host) {
      detail::copy_element_by_element(from, dense);
      device::copy_to_device<Tuning, T>(ctx, dense, to);
    } else {
      device::copy_to_host<Tuning>(ctx, from, dense);
      ctx.synchronize();
      detail::copy_element_by_element<T>(dense, to);
    }
  }
}

}  // namespace backend

}  // namespace evenfold
