#pragma once
// Parts of groups in the canonical order of folds (balance/fold_order.hpp), a warp each: where a
// segment begins or ends inside a group of 512 items, it has a part of it.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// The items [from, to) of the group that begins at item `base`, a multiple of 512: those of the
/// segment [begin, end), which has at least one of them.
struct group_part {
  unsigned base = 0;
  int from = 0;
  int to = 0;

  group_part() = default;
  __device__ group_part(unsigned group, unsigned begin, unsigned end)
      : base(group),
        from(begin > group ? static_cast<int>(begin - group) : 0),
        to(end - group < detail::fold_group ? static_cast<int>(end - group) : detail::fold_group) {}

  __device__ bool is_whole() const { return from == 0 && to == detail::fold_group; }
  __device__ bool has_runs() const { return from < to - to % detail::fold_run; }
  /// Whether the segment ends inside a run.
  __device__ bool has_rest() const { return to % detail::fold_run != 0; }
};

/// The fold of the runs of a part, and of the items after the last of them.
template <class T>
struct part_folds {
  uninitialized<T> runs;
  uninitialized<T> rest;
};

/// Reads a part by rows, and a whole group as fold_tiles does. In place of items that the part does
/// not have come operands that change nothing, if there are such.
template <class Size, class Op, class Tuning, class T, class F>
__device__ void load_part(const fold_tiles<Tuning, T>& tiles, const group_part& part, const F& f,
                          typename fold_tiles<Tuning, T>::tile_values& values) {
  if (part.is_whole()) {
    tiles.template load<Size>(part.base, f, values);
    return;
  }
#pragma unroll
  for (int j = 0; j < detail::fold_run; ++j) {
    const int at = j * warp_threads + lane_id();
    if constexpr (detail::has_unchanging<Op, T>) {
      constexpr T none = detail::unchanging<Op, T>;
      values[j] = uninitialized<T>(none);
    }
    if (at >= part.from && at < part.to) {
      values[j] = uninitialized<T>(
          static_cast<T>(f(static_cast<Size>(part.base + static_cast<unsigned>(at)))));
    }
  }
}

/// The items [from, to) of a run, where `from` may be below 0, and `to` above 16. They are the
/// first ones of `values`; but where there are operands that change nothing, each item is in its
/// own place, and such operands are in the others.
template <class Op, class T>
struct some_items {
  static constexpr bool in_place = detail::has_unchanging<Op, T>;
  int first;  ///< the number of the first item
  int count;
  uninitialized<T> values[detail::fold_run];

  __device__ some_items(int from, int to)
      : first(from > 0 ? from : 0),
        count((to < detail::fold_run ? to : detail::fold_run) - first) {}

  /// Reads them, where value(k) is item k.
  template <class Value>
  __device__ void load(const Value& value) {
#pragma unroll
    for (int k = 0; k < detail::fold_run; ++k) {
      if constexpr (in_place) {
        constexpr T none = detail::unchanging<Op, T>;
        values[k] = uninitialized<T>(none);
        if (k >= first && k < first + count) values[k] = uninitialized<T>(static_cast<T>(value(k)));
      } else {
        if (k < count) values[k] = uninitialized<T>(static_cast<T>(value(first + k)));
      }
    }
  }

  /// Their fold, if there is at least one.
  __device__ uninitialized<T> fold(const Op& op) const {
    constexpr int run = detail::fold_run;
    uninitialized<T> fold = values[0];
    if constexpr (in_place && detail::is_exact_fold<Op, T>) {
      fold = uninitialized<T>(detail::fold_whole_run(&values->value, op));
    } else if constexpr (in_place) {
#pragma unroll
      for (int k = 1; k < run; ++k) fold = uninitialized<T>(op(fold.value, values[k].value));
      const T whole = detail::fold_whole_run(&values->value, op);
      if (count == run) fold = uninitialized<T>(whole);
    } else if (is_commutative<Op, T> && count == run) {
      fold = uninitialized<T>(detail::fold_whole_run(&values->value, op));
    } else {
#pragma unroll
      for (int k = 1; k < run; ++k) {
        if (k < count) fold = uninitialized<T>(op(fold.value, values[k].value));
      }
    }
    return fold;
  }
};

/// The fold of those runs of a group that belong to a part, at least one of them, in all lanes.
template <class T, class Op>
__device__ uninitialized<T> fold_some_runs(const uninitialized<T>& fold, bool belongs,
                                           const Op& op) {
  if constexpr (detail::has_unchanging<Op, T>) {
    constexpr T none = detail::unchanging<Op, T>;
    return fold_lanes(belongs ? fold.value : none, op).all;
  } else {
    return fold_some_lanes(fold, belongs, op);
  }
}

/// The folds of a part that a warp has read, in all lanes. Calls next() as soon as the values are
/// not needed any more. The warp synchronises before it folds another part.
template <class F, class Tuning, class T, class Op, class Next>
__device__ part_folds<T> fold_part(const fold_tiles<Tuning, T>& tiles, const group_part& part,
                                   const typename fold_tiles<Tuning, T>::tile_values& values,
                                   const Op& op, const Next& next) {
  constexpr int run = detail::fold_run;
  part_folds<T> folds;
  if (part.is_whole()) {
    folds.runs = uninitialized<T>(tiles.template fold_loaded<F>(values, op, next));
    return folds;
  }
  uninitialized<T>* const tile = tiles.shared.tile[warp_id()];
#pragma unroll
  for (int j = 0; j < run; ++j) {
    const int at = j * warp_threads + lane_id();
    tile[at + at / run] = values[j];
  }
  next();
  __syncwarp();
  // The items after the last whole run are folded like a run, but are not in its tree.
  const int from = part.from - lane_id() * run;
  const int to = part.to - lane_id() * run;
  some_items<Op, T> mine(from, to);
  const uninitialized<T>* const items = tile + lane_id() * (run + 1);
#pragma unroll
  for (int k = 0; k < run; ++k) {
    // Past the run there is an element that no item has.
    mine.values[k] = items[mine.in_place ? k : min(mine.first + k, run)];
  }
  const uninitialized<T> fold = mine.fold(op);
  if (part.has_rest()) folds.rest = uninitialized<T>(shuffle_from(fold.value, part.to / run));
  folds.runs = fold_some_runs(fold, from < run && to >= run, op);
  return folds;
}

