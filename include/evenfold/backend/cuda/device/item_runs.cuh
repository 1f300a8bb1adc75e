#pragma once
// Runs of narrow items that lanes read for fold_tiles.cuh, as they are in memory: a conversion
// would wait for them, and they take fewer registers so.
//
// Where sequences are not aligned, lanes read from the last aligned address up to their runs on.
// What is missing at the end of a run is then what the next lane has read first.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// The runs of `Items` items of a lane in `Tiles` neighbouring tiles of its warp. They are kept in
/// words that the compiler cannot see into: else it would give each byte a register.
template <class T, class F, int Items, int Tiles>
struct item_runs {
  static constexpr int width = tile_pack<F, Items>;
  static constexpr int packs_of_run = Items / width;
  static constexpr int tile = warp_threads * Items;
  /// The bytes of a pack of each sequence, if they are equal.
  static constexpr std::size_t pack_bytes = reader<F>::item_size * width / reader<F>::sequences;
  /// Whether sequences that are not aligned can be read so.
  static constexpr bool may_shift = reader<F>::have_one_size && pack_bytes % 8 == 0;
  using pack_type = decltype(reader<F>::template fetch<width>(std::declval<const F&>(), 0));
  struct words {
    std::uint32_t word[(sizeof(pack_type) + 3) / 4];
    __device__ void hide() {
#pragma unroll
      for (std::uint32_t& each : word) asm("" : "+r"(each));
    }
  };
  words packs[Tiles][packs_of_run];
  words after;           ///< lane 0: what follows the last tile, if packs are shifted
  bool present = false;  ///< whether they have been read

  /// The function of sequences that begin at the last aligned address up to theirs.
  __device__ static F aligned_down(const F& f) {
    if constexpr (may_shift) {
      return reader<F>::aligned_down(f, pack_bytes);
    } else {
      return f;
    }
  }
  __device__ static words read_pack(const F& f, std::uint64_t at) {
    const pack_type read = reader<F>::template fetch<width>(f, at);
    words kept;
    memcpy(static_cast<void*>(&kept), static_cast<const void*>(&read), sizeof(read));
    kept.hide();
    return kept;
  }
  /// Reads tiles from `base` on, of sequences that are aligned.
  __device__ void read(std::uint64_t base, const F& f, bool shifted) {
#pragma unroll
    for (int t = 0; t < Tiles; ++t) {
#pragma unroll
      for (int p = 0; p < packs_of_run; ++p) {
        const int at = t * tile + lane_id() * Items + p * width;
        packs[t][p] = read_pack(f, base + static_cast<unsigned>(at));
      }
    }
    if (shifted && lane_id() == 0) after = read_pack(f, base + Tiles * tile);
  }
  /// The first pack of the run after that of this lane.
  __device__ words next_pack(int t) const {
    words next = packs[t][0];
    if (lane_id() == 0) next = t + 1 < Tiles ? packs[t + 1][0] : after;
#pragma unroll
    for (std::uint32_t& each : next.word) {
      each = shuffle_from(each, (lane_id() + 1) % warp_threads);
    }
    return next;
  }
  /// The pack that begins some bytes after the beginning of `first`.
  __device__ static words shifted_pack(const F& f, const words& first, const words& next) {
    constexpr int count = static_cast<int>(pack_bytes / 4);
    unsigned shift[reader<F>::sequences];
    reader<F>::shifts(f, pack_bytes, shift);
    words result;
#pragma unroll
    for (int s = 0; s < reader<F>::sequences; ++s) {
      std::uint32_t both[2 * count];
#pragma unroll
      for (int k = 0; k < count; ++k) {
        both[k] = first.word[s * count + k];
        both[count + k] = next.word[s * count + k];
      }
      shift_words<count>(both, shift[s]);
#pragma unroll
      for (int k = 0; k < count; ++k) result.word[s * count + k] = both[k];
    }
    return result;
  }
  /// The values of the run of a tile.
  __device__ void convert(const F& f, int t, bool shifted,
                          uninitialized<T> (&values)[Items]) const {
    words run[packs_of_run];
#pragma unroll
    for (int p = 0; p < packs_of_run; ++p) run[p] = packs[t][p];
    if constexpr (may_shift) {
      if (shifted) {
#pragma unroll
        for (int p = 0; p < packs_of_run; ++p) {
          run[p] = shifted_pack(f, run[p], p + 1 < packs_of_run ? run[p + 1] : next_pack(t));
        }
      }
    }
#pragma unroll
    for (int p = 0; p < packs_of_run; ++p) {
      pack_type read;
      run[p].hide();
      memcpy(static_cast<void*>(&read), static_cast<const void*>(&run[p]), sizeof(read));
#pragma unroll
      for (int k = 0; k < width; ++k) {
        values[p * width + k] = uninitialized<T>(static_cast<T>(reader<F>::value(f, read, k)));
      }
    }
  }
};

}  // namespace evenfold::device
