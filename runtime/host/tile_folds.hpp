#pragma once
// Folds of the tiles in which the host computes expressions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "evenfold/backend/cpu/fold_segment.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/iterator.hpp"
#include "runtime/host/applied.hpp"
#include "runtime/host/evaluator.hpp"
#include "runtime/host/item_folds.hpp"

namespace evenfold::runtime {

/// Items and ends of segments that a thread takes at least.
inline constexpr std::size_t segment_steps = 1 << 14;

/// The level of a tile among the blocks of the canonical order.
inline constexpr int tile_level = 7;
static_assert(detail::fold_block_length(tile_level) == expression_tile);

/// Item `begin` + k is values[k].
template <class T, class From>
struct shifted {
  const From* values;
  std::int64_t begin;
  T operator()(std::int64_t i) const { return static_cast<T>(values[i - begin]); }
};

/// The fold of a tile of values by an operator of the user, in the canonical order: the runs from
/// left to right, item k of all runs in one evaluation, and then pairs of neighbours.
class tile_fold {
 public:
  explicit tile_fold(const evaluator& op) : op_(op) {}

  using pointers = std::array<const void*, most_components>;

  user_value operator()(const pointers& values) {
    constexpr std::int64_t runs = expression_tile / detail::fold_run;
    pointers from = values;
    for (int item = 1; item < detail::fold_run; ++item) {
      const int stride = item == 1 ? detail::fold_run : 1;
      from = combine(runs, from, stride, values, detail::fold_run, item);
    }
    for (std::int64_t count = runs / 2; count > 0; count /= 2) {
      from = combine(count, from, 2, from, 2, 1);
    }
    user_value fold{{}, true};
    for (std::size_t k = 0; k < op_.num_results(); ++k) {
      std::memcpy(&fold.words[k], from[k], size_of(op_.result_type(k)));
    }
    return fold;
  }

 private:
  using operand = double[expression_tile / detail::fold_run];

  /// Combines `count` values of `left`, every `left_stride`-th from the first on, with as many of
  /// `right` from `right_first` on.
  pointers combine(std::int64_t count, const pointers& left, int left_stride, const pointers& right,
                   int right_stride, int right_first) {
    register_file& file = registers_of(op_, register_use::operators);
    const std::size_t components = op_.num_results();
    std::array<const void*, 2 * most_components> operands;
    for (std::size_t k = 0; k < components; ++k) {
      const std::size_t width = size_of(op_.result_type(k));
      take(left[k], count, width, left_stride, 0, left_[k]);
      take(right[k], count, width, right_stride, right_first, right_[k]);
      operands[k] = left_[k];
      operands[components + k] = right_[k];
    }
    op_.evaluate(file, operands.data(), static_cast<int>(count));
    pointers results{};
    for (std::size_t k = 0; k < components; ++k) results[k] = op_.result(file, k);
    return results;
  }

  template <class Bits>
  static void take_bits(const void* from, std::int64_t count, int stride, int first, void* to) {
    for (std::int64_t i = 0; i < count; ++i) {
      static_cast<Bits*>(to)[i] = static_cast<const Bits*>(from)[stride * i + first];
    }
  }
  static void take(const void* from, std::int64_t count, std::size_t width, int stride, int first,
                   void* to) {
    if (width == 1) return take_bits<std::uint8_t>(from, count, stride, first, to);
    if (width == 2) return take_bits<std::uint16_t>(from, count, stride, first, to);
    if (width == 4) return take_bits<std::uint32_t>(from, count, stride, first, to);
    take_bits<std::uint64_t>(from, count, stride, first, to);
  }

  const evaluator& op_;
  operand left_[most_components], right_[most_components];
};

/// The folds of segments of the items of an expression, for the threads of the CPU: each thread has
/// a copy, and reads the tile that it computed last.
///
/// A tile takes about as long as a function in C++ takes to read its operands, so that its segments
/// are folded in the way that is fastest for their lengths: one by one where a processor foresees
/// their ends, else without branches that depend on them.
///
/// The items have the type From, and are folded as values of T.
template <class T, class Op, class From = T>
class fold_of_segments {
 public:
  fold_of_segments(tiled_items items, Op op) : items_(items), op_(op) {}

