#pragma once
// The scan of a range of values by one thread, from a partial fold of everything before it on.
//
// A prefix is (the groups before it (+) the runs before it in its group) (+) its items in the last
// run (balance/fold_order.hpp). The items of a run are folded on their own, so that the chains of
// dependent operations of neighbouring runs overlap. Numbers are scanned in as many runs as a
// vector has lanes, one run per lane.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/backend/cpu/vector_scan.hpp"
#include "evenfold/backend/cpu/vector_segment_scan.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

namespace evenfold::cpu {

// g++ cannot see that a prefix is written before it is read, and warns where calls are inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// Whether prefixes are folded one after the other, since all brackets give the same bits.
template <class Op, class T>
inline constexpr bool scans_in_any_order =
    std::integral<T> || (std::is_floating_point_v<T> && detail::is_exact_fold<Op, T>);
template <class Op, class T>
inline constexpr bool scans_in_any_order<detail::append_segment_fold<Op>, detail::segment_fold<T>> =
    scans_in_any_order<Op, T>;

/// Scans [i, end), at least one value, where `before` is the fold of everything before them, or
/// null where there is nothing. Returns the fold of everything up to `end`.
template <scan_kind Kind, class T, class Size, class F, class Output, class Op>
T scan_in_order(const T* before, Size i, Size end, const F& f, Output out, const Op& op) {
  constexpr int short_scan = 16;
  T fold{};
  if (before != nullptr) {
    fold = *before;
  } else {
    out[i] = fold = static_cast<T>(f(i));
    ++i;
  }
  if constexpr (scans_integers_in_vectors<T, F, Output, Op>) {
    if (end - i >= short_scan) i = scan_integers<Kind>(i, end, f.input, out, fold);
  }
  if constexpr (scans_extremes_in_vectors<T, Output, Op>) {
    if (end - i >= short_scan) i = scan_extremes<Kind, T, Op>(i, end, f, out, fold);
  }
  for (; i < end; ++i) {
    const T next = op(fold, static_cast<T>(f(i)));
    out[i] = Kind == scan_kind::inclusive ? next : fold;
    fold = next;
  }
  return fold;
}

/// Scans values from the beginning of a group on, where `before` is the partial fold of everything
/// before them.
template <scan_kind Kind, segments_in Segments, class T, class Size, class F, class Output,
          class Op, class Init>
class range_scan {
 public:
  range_scan(const partial_fold<T>& before, F f, Output out, Op op, Init init)
      : groups_(before.begin()), f_(f), out_(out), op_(op) {
    if constexpr (has_init) std::construct_at(prefixes_.value, init);
    // One block after the other, for the folds of everything up to each.
    std::uint64_t at = before.begin();
    for (int k = 0; k < before.num_blocks(); ++k) {
      const int level = detail::first_fold_level(at, before.end());
      append_groups(level, before.blocks()[k]);
      at += detail::fold_block_length(level);
    }
  }

  /// Scans [i, end), at least one value. Returns the fold of everything up to `end`.
  T operator()(Size i, Size end) {
    if constexpr (scans_in_any_order<Op, T>) {
      return scan_in_order<Kind>(prefix(), i, end, f_, out_, op_);
    } else {
      const auto left = [&] {
        return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(i);
      };
      if constexpr (in_vectors) {
        constexpr int items = vector_lanes<T> * run;
        for (; left() >= items; i = static_cast<Size>(i + items)) scan_vectors(i);
      }
      if constexpr (Segments == segments_in::vectors) {
        constexpr int group = detail::fold_group;
        // The first group is scanned run by run, since an exclusive scan reads the item before.
        for (; static_cast<std::uint64_t>(i) < group && left() >= run;
             i = static_cast<Size>(i + run)) {
          scan_run(i);
        }
        for (; left() >= group; i = static_cast<Size>(i + group)) scan_segment_group(i);
      }
      for (; left() >= run; i = static_cast<Size>(i + run)) scan_run(i);
      return i < end ? scan_last(i, static_cast<int>(left())) : *prefix();
    }
  }

 private:
  /// The fold of everything so far, or a null pointer where there is nothing.
  const T* prefix() const {
    if (runs_ > 0) return prefix_.value;
    return has_init || groups_.num_blocks() > 0 ? prefixes_.value + groups_.num_blocks() : nullptr;
  }

  /// Appends a block of groups.
  void append_groups(int level, const T& fold) {
    groups_.append_block(level, fold, op_);
    const int blocks = groups_.num_blocks();
    const T& last = groups_.blocks()[blocks - 1];
    T* const next = prefixes_.value + blocks;
    std::construct_at(next, has_init || blocks > 1 ? op_(next[-1], last) : last);
  }

