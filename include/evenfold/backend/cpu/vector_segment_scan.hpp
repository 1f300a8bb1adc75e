#pragma once
// Segmented scans of floating-point sums and products in vector registers: the steps of range_scan
// (scan_range.hpp) that differ from those of plain scans.
//
// Idea: a processor that guesses wrongly where a segment begins loses the time of dozens of
// additions. The lanes of a vector are neighbouring runs, as in a plain scan, and one word per run
// has a bit for each item that begins a segment. Step k shifts bit k of each word into a mask,
// which chooses between item k and its fold with the items before it. No branch depends on where
// segments begin, but for runs in which none begins, which take half of the steps.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "evenfold/backend/cpu/flag_bits.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

namespace evenfold::cpu {

/// Whether the items of a segmented scan are folded in vector registers.
template <class F, class Output>
inline constexpr bool folds_segments_in_vectors = false;
template <scan_kind Kind, class T, class Input, class Begins, class Op, class Init>
inline constexpr bool folds_segments_in_vectors<
    detail::segment_item<Kind, T, Input, Begins, Op, Init>, detail::value_output<T, T*>> =
    folds_in_vectors<Op, T>;

/// How the runs of a segmented scan are scanned: as many in vectors as these have lanes, or in
/// turn.
enum class segments_in { vectors, turn };

/// One fold of segments per lane (core/segment_fold.hpp); a lane of `begins` has all bits or none.
template <class T>
struct segment_folds {
  vector_of<T> value;
  vector_of<std::int32_t> begins;
};

/// a in the lanes where `mask` has all bits, b where it has none. The halves are added, since g++
/// makes three dependent steps of `or`.
template <class T>
[[gnu::always_inline]] inline vector_of<T> chosen(vector_of<std::int32_t> mask, vector_of<T> a,
                                                  vector_of<T> b) {
  using words = vector_of<std::int32_t>;
  return detail::bit_cast<vector_of<T>>((detail::bit_cast<words>(a) & mask) +
                                        (detail::bit_cast<words>(b) & ~mask));
}

/// append_segment_fold of each lane.
template <class T, class Op>
[[gnu::always_inline]] inline segment_folds<T> append_lanes(const segment_folds<T>& a,
                                                            const segment_folds<T>& b,
                                                            const Op& op) {
  return {chosen<T>(b.begins, b.value, op(a.value, b.value)), a.begins | b.begins};
}

/// Whether a segment begins at an item that is not the first one.
template <class Begins, class Size>
[[gnu::always_inline]] inline bool begins_at(const Begins& begins, Size i) {
  return begins(i);
}
template <class Keys, class Equal, class Size>
[[gnu::always_inline]] inline bool begins_at(const detail::begins_run<Keys, Equal>& begins,
                                             Size i) {
  return begins.begins_later(i, detail::values_of(begins.keys)[i]);
}

/// Bit k tells whether a segment begins at item k of the run that begins at item `at`.
template <class Size, class Begins>
[[gnu::always_inline]] inline std::uint32_t begins_of_run(Size at, const Begins& begins) {
  constexpr int run = detail::fold_run;
  unsigned char begin[run];
  for (int k = 0; k < run; ++k)
    begin[k] = begins_at(begins, static_cast<Size>(at + Size(k))) ? 1 : 0;
  return static_cast<std::uint32_t>(flag_bits(begin) | flag_bits(begin + 8) << 8);
}

/// Whether a segmented scan of [begin, end) takes less time in vectors: always in four lanes, in
/// two only if branches at the beginnings of segments are often guessed wrongly. A sample of runs
/// tells how many there are.
template <class Size, scan_kind Kind, class T, class Input, class Begins, class Op, class Init>
bool profits_from_vectors(Size begin, Size end,
                          const detail::segment_item<Kind, T, Input, Begins, Op, Init>& f) {
  if constexpr (vector_lanes<T> > 2) return true;
  constexpr std::uint64_t run = detail::fold_run, most_samples = 64, most_mean = 10;
  const auto items = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  const std::uint64_t samples = std::min(most_samples, items / detail::fold_group);
  std::uint64_t begins = 0;
  for (std::uint64_t k = 0; k < samples; ++k) {
    const auto at = static_cast<Size>(static_cast<std::uint64_t>(begin) + items / samples * k + 1);
    begins += static_cast<std::uint64_t>(std::popcount(begins_of_run(at, f.begins)));
  }
  return begins * most_mean > samples * run;
}

/// The folds of the runs before each in their vector, whose `folds` are given. Returns the fold of
/// all, in all lanes.
template <class T, class Op>
[[gnu::always_inline]] inline segment_folds<T> fold_before_each(const segment_folds<T>& folds,
                                                                const Op& op,
                                                                segment_folds<T>& before) {
  using words = vector_of<std::int32_t>;
  const vector_of<T> none = in_all_lanes(detail::unchanging<Op, T>);
  if constexpr (vector_lanes<T> == 2) {
    before = {__builtin_shufflevector(none, folds.value, 0, 2),
              __builtin_shufflevector(words{}, folds.begins, 0, 1, 4, 5)};
    const segment_folds<T> first = {
        __builtin_shufflevector(folds.value, folds.value, 0, 0),
        __builtin_shufflevector(folds.begins, folds.begins, 0, 1, 0, 1)};
    const segment_folds<T> second = {
        __builtin_shufflevector(folds.value, folds.value, 1, 1),
        __builtin_shufflevector(folds.begins, folds.begins, 2, 3, 2, 3)};
    return append_lanes(first, second, op);
  } else {
    // Lane 1 has the fold of the first two, lane 3 of the last two.
    const segment_folds<T> even = {__builtin_shufflevector(folds.value, folds.value, 0, 0, 2, 2),
                                   __builtin_shufflevector(folds.begins, folds.begins, 0, 0, 2, 2)};
    const segment_folds<T> pairs = append_lanes(even, folds, op);
    const segment_folds<T> left = {__builtin_shufflevector(none, pairs.value, 0, 1, 5, 5),
                                   __builtin_shufflevector(words{}, pairs.begins, 0, 1, 5, 5)};
    const segment_folds<T> own = {__builtin_shufflevector(none, folds.value, 0, 4, 1, 6),
                                  __builtin_shufflevector(words{}, folds.begins, 0, 4, 1, 6)};
    before = append_lanes(left, own, op);
    const segment_folds<T> right = {
        __builtin_shufflevector(pairs.value, pairs.value, 3, 3, 3, 3),
        __builtin_shufflevector(pairs.begins, pairs.begins, 3, 3, 3, 3)};
    const segment_folds<T> first = {
        __builtin_shufflevector(pairs.value, pairs.value, 1, 1, 1, 1),
        __builtin_shufflevector(pairs.begins, pairs.begins, 1, 1, 1, 1)};
    return append_lanes(first, right, op);
  }
}

/// The runs of a group of the canonical order, in vectors that have a run in each lane. The chains
/// of operations of all vectors are independent until the runs are joined, so that the processor
/// works on several of them at a time.
template <class T, class Op>
class segmented_group {
 public:
  /// Reads the group that begins with item `begin`, which is not item 0, and folds its runs. Then
  /// pairs of neighbouring blocks of vectors become one, until all are. Returns the fold of all.
  template <scan_kind Kind, class Size, class Input, class Begins, class Init>
  [[gnu::always_inline]] detail::segment_fold<T> read(
      Size begin, const detail::segment_item<Kind, T, Input, Begins, Op, Init>& f) {
    for (int v = 0; v < vectors; ++v) read_vector(v, static_cast<Size>(begin + v * lanes * run), f);
#pragma GCC unroll 4
    for (int width = 1; width < vectors; width *= 2) {
      for (int right = width; right < vectors; right += 2 * width) {
        segment_folds<T>& left = all_[right - width];
        for (int v = right; v < right + width; ++v)
          before_[v] = append_lanes(left, before_[v], f.op);
        left = append_lanes(left, all_[right], f.op);
      }
    }
    return {all_[0].value[0], all_[0].begins[0] != 0 ? 1u : 0u};
  }

