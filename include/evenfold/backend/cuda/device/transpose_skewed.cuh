#pragma once
// The transposing copy inside the device where rows of the target begin at any element.
//
// A row of a tile begins where a sector of memory, 32 bytes, does: its columns are up to a sector
// further left than those of the tile. So each row is written 16 bytes at a time and in whole
// sectors, whatever the stride; for this a block loads one more sector of columns than it writes.

#include <cstdint>
#include <cstring>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// Launch tuning of the transposing copy of unaligned rows: the rows and columns of a tile,
/// multiples of 32, and threads per block.
template <int Rows = 64, int Columns = 64, int Threads = 256>
struct skewed_copy_tuning {
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int threads = Threads;
};

namespace device {

template <class Tuning, class T>
struct skewed_tile {
  static constexpr int rows = Tuning::rows;
  static constexpr int columns = Tuning::columns;
  static constexpr int threads = Tuning::threads;
  static constexpr int warps = threads / warp_threads;
  static constexpr int wide = widest_pack<T>;
  static constexpr int sector = static_cast<int>(32 / sizeof(T));
  static constexpr int left = sector;
  static constexpr int loaded = columns + left;
  static constexpr int rounds = (loaded + warps - 1) / warps;
  static constexpr int lines = rows / warp_threads;
  static_assert(rows % (4 * warps) == 0, "a warp writes four rows at a time");

  /// Column by column, with an element of padding, which avoids bank conflicts.
  uninitialized<T> kept[loaded][rows + 1];

  /// Loads the columns from `column` on, some of which the matrix may not have unless it is Whole.
  template <bool Whole>
  __device__ void gather(matrix_view<const T> from, std::int64_t row, std::int64_t column) {
    const T* at = from.data() + row + lane_id() + (column + warp_id()) * from.column_stride();
    const std::int64_t step = warps * from.column_stride();
    uninitialized<T> value[rounds][lines];
    const auto has = [&](int k, int c) {
      if (warp_id() + k * warps >= loaded) return false;
      const std::int64_t j = column + warp_id() + k * warps;
      return Whole ||
             (row + lane_id() + c * warp_threads < from.rows() && j >= 0 && j < from.columns());
    };
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
      for (int c = 0; c < lines; ++c) {
        if (has(k, c)) value[k][c] = uninitialized<T>(at[c * warp_threads]);
      }
      at += step;
    }
#pragma unroll
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
      for (int c = 0; c < lines; ++c) {
        if (has(k, c)) kept[warp_id() + k * warps][lane_id() + c * warp_threads] = value[k][c];
      }
    }
  }

  /// Writes the columns from `column` on, or from up to a sector before it.
  template <bool Whole>
  __device__ void scatter(matrix_view<T> to, std::int64_t row, std::int64_t column) const {
    constexpr int lanes = 8;  // of a row
    const auto begins = [&](std::int64_t i) {
      const auto address = reinterpret_cast<std::uintptr_t>(to.data() + i * to.row_stride());
      return static_cast<int>((address / sizeof(T) + static_cast<std::uintptr_t>(column)) % sector);
    };
    const int mine = lane_id() % lanes * wide;
#pragma unroll
    for (int k = 0; k < rows / (4 * warps); ++k) {
      const int i = (k * warps + warp_id()) * 4 + lane_id() / lanes;
      if (!Whole && row + i >= to.rows()) break;
      const int before = begins(row + i);
      const std::int64_t first = column - before;
      T* const target = to.data() + (row + i) * to.row_stride() + first;
#pragma unroll
      for (int j = mine; j < columns; j += lanes * wide) {
        const int slot = j + sector - before;
        if (Whole) {
          pack<T, wide> piece;
#pragma unroll
          for (int v = 0; v < wide; ++v) piece.value[v] = kept[slot + v][i];
          uint4 raw;
          memcpy(&raw, static_cast<const void*>(&piece), sizeof(raw));
          *reinterpret_cast<uint4*>(target + j) = raw;
        } else {
          for (int v = 0; v < wide; ++v) {
            if (first + j + v >= 0 && first + j + v < to.columns()) {
              target[j + v] = kept[slot + v][i].value;
            }
          }
        }
      }
    }
  }
};

}  // namespace device

}  // namespace evenfold
