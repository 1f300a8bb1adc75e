#pragma once
// histogram on CPU threads: every chunk of items has a table of its own, and the tables are summed
// in order. Counts are cut into a chunk a thread. Weights are cut by count and bins alone, so that
// the bits of floating-point sums do not depend on the number of threads.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace cpu {

/// Neighbouring items often share a bin, and an addition would wait for the one before: up to this
/// many bins, consecutive items add to four tables in turn.
inline constexpr std::size_t four_tables_bins = 1 << 10;

/// As much of a chunk as is binned before it is counted, so that both loops are short.
inline constexpr std::size_t bins_ahead = 256;

/// Adds the weights of [begin, end) to the tables, those of lane j to the one at j * stride. A
/// table has a place after the last bin for items without one, which saves a branch.
template <class T, class Size, class F, class Weight>
void count_chunk(Size begin, Size end, std::uint32_t bins, const F& f, const Weight& weight,
                 T* table, std::size_t stride) {
  std::uint32_t bin[bins_ahead];
  for (Size first = begin; first < end;) {
    const std::size_t here = std::min(bins_ahead, static_cast<std::size_t>(end - first));
    for (std::size_t j = 0; j < here; ++j) {
      bin[j] = detail::bin_or_none(f(static_cast<Size>(first + static_cast<Size>(j))), bins);
    }
    const auto add = [&](std::size_t j, std::size_t lane) {
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

/// The histogram by `chunks` chunks, at least one; their tables hold Partial.
template <class Partial, class Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, const F& f, const Weight& weight,
               std::size_t chunks, T* out) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t lanes = bins <= four_tables_bins ? 4 : 1;
  const std::size_t length = std::size_t{bins} + 1;
  const std::size_t stride = lanes == 1 ? 0 : length;
  array<Partial> tables(ctx, chunks * lanes * length);
  ctx.parallel(chunks, [&](std::size_t from, std::size_t to) {
    for (std::size_t c = from; c < to; ++c) {
      Partial* const table = tables.data() + c * lanes * length;
      std::fill_n(table, lanes * length, Partial{});
      count_chunk(static_cast<Size>(detail::share_begin(items, chunks, c)),
                  static_cast<Size>(detail::share_begin(items, chunks, c + 1)), bins, f, weight,
                  table, stride);
    }
  });
  ctx.parallel(bins, [&](std::size_t from, std::size_t to) {
    std::fill(out + from, out + to, T{});
    for (std::size_t t = 0; t < chunks * lanes; ++t) {
      const Partial* const table = tables.data() + t * length;
      for (std::size_t b = from; b < to; ++b) out[b] = out[b] + static_cast<T>(table[b]);
    }
  });
}

}  // namespace cpu

namespace backend {

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  // Summing the tables is to cost little beside filling them.
  const std::size_t most = static_cast<std::size_t>(count) / std::max(tile, std::size_t{16} * bins);
  cpu::histogram<T>(ctx, count, bins, f, weight, std::clamp<std::size_t>(most, 1, 128), out);
}

/// Counts of a chunk fit 32 bits, which take half the room in the caches.
template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  const auto items = static_cast<std::size_t>(count);
  const std::size_t most = items / std::max<std::size_t>(tile, bins);
  const std::size_t chunks =
      std::max({std::min(static_cast<std::size_t>(ctx.threads()), most),
                detail::ceil_div(items, std::size_t{1} << 31), std::size_t{1}});
  const auto one = [](Size) { return std::uint32_t{1}; };
  cpu::histogram<std::uint32_t>(ctx, count, bins, f, one, chunks, out);
}

}  // namespace backend
}  // namespace evenfold