  /// Writes the folds of everything up to each item, where `prefix` is that of everything before
  /// the group, and `all` that of everything up to its end.
  [[gnu::always_inline]] void write(const detail::segment_fold<T>& prefix, const T& all, T* out,
                                    const Op& op) {
    const segment_folds<T> first{
        in_all_lanes(prefix.value),
        vector_of<std::int32_t>{} - static_cast<std::int32_t>(prefix.begins)};
    vector before = append_lanes(first, before_[0], op).value;
    for (int v = 0; v < vectors; ++v) {
      const vector after =
          v + 1 < vectors ? append_lanes(first, before_[v + 1], op).value : in_all_lanes(all);
      vector next;
      if constexpr (lanes == 2) {
        next = __builtin_shufflevector(before, after, 1, 2);
      } else {
        next = __builtin_shufflevector(before, after, 1, 2, 3, 4);
      }
      write_vector(v, before, next, out + v * lanes * run, op);
      before = after;
    }
  }

 private:
  using vector = vector_of<T>;
  using words = vector_of<std::int32_t>;
  static constexpr int lanes = vector_lanes<T>;
  static constexpr int run = detail::fold_run;
  static constexpr int vectors = detail::fold_group / run / lanes;

  /// Folds the runs from item `begin` on.
  template <scan_kind Kind, class Size, class Input, class Begins, class Init>
  [[gnu::always_inline]] void read_vector(
      int v, Size begin, const detail::segment_item<Kind, T, Input, Begins, Op, Init>& f) {
    std::uint32_t begins[lanes];
    std::uint32_t any = 0;
    for (int r = 0; r < lanes; ++r) {
      begins[r] = begins_of_run(static_cast<Size>(begin + Size(r * run)), f.begins);
      any |= begins[r];
    }
    if constexpr (lanes == 2) {
      begins_[v] = detail::bit_cast<words>(
          vector_of<std::uint32_t>{begins[0], begins[0], begins[1], begins[1]});
    } else {
      begins_[v] = detail::bit_cast<words>(
          vector_of<std::uint32_t>{begins[0], begins[1], begins[2], begins[3]});
    }
    any_[v] = any != 0;

    const element_of<T, Input> input{f.input};
    const Size from = static_cast<Size>(Kind == scan_kind::exclusive ? begin - 1 : begin);
    const vector none = in_all_lanes(detail::unchanging<Op, T>);
    vector start = none;
    if constexpr (!std::same_as<Init, no_init>) start = in_all_lanes<T>(static_cast<T>(f.init));
    vector fold = none;
    // Calls step(k, item k of each run).
    const auto for_each_item = [&](const auto& step) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int k = 0; k < run; k += lanes) {
        vector x[lanes];
#pragma GCC unroll 4
        for (int r = 0; r < lanes; ++r) {
          const Size at = static_cast<Size>(from + Size(r * run + k));
          x[r] = item_vectors<T, Size, element_of<T, Input>>{at, input}[0];
        }
        transpose<T>(x);
#pragma GCC unroll 4
        for (int r = 0; r < lanes; ++r) step(k + r, x[r]);
      }
    };
    if (any == 0) {
      for_each_item([&](int k, vector x) __attribute__((always_inline)) {
        fold_[v][k] = fold = k == 0 ? x : f.op(fold, x);
      });
    } else {
      const words bits = begins_[v];
      for_each_item([&](int k, vector x) __attribute__((always_inline)) {
        const words goes_on = (bits & (1 << k)) == 0;
        if constexpr (Kind == scan_kind::exclusive) {
          fold = chosen<T>(goes_on, k == 0 ? x : f.op(fold, x), start);
        } else {
          fold = f.op(chosen<T>(goes_on, fold, start), x);
        }
        fold_[v][k] = fold;
      });
    }
    const segment_folds<T> folds{fold, begins_[v] != 0};
    all_[v] = fold_before_each(folds, f.op, before_[v]);
  }

  /// Writes the items of the runs, where `before` are the folds of everything before each of them,
  /// and `next` those of everything up to its end.
  [[gnu::always_inline]] void write_vector(int v, vector before, vector next, T* out,
                                           const Op& op) const {
    const auto write_all = [&](const auto& prefix) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int k = 0; k < run; k += lanes) {
        vector x[lanes];
#pragma GCC unroll 4
        for (int r = 0; r < lanes; ++r) x[r] = k + r + 1 < run ? prefix(k + r) : next;
        transpose<T>(x);
#pragma GCC unroll 4
        for (int r = 0; r < lanes; ++r) std::memcpy(out + r * run + k, x + r, sizeof(vector));
      }
    };
    if (any_[v]) {
      const vector none = in_all_lanes(detail::unchanging<Op, T>);
      const words bits = begins_[v];
      write_all([&](int k) __attribute__((always_inline)) {
        const words goes_on = (bits & ((2 << k) - 1)) == 0;
        return op(chosen<T>(goes_on, before, none), fold_[v][k]);
      });
    } else {
      write_all([&](int k) __attribute__((always_inline)) { return op(before, fold_[v][k]); });
    }
  }

  /// fold_[v][k] has the folds of items 0 to k of each run of vector v.
  vector fold_[vectors][run];
  /// The bits of the runs. A lane of 8 bytes has them twice.
  words begins_[vectors];
  bool any_[vectors];
  /// The folds of the runs before each run in its block of vectors, and of all runs of a block, in
  /// all lanes of that of its first vector.
  segment_folds<T> before_[vectors], all_[vectors];
};

}  // namespace evenfold::cpu