  /// Appends 2^level runs of the group.
  void append_runs(int level, T fold) {
    const int runs = runs_ + (1 << level);
    for (; (runs_ >> level & 1) != 0; ++level) fold = op_(blocks_.value[level], fold);
    runs_ = runs % group_runs;
    if (runs_ == 0) {
      append_groups(detail::fold_group_level, fold);
      return;
    }
    std::construct_at(blocks_.value + level, fold);
    while (++level < group_levels) {
      if ((runs_ >> level & 1) != 0) fold = op_(blocks_.value[level], fold);
    }
    const int groups = groups_.num_blocks();
    std::construct_at(prefix_.value,
                      has_init || groups > 0 ? op_(prefixes_.value[groups], fold) : fold);
  }

  /// Calls step(0), ..., step(count - 1). At -O2, g++ does not unroll the loop by itself, and keeps
  /// structures in memory then. A loop of another form takes up to 1.4 times as long at -O3.
  template <class Step>
  [[gnu::always_inline]] static void repeat(int count, const Step& step) {
    if constexpr (std::is_arithmetic_v<T>) {
      for (int k = 0; k < count; ++k) step(k);
    } else {
#pragma GCC unroll 16
      for (int k = 0; k < count; ++k) step(k);
    }
  }

  /// Scans the first `count` items of a run, but for the last prefix in an inclusive scan. Writes
  /// the items to x, and returns their fold.
  T scan_items(Size begin, int count, T* x) {
    const auto read = [&](int k) __attribute__((always_inline)) {
      std::construct_at(x + k, static_cast<T>(f_(static_cast<Size>(begin + Size(k)))));
    };
    repeat(count, read);
    const auto scan_inline = [&](const auto& with_before) __attribute__((always_inline)) {
      T fold = x[0];
      const auto step = [&](int k) __attribute__((always_inline)) {
        out_[static_cast<Size>(begin + Size(Kind == scan_kind::inclusive ? k : k + 1))] =
            with_before(fold);
        fold = op_(fold, x[k + 1]);
      };
      repeat(count - 1, step);
      return fold;
    };
    // Inlined into its callers, g++ makes branches of choices among numbers.
    const auto scan_apart = [&](const auto& with_before) { return scan_inline(with_before); };
    const auto scan = [&](const auto& with_before) __attribute__((always_inline)) {
      if constexpr (std::is_arithmetic_v<T>) {
        return scan_apart(with_before);
      } else {
        return scan_inline(with_before);
      }
    };
    if (prefix() == nullptr) return scan([](const T& fold) { return fold; });
    // A copy stays in registers, whatever is written.
    const T before = *prefix();
    if constexpr (Kind == scan_kind::exclusive) out_[begin] = before;
    return scan([&](const T& fold) { return op_(before, fold); });
  }

  void scan_run(Size begin) {
    values_for<T, run> values;
    const T fold = scan_items(begin, run, values.value);
    if constexpr (is_commutative<Op, T>) {
      append_runs(0, detail::fold_whole_run(values.value, op_));
    } else {
      append_runs(0, fold);
    }
    if constexpr (Kind == scan_kind::inclusive)
      out_[static_cast<Size>(begin + Size(run - 1))] = *prefix();
  }

  /// Scans the last items, fewer than a run. Returns the fold of everything.
  T scan_last(Size begin, int count) {
    values_for<T, run> values;
    const T fold = scan_items(begin, count, values.value);
    const T all = prefix() == nullptr ? fold : op_(*prefix(), fold);
    if constexpr (Kind == scan_kind::inclusive)
      out_[static_cast<Size>(begin + Size(count - 1))] = all;
    return all;
  }