  /// Writes init (+) f(b) (+) ... (+) f(e - 1) for the segments [b, e) from `seg` to `last`, the
  /// first of which begins at `begin`. Returns the end of the last one.
  template <class Segments>
  std::int64_t operator()(const Segments& segments, std::int64_t seg, std::int64_t last,
                          std::int64_t begin, T* out, const T& init) {
    bool repeats = false;
    std::int64_t known = begin;
    while (seg < last) {
      if (items_.f().folds()) {
        const std::int64_t next = items_.f().fold(seg, last, begin, items_.count(), out, &init);
        if (next > seg) begin = segments.end(next - 1);
        seg = next;
        if (seg == last) break;
      }
      if (begin >= known) {
        repeats = lengths_repeat(segments, seg, last);
        known = begin + 16 * expression_tile;
      }
      if constexpr (cpu::folds_in_vectors<Op, T>) {
        if (!repeats && fold_in_groups(segments, seg, last, begin, out, init)) continue;
      }
      // All segments that end within a tile of items from the run of the first one on.
      const std::int64_t from = begin - begin % detail::fold_run;
      const std::int64_t next = first_after(segments, seg, last, from + expression_tile);
      if (next > seg) {
        fold_whole(segments, seg, next, from, begin, repeats, out, init);
        begin = segments.end(next - 1);
        seg = next;
        continue;
      }
      const std::int64_t end = segments.end(seg);
      out[seg++] = fold_long(begin, end, init);
      begin = end;
    }
    return begin;
  }

  /// Appends f(begin), ..., f(end - 1).
  template <class Part>
  void append(Part& part, std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const computed_tile& tile = items_.tile_of(begin);
      const std::int64_t stop = std::min(end, tile.begin + static_cast<std::int64_t>(tile.count));
      cpu::append_range(part, begin, stop, values_of(tile), op_);
      begin = stop;
    }
  }

 private:
  using values = element_of<T, const From*>;

  static values values_of(const computed_tile& tile) {
    return {static_cast<const From*>(tile.results[0]) - tile.begin};
  }

  /// Whether most of the next segments are as long as one of the four before them.
  template <class Segments>
  static bool lengths_repeat(const Segments& segments, std::int64_t seg, std::int64_t last) {
    constexpr std::int64_t past = 4, sample = 32;
    std::int64_t length[past] = {};
    int others = 0;
    const std::int64_t samples = std::min(sample, last - seg - past);
    for (std::int64_t k = 0; k < past + samples; ++k) {
      const std::int64_t now = segments.end(seg + k) - segments.begin(seg + k);
      const bool is_known = std::find(length, length + past, now) != length + past;
      if (k >= past && !is_known) ++others;
      length[k % past] = now;
    }
    return 4 * others <= samples;
  }

  /// The first segment from `seg` on that ends after an item, or `last`.
  template <class Segments>
  static std::int64_t first_after(const Segments& segments, std::int64_t seg, std::int64_t last,
                                  std::int64_t item) {
    // One load per cache line, in the order of memory.
    constexpr std::int64_t line = 8;
    while (seg + line <= last && segments.end(seg + line - 1) <= item) seg += line;
    while (seg < last && segments.end(seg) <= item) ++seg;
    return seg;
  }

  /// Writes segments as long as there are enough of them in a group of the canonical order. Moves
  /// `seg` and `begin`. Returns whether it has written any.
  template <class Segments>
  bool fold_in_groups(const Segments& segments, std::int64_t& seg, std::int64_t last,
                      std::int64_t& begin, T* out, const T& init) {
    using folds = cpu::fold_groups<T, Op>;
    constexpr std::int64_t length = folds::group, enough = length / (sizeof(T) == 4 ? 64 : 32);
    const typename folds::template ends_of<Segments, std::int64_t> end_of{segments};
    typename folds::template position<std::int64_t> at{seg, static_cast<std::uint64_t>(begin),
                                                       init};
    // There is a segment after the last one.
    const std::int64_t stop = last - 1;
    std::int64_t next = begin - begin % length;
    const auto is_dense = [&] {
      return at.segment + enough < stop && next + length <= items_.count() &&
             segments.begin(at.segment + enough) < next + length;
    };
    if (!folds::may_begin_with(init) || !is_dense()) return false;
    folds groups(op_, false);
    for (; is_dense(); next += length) {
      const computed_tile& tile = items_.computed(next, length);
      groups.fold_group(end_of, at, stop, next, items_.count(), values_of(tile), out, init);
    }
    const bool has_written = at.segment > seg;
    seg = at.segment;
    begin = static_cast<std::int64_t>(at.begin);
    return has_written;
  }

