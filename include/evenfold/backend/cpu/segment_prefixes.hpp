#pragma once
// The folds of everything in a segment before each of its runs, on one CPU thread.
//
// They are those of a plain scan (scan_range.hpp) that leaves out the items of other segments: a
// block of the canonical order (balance/fold_order.hpp) is the fold of its items in the segment,
// and does not exist if it has none. So a segment needs no state of its own where it begins: it
// overwrites the blocks of the one before, and knows by their position which are its own.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::cpu {

/// The same operator, whose operands keep their order: a run is folded from left to right.
template <class Op>
struct ordered {
  Op op;
  template <class T>
  T operator()(const T& a, const T& b) const {
    return static_cast<T>(op(a, b));
  }
};

/// The runs of one segment after the other.
template <class T, class Op>
class segment_prefixes {
 public:
  explicit segment_prefixes(const Op& op) : op_(op) {}

  /// Begins a segment, the first item of which is in this run.
  void begin(std::uint64_t run) {
    first_ = run;
    has_groups_ = false;
  }

  /// Begins a segment with the items before a share, which begins with a group.
  void begin(const partial_fold<T>& before) {
    std::uint64_t at = before.begin();
    begin(at / run_items);
    const T* fold = before.blocks();
    if (at % run_items != 0) {
      // The items of a run that is not whole.
      T items = *fold++;
      for (++at; at % run_items != 0; ++at) items = op_(items, *fold++);
      append(at / run_items - 1, items);
    }
    for (; at < before.end(); ++fold) {
      const int level = detail::first_fold_level(at, before.end());
      append(at / run_items, *fold, level - 1);
      at += detail::fold_block_length(level);
    }
  }

  /// The fold of everything so far, at least one run.
  const T& fold() const { return *fold_.value; }

  /// Appends a run of the segment, or the block of 2^level runs that begins with it.
  void append(std::uint64_t run, T fold, int level = 0) {
    const std::uint64_t runs = run + (std::uint64_t{1} << level);
    // It completes larger blocks, of which those on the left may have no items of the segment.
    const int complete = std::countr_zero(runs);
    const int own = std::min(complete, own_levels(run));
    for (; level < own; ++level) fold = op_(blocks_.value[level], fold);
    std::construct_at(blocks_.value + complete, fold);
    // From here on, the bits of the number of runs tell which blocks there are.
    if (runs % group_runs == 0) join_groups(runs);
    join_runs(runs);
  }

 private:
  static constexpr std::uint64_t run_items = detail::fold_run;
  static constexpr std::uint64_t group_runs = detail::fold_group / run_items;
  static constexpr int group_level = detail::fold_group_level - 1;

  /// Of the blocks that end at a run, those of fewer levels have items of the segment.
  int own_levels(std::uint64_t runs) const {
    return runs > first_ ? static_cast<int>(std::bit_width(runs ^ first_)) : 0;
  }

  /// The blocks that the runs before this number are cut into, as bits.
  std::uint64_t blocks_before(std::uint64_t runs) const {
    return runs & ((std::uint64_t{1} << own_levels(runs)) - 1);
  }

  /// The blocks of groups, from left to right.
  void join_groups(std::uint64_t runs) {
    std::uint64_t left = blocks_before(runs) / group_runs;
    has_groups_ = left != 0;
    for (T* groups = nullptr; left != 0;) {
      const int level = static_cast<int>(std::bit_width(left)) - 1;
      const T& fold = blocks_.value[group_level + level];
      groups = std::construct_at(groups_.value, groups != nullptr ? op_(*groups, fold) : fold);
      left ^= std::uint64_t{1} << level;
    }
  }

  /// The blocks of runs of the last group, from right to left, and the groups before it.
  void join_runs(std::uint64_t runs) {
    std::uint64_t left = blocks_before(runs) % group_runs;
    if (left == 0) {
      std::construct_at(fold_.value, *groups_.value);
      return;
    }
    T fold = blocks_.value[std::countr_zero(left)];
    while ((left &= left - 1) != 0) fold = op_(blocks_.value[std::countr_zero(left)], fold);
    std::construct_at(fold_.value, has_groups_ ? op_(*groups_.value, fold) : fold);
  }

  Op op_;
  std::uint64_t first_ = 0;
  bool has_groups_ = false;
  /// The last block of 2^k runs.
  values_for<T, detail::fold_levels> blocks_;
  values_for<T, 1> groups_, fold_;
};

}  // namespace evenfold::cpu
