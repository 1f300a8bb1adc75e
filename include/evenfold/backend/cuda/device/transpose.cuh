#pragma once
// The transposing copy inside the device: each block moves a tile through shared memory, so that
// both reads and writes access whole cache lines.
//
// Chunks of 16 bytes, V elements, are moved at once. Chunk c of column j is stored at index c ^ (j
// / V ^ j % V): the chunks of eight neighbouring columns, and of columns V apart, are then in
// different banks, and the tile can be filled by columns and emptied by rows without bank
// conflicts.
//
// Elements of 4 bytes have kernels of their own: transpose_blocks.cuh and transpose_skewed.cuh.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// Launch tuning of the transposing copy: threads per block, and bytes per tile. The default is
/// half of both where accesses cannot be 16 bytes wide, since smaller blocks then wait less.
template <int Threads = 256, int TileBytes = 1 << 14>
struct copy_matrix_tuning {
  static constexpr int threads = Threads;
  static constexpr int tile_bytes = TileBytes;
};

namespace device {

/// A tile of 2^row_bits rows, stored column by column.
template <class Tuning, class T>
struct transpose_tile {
  static constexpr int wide = widest_pack<T>;
  static constexpr bool may_be_wide = widest_access % sizeof(T) == 0;
  static constexpr int area_bits =
      std::max(0, static_cast<int>(std::bit_width(Tuning::tile_bytes / sizeof(T))) - 1);
  static constexpr int area = 1 << area_bits;
  /// A warp writes runs of 8 accesses per row.
  static constexpr int wide_run_bits = static_cast<int>(std::bit_width(8u * wide)) - 1;
  static_assert(wide == 1 || area >= wide * wide, "a tile holds a chunk in both directions");

  /// The slot of element (i, j).
  __device__ static int slot(int i, int j, int row_bits) {
    const int chunks = (1 << row_bits) / wide;
    const int mask = chunks > 8 ? 7 : chunks > 0 ? chunks - 1 : 0;
    return (j << row_bits) + (i ^ ((j / wide ^ j % wide) & mask) * wide);
  }
};

/// Loads the tile at `from` into shared memory, with `Wide` 16 bytes at a time; loads are issued in
/// batches.
template <bool Wide, class Tuning, class T>
__device__ void gather_tile(const T* from, std::int64_t row_stride, std::int64_t column_stride,
                            detail::matrix_tiles::part part, int row_bits, uninitialized<T>* kept) {
  using tile = transpose_tile<Tuning, T>;
  constexpr int width = Wide ? tile::wide : 1;
  constexpr int stride = Tuning::threads * width;
  constexpr int rounds = tile::area / stride;
  constexpr int batch = rounds < 1 ? 1 : rounds < 8 ? rounds : 8;
  for (int base = static_cast<int>(threadIdx.x) * width; base < tile::area;
       base += batch * stride) {
    using piece_type = std::conditional_t<Wide, uint4, uninitialized<T>>;
    piece_type piece[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const int i = (base + k * stride) & ((1 << row_bits) - 1);
      const int j = (base + k * stride) >> row_bits;
      const T* const at = from + i * row_stride + j * column_stride;
      if (i + width <= part.rows && j < part.columns) {
        piece[k] = *reinterpret_cast<const piece_type*>(at);
      }
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const int i = (base + k * stride) & ((1 << row_bits) - 1);
      const int j = (base + k * stride) >> row_bits;
      if (j >= part.columns) break;
      if (i + width <= part.rows) {
        *reinterpret_cast<piece_type*>(kept + tile::slot(i, j, row_bits)) = piece[k];
      } else {
        for (int last = i; last < part.rows; ++last) {
          kept[tile::slot(last, j, row_bits)] =
              uninitialized<T>(from[last * row_stride + j * column_stride]);
        }
      }
    }
  }
}

/// Writes the tile from shared memory to `to`. A warp writes eight wide pieces of each of four
/// rows: whole cache lines of global memory, and all banks of shared memory.
template <bool Wide, class Tuning, class T>
__device__ void scatter_tile(T* to, std::int64_t row_stride, std::int64_t column_stride,
                             detail::matrix_tiles::part part, int row_bits,
                             const uninitialized<T>* kept) {
  using tile = transpose_tile<Tuning, T>;
  constexpr int width = Wide ? tile::wide : 1;
  constexpr int stride = Tuning::threads * width;
  const int column_bits = tile::area_bits - row_bits;
  const int run_bits = Wide ? min(column_bits, tile::wide_run_bits) : column_bits;
#pragma unroll 4
  for (int at = static_cast<int>(threadIdx.x) * width; at < tile::area; at += stride) {
    const int i = (at >> run_bits) & ((1 << row_bits) - 1);
    const int j = (at & ((1 << run_bits) - 1)) | (at >> (run_bits + row_bits) << run_bits);
    if (i >= part.rows || j >= part.columns) continue;
    T* const target = to + i * row_stride + j * column_stride;
    if (Wide && j + width <= part.columns) {
      pack<T, width> piece;
#pragma unroll
      for (int v = 0; v < width; ++v) piece.value[v] = kept[tile::slot(i, j + v, row_bits)];
      store_pack(target, piece);
    } else {
      for (int v = 0; v < width && j + v < part.columns; ++v) {
        target[v * column_stride] = kept[tile::slot(i, j + v, row_bits)].value;
      }
    }
  }
}

/// With `AllWide` both sides are accessed 16 bytes at a time; otherwise `wide_from` and `wide_to`
/// tell which of them.
template <class Tuning, bool AllWide, class T>
__global__ void __launch_bounds__(Tuning::threads)
    transpose_kernel(detail::matrix_tiles tiles, matrix_view<const T> from, matrix_view<T> to,
                     bool wide_from, bool wide_to) {
  constexpr bool may_be_wide = transpose_tile<Tuning, T>::may_be_wide;
  uninitialized<T>* const kept = &shared_as<uninitialized<T>>();
  const detail::matrix_tiles::part part = tiles[blockIdx.x];
  const T* const source = &from(part.row, part.column);
  T* const target = &to(part.row, part.column);
  const int row_bits = tiles.row_bits();
  if (AllWide || wide_from) {
    gather_tile<may_be_wide, Tuning>(source, from.row_stride(), from.column_stride(), part,
                                     row_bits, kept);
  } else {
    gather_tile<false, Tuning>(source, from.row_stride(), from.column_stride(), part, row_bits,
                               kept);
  }
  __syncthreads();
  if (AllWide || wide_to) {
    scatter_tile<may_be_wide, Tuning>(target, to.row_stride(), to.column_stride(), part, row_bits,
                                      kept);
  } else {
    scatter_tile<false, Tuning>(target, to.row_stride(), to.column_stride(), part, row_bits, kept);
  }
}

}  // namespace device

}  // namespace evenfold
