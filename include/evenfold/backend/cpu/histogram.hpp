#pragma once
// histogram on CPU threads: items are cut into chunks, each chunk has tables of its own, and the
// tables are summed. Counts have as many chunks as the threads need. The chunks of weights are
// those of balance/weight_chunks.hpp, so that the bits of floating-point sums do not depend on the
// number of threads.
//
// Where neighbouring items share a bin, an addition waits for the one before. If bins are few and
// repeat, consecutive items are therefore counted in several tables in turn. Otherwise one table
// takes less time. The order of weights allows only one table per chunk; if their bins repeat, a
// thread works on several chunks in turn.

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

/// The number of tables, or chunks, that a thread uses in turn.
inline constexpr std::size_t in_turn(std::uint32_t bins) { return bins <= 1 << 10 ? 4 : 1; }

/// The bytes between the tables of two threads, so that these write to different cache lines, also
/// where a processor fetches two at once.
inline constexpr std::size_t table_gap = 128;

/// The number of items that are binned before they are counted, so that both loops are short. So
/// few that a processor reads the next ones while counters of these are on their way from a cache.
inline constexpr std::size_t bins_ahead = 64;

/// Writes the bins of the items [first, first + count). Calls of f do not depend on each other; at
/// -O2, g++ would look for that, and for a count that it knows, before it uses vectors.
template <class Size, class F>
void find_bins(Size first, Size count, std::uint32_t bins, const F& f, std::uint32_t* bin) {
#if !defined(__clang__)
#pragma omp simd
#endif
  for (Size k = 0; k < count; ++k) {
    bin[k] = detail::bin_or_none(f(static_cast<Size>(first + k)), bins);
  }
}

/// Adds the weights of [begin, end) to `Tables` tables in turn, which are `stride` sums apart. A
/// table has an element after the last bin for items without a bin, which saves a branch.
template <std::size_t Tables, class T, class Size, class F, class Weight>
void count_items(std::size_t begin, std::size_t end, std::uint32_t bins, const F& f,
                 const Weight& weight, T* tables, std::size_t stride) {
  std::uint32_t bin[bins_ahead];
  for (std::size_t item = begin; item < end; item += bins_ahead) {
    // Indices of the type that f takes, so that the loops can be vectorized.
    const auto first = static_cast<Size>(item);
    const auto here = static_cast<Size>(std::min(bins_ahead, end - item));
    find_bins(first, here, bins, f, bin);
    const auto add = [&](std::size_t table, Size k) {
      T& sum = tables[table * stride + bin[k]];
      sum = sum + static_cast<T>(weight(static_cast<Size>(first + k)));
    };
    Size k = 0;
    for (; k + 4 <= here; k += 4) {
#pragma GCC unroll 4
      for (Size j = 0; j < 4; ++j) add(static_cast<std::size_t>(j) % Tables, k + j);
    }
    for (; k < here; ++k) add(0, k);
  }
}

/// Adds the weights of `Chunks` chunks of `length` items, from item `begin` on, to one table each.
/// Items end at `end`.
template <std::size_t Chunks, class T, class Size, class F, class Weight>
void count_chunks(std::size_t begin, std::size_t end, std::size_t length, std::uint32_t bins,
                  const F& f, const Weight& weight, T* tables, std::size_t stride) {
  std::uint32_t bin[Chunks][bins_ahead];
  Size first[Chunks];
  Size here[Chunks];
  for (std::size_t offset = 0; offset < length; offset += bins_ahead) {
    for (std::size_t c = 0; c < Chunks; ++c) {
      const std::size_t item = std::min(end, begin + c * length + offset);
      first[c] = static_cast<Size>(item);
      here[c] = static_cast<Size>(std::min({bins_ahead, length - offset, end - item}));
      find_bins(first[c], here[c], bins, f, bin[c]);
    }
    const auto add = [&](std::size_t c, Size k) {
      T& sum = tables[c * stride + bin[c][k]];
      sum = sum + static_cast<T>(weight(static_cast<Size>(first[c] + k)));
    };
    // Chunks at the end may be shorter.
    const Size together = here[Chunks - 1];
    for (Size k = 0; k < together; ++k) {
#pragma GCC unroll 4
      for (std::size_t c = 0; c < Chunks; ++c) add(c, k);
    }
    for (std::size_t c = 0; c < Chunks; ++c) {
      for (Size k = together; k < here[c]; ++k) add(c, k);
    }
  }
}

