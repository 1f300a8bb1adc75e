#pragma once
// How a thread of reduce_by_key folds its items: in the canonical order of folds
// (balance/fold_order.hpp), or, where any order gives the same bits, in one that needs less work.
//
// Both are scans of pairs, of the number of runs that have begun and the fold since the last one
// began. Where a run begins, the run before it ends; the slot of the item gets the fold of that
// run.

#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/thread_prefixes.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// The items of a thread.
template <class T, int Items>
struct keyed_items {
  uninitialized<T>* slots;
  unsigned begins;  // bit k: a run begins with item k
  int last;         // the last item of all, where it belongs to this thread

  __device__ bool has_last() const { return last >= 0 && last < Items; }
};

/// The result of a thread: the number of runs that begin before its items, and the fold of the last
/// run of all if the thread has the last item.
template <class Size, class T>
struct key_runs {
  Size before;
  uninitialized<T> last;
};

/// The number of runs that begin among consecutive items, and the fold of the items since the last
/// beginning, or of all items if no run begins.
template <class Size, class T>
struct run_fold {
  Size runs;
  uninitialized<T> fold;
};

template <class Size, class T>
inline constexpr int gap_at<run_fold<Size, T>> =
    sizeof(Size) == 4 && sizeof(T) == 8 && alignof(T) == 8 ? 4 : 0;

template <class Op>
struct join_run_folds {
  Op op;
  template <class Size, class T>
  __device__ run_fold<Size, T> operator()(const run_fold<Size, T>& a,
                                          const run_fold<Size, T>& b) const {
    run_fold<Size, T> joined = b;
    joined.runs = static_cast<Size>(a.runs + b.runs);
    if (b.runs == 0) joined.fold.value = op(a.fold.value, b.fold.value);
    return joined;
  }
};

/// Folds the items of a thread where any order of operations gives the same bits. The results lack
/// the initial value.
template <class Tuning, class Size, class T, class Op>
__device__ key_runs<Size, T> exact_key_runs(
    const keyed_items<T, Tuning::items>& items,
    prefix_shared<Tuning::threads, run_fold<Size, T>>& shared,
    const published<run_fold<Size, T>>& row, const Op& op) {
  uninitialized<T>* const mine = items.slots;
  run_fold<Size, T> fold{static_cast<Size>(__popc(items.begins)), mine[0]};
  uninitialized<T> last = fold.fold;
#pragma unroll
  for (int k = 1; k < Tuning::items; ++k) {
    const uninitialized<T> value = mine[k];
    if (items.begins >> k & 1) {
      mine[k] = fold.fold;
      fold.fold = value;
    } else {
      fold.fold.value = op(fold.fold.value, value.value);
    }
    if (k == items.last) last = fold.fold;
  }
  // Nothing precedes the first thread of all, whose first item begins a run.
  const auto prefixes =
      exact_prefixes<Tuning>(fold, shared, row, join_run_folds<Op>{op}, {false, {}});
  run_fold<Size, T> before{0, {}};
  if (prefixes.before.has) before = prefixes.before.value.value;
  if (items.begins != 0) {
    const int k = __ffs(static_cast<int>(items.begins)) - 1;
    mine[k].value = k > 0 ? op(before.fold.value, mine[k].value) : before.fold.value;
  } else if (items.has_last()) {
    last.value = op(before.fold.value, last.value);
  }
  return {before.runs, last};
}

/// The fold of a block of items: if a run begins inside the block, after its first item, the fold
/// of the items from the last beginning on, otherwise of all items. In blocks of a whole group or
/// more, the fold from a beginning inside the block on includes the initial value.
template <class Number, class T>
struct block_fold_of_runs {
  Number begins;  // 2 * how many runs begin in the block, + 1 if one begins with its first item
  uninitialized<T> fold;

  __device__ bool starts() const { return (begins & 1) != 0; }
  __device__ bool is_cut() const { return (begins >> 1) > (begins & 1); }

  /// The beginnings in this block and the next one.
  __device__ Number begins_with(const block_fold_of_runs& next) const {
    return static_cast<Number>(begins + (next.begins & ~Number{1}));
  }
};

template <class Number, class T>
inline constexpr int gap_at<block_fold_of_runs<Number, T>> =
    sizeof(Number) == 4 && sizeof(T) == 8 && alignof(T) == 8 ? 4 : 0;

/// The fold of two neighbours in one group of the canonical order.
template <class T, class Op>
struct join_in_group {
  Op op;
  uninitialized<T> init;

  template <class Number>
  __device__ block_fold_of_runs<Number, T> operator()(
      const block_fold_of_runs<Number, T>& a, const block_fold_of_runs<Number, T>& b) const {
    block_fold_of_runs<Number, T> joined = b;
    joined.begins = a.begins_with(b);
    if (b.begins == 0) joined.fold = uninitialized<T>(op(a.fold.value, b.fold.value));
    return joined;
  }

