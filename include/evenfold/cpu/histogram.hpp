#pragma once
// histogram on CPU threads: every chunk of items has a table of its own, and the tables are summed
// in order. The chunks depend on count and bins alone, so do the bits of floating-point sums.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/bins.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/cpu/context.hpp"

namespace evenfold {

namespace cpu {

/// Neighbouring items often share a bin, and an addition would wait for the one before: up to this
/// many bins, consecutive items add to four tables in turn.
inline constexpr std::size_t four_tables_bins = 1 << 10;

/// As much of a chunk as is binned before it is counted, so that both loops are short.
inline constexpr std::size_t bins_ahead = 256;

/// Adds the weights of [begin, end) to the tables, those of lane j to the one at j * stride.
template <class T, class Size, class F, class Weight>
void count_chunk(Size begin, Size end, std::uint32_t bins, const F& f, const Weight& weight,
                 T* table, std::size_t stride) {
  std::uint32_t bin[bins_ahead];
  for (Size first = begin; first < end;) {
    const std::size_t here = std::min(bins_ahead, static_cast<std::size_t>(end - first));
    for (std::size_t j = 0; j < here; ++j) {
      bin[j] = bin_or_none(f(static_cast<Size>(first + static_cast<Size>(j))), bins);
    }
    const auto add = [&](std::size_t j, std::size_t lane) {
      if (bin[j] == bins) return;
      T& sum = table[lane * stride + bin[j]];
      sum = sum + static_cast<T>(weight(static_cast<Size>(first + static_cast<Size>(j))));
    };
    std::size_t j = 0;
    for (; j + 4 <= here; j += 4) {
      add(j, 0);
      add(j + 1, 1);
      add(j + 2, 2);
      add(j + 3, 3);
    }
    for (; j < here; ++j) add(j, 0);
    first = static_cast<Size>(first + static_cast<Size>(here));
  }
}

/// The tables hold Partial; their sums are of type T. There are at most 128 chunks, and no chunk is
/// shorter than four times its table.
template <class Partial, class Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, const F& f, const Weight& weight,
               std::size_t shortest, std::size_t longest, T* out) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t least = std::max<std::size_t>(shortest, std::size_t{4} * bins);
  const std::size_t chunks =
      std::max(std::clamp<std::size_t>(items / least, 1, 128), ceil_div(items, longest));
  const std::size_t lanes = bins <= four_tables_bins ? 4 : 1;
  const std::size_t stride = lanes == 1 ? 0 : bins;
  array<Partial> tables(ctx, chunks * lanes * bins);
  ctx.parallel(chunks, [&](std::size_t from, std::size_t to) {
    for (std::size_t c = from; c < to; ++c) {
      Partial* const table = tables.data() + c * lanes * bins;
      std::fill_n(table, lanes * bins, Partial{});
      count_chunk(static_cast<Size>(share_begin(items, chunks, c)),
                  static_cast<Size>(share_begin(items, chunks, c + 1)), bins, f, weight, table,
                  stride);
    }
  });
  ctx.parallel(bins, [&](std::size_t from, std::size_t to) {
    std::fill(out + from, out + to, T{});
    for (std::size_t t = 0; t < chunks * lanes; ++t) {
      const Partial* const table = tables.data() + t * bins;
      for (std::size_t b = from; b < to; ++b) out[b] = out[b] + static_cast<T>(table[b]);
    }
  });
}

}  // namespace cpu

namespace backend {

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  constexpr std::size_t tile = tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  cpu::histogram<T>(ctx, count, bins, f, weight, tile, SIZE_MAX, out);
}

/// Counts of a chunk fit 32 bits, which take half the room in the caches.
template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  constexpr std::size_t tile = tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  const auto one = [](Size) { return std::uint32_t{1}; };
  cpu::histogram<std::uint32_t>(ctx, count, bins, f, one, tile, std::size_t{1} << 31, out);
}

}  // namespace backend
}  // namespace evenfold
