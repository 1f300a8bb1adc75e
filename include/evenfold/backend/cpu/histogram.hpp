#pragma once
// histogram on CPU threads: items are cut into chunks, each chunk has a table of its own, and the
// tables are summed. Counts have as many chunks as the threads need. The chunks of weights are
// those of balance/weight_chunks.hpp, so that the bits of floating-point sums do not depend on the
// number of threads.
//
// Consecutive items often share a bin, and an addition would wait for the one before. With few bins
// a thread therefore works on several chunks in turn.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/balance/weight_chunks.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace cpu {

/// How many chunks a thread works on in turn.
inline constexpr std::size_t chunks_in_turn(std::uint32_t bins) { return bins <= 1 << 10 ? 4 : 1; }

/// As many items of a chunk as are binned before they are counted, so that both loops are short.
inline constexpr std::size_t bins_ahead = 256;

/// Adds the weights of `Chunks` chunks of `length` items, from item `begin` on, to their tables,
/// which are `stride` sums apart. Items end at `end`. A table has an element after the last bin for
/// items without a bin, which saves a branch.
template <std::size_t Chunks, class T, class Size, class F, class Weight>
void count_chunks(std::size_t begin, std::size_t end, std::size_t length, std::uint32_t bins,
                  const F& f, const Weight& weight, T* tables, std::size_t stride) {
  std::uint32_t bin[Chunks][bins_ahead];
  // Indices of the type that f takes, so that the loops can be vectorized.
  Size first[Chunks];
  Size here[Chunks];
  for (std::size_t offset = 0; offset < length; offset += bins_ahead) {
    for (std::size_t c = 0; c < Chunks; ++c) {
      const std::size_t item = std::min(end, begin + c * length + offset);
      first[c] = static_cast<Size>(item);
      here[c] = static_cast<Size>(std::min({bins_ahead, length - offset, end - item}));
      for (Size k = 0; k < here[c]; ++k) {
        bin[c][k] = detail::bin_or_none(f(static_cast<Size>(first[c] + k)), bins);
      }
    }
    const auto add = [&](std::size_t c, Size k) {
      T& sum = tables[c * stride + bin[c][k]];
      sum = sum + static_cast<T>(weight(static_cast<Size>(first[c] + k)));
    };
    // Chunks at the end may be shorter. A step of the loop makes four additions.
    constexpr Size in_step = 4 / Chunks;
    const Size together = here[Chunks - 1] - here[Chunks - 1] % in_step;
    for (Size k = 0; k < together; k += in_step) {
      for (Size j = 0; j < in_step; ++j) {
        for (std::size_t c = 0; c < Chunks; ++c) add(c, k + j);
      }
    }
    for (std::size_t c = 0; c < Chunks; ++c) {
      for (Size k = together; k < here[c]; ++k) add(c, k);
    }
  }
}

/// The histogram by chunks of `length` items, whose tables hold Partial. sum(tables, stride,
/// chunks, from, to) then sums bins [from, to) of all tables.
template <class Partial, class Size, class F, class Weight, class Sum>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, const F& f, const Weight& weight,
               std::size_t length, Sum sum) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t chunks = detail::ceil_div(items, length);
  const std::size_t in_turn = chunks_in_turn(bins);
  const std::size_t stride = std::size_t{bins} + 1;
  array<Partial> tables(ctx, chunks * stride);
  ctx.parallel(detail::ceil_div(chunks, in_turn), [&](std::size_t from, std::size_t to) {
    for (std::size_t c = from * in_turn; c < std::min(to * in_turn, chunks); c += in_turn) {
      Partial* const own = tables.data() + c * stride;
      std::fill_n(own, std::min(in_turn, chunks - c) * stride, Partial{});
      const auto add = [&]<std::size_t Chunks>() {
        count_chunks<Chunks, Partial, Size>(c * length, items, length, bins, f, weight, own,
                                            stride);
      };
      in_turn == 1 ? add.template operator()<1>() : add.template operator()<4>();
    }
  });
  ctx.parallel(bins, [&](std::size_t from, std::size_t to) {
    sum(tables.data(), stride, chunks, from, to);
  });
}

/// Folds bins [from, to) of `count` tables in the canonical order. The fold of a block of tables
/// takes the place of its first table.
template <class T>
void fold_tables(T* tables, std::size_t stride, std::size_t count, std::size_t from, std::size_t to,
                 T* out) {
  constexpr std::size_t run = detail::fold_run;
  for (std::size_t first = 0; first + run <= count; first += run) {
    T* const table = tables + first * stride;
    for (std::size_t b = from; b < to; ++b) {
      T column[run];
      for (std::size_t k = 0; k < run; ++k) column[k] = table[k * stride + b];
      table[b] = detail::fold_by_halves(column, plus{});
    }
  }
  for (std::size_t block = 2 * run; block <= count; block *= 2) {
    for (std::size_t first = 0; first + block <= count; first += block) {
      T* const left = tables + first * stride;
      const T* const right = left + block / 2 * stride;
      for (std::size_t b = from; b < to; ++b) left[b] = plus{}(left[b], right[b]);
    }
  }
  std::fill(out + from, out + to, T{});
  for (std::size_t first = 0; first < count;) {
    const T* const table = tables + first * stride;
    for (std::size_t b = from; b < to; ++b) out[b] = plus{}(out[b], table[b]);
    first += detail::fold_block_length(detail::first_fold_level(first, count));
  }
}

}  // namespace cpu

namespace backend {

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  const auto length = detail::weight_chunk_length(static_cast<std::uint64_t>(count), bins);
  const auto sum = [=](T* tables, std::size_t stride, std::size_t chunks, std::size_t from,
                       std::size_t to) { cpu::fold_tables(tables, stride, chunks, from, to, out); };
  cpu::histogram<T>(ctx, count, bins, f, weight, length, sum);
}

/// Counts of a chunk fit 32 bits, which take half as much of the caches.
template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  const auto items = static_cast<std::size_t>(count);
  const std::size_t most = std::max<std::size_t>(1, items / std::max<std::size_t>(tile, bins));
  const std::size_t shares = std::max(std::min(static_cast<std::size_t>(ctx.threads()), most),
                                      detail::ceil_div(items, std::size_t{1} << 31));
  const std::size_t length = detail::ceil_div(items, shares * cpu::chunks_in_turn(bins));
  const auto sum = [=](const std::uint32_t* tables, std::size_t stride, std::size_t chunks,
                       std::size_t from, std::size_t to) {
    std::fill(out + from, out + to, Count{});
    for (std::size_t c = 0; c < chunks; ++c) {
      for (std::size_t b = from; b < to; ++b) {
        out[b] = static_cast<Count>(out[b] + static_cast<Count>(tables[c * stride + b]));
      }
    }
  };
  const auto one = [](Size) { return std::uint32_t{1}; };
  cpu::histogram<std::uint32_t>(ctx, count, bins, f, one, std::max<std::size_t>(1, length), sum);
}

}  // namespace backend
}  // namespace evenfold