  template <class Number>
  __device__ block_fold_of_runs<Number, T> of_group(block_fold_of_runs<Number, T> x) const {
    if (x.is_cut()) x.fold = uninitialized<T>(op(init.value, x.fold.value));
    return x;
  }
};

/// The fold of two neighbours above a group. The first may also be the whole range before the
/// second, with the fold of the run that is open at its end.
template <class T, class Op>
struct join_blocks_of_runs {
  Op op;
  uninitialized<T> init;

  template <class Number>
  __device__ block_fold_of_runs<Number, T> operator()(
      const block_fold_of_runs<Number, T>& a, const block_fold_of_runs<Number, T>& b) const {
    block_fold_of_runs<Number, T> joined = b;
    joined.begins = a.begins_with(b);
    if (!b.is_cut()) {
      uninitialized<T> before = a.fold;
      if (b.starts()) before = init;
      joined.fold = uninitialized<T>(op(before.value, b.fold.value));
    }
    return joined;
  }
};

/// Twice as many as there can be runs fit this type.
template <class Size>
using run_number = std::conditional_t<std::is_signed_v<Size>, std::make_unsigned<Size>,
                                      std::type_identity<std::uint64_t>>::type;

/// Folds the items of a thread in the canonical order. The results have the initial value.
template <class Tuning, class Size, class T, class Op>
__device__ key_runs<Size, T> canonical_key_runs(
    const keyed_items<T, Tuning::items>& items,
    prefix_shared<Tuning::threads, block_fold_of_runs<run_number<Size>, T>>& shared,
    const published<block_fold_of_runs<run_number<Size>, T>>& row, const Op& op,
    const uninitialized<T>& init) {
  using number = run_number<Size>;
  using fold_type = block_fold_of_runs<number, T>;
  constexpr int length = detail::fold_run;
  constexpr int blocks = Tuning::items / length;
  static_assert(Tuning::items == blocks * length && Tuning::items <= 32,
                "where the order of operations matters, there are 16 or 32 items per thread");
  const auto begins_of = [&](int b) { return items.begins >> b * length & 0xffffu; };
  uninitialized<fold_type> block[blocks];
  // The items after the last 16, from the last beginning on.
  uninitialized<T> last;
#pragma unroll
  for (int b = 0; b < blocks; ++b) {
    uninitialized<T>* const mine = items.slots + b * length;
    const unsigned begins = begins_of(b);
    const int last_item = items.last - b * length;
    if (last_item >= 0 && last_item < length - 1) {
      const int first = begins != 0 ? 31 - __clz(static_cast<int>(begins)) : 0;
      last = mine[first];
      for (int k = first + 1; k <= last_item; ++k) {
        last = uninitialized<T>(op(last.value, mine[k].value));
      }
    }
    uninitialized<T> fold;
    if (begins > 1) {
      // Where a run begins, the items before it are folded from left to right. Those of the first
      // run that ends here wait for what precedes them.
      fold = mine[0];
#pragma unroll
      for (int k = 1; k < length; ++k) {
        const uninitialized<T> value = mine[k];
        if ((begins >> k & 1) != 0) {
          const bool began_here = (begins & ((1u << k) - 1)) != 0;
          mine[k] = began_here ? uninitialized<T>(op(init.value, fold.value)) : fold;
          fold = value;
        } else {
          fold = uninitialized<T>(op(fold.value, value.value));
        }
      }
    } else {
      fold = uninitialized<T>(detail::fold_whole_run(&mine[0].value, op));
    }
    block[b] = uninitialized<fold_type>(
        fold_type{static_cast<number>(2 * __popc(begins) + (begins & 1)), fold});
  }

  // Before all items no run is open, and the first item begins one.
  const growing_fold<fold_type> none{true, uninitialized<fold_type>(fold_type{0, init})};
  const auto prefixes = canonical_prefixes(block, shared, row, join_in_group<T, Op>{op, init},
                                           join_blocks_of_runs<T, Op>{op, init}, none);
#pragma unroll
  for (int b = 0; b < blocks; ++b) {
    uninitialized<T>* const mine = items.slots + b * length;
    const unsigned begins = begins_of(b);
    const uninitialized<T> before =
        (b == 0 ? prefixes.before.value : prefixes.after_run[b > 0 ? b - 1 : 0]).value.fold;
    const int last_item = items.last - b * length;
    if (last_item == length - 1) {
      last = prefixes.after_run[b].value.fold;
    } else if (last_item >= 0 && last_item < length) {
      last = uninitialized<T>(op((begins != 0 ? init : before).value, last.value));
    }
    if (begins & 1) {
      mine[0] = before;
    } else if (begins != 0) {
      T& first = mine[__ffs(static_cast<int>(begins)) - 1].value;
      first = op(before.value, first);
    }
  }
  return {static_cast<Size>(prefixes.before.value.value.begins >> 1), last};
}

}  // namespace evenfold::device