  /// Scans as many runs as a vector has lanes.
  void scan_vectors(Size begin) {
    using vector = vector_of<T>;
    constexpr int lanes = vector_lanes<T>;
    constexpr int level = lanes / 2;
    // x[k] has the k-th value of each run. At -O2, g++ does not unroll loops by itself, and keeps
    // the vectors in memory then.
    vector x[run];
#pragma GCC unroll 16
    for (int k = 0; k < run; k += lanes) {
#pragma GCC unroll 4
      for (int r = 0; r < lanes; ++r) {
        const Size at = static_cast<Size>(begin + Size(r * run + k));
        x[k + r] = item_vectors<T, Size, F>{at, f_}[0];
      }
      transpose<T>(x + k);
    }
    const vector fold = fold_vectors<run, T>(x, op_);
    // The runs before each in the group, then everything before it.
    constexpr T none = detail::unchanging<Op, T>;
    vector before;
    T all;
    if constexpr (lanes == 2) {
      before = vector{none, fold[0]};
      all = op_(fold[0], fold[1]);
    } else {
      const T left = op_(fold[0], fold[1]);
      before = vector{none, fold[0], left, op_(left, fold[2])};
      all = op_(left, op_(fold[2], fold[3]));
    }
    for (int k = level; k < group_levels; ++k) {
      if ((runs_ >> k & 1) != 0) before = op_(in_all_lanes(blocks_.value[k]), before);
    }
    const bool is_first = !has_init && groups_.num_blocks() == 0;
    if (!is_first) before = op_(in_all_lanes(prefixes_.value[groups_.num_blocks()]), before);
    append_runs(level, all);
    const vector last = in_all_lanes(*prefix());
    vector next;
    if constexpr (lanes == 2) {
      next = __builtin_shufflevector(before, last, 1, 2);
    } else {
      next = __builtin_shufflevector(before, last, 1, 2, 3, 4);
    }

    vector items = x[0];
    if constexpr (Kind == scan_kind::exclusive) x[0] = before;
#pragma GCC unroll 16
    for (int k = 1; k < run; ++k) {
      const vector prefixes = op_(before, items);
      items = op_(items, x[k]);
      x[Kind == scan_kind::inclusive ? k - 1 : k] = prefixes;
    }
    if constexpr (Kind == scan_kind::inclusive) x[run - 1] = next;
#pragma GCC unroll 16
    for (int k = 0; k < run; k += lanes) {
      transpose<T>(x + k);
#pragma GCC unroll 4
      for (int r = 0; r < lanes; ++r) {
        std::memcpy(out_ + static_cast<Size>(begin + Size(r * run + k)), x + k + r, sizeof(vector));
      }
    }
  }

  /// Scans a whole group of a segmented scan.
  void scan_segment_group(Size begin) {
    segmented_group<decltype(T::value), decltype(op_.op)> group;
    const T all = group.read(begin, f_);
    const T before = *prefix();
    append_groups(detail::fold_group_level, all);
    group.write(before, prefix()->value, out_.out + begin, op_.op);
  }

  static constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static constexpr bool in_vectors = folds_in_vectors<Op, T> && std::same_as<Output, T*>;
  static constexpr int run = detail::fold_run;
  static constexpr int group_runs = detail::fold_group / run;
  static constexpr int group_levels = detail::fold_group_level - 1;

  /// The groups so far, and the folds of everything up to each of its blocks.
  partial_fold<T> groups_;
  values_for<T, detail::fold_levels> prefixes_;
  /// The runs so far of the group after them: their number, the blocks of 2^k runs they are cut
  /// into, and the fold of everything up to their end.
  int runs_ = 0;
  values_for<T, group_levels> blocks_;
  values_for<T, 1> prefix_;
  F f_;
  Output out_;
  Op op_;
};

/// Scans f(begin), ..., f(end - 1), at least one value, where `before` is the partial fold of
/// everything before them. Returns the fold of everything up to `end`. Compiled once, not once per
/// call.
template <scan_kind Kind, class T, class Size, class F, class Output, class Op, class Init>
[[gnu::noinline]] T scan_range(const partial_fold<T>& before, Size begin, Size end, F f, Output out,
                               Op op, Init init) {
  const auto scan = [&]<segments_in Segments>() {
    range_scan<Kind, Segments, T, Size, F, Output, Op, Init> range(before, f, out, op, init);
    return range(begin, end);
  };
  if constexpr (Kind == scan_kind::inclusive && folds_segments_in_vectors<F, Output>) {
    if (profits_from_vectors(begin, end, f))
      return scan.template operator()<segments_in::vectors>();
  }
  return scan.template operator()<segments_in::turn>();
}
template <scan_kind Kind, class T, class Size, class F, class Output, class Op, class Init>
[[gnu::noinline]] T scan_range(const unordered_fold<T>& before, Size begin, Size end, F f,
                               Output out, Op op, Init init) {
  if constexpr (std::is_same_v<Init, no_init>) {
    return scan_in_order<Kind>(before.value(), begin, end, f, out, op);
  } else {
    const T first = before.fold(op, static_cast<T>(init));
    return scan_in_order<Kind>(&first, begin, end, f, out, op);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace evenfold::cpu
