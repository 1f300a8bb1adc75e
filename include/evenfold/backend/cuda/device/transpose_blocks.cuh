#pragma once
// The transposing copy inside the device of words of 4 bytes, where all rows of both matrices are
// aligned to 16 bytes.
//
// A thread reads square blocks of 4 x 4 words and transposes them in registers, so that shared
// memory, too, is written and read 16 bytes at a time. Chunk c of row i, four words, is stored at
// index c ^ (i / 4 % 8): both the chunks of one column of blocks and those of one row are then in
// different banks.

#include <cstdint>

#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// Launch tuning of the transposing copy of aligned rows: the rows and columns of a tile, powers of
/// two of at least 32, and threads per block.
template <int Rows = 64, int Columns = 64, int Threads = 256>
struct block_copy_tuning {
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int threads = Threads;
};

namespace device {

template <class Tuning>
struct block_tile {
  static constexpr int rows = Tuning::rows;
  static constexpr int columns = Tuning::columns;
  static constexpr int threads = Tuning::threads;
  static constexpr int left = 0;
  static constexpr int wide = 4;
  static constexpr int down = rows / wide;
  static constexpr int across = columns / wide;
  static constexpr int each = down * across / threads;
  static_assert(across >= 8 && each > 0 && down * across % threads == 0);

  uint4 kept[rows][across];

  __device__ static int slot(int i, int c) { return c ^ (i / wide & 7); }

  /// Loads the tile, of which the matrix has all elements if it is Whole.
  template <bool Whole>
  __device__ void gather(matrix_view<const std::uint32_t> from, std::int64_t row,
                         std::int64_t column) {
    std::uint32_t block[each][wide][wide];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int at = static_cast<int>(threadIdx.x) + k * threads;
      const std::int64_t i = row + at % down * wide;
      const std::int64_t j = column + at / down * wide;
#pragma unroll
      for (int e = 0; e < wide; ++e) {
        const std::uint32_t* const source = from.data() + i + (j + e) * from.column_stride();
        std::uint32_t(&words)[wide] = block[k][e];
        if (Whole) {
          const uint4 raw = *reinterpret_cast<const uint4*>(source);
          words[0] = raw.x;
          words[1] = raw.y;
          words[2] = raw.z;
          words[3] = raw.w;
        } else {
#pragma unroll
          for (int v = 0; v < wide; ++v) {
            words[v] = i + v < from.rows() && j + e < from.columns() ? source[v] : 0;
          }
        }
      }
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int at = static_cast<int>(threadIdx.x) + k * threads;
#pragma unroll
      for (int v = 0; v < wide; ++v) {
        const int i = at % down * wide + v;
        kept[i][slot(i, at / down)] =
            make_uint4(block[k][0][v], block[k][1][v], block[k][2][v], block[k][3][v]);
      }
    }
  }

  template <bool Whole>
  __device__ void scatter(matrix_view<std::uint32_t> to, std::int64_t row,
                          std::int64_t column) const {
#pragma unroll
    for (int k = 0; k < each * wide; ++k) {
      const int at = static_cast<int>(threadIdx.x) + k * threads;
      const int i = at / across;
      const std::int64_t j = column + at % across * wide;
      const uint4 raw = kept[i][slot(i, at % across)];
      std::uint32_t* const target = to.data() + (row + i) * to.row_stride() + j;
      if (Whole) {
        // The compiler divides a plain store in four.
        __stcs(reinterpret_cast<uint4*>(target), raw);
      } else if (row + i < to.rows()) {
        const std::uint32_t words[wide] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
        for (int v = 0; v < wide; ++v) {
          if (j + v < to.columns()) target[v] = words[v];
        }
      }
    }
  }
};

}  // namespace device

}  // namespace evenfold