  /// Computes the items from `from` on, and whole runs of them, since folds read runs.
  template <class Segments>
  void fold_whole(const Segments& segments, std::int64_t seg, std::int64_t last, std::int64_t from,
                  std::int64_t begin, bool repeats, T* out, const T& init) {
    constexpr std::int64_t run = detail::fold_run;
    const std::int64_t end = segments.end(last - 1);
    const std::int64_t to =
        std::min({end - end % run + 2 * run, from + expression_tile, items_.count()});
    const values tile = values_of(items_.computed(from, to - from));
    const bool are_long = end - begin >= in_vectors * (last - seg);
    if (repeats || (folds_in_one_loop<Op, T> && are_long)) {
      return fold_in_turn(segments, seg, last, begin, tile, op_, out, init);
    }
    // As if all items were in these segments.
    const auto num = static_cast<std::size_t>((last - seg) * to / (end - begin + 1));
    cpu::segment_fold<T, std::int64_t, values, Op> fold(to, num, 1, tile, op_);
    fold(segments, seg, last, begin, out, init);
  }

  /// Arguments by value are copies that nobody else can see: they stay in registers, whatever is
  /// written.
  template <class Segments>
  [[gnu::noinline]] static void fold_in_turn(Segments segments, std::int64_t seg, std::int64_t last,
                                             std::int64_t begin, values tile, Op op, T* out,
                                             T init) {
    for (; seg < last; ++seg) {
      const std::int64_t end = segments.end(seg);
      if (end - begin >= detail::fold_run) {
        out[seg] = fold_longer(begin, end, tile, op, init);
      } else if constexpr (detail::is_exact_fold<Op, T>) {
        T fold = init;
        for (; begin < end; ++begin) fold = op(fold, tile(begin));
        out[seg] = fold;
      } else {
        out[seg] = cpu::fold_few(begin, end, tile, op, init);
      }
      begin = end;
    }
  }

  /// A function of its own, so that its code leaves the registers to that of short segments.
  [[gnu::noinline]] static T fold_longer(std::int64_t begin, std::int64_t end, const values& tile,
                                         const Op& op, T init) {
    if constexpr (folds_in_one_loop<Op, T>) {
      if (end - begin >= in_vectors) {
        return fold_integers(tile.input + begin, end - begin, op, init);
      }
    }
    return cpu::fold_range(begin, end, tile, op, init);
  }

  /// The fold of a segment that no tile has as a whole. Each item is computed once: the tiles of
  /// the segment neither begin before it nor end after it.
  [[gnu::noinline]] T fold_long(std::int64_t begin, std::int64_t end, T init) const {
    partial_fold<T> part(static_cast<std::uint64_t>(begin));
    while (begin < end) {
      const std::int64_t stop = std::min(end, begin - begin % expression_tile + expression_tile);
      const values tile = values_of(items_.computed(begin, stop - begin));
      if constexpr (detail::is_exact_fold<Op, T>) {
        init = fold_longer(begin, stop, tile, op_, init);
      } else {
        cpu::append_range(part, begin, stop, tile, op_);
      }
      begin = stop;
    }
    if constexpr (detail::is_exact_fold<Op, T>) return init;
    return part.fold(op_, init);
  }

  /// From so many items on, integers are folded in vectors.
  static constexpr std::int64_t in_vectors = 64;

  tiled_items items_;
  Op op_;
};

}  // namespace evenfold::runtime