/// A warp folds `count` parts one after the other, and reads each while it folds the one before it.
/// at(k) is part k, and all lanes call store(k, part, its folds).
template <class Size, class Tuning, class T, class F, class Op, class At, class Store>
__device__ void fold_parts(const fold_tiles<Tuning, T>& tiles, unsigned first, unsigned count,
                           unsigned step, const F& f, const Op& op, const At& at,
                           const Store& store) {
  if (first >= count) return;
  typename fold_tiles<Tuning, T>::tile_values values;
  group_part part = at(first);
  load_part<Size, Op>(tiles, part, f, values);
  for (unsigned k = first; k < count; k += step) {
    const group_part now = part;
    store(k, now, fold_part<F>(tiles, now, values, op, [&] {
            if (k + step < count) {
              part = at(k + step);
              load_part<Size, Op>(tiles, part, f, values);
            }
          }));
    __syncwarp();
  }
}

/// The same as fold_groups for up to 32 groups, which lanes hold.
template <class T, class Op>
__device__ uninitialized<T> fold_few_groups(uninitialized<T> init, unsigned first, unsigned groups,
                                            const uninitialized<T>* folds, const Op& op) {
  const auto lane = static_cast<unsigned>(lane_id());
  const unsigned number = first + lane;
  bool begins_block = lane < groups;
  uninitialized<T> fold;  // of the largest block that begins here
  if (begins_block) fold = folds[lane];
#pragma unroll
  for (unsigned half = 1; half < warp_threads; half *= 2) {
    if (half >= groups) break;
    const unsigned base = number & (0u - 2 * half);
    const bool is_whole = base - first < groups && base - first + 2 * half <= groups;
    const uninitialized<T> right(shuffle_down(fold.value, static_cast<int>(half)));
    if (is_whole && number == base) fold = uninitialized<T>(op(fold.value, right.value));
    begins_block = begins_block && !(is_whole && number != base);
  }
  for (unsigned left = __ballot_sync(whole_warp, begins_block); left != 0; left &= left - 1) {
    const int k = __ffs(static_cast<int>(left)) - 1;
    init = uninitialized<T>(op(init.value, shuffle_from(fold.value, k)));
  }
  return init;
}

/// init (+) the `groups` folds of whole groups, the first of which is group number `first`. Called
/// by one warp, which may leave in folds[k] the fold of the largest block that begins there.
template <class T, class Op>
__device__ uninitialized<T> fold_groups(uninitialized<T> init, std::uint64_t first, int groups,
                                        uninitialized<T>* folds, const Op& op) {
  if (groups <= warp_threads) {
    return fold_few_groups(init, static_cast<unsigned>(first), static_cast<unsigned>(groups), folds,
                           op);
  }
  for (int half = 1; 2 * half <= groups; half *= 2) {
    const int aligned = static_cast<int>(-first & static_cast<unsigned>(2 * half - 1));
    for (int k = aligned + lane_id() * 2 * half; k + 2 * half <= groups;
         k += warp_threads * 2 * half) {
      folds[k] = uninitialized<T>(op(folds[k].value, folds[k + half].value));
    }
    __syncwarp();
  }
  for (int k = 0; k < groups;) {
    init = uninitialized<T>(op(init.value, folds[k].value));
    int block = 1;
    while (2 * block <= groups - k && ((first + k) & static_cast<unsigned>(2 * block - 1)) == 0) {
      block *= 2;
    }
    k += block;
  }
  return init;
}

/// init (+) the items [begin, end), where `folds` are those of the runs of each group, and `rest`
/// that of the items after the last run. Called by one warp, which changes the folds; where the
/// range ends inside the group in which it begins, there is a run.
template <class T, class Op>
__device__ uninitialized<T> join_groups(uninitialized<T> init, unsigned begin, unsigned end,
                                        uninitialized<T>* folds, const uninitialized<T>& rest,
                                        const Op& op) {
  constexpr unsigned group = detail::fold_group;
  const unsigned first = (begin + group - 1) / group;
  const unsigned last = end / group;
  const bool has_first_part = begin % group != 0;
  const int groups = last > first ? static_cast<int>(last - first) : 0;
  const group_part tail(last * group, begin, end);
  // All are read before one is used.
  const int before = has_first_part ? 1 : 0;
  const bool has_last_part = last >= first && tail.has_runs();
  const uninitialized<T> first_part = folds[0];
  const uninitialized<T> last_part = folds[has_last_part ? before + groups : 0];
  const uninitialized<T> items = rest;
  if (has_first_part) init = uninitialized<T>(op(init.value, first_part.value));
  init = fold_groups(init, std::uint64_t{first}, groups, folds + before, op);
  if (has_last_part) init = uninitialized<T>(op(init.value, last_part.value));
  if (tail.has_rest()) init = uninitialized<T>(op(init.value, items.value));
  return init;
}

}  // namespace evenfold::device