/// Whether the bins of neighbours are often the same, judged by the first items from `begin` on.
template <class Size, class F>
bool bins_repeat(std::size_t begin, std::size_t end, std::uint32_t bins, const F& f) {
  constexpr std::size_t sample = 256;
  std::uint32_t bin[sample] = {};
  const std::size_t count = std::min(sample, end - begin);
  find_bins(static_cast<Size>(begin), static_cast<Size>(count), bins, f, bin);
  std::size_t repeats = 0;
  for (std::size_t k = 2; k < count; ++k) {
    repeats += bin[k] == bin[k - 1] || bin[k] == bin[k - 2] ? 1 : 0;
  }
  return repeats > count / 8;
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
      table[b] = detail::fold_whole_run(column, plus{});
    }
  }
  for (std::size_t block = 2 * run; block <= count; block *= 2) {
    for (std::size_t first = 0; first + block <= count; first += block) {
      T* const left = tables + first * stride;
      const T* const right = left + block / 2 * stride;
      for (std::size_t b = from; b < to; ++b) left[b] = plus{}(left[b], right[b]);
    }
  }
  for (std::size_t b = from; b < to; ++b) {
    T blocks[partial_fold<T>::capacity];
    std::size_t first = 0;
    for (int k = 0; first < count; ++k) {
      blocks[k] = tables[first * stride + b];
      first += detail::fold_block_length(detail::first_fold_level(first, count));
    }
    out[b] = partial_fold<T>(0, count, blocks).fold(plus{}, T{});
  }
}

}  // namespace cpu

namespace backend {

inline detail::weight_layout layout_of_weights(const cpu_context&, std::uint64_t chunks,
                                               std::uint32_t bins) {
  return {std::uint64_t{bins} + 1, 1, chunks * (std::uint64_t{bins} + 1)};
}

/// The sums of each chunk of `length` items.
template <class Tuning, std::integral Size, class F, class Weight, class T>
void weigh_chunks(cpu_context& ctx, Size count, std::uint32_t bins, std::size_t length, F f,
                  Weight weight, T* tables) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t chunks = detail::ceil_div(items, length);
  const std::size_t group = cpu::in_turn(bins);
  const std::size_t stride = std::size_t{bins} + 1;
  ctx.parallel(detail::ceil_div(chunks, group), [&](std::size_t from, std::size_t to) {
    for (std::size_t c = from * group; c < std::min(to * group, chunks); c += group) {
      const std::size_t last = std::min(c + group, chunks);
      std::fill(tables + c * stride, tables + last * stride, T{});
      if (group == 4 && cpu::bins_repeat<Size>(c * length, items, bins, f)) {
        cpu::count_chunks<4, T, Size>(c * length, items, length, bins, f, weight,
                                      tables + c * stride, stride);
        continue;
      }
      for (std::size_t own = c; own < last; ++own) {
        cpu::count_items<1, T, Size>(own * length, std::min(items, (own + 1) * length), bins, f,
                                     weight, tables + own * stride, stride);
      }
    }
  });
}

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t length = detail::weight_chunk_length(items, bins);
  const std::size_t chunks = detail::ceil_div(items, length);
  const detail::weight_layout layout = layout_of_weights(ctx, chunks, bins);
  array<T> tables(ctx, layout.size);
  weigh_chunks<Tuning>(ctx, count, bins, length, f, weight, tables.data());
  ctx.parallel(bins, [&](std::size_t from, std::size_t to) {
    cpu::fold_tables(tables.data(), layout.of_chunk, chunks, from, to, out);
  });
}

/// Counts of a chunk fit 32 bits, which take half as much of the caches.
template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(cpu_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 15>>::tile;
  const auto items = static_cast<std::size_t>(count);
  const std::size_t most = std::max<std::size_t>(1, items / std::max<std::size_t>(tile, bins));
  const std::size_t chunks = std::max(std::min(static_cast<std::size_t>(ctx.threads()), most),
                                      detail::ceil_div(items, std::size_t{1} << 31));
  const std::size_t per_chunk = cpu::in_turn(bins);
  const std::size_t stride = std::size_t{bins} + 1;
  const std::size_t of_chunk = per_chunk * stride + cpu::table_gap / sizeof(std::uint32_t);
  array<std::uint32_t> tables(ctx, chunks * of_chunk);
  ctx.parallel(chunks, [&](std::size_t from, std::size_t to) {
    for (std::size_t c = from; c < to; ++c) {
      std::uint32_t* const own = tables.data() + c * of_chunk;
      std::fill_n(own, per_chunk * stride, 0u);
      const std::size_t begin = detail::share_begin(items, chunks, c);
      const std::size_t end = detail::share_begin(items, chunks, c + 1);
      const auto add = [&]<std::size_t Tables>() {
        const auto one = [](Size) { return 1u; };
        cpu::count_items<Tables, std::uint32_t, Size>(begin, end, bins, f, one, own, stride);
      };
      per_chunk == 4 && cpu::bins_repeat<Size>(begin, end, bins, f) ? add.template operator()<4>()
                                                                    : add.template operator()<1>();
    }
  });
  ctx.parallel(bins, [&](std::size_t from, std::size_t to) {
    // The tables are memory of their own, so that their counts can be added in vectors.
    const auto add_table = [&](const std::uint32_t* counts, auto sum) {
#if !defined(__clang__)
#pragma omp simd
#endif
      for (std::size_t b = from; b < to; ++b) out[b] = static_cast<Count>(sum(out[b], counts[b]));
    };
    for (std::size_t t = 0; t < chunks * per_chunk; ++t) {
      const std::uint32_t* const counts =
          tables.data() + t / per_chunk * of_chunk + t % per_chunk * stride;
      if (t == 0) {
        add_table(counts, [](const Count&, std::uint32_t first) { return first; });
      } else {
        add_table(counts, plus{});
      }
    }
  });
}

}  // namespace backend
}  // namespace evenfold
